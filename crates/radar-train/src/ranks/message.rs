//! Bytes between ranks: small things in JSON, gradients and weights as they are in memory.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::TrainError;

/// A [`TrainError`] on its way.
#[derive(Serialize, Deserialize)]
struct Trouble {
    code: String,
    cause: String,
    action: String,
}

const GOOD: u8 = 1;
const BAD: u8 = 0;

/// A result as bytes; its last byte tells which.
pub(super) fn seal(result: Result<Vec<u8>, TrainError>) -> Vec<u8> {
    let (mut bytes, kind) = match result {
        Ok(bytes) => (bytes, GOOD),
        Err(TrainError { code, cause, action }) => {
            let trouble = Trouble { code: code.to_owned(), cause, action };
            (serde_json::to_vec(&trouble).unwrap_or_default(), BAD)
        }
    };
    bytes.push(kind);
    bytes
}

/// The result that was sealed.
pub(super) fn open(mut bytes: Vec<u8>) -> Result<Vec<u8>, TrainError> {
    match bytes.pop() {
        Some(GOOD) => Ok(bytes),
        Some(BAD) => {
            let Trouble { code, cause, action } = read(&bytes)?;
            // An error ends the run, and with it the program: it is read once.
            Err(TrainError { code: code.leak(), cause, action })
        }
        _ => Err(strange()),
    }
}

/// A small thing as bytes.
pub(crate) fn write(value: &impl Serialize) -> Result<Vec<u8>, TrainError> {
    let internal =
        |error: serde_json::Error| TrainError::new("internal", error.to_string(), "please report it");
    serde_json::to_vec(value).map_err(internal)
}

/// The small thing that was written.
pub(crate) fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, TrainError> {
    serde_json::from_slice(bytes).map_err(|_| strange())
}

/// A small thing with floats behind it: the length of the thing, the thing, four bytes for each float.
pub(crate) fn pack<'a>(
    value: &impl Serialize,
    floats: impl Iterator<Item = &'a [f32]> + Clone,
) -> Result<Vec<u8>, TrainError> {
    let head = write(value)?;
    let count: usize = floats.clone().map(<[f32]>::len).sum();
    // One more byte for the seal.
    let mut bytes = Vec::with_capacity(8 + head.len() + 4 * count + 1);
    bytes.extend((head.len() as u64).to_le_bytes());
    bytes.extend(head);
    for floats in floats {
        let begin = bytes.len();
        bytes.resize(begin + 4 * floats.len(), 0);
        let places = bytes[begin..].as_chunks_mut::<4>().0;
        places.iter_mut().zip(floats).for_each(|(place, float)| *place = float.to_le_bytes());
    }
    Ok(bytes)
}

/// The small thing and the floats that were packed.
pub(crate) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, Vec<f32>), TrainError> {
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(strange)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| strange())?;
    let (head, floats) = rest.split_at_checked(length).ok_or_else(strange)?;
    let (floats, []) = floats.as_chunks::<4>() else { return Err(strange()) };
    Ok((read(head)?, floats.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()))
}

fn strange() -> TrainError {
    TrainError::new(
        "strange-rank",
        "a rank sent what this one does not understand",
        "run the same version of the program on all machines",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_back() {
        let error = TrainError::new("unreadable", "roads.npz: \"gone\"", "check the path");
        for result in [Ok(vec![]), Ok(vec![0, 1, 2]), Err(error)] {
            assert_eq!(open(seal(result.clone())), result);
        }
        for bytes in [&[][..], &[7], b"nonsense\0"] {
            assert_eq!(open(bytes.to_vec()).expect_err("no result").code, "strange-rank");
        }
    }

    #[test]
    fn floats_come_back_bit_for_bit() {
        let (one, other) = ([0.1_f32, f32::NAN, -0.0], [f32::INFINITY, 1e-45]);
        let bytes = pack(&(3, "x"), [&one[..], &other].into_iter()).expect("packed");
        let ((number, text), floats) = unpack::<(u8, String)>(&bytes).expect("unpacked");
        assert_eq!((number, text.as_str()), (3, "x"));
        let bits = |floats: &[f32]| floats.iter().map(|float| float.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&floats), [bits(&one), bits(&other)].concat());
        for cut in [0, 5, 10, bytes.len() - 1] {
            assert!(unpack::<(u8, String)>(&bytes[..cut]).is_err());
        }
    }
}
