//! The RADAR family of networks: what one is made of, its weights, and the files that hold them.
//!
//! A [`Config`] names every part and every size; [`Config::parameters`] is the one list of what has to be
//! learned; [`Weights`] holds it; a [`Checkpoint`] is weights with the [`Card`] that says where they come
//! from. [`mod@reference`] computes the whole family naively in f64, and [`parity`] holds any
//! implementation, that one included, against recorded cases.
//!
//! ```
//! use radar_net::{Config, Weights};
//!
//! let config = Config::preset("paper-atsp").expect("it is in the list");
//! assert_eq!(Weights::random(&config, 1).values().len(), 2_970_792);
//! ```

pub mod card;
pub mod checkpoint;
pub mod config;
pub mod context;
pub mod decode;
mod error;
mod family;
mod features;
mod forecast;
mod grow;
mod init;
pub mod input;
pub mod journey;
mod logs;
mod mix;
pub mod network;
mod normalisation;
pub mod parity;
pub mod policy;
pub mod reference;
mod scaling;
mod term;
mod weights;

pub use card::{Card, Trained};
pub use checkpoint::{Checkpoint, Precision};
pub use config::{
    Config, Ends, Init, Initial, Mix, Normalisation, Parameter, Scaling, Signs, Sketch, Task, Term,
};
pub use context::Context;
pub use decode::{Decoded, Decoding};
pub use error::NetError;
pub use input::{Draw, Input};
pub use network::Network;
pub use policy::{Confidence, Decode};
pub use weights::{Tensor, Weights};
