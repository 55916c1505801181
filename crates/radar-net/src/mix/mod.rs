//! The matrices mixed into the attention scores, beside the dot product.
//!
//! A new one is a file here and a line in the table.

use radar_problem::Instance;

use crate::config::Config;
use crate::family::family;
use crate::input::Input;
use crate::reference::Ways;

family! {
    /// A matrix that is mixed into the attention scores, beside the dot product.
    Mix {
        /// The way there.
        Distance = "distance" in distance,
        /// The way back.
        DistanceBack = "distance-back" in distance_back,
        /// The time there.
        Duration = "duration" in duration,
        /// The time back.
        DurationBack = "duration-back" in duration_back,
        /// How surprising the way there is.
        Transport = "transport" in transport,
        /// How surprising the way back is.
        TransportBack = "transport-back" in transport_back,
    }
}

/// What a mix input is.
pub(crate) struct Part {
    /// Makes its matrix (N, N), if it is not one that every input holds.
    pub own: Option<Own>,
    /// The matrix (N, N) that every input holds and that is it, or stands for it where none was made.
    pub held: fn(&Input) -> &[f32],
    /// One entry, from a node to a node, in f64.
    pub naive: fn(&Ways<'_>, usize, usize) -> f64,
}

/// The matrix (N, N) of an instance whose input holds all but such matrices; none where what is held serves.
type Own = fn(&Config, &Instance, &Input) -> Option<Vec<f32>>;

/// The matrices of the configured mix that are made for an instance.
pub(crate) fn own(config: &Config, instance: &Instance, input: &Input) -> Vec<(Mix, Vec<f32>)> {
    let of = |&mix: &Mix| Some((mix, mix.part().own?(config, instance, input)?));
    config.mix.iter().filter_map(of).collect()
}
