//! Pieces of a file in messages.

/// `text` for a message: at most `most` letters of it.
pub(super) fn shown(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A token of a file for a message, whatever bytes it is of.
pub(super) fn shown_token(token: &[u8]) -> String {
    const MOST: usize = 40;
    // A letter has at most four bytes; what follows need not even be decoded.
    shown(&String::from_utf8_lossy(&token[..token.len().min(4 * MOST + 4)]), MOST)
}
