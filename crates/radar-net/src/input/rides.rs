//! The ensemble of routes that vehicles of one capacity may drive, each as likely as it is cheap.

use radar_kernel::ensemble::{Ensemble, Fleet, Outlook};
use radar_kernel::isa::Isa;
use radar_problem::Instance;
use radar_rollout::Stop;

use super::reach::{Reach, Spent};
use crate::features::Loads;

/// Levels of room that are told apart: as many as loads have units, if those are not more.
const MOST_LEVELS: i64 = 256;
/// How many levels stand for more of them.
const LEVELS: i64 = 128;
/// The most where length has a limit or the day an end, whether that will have a say or not, and where stops have hours; they stand for
/// more as well.
const LEVELS_OF_LIMIT: i64 = 128;
const LEVELS_OF_HOURS: i64 = 24;
/// How many stops a route has at most where nothing has to be carried.
pub(super) const UNLADEN: i64 = 64;

/// The temperature, as a part of what an arc costs.
const COOLNESS: f32 = 0.1;

/// What vehicles would do, by the room that is left in them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rides {
    pub fleet: Fleet,
    /// While no stop is served.
    pub first: Outlook,
    /// What else they have, where that has a say.
    pub reach: Option<Reach>,
}

impl Rides {
    /// Those of an instance of routes, whose arcs cost `costs` and are legal where they `may` be (N, N) each; none when it was
    /// stopped.
    pub fn of(
        instance: &Instance,
        costs: &[f32],
        may: &[bool],
        routes: usize,
        isa: Isa,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let nodes = instance.nodes();
        let capacity = Loads::of(instance).capacity;
        let load = |node: usize| instance.demand(node).max(instance.backhaul(node));
        let unit = (0..nodes).map(load).fold(capacity, gcd).max(1);
        let (reach, spent) = Reach::of(instance, routes).unzip();
        let (most, instead) = match &spent {
            None => (MOST_LEVELS, LEVELS),
            Some(spent) if spent.is_of_stops() => (LEVELS_OF_HOURS, LEVELS_OF_HOURS),
            Some(_) => (LEVELS_OF_LIMIT, LEVELS_OF_LIMIT),
        };
        let top = match capacity / unit {
            0 => UNLADEN,
            levels if levels <= most => levels,
            _ => instead,
        };
        let takes = |node: usize| match (node, capacity) {
            (0, _) => 0,
            (_, 0) => 1,
            _ => {
                let exact = load(node) as f64 * top as f64 / capacity as f64;
                (exact.round() as i64).clamp(1, top) as u16
            }
        };
        let takes: Vec<u16> = (0..nodes).map(takes).collect();
        let gives: Vec<bool> = (0..nodes).map(|node| instance.backhaul(node) > 0).collect();
        let (top, routes) = (top as usize, routes as f32);
        let (takes, gives, slack) = (&takes[..], &gives[..], spent.as_ref().map(Spent::slack));
        let ensemble = Ensemble { nodes, costs, may, top, takes, gives, routes, coolness: COOLNESS, slack };
        let (fleet, first) = ensemble.found_until(isa, stop)?;
        let reach = reach.filter(|_| fleet.has_slack());
        Some(Self { fleet, first, reach })
    }
}

fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { gcd(other, one % other) }
}
