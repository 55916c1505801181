//! One array of an npz: the header that numpy writes, and the numbers behind it.

use std::io::Read;

use super::numbers::Numbers;
use crate::FormatError;
use crate::read::{MOST_VALUES, shown::shown};

/// The longest header that is read; numpy's are a few hundred bytes.
const LONGEST_HEADER: usize = 1 << 16;

/// The most axes an array has; numpy knows no more.
const MOST_AXES: usize = 64;

/// The longest text that is read or written, in characters: one is held as a whole before it is
/// known how much of it is there.
pub(crate) const LONGEST_TEXT: usize = 1 << 20;

/// What a text takes at least, in values of a matrix: its place in the list and its own memory.
const CELLS_OF_A_TEXT: usize = 4;

/// An array in row order.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub shape: Vec<usize>,
    pub content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Numbers and truths.
    Numbers(Numbers),
    /// Texts.
    Texts(Vec<String>),
}

/// How one element is stored.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Element {
    big_endian: bool,
    kind: u8,
    /// Bytes of an element; of a text, four per character.
    size: usize,
}

impl Array {
    /// Reads an array; the bytes may be hostile, so nothing is allocated on the word of a header.
    pub fn read(name: &str, mut from: impl Read, room: &mut usize) -> Result<Self, FormatError> {
        let header = header(name, &mut from)?;
        let (element, fortran, shape) = describe(&header).ok_or_else(|| {
            let cause = format!("the array `{name}` has the header {}", shown(header.trim(), 400));
            FormatError::new("npy-unsupported", cause, "store numbers, truths or texts, not objects")
        })?;
        let count = shape.iter().try_fold(1_usize, |product, &side| product.checked_mul(side));
        let cells = count.and_then(|count| count.checked_mul(element.cells()));
        let (Some(count), Some(cells)) = (count, cells.filter(|&cells| cells <= *room)) else {
            return Err(FormatError::new(
                "too-large",
                format!(
                    "the array `{name}` announces shape {shape:?}; at most {MOST_VALUES} values are read"
                ),
                "split the set",
            ));
        };
        *room -= cells;
        let mut content = element.content();
        let mut block = vec![0_u8; element.size * (4096 / element.size).max(1)];
        let mut left = count * element.size;
        while left > 0 {
            let length = left.min(block.len());
            let part = &mut block[..length];
            from.read_exact(part).map_err(|error| {
                let cause = format!("the array `{name}` ends before its {count} values: {error}");
                FormatError::new("npz-damaged", cause, "write the file again")
            })?;
            for bytes in part.chunks_exact(element.size) {
                element.push(bytes, &mut content);
            }
            left -= length;
        }
        // Only one byte more is asked for, whatever else there is.
        match from.read(&mut [0]) {
            Ok(0) => {}
            Ok(_) => {
                let cause = format!("the array `{name}` goes on behind its {count} values");
                return Err(FormatError::new("npz-damaged", cause, "write the file again"));
            }
            Err(error) => {
                let cause = format!("the array `{name}` cannot be trusted: {error}");
                return Err(FormatError::new("npz-damaged", cause, "write the file again"));
            }
        }
        if fortran {
            content.turn(&shape);
        }
        Ok(Self { shape, content })
    }

    /// The numbers, or an error that names the array.
    pub fn numbers(&self, name: &str) -> Result<&Numbers, FormatError> {
        match &self.content {
            Content::Numbers(numbers) => Ok(numbers),
            Content::Texts(_) => Err(wrong_type(name, "texts", "numbers")),
        }
    }

    /// The texts, or an error that names the array.
    pub fn texts(&self, name: &str) -> Result<&[String], FormatError> {
        match &self.content {
            Content::Texts(texts) => Ok(texts),
            Content::Numbers(_) => Err(wrong_type(name, "numbers", "texts")),
        }
    }
}

/// What a text of so many characters takes, in values of a matrix.
pub(crate) fn cells_of_a_text(characters: usize) -> usize {
    characters.div_ceil(2).max(CELLS_OF_A_TEXT)
}

fn wrong_type(name: &str, found: &str, wanted: &str) -> FormatError {
    let cause = format!("the array `{name}` holds {found}");
    FormatError::new("wrong-type", cause, format!("store {wanted}"))
}

impl Element {
    /// What it takes in memory, in values of a matrix.
    fn cells(self) -> usize {
        if self.kind == b'U' { cells_of_a_text(self.size / 4) } else { 1 }
    }

    fn content(self) -> Content {
        match self.kind {
            b'U' => Content::Texts(Vec::new()),
            b'f' if self.size <= 4 => Content::Numbers(Numbers::Single(Vec::new())),
            b'f' => Content::Numbers(Numbers::Double(Vec::new())),
            _ => Content::Numbers(Numbers::Whole(Vec::new())),
        }
    }

    fn push(self, bytes: &[u8], content: &mut Content) {
        match content {
            Content::Numbers(Numbers::Single(values)) => values.push(f32::from_bits(self.bits(bytes) as u32)),
            Content::Numbers(Numbers::Double(values)) if self.kind == b'f' => {
                values.push(f64::from_bits(self.bits(bytes)));
            }
            Content::Numbers(numbers) => numbers.push_whole(self.whole(bytes)),
            Content::Texts(texts) => {
                let letters = bytes.chunks_exact(4).map(|letter| self.bits(letter) as u32);
                texts.push(letters.take_while(|&letter| letter != 0).map(character).collect());
            }
        }
    }

    /// The bytes as one number, whatever their order.
    fn bits(self, bytes: &[u8]) -> u64 {
        let join = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        match self.big_endian {
            true => bytes.iter().fold(0, join),
            false => bytes.iter().rev().fold(0, join),
        }
    }

    /// A whole number or a truth.
    fn whole(self, bytes: &[u8]) -> i128 {
        let bits = self.bits(bytes);
        match self.kind {
            // A shift up and down carries the sign into the upper bytes.
            b'i' => {
                let unused = 64 - 8 * self.size as u32;
                i128::from((bits << unused) as i64 >> unused)
            }
            b'b' => i128::from(bits != 0),
            _ => i128::from(bits),
        }
    }
}

fn character(letter: u32) -> char {
    char::from_u32(letter).unwrap_or(char::REPLACEMENT_CHARACTER)
}

impl Content {
    /// From column order to row order.
    fn turn(&mut self, shape: &[usize]) {
        match self {
            Self::Numbers(Numbers::Double(values)) => *values = turned(values, shape),
            Self::Numbers(Numbers::Single(values)) => *values = turned(values, shape),
            Self::Numbers(Numbers::Whole(values)) => *values = turned(values, shape),
            Self::Texts(texts) => *texts = turned(texts, shape),
        }
    }
}

fn turned<T: Clone>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut index = vec![0_usize; shape.len()];
    let mut turned = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        let at = index.iter().zip(shape).rev().fold(0, |at, (&index, &side)| at * side + index);
        turned.extend(values.get(at).cloned());
        for (place, &side) in index.iter_mut().zip(shape).rev() {
            *place += 1;
            if *place < side {
                break;
            }
            *place = 0;
        }
    }
    turned
}

fn header(name: &str, from: &mut impl Read) -> Result<String, FormatError> {
    let damaged = |what: &str| {
        FormatError::new("npz-damaged", format!("the array `{name}` {what}"), "write the file again")
    };
    let mut magic = [0_u8; 8];
    from.read_exact(&mut magic).map_err(|_| damaged("has no header"))?;
    let (Some(b"\x93NUMPY"), version) = (magic.get(..6), magic[6]) else {
        return Err(damaged("is not in numpy's format"));
    };
    let mut length = [0_u8; 4];
    let width = match version {
        1 => 2,
        2 | 3 => 4,
        _ => return Err(damaged("is in a newer version of numpy's format")),
    };
    from.read_exact(&mut length[..width]).map_err(|_| damaged("has half a header"))?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST_HEADER {
        return Err(damaged("has a header of absurd length"));
    }
    let mut text = vec![0_u8; length];
    from.read_exact(&mut text).map_err(|_| damaged("has half a header"))?;
    String::from_utf8(text).map_err(|_| damaged("has a header that is no text"))
}

/// The element, whether columns come first, and the shape; `None` for what is not supported.
fn describe(header: &str) -> Option<(Element, bool, Vec<usize>)> {
    let after = |key: &str| {
        let rest = header.split_once(&format!("'{key}'"))?.1;
        Some(rest.trim_start().strip_prefix(':')?.trim_start())
    };
    let descr = after("descr")?.strip_prefix('\'')?.split_once('\'')?.0;
    let fortran = after("fortran_order")?.starts_with("True");
    let sides = after("shape")?.strip_prefix('(')?.split_once(')')?.0;
    let sides = sides.split(',').map(str::trim).filter(|side| !side.is_empty());
    let shape: Option<Vec<usize>> = sides.map(|side| side.trim_end_matches('L').parse().ok()).collect();
    let shape = shape.filter(|shape| shape.len() <= MOST_AXES)?;
    let bytes = descr.as_bytes();
    let (order, kind) = (*bytes.first()?, *bytes.get(1)?);
    let size: usize = descr.get(2..)?.parse().ok()?;
    let size = match (kind, size) {
        (b'f', 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8) | (b'b', 1) => size,
        // A text of no characters has no bytes; one empty character keeps the counting simple.
        (b'U', 1..=LONGEST_TEXT) => size * 4,
        _ => return None,
    };
    Some((Element { big_endian: order == b'>', kind, size }, fortran, shape))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(
        descr: &str,
        fortran: &str,
        shape: &str,
        version: u8,
        data: &[u8],
    ) -> Result<Array, FormatError> {
        let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        Array::read("x", bytes.as_slice(), &mut 1000)
    }

    fn numbers(array: Result<Array, FormatError>) -> Vec<f64> {
        array.expect("an array").numbers("x").expect("numbers").iter().collect()
    }

    #[test]
    fn every_kind_of_number() {
        for version in 1..=3 {
            assert_eq!(numbers(array("<f8", "False", "()", version, &1.5_f64.to_le_bytes())), [1.5]);
        }
        assert_eq!(numbers(array(">f8", "False", "(1,)", 1, &1.5_f64.to_be_bytes())), [1.5]);
        assert_eq!(numbers(array("<f4", "False", "(1,)", 1, &1.5_f32.to_le_bytes())), [1.5]);
        assert_eq!(numbers(array("<i8", "False", "(1,)", 1, &(-3_i64).to_le_bytes())), [-3.0]);
        assert_eq!(numbers(array(">i4", "False", "(1,)", 1, &(-3_i32).to_be_bytes())), [-3.0]);
        assert_eq!(numbers(array("<i2", "False", "(1,)", 1, &(-3_i16).to_le_bytes())), [-3.0]);
        assert_eq!(numbers(array("|i1", "False", "(1,)", 1, &[0xFD])), [-3.0]);
        assert_eq!(numbers(array("|u1", "False", "(1,)", 1, &[0xFD])), [253.0]);
        assert_eq!(numbers(array("<u4", "False", "(1,)", 1, &u32::MAX.to_le_bytes())), [4_294_967_295.0]);
        assert_eq!(numbers(array("|b1", "False", "(2,)", 1, &[0, 1])), [0.0, 1.0]);
        let largest = u64::MAX.to_le_bytes();
        assert_eq!(numbers(array("<u8", "False", "(1,)", 1, &largest)), [18_446_744_073_709_551_615.0]);
        let growing: Vec<u8> = [7, i64::MAX, -1].iter().flat_map(|value| value.to_le_bytes()).collect();
        assert_eq!(numbers(array("<i8", "False", "(3,)", 1, &growing)), [7.0, i64::MAX as f64, -1.0]);
    }

    #[test]
    fn columns_first_is_turned() {
        assert_eq!(
            numbers(array("|u1", "True", "(2, 3)", 1, &[1, 4, 2, 5, 3, 6])),
            [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
        );
        let cube = numbers(array("|u1", "True", "(2, 2, 2)", 1, &[0, 4, 2, 6, 1, 5, 3, 7]));
        assert_eq!(cube, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn texts_end_at_their_first_zero() {
        let letters: Vec<u8> =
            "aé\0b\0\0".chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
        let array = array("<U3", "False", "(2,)", 1, &letters).expect("an array");
        assert_eq!(array.texts("x").expect("texts"), ["aé", "b"]);
    }

    #[test]
    fn what_is_refused() {
        for (descr, shape, data, code) in [
            ("<f8", "(2,)", vec![0; 8], "npz-damaged"),
            ("<f8", "(1000, 1000)", vec![], "too-large"),
            ("<f8", "(18446744073709551615, 2)", vec![], "too-large"),
            // A text of one letter takes more room than a number.
            ("<U1", "(251,)", vec![0; 4 * 251], "too-large"),
            ("|O", "(1,)", vec![0], "npy-unsupported"),
            ("<c16", "(1,)", vec![0; 16], "npy-unsupported"),
            ("<f8", "(-1,)", vec![], "npy-unsupported"),
        ] {
            let error = array(descr, "False", shape, 1, &data).expect_err(descr);
            assert_eq!(error.code, code, "{descr} {shape}");
        }
    }
}
