//! When stops may be served, and how long that takes.

use radar_kernel::random::Stream;

use super::{Preset, day};
use crate::ground::Measure;
use crate::ruler::Ruler;

/// Windows and service times of all nodes, in the unit of the durations.
pub(super) struct Days {
    pub(super) windows: Vec<[f64; 2]>,
    pub(super) service: Vec<f64>,
}

/// How long a day, a service and a window are, in steps.
struct Law {
    day: i64,
    service: [i64; 2],
    length: [i64; 2],
    travel: Travel,
}

/// What travel takes from the day before the rest is free for the window to lie in.
#[derive(Clone, Copy)]
enum Travel {
    /// Twice the longer of the way out and the way back, as published.
    Longer,
    /// The way out and the way back.
    Both,
}

/// Draws the windows of a day that begins at 0.
///
/// As published: a day of 4.6 units; a window opens uniformly between the moment the stop can first be
/// reached and the last from which a vehicle that serves at the window's very end is back in time,
/// `e = out + u (T - service - length - 2 max(out, back))`. On a tmat a unit is 1, service takes 0.12 to
/// 0.15 and windows 0.15 to 0.30 (the paper's multi-task set); elsewhere a unit is the largest duration,
/// service takes 0.15 to 0.18 and windows 0.18 to 0.20 (RRNCO's).
///
/// Tight: everything is measured in mean durations. A day of 20 holds about twice the travel of a full
/// vehicle, service takes 0.2 to 0.4 and windows are 0.25 to 0.75 long, shorter than a typical trip: few
/// stops can follow each other without waiting, and the nearest next stop is mostly closed.
pub(super) fn draw(preset: Preset, ruler: &Ruler<'_>, measure: Measure, stream: &mut Stream) -> Days {
    let Some(law) = Law::of(preset, ruler, measure) else {
        return day::windows(ruler, stream);
    };
    let stops: Vec<[i64; 2]> = (1..ruler.nodes())
        .map(|_| [law.service, law.length].map(|[low, high]| stream.between(low, high)))
        .collect();
    // What a stop needs of the day, beside the room for its opening to move in.
    let needs = |stop: usize, [service, length]: [i64; 2]| {
        let (out, back) = (ruler.at(0, stop), ruler.at(stop, 0));
        let travel = match law.travel {
            Travel::Longer => 2 * out.max(back),
            Travel::Both => out + back,
        };
        service + length + travel
    };
    // Only a stop much farther away than most can need more than the day has: then the day is longer.
    let longest = stops.iter().enumerate().map(|(at, &stop)| needs(at + 1, stop)).max().unwrap_or(0);
    let day = law.day.max(longest);
    let mut windows = vec![[0.0, ruler.stated(day)]];
    let mut service = vec![0.0];
    for (at, &stop) in stops.iter().enumerate() {
        let opens = ruler.at(0, at + 1) + stream.between(0, day - needs(at + 1, stop));
        windows.push([ruler.stated(opens), ruler.stated(opens + stop[1])]);
        service.push(ruler.stated(stop[0]));
    }
    Days { windows, service }
}

impl Law {
    fn of(preset: Preset, ruler: &Ruler<'_>, measure: Measure) -> Option<Self> {
        let unit = |share: f64| ruler.times(measure, share);
        let mean = |share: f64| (ruler.mean() as f64 * share).round() as i64;
        Some(match (preset, measure) {
            // Has a law of another form.
            (Preset::Day, _) => return None,
            (Preset::Tight, _) => Self {
                day: mean(20.0),
                service: [0.2, 0.4].map(mean),
                length: [0.25, 0.75].map(mean),
                travel: Travel::Both,
            },
            (Preset::Paper, Measure::Absolute) => Self {
                day: unit(4.6),
                service: [0.12, 0.15].map(unit),
                length: [0.15, 0.30].map(unit),
                travel: Travel::Longer,
            },
            (Preset::Paper, Measure::Largest) => Self {
                day: unit(4.6),
                service: [0.15, 0.18].map(unit),
                length: [0.18, 0.20].map(unit),
                travel: Travel::Longer,
            },
        })
    }
}
