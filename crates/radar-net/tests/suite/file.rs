//! A safetensors file taken apart, to be changed and put together again.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use safetensors::{Dtype, SafeTensors, tensor::TensorView};

#[derive(Clone)]
pub struct File {
    pub metadata: BTreeMap<String, String>,
    pub tensors: BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>,
}

impl File {
    pub fn golden(name: &str) -> Self {
        Self::open(&golden_bytes(name))
    }

    pub fn open(bytes: &[u8]) -> Self {
        let (_, header) = SafeTensors::read_metadata(bytes).expect("it is there");
        let metadata: HashMap<_, _> = header.metadata().iter().flatten().collect();
        let tensors = SafeTensors::deserialize(bytes).expect("it is there");
        let parts = |view: TensorView<'_>| (view.dtype(), view.shape().to_vec(), view.data().to_vec());
        Self {
            metadata: metadata.into_iter().map(|(key, text)| (key.clone(), text.clone())).collect(),
            tensors: tensors.iter().map(|(name, view)| (name.to_owned(), parts(view))).collect(),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let metadata = (!self.metadata.is_empty()).then(|| self.metadata.clone().into_iter().collect());
        let view = |(dtype, shape, data): &(Dtype, Vec<usize>, Vec<u8>)| {
            // The views borrow; a leak of a test's few megabytes keeps this simple.
            TensorView::new(*dtype, shape.clone(), Box::leak(data.clone().into_boxed_slice()))
                .expect("it is there")
        };
        safetensors::serialize(self.tensors.iter().map(|(name, parts)| (name, view(parts))), metadata)
            .expect("it is there")
    }

    /// Changes one f32 entry.
    pub fn change(&mut self, name: &str, entry: usize, change: impl Fn(f32) -> f32) {
        let bytes = &mut self.tensors.get_mut(name).expect("it is there").2[4 * entry..4 * entry + 4];
        let value = f32::from_le_bytes(bytes.try_into().expect("it is there"));
        bytes.copy_from_slice(&change(value).to_le_bytes());
    }

    /// The same tensors under other names; `None` drops one.
    pub fn renamed(mut self, name: impl Fn(&str) -> Option<String>) -> Self {
        let pairs = self.tensors.into_iter();
        self.tensors = pairs.filter_map(|(old, parts)| Some((name(&old)?, parts))).collect();
        self
    }
}

pub fn golden_bytes(name: &str) -> Vec<u8> {
    std::fs::read(golden_path(name)).expect("a checkpoint")
}

pub fn golden_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.safetensors"))
}
