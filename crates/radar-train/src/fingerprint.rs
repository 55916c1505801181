//! What tells bytes from others: whether a file or a set is still the one that it was.

/// FNV-1a, eight bytes at a time, over all parts in their order.
pub(crate) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    const PRIME: u64 = 0x0100_0000_01b3;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        let (words, rest) = part.as_chunks::<8>();
        let words = words.iter().map(|word| u64::from_le_bytes(*word));
        for word in words.chain(rest.iter().map(|&byte| u64::from(byte))) {
            // The multiplication carries upwards only; the turn brings what it carried back down.
            hash = (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
        }
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bit_shows() {
        let bytes: Vec<u8> = (0..19).collect();
        for bit in 0..19 * 8 {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(of([&changed[..]]), of([&bytes[..]]), "bit {bit}");
        }
        assert_ne!(of([&bytes[1..]]), of([&bytes[..18]]));
    }
}
