//! Files of weights: safetensors, with the model card as one JSON text in the metadata.

mod archive;
mod float;
mod import;
pub mod pytorch;
mod write;

pub use archive::Archive;
pub use float::Precision;

use std::path::Path;

use crate::card::{Card, VERSION};
use crate::config::{Config, Parameter};
use crate::error::NetError;
use crate::weights::Weights;

/// The key of the card in the metadata.
const CARD: &str = "card";

/// Weights, and what is known about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What is known about them.
    pub card: Card,
    /// The weights, of the card's network.
    pub weights: Weights,
}

impl Checkpoint {
    /// Reads a file that was written here.
    pub fn read(path: &Path) -> Result<Self, NetError> {
        Self::from_bytes(&bytes_of(path)?)
    }

    /// Reads a file's content that was written here.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetError> {
        let archive = Archive::open(bytes)?;
        let text = archive.metadata().get(CARD).ok_or_else(|| {
            let action = "bring it in with `radar model import`, which adds one";
            NetError::new("no-card", "the file has no model card", action)
        })?;
        let card = card_of(text)?;
        let weights = archive.weights(&card.config)?;
        Ok(Self { card, weights })
    }
}

fn card_of(text: &str) -> Result<Card, NetError> {
    let action = "take a file of this program's version, or update the program";
    #[derive(serde::Deserialize)]
    struct Version {
        version: u32,
    }
    // The version decides before the rest is read: a later card may have keys unknown here.
    let wrong =
        |error: serde_json::Error| NetError::new("bad-card", format!("the model card: {error}"), action);
    let found = serde_json::from_str::<Version>(text).map_err(wrong)?.version;
    if found != VERSION {
        let cause = format!("the model card has version {found}, and this program reads version {VERSION}");
        return Err(NetError::new("card-version", cause, action));
    }
    serde_json::from_str(text).map_err(wrong)
}

fn bytes_of(path: &Path) -> Result<Vec<u8>, NetError> {
    std::fs::read(path).map_err(|error| {
        NetError::new(
            "unreadable",
            format!("{}: {error}", path.display()),
            "give the path of a file of weights",
        )
    })
}

impl Archive<'_> {
    /// The weights of a network, every tensor checked.
    pub(crate) fn weights(&self, config: &Config) -> Result<Weights, NetError> {
        config.validate()?;
        let parameters = config.parameters();
        self.refuse_strangers(config, &parameters)?;
        // Shapes before memory: a card may claim any size, the file has the one it has.
        for parameter in &parameters {
            self.check_shape(parameter)?;
        }
        let mut weights = Weights::zeros(config);
        for parameter in &parameters {
            let values = self.floats(&parameter.name)?;
            if let Some(place) = values.iter().position(|value| !value.is_finite()) {
                let cause = format!("`{}` holds {} at entry {place}", parameter.name, values[place]);
                return Err(NetError::new(
                    "not-finite",
                    cause,
                    "take an earlier checkpoint of that training",
                ));
            }
            if let Some(room) = weights.tensor_mut(&parameter.name) {
                room.copy_from_slice(&values);
            }
        }
        Ok(weights)
    }

    fn check_shape(&self, parameter: &Parameter) -> Result<(), NetError> {
        let (name, wanted) = (&parameter.name, &parameter.shape);
        let Some(found) = self.shape(name) else {
            let cause = format!("the file has no tensor `{name}` (shape {wanted:?})");
            return Err(NetError::new("missing-tensor", cause, "take a complete file of this network"));
        };
        if found != wanted.as_slice() {
            let cause = format!("`{name}` has shape {found:?}, and the network needs {wanted:?}");
            return Err(NetError::new(
                "wrong-shape",
                cause,
                "give the configuration the weights were made with",
            ));
        }
        Ok(())
    }

    /// A tensor that nobody asked for means that the file is of another network.
    fn refuse_strangers(&self, config: &Config, parameters: &[Parameter]) -> Result<(), NetError> {
        let known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        match self.names().find(|name| !known(name) && !import::is_dead(config, name)) {
            None => Ok(()),
            Some(stranger) => Err(NetError::new(
                "unknown-tensor",
                format!("the network has no place for `{stranger}`"),
                "give the configuration the weights were made with",
            )),
        }
    }
}
