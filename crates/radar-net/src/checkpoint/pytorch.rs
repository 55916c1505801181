//! Files that PyTorch saved: programs that only Python can run, and the one line that makes weights of them.

use crate::error::NetError;

/// Turns a PyTorch file into safetensors; the two paths follow it.
pub const CONVERSION: &str = "python3 -c 'import sys, torch; from safetensors.torch import save_file; \
     c = torch.load(sys.argv[1], map_location=\"cpu\", weights_only=False); \
     c = c.get(\"model_state_dict\", c); \
     save_file({k: v.clone().contiguous() for k, v in c.items()}, sys.argv[2])'";

/// The code of the refusal.
pub const CODE: &str = "pytorch-file";

/// Whether PyTorch saved it: a zip archive with a pickle inside, or a bare pickle as before.
pub fn is_pytorch(content: &[u8]) -> bool {
    const PICKLE: &[u8] = b"/data.pkl";
    let holds_pickle = || content.windows(PICKLE.len()).any(|window| window == PICKLE);
    // What a pickle of tensors begins with after its version: a frame, the magic number of a saved file, a
    // dictionary or the name of its class. Safetensors begins with a length, and with `{` after that.
    let is_pickle = matches!(content, [0x80, 2..=5, 0x95 | 0x8A | b'}' | b'c', ..]);
    content.starts_with(b"PK\x03\x04") && holds_pickle() || is_pickle && content.get(8) != Some(&b'{')
}

/// The refusal of such a file: how to convert `from` to `to`, both as a shell takes them.
pub fn unconverted(from: &str, to: &str) -> NetError {
    NetError::new(
        CODE,
        "this is a PyTorch file, a program of its own that only Python can run",
        format!(
            "if you trust it, convert it once (pip install torch safetensors numpy), then `radar model import` \
             the result:\n{CONVERSION} {from} {to}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pytorch_files_are_told_by_their_bytes() {
        let zip = b"PK\x03\x04\0\0\x08\x08 and so on, archive/data.pkl\x80\x02}";
        // Ordered dictionaries, saved files before zip archives, and later pickles.
        let pickles: [&[u8]; 4] = [
            b"\x80\x02}q\x00(X",
            b"\x80\x02ccollections",
            b"\x80\x02\x8a\x0al\xfc",
            b"\x80\x04\x95\x20\0\0\0\0\0",
        ];
        assert!(is_pytorch(zip) && pickles.into_iter().all(is_pytorch));
        // Other archives, and headers of 0x280 and 0x630280 bytes, which begin like a pickle.
        let others: [&[u8]; 6] = [
            b"",
            b"\x80",
            b"\x80\x02\0\0\0",
            b"\x80\x02\0\0\0\0\0\0{\"a\":{}}",
            b"\x80\x02c\0\0\0\0\0{\"a\":{}}",
            b"PK\x03\x04 and so on, distance.npy",
        ];
        assert!(!others.into_iter().any(is_pytorch));
    }
}
