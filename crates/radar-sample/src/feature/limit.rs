//! The limit on the length of a route.

use radar_kernel::random::Stream;

use super::{Preset, day};
use crate::ground::Measure;
use crate::ruler::Ruler;

/// Draws a limit that every stop's round trip fits in.
///
/// As published, it is uniform between the largest round trip and 2.8 units; a unit is 1 on a tmat and
/// the largest distance elsewhere. The tight one is uniform between 1.0 and 1.5 largest round trips.
pub(super) fn draw(preset: Preset, ruler: &Ruler<'_>, measure: Measure, stream: &mut Stream) -> f64 {
    let longest = (1..ruler.nodes()).map(|stop| ruler.round_trip(stop)).max().unwrap_or(0);
    let (low, high) = match preset {
        Preset::Paper => (longest + 1, ruler.times(measure, 2.8)),
        Preset::Tight => (longest, longest + longest / 2),
        Preset::Day => return day::limit(ruler, stream),
    };
    ruler.stated(stream.between(low, high.max(low)))
}
