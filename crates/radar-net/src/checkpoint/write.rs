//! Writing a checkpoint so that a crash leaves the old file or the new one, never half of either.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use safetensors::{Dtype, tensor::TensorView};

use super::float::to_bf16;
use super::{CARD, Checkpoint, Precision};
use crate::error::NetError;

impl Checkpoint {
    /// The file as bytes.
    pub fn to_bytes(&self, precision: Precision) -> Result<Vec<u8>, NetError> {
        let internal = |error: String| NetError::new("unwritable", error, "please report it");
        if self.card.config != *self.weights.config() {
            return Err(internal("the card is of another network than the weights".to_owned()));
        }
        if let Some(name) = self.weights.first_not_finite() {
            let cause = format!("`{name}` holds a number that is not finite");
            return Err(NetError::new(
                "not-finite",
                cause,
                "keep the last good checkpoint and lower the rate",
            ));
        }
        let card = serde_json::to_string(&self.card).map_err(|error| internal(error.to_string()))?;
        let dtype = match precision {
            Precision::Full => Dtype::F32,
            Precision::Half => Dtype::BF16,
        };
        let data: Vec<Vec<u8>> = self
            .weights
            .parameters()
            .iter()
            .map(|parameter| encoded(self.weights.of(&parameter.name), precision))
            .collect();
        let mut views = Vec::new();
        for (parameter, data) in self.weights.parameters().iter().zip(&data) {
            let view = TensorView::new(dtype, parameter.shape.clone(), data);
            views.push((parameter.name.as_str(), view.map_err(|error| internal(error.to_string()))?));
        }
        // One key only: the order of several would differ from run to run.
        let metadata = Some([(CARD.to_owned(), card)].into_iter().collect());
        safetensors::serialize(views, metadata).map_err(|error| internal(error.to_string()))
    }

    /// Writes a file beside its place, makes sure it is on the disk, and moves it there.
    pub fn write(&self, path: &Path, precision: Precision) -> Result<(), NetError> {
        let bytes = self.to_bytes(precision)?;
        let mut beside = path.as_os_str().to_owned();
        beside.push(".part");
        let beside = Path::new(&beside);
        let put = || -> std::io::Result<()> {
            let mut file = File::create(beside)?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(beside, path)
        };
        put().map_err(|error| {
            // What is left of it is of no use; that it may not even exist is no second error.
            let _ = fs::remove_file(beside);
            NetError::new(
                "unwritable",
                format!("{}: {error}", path.display()),
                "give a place with room to write",
            )
        })
    }
}

fn encoded(values: &[f32], precision: Precision) -> Vec<u8> {
    match precision {
        Precision::Full => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
        Precision::Half => values.iter().flat_map(|&value| to_bf16(value).to_le_bytes()).collect(),
    }
}
