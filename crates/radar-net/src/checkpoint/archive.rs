//! A safetensors file, opened: names, shapes, numbers, metadata.

use std::collections::BTreeMap;

use safetensors::{Dtype, SafeTensorError, SafeTensors, tensor::TensorView};

use super::float::{from_bf16, from_f16};
use crate::error::NetError;

/// The tensors of a file, by name.
pub struct Archive<'a> {
    tensors: BTreeMap<String, TensorView<'a>>,
    metadata: BTreeMap<String, String>,
}

impl<'a> Archive<'a> {
    /// Reads the table of contents and checks that every tensor lies within the bytes.
    pub fn open(bytes: &'a [u8]) -> Result<Self, NetError> {
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| refusal(&error, bytes.len()))?;
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| refusal(&error, bytes.len()))?;
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

fn refusal(error: &SafeTensorError, length: usize) -> NetError {
    use SafeTensorError::{HeaderTooSmall, InvalidHeaderLength, MetadataIncompleteBuffer};
    match error {
        HeaderTooSmall | InvalidHeaderLength | MetadataIncompleteBuffer => NetError::new(
            "truncated",
            format!("the file ends after {length} bytes, and its table of contents promises otherwise"),
            "copy or download it again",
        ),
        other => {
            NetError::new("not-safetensors", format!("the file is no safetensors file ({other})"), CONVERT)
        }
    }
}

const CONVERT: &str = "convert a PyTorch file with `safetensors.torch.save_file(torch.load(\"FILE.pt\", \
     map_location=\"cpu\")[\"model_state_dict\"], \"FILE.safetensors\")`";
