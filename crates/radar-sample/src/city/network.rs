//! The graph that is driven on: its nodes are lanes, streets in one direction, and its arcs are
//! turns, so that turning left, waiting at a light or being forbidden to cross a median has a place.

use super::Town;
use super::component::largest_component;
use super::crossing::{Crossing, Turn, crossings};
use super::near::heading;
use super::street::Street;
use super::trip::Trip;
use radar_kernel::random::Stream;

/// A link in one of its directions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub link: usize,
    /// Whether it leads from the link's first end to its second.
    pub forward: bool,
    /// From one end to the other.
    pub whole: Trip,
}

/// Lanes and turns, with every lane reachable from every other.
pub(super) struct Network {
    pub lanes: Vec<Lane>,
    first: Vec<usize>,
    turns: Vec<(usize, Trip)>,
}

/// How often streets that nobody can reach or leave are opened in both directions, before those that
/// are still cut off are given up.
const REPAIRS: usize = 3;

/// Seconds to turn round in a dead end.
const TURN_ROUND: f64 = 15.0;

impl Network {
    /// Builds the lanes of all streets and keeps the largest part in which one can drive from
    /// everywhere to everywhere.
    pub fn build(town: &Town, stream: &mut Stream) -> Self {
        let crossings = crossings(town, stream);
        let mut streets = town.streets.clone();
        for _ in 0..REPAIRS {
            let all = Self::of_all(town, &streets, &crossings);
            all.repair(&all.largest_part(), town, &mut streets);
        }
        let all = Self::of_all(town, &streets, &crossings);
        all.restricted_to(&all.largest_part())
    }

    /// Where one can go after a lane, and what driving the lane and the turn takes.
    pub fn turns(&self, lane: usize) -> &[(usize, Trip)] {
        &self.turns[self.first[lane]..self.first[lane + 1]]
    }

    fn of_all(town: &Town, streets: &[Street], crossings: &[Crossing]) -> Self {
        let Town { plan, junctions, links, .. } = town;
        let mut lanes = Vec::new();
        let mut leaving = vec![Vec::new(); junctions.len()];
        for (number, (link, street)) in links.iter().zip(streets).enumerate() {
            for forward in [true, false] {
                if street.open[usize::from(!forward)] {
                    leaving[link.ends[usize::from(!forward)]].push(lanes.len());
                    let whole = Trip::new(link.length / street.speed, link.length);
                    lanes.push(Lane { link: number, forward, whole });
                }
            }
        }
        let mut network = Self { lanes, first: vec![0], turns: Vec::new() };
        let direction = |lane: &Lane| {
            let [first, second] = links[lane.link].ends.map(|end| junctions[end]);
            if lane.forward { heading(first, second) } else { heading(second, first) }
        };
        for lane in &network.lanes {
            let end = links[lane.link].ends[usize::from(lane.forward)];
            let dead_end = leaving[end].iter().all(|&next| network.lanes[next].link == lane.link);
            for &next in &leaving[end] {
                let other = &network.lanes[next];
                let delay = if other.link == lane.link {
                    dead_end.then_some(TURN_ROUND)
                } else {
                    let between = Turn {
                        from: direction(lane),
                        to: direction(other),
                        ranks: [streets[lane.link].rank, streets[other.link].rank],
                        divided: [streets[lane.link].divided, streets[other.link].divided],
                    };
                    between.delay(plan, &crossings[end])
                };
                if let Some(delay) = delay {
                    network.turns.push((next, lane.whole + Trip::new(delay, 0.0)));
                }
            }
            network.first.push(network.turns.len());
        }
        network
    }

    fn largest_part(&self) -> Vec<bool> {
        largest_component(self.lanes.len(), |lane| self.turns(lane).iter().map(|turn| turn.0))
    }

    /// Opens the streets outside the part that is kept, and closed ones that would lead there.
    fn repair(&self, kept: &[bool], town: &Town, streets: &mut [Street]) {
        let mut reached = vec![false; town.junctions.len()];
        for (lane, kept) in self.lanes.iter().zip(kept) {
            if *kept {
                reached[town.links[lane.link].ends[usize::from(lane.forward)]] = true;
            } else {
                streets[lane.link].open = [true; 2];
            }
        }
        for (link, street) in town.links.iter().zip(streets) {
            if street.open == [false; 2] && link.ends.iter().any(|&end| !reached[end]) {
                street.open = [true; 2];
            }
        }
    }

    fn restricted_to(&self, kept: &[bool]) -> Self {
        let mut number = vec![0; kept.len()];
        let old: Vec<usize> = (0..kept.len()).filter(|&lane| kept[lane]).collect();
        old.iter().enumerate().for_each(|(new, &lane)| number[lane] = new);
        let mut network = Self { lanes: Vec::new(), first: vec![0], turns: Vec::new() };
        for lane in old {
            network.lanes.push(self.lanes[lane]);
            let turns = self.turns(lane).iter().filter(|(next, _)| kept[*next]);
            network.turns.extend(turns.map(|&(next, trip)| (number[next], trip)));
            network.first.push(network.turns.len());
        }
        network
    }
}
