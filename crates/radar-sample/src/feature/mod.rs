//! The feature layer: demands, pickups, limits, windows and open routes, put upon any matrix.
//!
//! Everything is feasible by construction: each stop alone on a route satisfies every clause, on any
//! matrix, because no draw assumes symmetry or the triangle inequality. (On a matrix with unreachable
//! pairs this holds for the stops with direct arcs from and to the depot.) Each feature has a stream of
//! its own, so that removing one leaves the others as they were.

mod capacity;
mod day;
mod demand;
mod limit;
mod windows;

pub use capacity::CapacityLaw;
pub use demand::DemandLaw;

use radar_kernel::random::Stream;
use radar_problem::{Feature, Features, Kind, Problem};

use crate::ground::Ground;
use crate::ruler::Ruler;

/// What vehicles and days are like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// As published: the limit almost never binds, windows spread over a long day.
    #[default]
    Paper,
    /// The limit is 1.0 to 1.5 of the largest round trip; windows are short, and a good plan waits.
    Tight,
    /// A dispatcher's day: vehicles of many sizes, windows of hours or none, limits that bind here and there.
    Day,
}

/// Which laws demands, capacities, limits and windows follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recipe {
    /// The amounts of stops.
    pub demand: DemandLaw,
    /// What a vehicle holds, where the preset does not say it.
    pub capacity: CapacityLaw,
    /// What vehicles and days are like.
    pub preset: Preset,
}

impl Recipe {
    /// A problem with `features` on `ground`, for instance `index` under `seed`.
    pub fn put(&self, features: Features, ground: Ground, seed: u64, index: u64) -> Problem {
        let (nodes, measure) = (ground.distance.rows(), ground.measure);
        let stream = |purpose| Stream::new(seed, purpose, index);
        let amounts = demand::draw(self.demand, nodes, &mut stream("demand"));
        let mut problem = ground.into_problem(Kind::Vrp);
        problem.capacity = Some(match self.preset {
            Preset::Day => day::capacity(&mut stream("capacity")),
            Preset::Paper | Preset::Tight => self.capacity.of(nodes.saturating_sub(1)) as f64,
        });
        problem.demand = Some(amounts.all());
        for feature in features.iter() {
            match feature {
                Feature::Open => problem.open = true,
                Feature::Backhaul => {
                    problem.demand = Some(amounts.deliveries());
                    problem.backhaul = Some(amounts.pickups());
                }
                Feature::Limit => {
                    let ruler = Ruler::of(&problem.distance);
                    problem.limit = Some(limit::draw(self.preset, &ruler, measure, &mut stream("limit")));
                }
                Feature::Windows => {
                    let ruler = Ruler::of(problem.duration.as_ref().unwrap_or(&problem.distance));
                    let days = windows::draw(self.preset, &ruler, measure, &mut stream("windows"));
                    problem.windows = Some(days.windows);
                    problem.service = Some(days.service);
                }
            }
        }
        problem
    }
}
