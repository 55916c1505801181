//! Training of the RADAR networks.
//!
//! A [`Config`] says everything about a run; [`start`] makes its folder and trains, [`resume`] goes on where a
//! folder stands. A step draws a batch ([`data`]), teaches it ([`lesson`], a [`mod@loss`]), and has an
//! [`optimiser`] follow the gradient. What comes from outside, time and the wish to stop, is handed in. Several
//! processes ([`ranks`]) may train one network: one starts or resumes, the others [`follow`].

mod amounts;
pub mod config;
pub mod curriculum;
pub mod curve;
pub mod data;
mod error;
mod fingerprint;
pub mod folder;
mod forecast;
pub mod label;
pub mod lesson;
pub mod loss;
pub mod metrics;
pub mod normaliser;
pub mod optimiser;
mod pupil;
pub mod ranks;
mod record;
mod roads;
mod run;
mod schedule;
pub mod seen;
pub mod state;
pub mod tree;
pub mod validation;

pub use config::{Budget, Config, Spent};
pub use error::TrainError;
pub use forecast::Room;
pub use run::{
    Clock, Ending, Event, Outside, Progress, Score, Summary, configuration, follow, resume, start, status,
};
