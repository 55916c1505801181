//! A safetensors file, opened: names, shapes, numbers, metadata.

use std::collections::BTreeMap;

use safetensors::tensor::{Metadata, TensorView};
use safetensors::{Dtype, SafeTensorError, SafeTensors};

use super::float::{from_bf16, from_f16};
use super::pytorch::{is_pytorch, unconverted};
use crate::error::NetError;

/// The tensors of a file, by name.
pub struct Archive<'a> {
    tensors: BTreeMap<String, TensorView<'a>>,
    metadata: BTreeMap<String, String>,
}

impl<'a> Archive<'a> {
    /// Reads the table of contents and checks that every tensor lies within the bytes.
    pub fn open(bytes: &'a [u8]) -> Result<Self, NetError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| refusal(&error, bytes))?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| refusal(&error, bytes))?;
        Ok(Self {
            tensors: tensors.iter().map(|(name, view)| (name.to_owned(), view)).collect(),
            metadata: header
                .metadata()
                .iter()
                .flatten()
                .map(|(key, text)| (key.clone(), text.clone()))
                .collect(),
        })
    }

    /// The metadata of the file.
    pub fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// The names of all tensors, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// The extents of a tensor.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        self.tensors.get(name).map(TensorView::shape)
    }

    /// The same tensors under other names; those that get none are left out.
    pub(crate) fn renamed(self, name: impl Fn(&str) -> Option<String>) -> Self {
        let pairs = self.tensors.into_iter();
        let tensors = pairs.filter_map(|(old, view)| Some((name(&old)?, view))).collect();
        Self { tensors, metadata: self.metadata }
    }

    /// The numbers of a tensor of floats.
    pub fn floats(&self, name: &str) -> Result<Vec<f32>, NetError> {
        let view = self.view(name)?;
        let data = view.data();
        Ok(match view.dtype() {
            Dtype::F32 => entries(data, f32::from_le_bytes),
            Dtype::F64 => entries(data, |bytes| f64::from_le_bytes(bytes) as f32),
            Dtype::BF16 => entries(data, |bytes| from_bf16(u16::from_le_bytes(bytes))),
            Dtype::F16 => entries(data, |bytes| from_f16(u16::from_le_bytes(bytes))),
            other => return Err(wrong_type(name, other, "F32, BF16, F16 or F64")),
        })
    }

    /// The numbers of a tensor of integers.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, NetError> {
        let view = self.view(name)?;
        Ok(match view.dtype() {
            Dtype::I32 => entries(view.data(), |bytes| i64::from(i32::from_le_bytes(bytes))),
            Dtype::I64 => entries(view.data(), i64::from_le_bytes),
            other => return Err(wrong_type(name, other, "I32 or I64")),
        })
    }

    fn view(&self, name: &str) -> Result<&TensorView<'a>, NetError> {
        self.tensors.get(name).ok_or_else(|| {
            NetError::new(
                "missing-tensor",
                format!("the file has no tensor `{name}`"),
                "take a complete file",
            )
        })
    }
}

fn entries<T, const SIZE: usize>(data: &[u8], read: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
    data.as_chunks().0.iter().map(|&bytes| read(bytes)).collect()
}

fn wrong_type(name: &str, found: Dtype, valid: &str) -> NetError {
    NetError::new("wrong-type", format!("`{name}` holds {found:?}"), format!("write it as {valid}"))
}

/// What is wrong with a file that cannot be opened: made by PyTorch, cut, too long, damaged, or something else.
fn refusal(error: &SafeTensorError, bytes: &[u8]) -> NetError {
    use SafeTensorError::{HeaderTooSmall, InvalidHeaderLength, MetadataIncompleteBuffer};
    match error {
        _ if is_pytorch(bytes) => unconverted("IN.pt", "OUT.safetensors"),
        MetadataIncompleteBuffer if extra(bytes) > 0 => {
            let cause = format!("the file has {} bytes too many after its last tensor", extra(bytes));
            NetError::new("trailing-bytes", cause, AGAIN)
        }
        HeaderTooSmall | InvalidHeaderLength | MetadataIncompleteBuffer => NetError::new(
            "truncated",
            format!("the file ends after {} bytes, and its table of contents promises more", bytes.len()),
            AGAIN,
        ),
        other if bytes.get(8) == Some(&b'{') => {
            let cause = format!("the file is damaged: its table of contents cannot be read ({other})");
            NetError::new("damaged", cause, AGAIN)
        }
        other => NetError::new(
            "not-safetensors",
            format!("the file is no safetensors file ({other})"),
            "give weights in safetensors; if this was such a file, it is damaged: copy or download it again",
        ),
    }
}

const AGAIN: &str = "copy or download it again";

/// How many bytes follow what the table of contents promises.
fn extra(bytes: &[u8]) -> usize {
    let beyond = || {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let header: Metadata = serde_json::from_slice(rest.get(..length)?).ok()?;
        rest.len().checked_sub(length)?.checked_sub(header.data_len())
    };
    beyond().unwrap_or_default()
}
