//! Seeded distributions of routing instances.
//!
//! An instance is a function of (distribution, seed, index) and nothing else: each part of it draws
//! from a stream of its own, so neither threads nor the presence of other parts move its bytes. Two
//! layers meet in a [`Distribution`]: a [`Source`] makes the matrix, [`feature`] puts demands, windows,
//! limits and so on upon any matrix whatsoever.
//!
//! ```
//! use radar_sample::Distribution;
//! let multitask = Distribution::named("multitask", &[("n", "20"), ("variant", "AVRPTW")], None).unwrap();
//! let problem = multitask.sample(7, 0).problem;
//! assert_eq!(problem, multitask.sample_many(7, 0..3)[0].problem);
//! let instance = problem.validate().instance.expect("generated instances are valid");
//! assert_eq!((instance.variant().to_string(), instance.nodes()), ("AVRPTW".to_owned(), 21));
//! ```

pub mod catalogue;
pub mod city;
pub mod feature;
pub mod statistics;

mod asymmetry;
mod atlas;
mod distribution;
mod flow_shop;
mod ground;
mod roads;
mod ruler;
mod source;
mod tmat;

pub use atlas::Atlas;
pub use catalogue::{BadRequest, Entry, Parameter};
pub use distribution::{Distribution, MOST_STOPS, Sample, Wanted};
pub use flow_shop::FlowShop;
pub use ground::{Ground, Measure};
pub use roads::{BadRoads, Pick, Roads};
pub use source::Source;
