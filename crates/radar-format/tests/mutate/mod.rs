//! Damages files the way the world does: cut off, a byte changed, pieces lost, repeated or swapped,
//! numbers replaced by nasty ones. Shared by the mutation tests and the fuzzer.

/// No damaged file is longer, so that a run of damages cannot grow without end.
const LONGEST: usize = 1 << 17;

/// Numbers and words that parsers trip over.
const NASTY: &[&str] = &[
    "0",
    "-1",
    "1e999",
    "-1e999",
    "1e308",
    "1e-320",
    "NaN",
    "inf",
    "null",
    "0x10",
    "9999999999999999999999",
    "18446744073709551615",
    "4294967295",
    "1000000000",
    "65536",
    "16384",
    "0.1",
    "1.",
    ".",
    "-",
    "\"\"",
    "[]",
    "{}",
    "[[",
    "true",
    "\u{fc}",
    "\\u0000",
    "\\ud800",
    "EOF",
    "-1\n-1",
    ",",
    ":",
    "\n",
    "\r\n",
    "\t",
];

/// `input` with one to four damages; `other` lends pieces. `pick(n)` chooses a number below `n`.
pub fn damaged(input: &[u8], other: &[u8], pick: &mut impl FnMut(usize) -> usize) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=pick(4) {
        damage(&mut bytes, other, pick);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn damage(bytes: &mut Vec<u8>, other: &[u8], pick: &mut impl FnMut(usize) -> usize) {
    match pick(9) {
        0 => bytes.truncate(pick(bytes.len() + 1)),
        1 if !bytes.is_empty() => {
            let at = pick(bytes.len());
            bytes[at] ^= 1 << pick(8);
        }
        2 => {
            let gone = piece(bytes, pick);
            bytes.drain(gone);
        }
        3 => {
            let range = piece(bytes, pick);
            let copy = bytes[range.clone()].to_vec();
            bytes.splice(range.start..range.start, copy);
        }
        4 => {
            let at = pick(bytes.len() + 1);
            let lent = other[piece(other, pick)].to_vec();
            bytes.splice(at..at, lent);
        }
        5 => {
            let (first, second) = (token(bytes, pick), token(bytes, pick));
            if first.end <= second.start {
                let (one, two) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
                bytes.splice(second, one);
                bytes.splice(first, two);
            }
        }
        6 => {
            let at = pick(bytes.len() + 1);
            bytes.insert(at, pick(256) as u8);
        }
        _ => {
            let place = token(bytes, pick);
            bytes.splice(place, NASTY[pick(NASTY.len())].bytes());
        }
    }
}

/// A short stretch anywhere.
fn piece(bytes: &[u8], pick: &mut impl FnMut(usize) -> usize) -> std::ops::Range<usize> {
    let start = pick(bytes.len() + 1);
    let most = [4, 64, 1024][pick(3)];
    start..(start + pick(most)).min(bytes.len())
}

/// The word or number at, or after, some place.
fn token(bytes: &[u8], pick: &mut impl FnMut(usize) -> usize) -> std::ops::Range<usize> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.+-".contains(byte);
    let from = pick(bytes.len() + 1);
    let start = bytes[from..].iter().position(part).map_or(bytes.len(), |skipped| from + skipped);
    let start = bytes[..start].iter().rposition(|byte| !part(byte)).map_or(0, |before| before + 1);
    let length = bytes[start..].iter().position(|byte| !part(byte)).unwrap_or(bytes.len() - start);
    start..start + length
}
