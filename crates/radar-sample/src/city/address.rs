//! Points on streets, and what driving between them takes.

use super::network::Network;
use super::quickest::Quickest;
use super::street::Rank;
use super::trip::Trip;
use super::{Place, Town};
use radar_kernel::random::Stream;
use radar_problem::Table;
use rayon::prelude::*;

/// A point on a street, given by the lanes that pass it and what driving them up to it takes.
pub(super) struct Address {
    pub place: Place,
    lanes: Vec<(usize, Trip)>,
}

/// Draws points inside the window: a street by its length, then a position along it.
pub(super) fn addresses(count: usize, town: &Town, network: &Network, stream: &mut Stream) -> Vec<Address> {
    let Town { plan, junctions, links, streets } = town;
    let mut lanes = vec![Vec::new(); links.len()];
    network.lanes.iter().enumerate().for_each(|(number, lane)| lanes[lane.link].push(number));
    let inside = |place: Place| {
        (0..2).all(|axis| (plan.margin..=plan.margin + plan.window[axis]).contains(&place[axis]))
    };
    let fronted = |rank: Rank| rank != Rank::Express || plan.frontage;
    let passable = |&link: &usize| !lanes[link].is_empty() && fronted(streets[link].rank);
    let mut candidates: Vec<usize> = (0..links.len())
        .filter(|link| passable(link) && links[*link].ends.iter().all(|&end| inside(junctions[end])))
        .collect();
    if candidates.is_empty() {
        candidates = (0..links.len()).filter(passable).collect();
    }
    let mut until = Vec::with_capacity(candidates.len());
    let total = candidates.iter().fold(0.0, |sum, &link| {
        until.push(sum + links[link].length);
        sum + links[link].length
    });
    let mut draw = || {
        let drawn = stream.uniform(0.0, total);
        let chosen = until.partition_point(|&end| end <= drawn).min(candidates.len() - 1);
        let (link, share, side) = (candidates[chosen], stream.unit(), stream.chance(0.5));
        let mut passing = lanes[link].clone();
        let parted = streets[link].divided || streets[link].rank == Rank::Express;
        if parted && passing.len() == 2 {
            // Behind a median only the near carriageway passes the door.
            passing.remove(usize::from(side));
        }
        let [from, to] = links[link].ends.map(|end| junctions[end]);
        let along = |number: usize| {
            let lane = &network.lanes[number];
            let length = (share * f64::from(lane.whole.length())).round() as u32;
            let length = if lane.forward { length } else { lane.whole.length() - length };
            let share = if lane.forward { share } else { 1.0 - share };
            let duration = (share * f64::from(lane.whole.duration())).round() as u32;
            (number, Trip::of_tenths(duration, length))
        };
        Address {
            place: [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])],
            lanes: passing.into_iter().map(along).collect(),
        }
    };
    (0..count).map(|_| draw()).collect()
}

/// Distances in metres and durations in seconds of the quickest drive between all points.
pub(super) fn tables(network: &Network, addresses: &[Address]) -> (Table, Table) {
    let count = addresses.len();
    let (mut distance, mut duration) = (vec![0.0; count * count], vec![0.0; count * count]);
    // A row is a function of its source alone: any number of threads gives the same tables.
    let rows = distance.par_chunks_mut(count.max(1)).zip(duration.par_chunks_mut(count.max(1)));
    rows.zip(addresses).enumerate().for_each_init(
        || Quickest::new(network),
        |quickest, (number, ((distance, duration), source))| {
            let entry = quickest.search(network, &source.lanes);
            for (other, target) in addresses.iter().enumerate().filter(|&(other, _)| other != number) {
                let trip = source.drive(target, entry);
                distance[other] = f64::from(trip.length()) / 10.0;
                duration[other] = f64::from(trip.duration()) / 10.0;
            }
        },
    );
    (Table::from_values(count, count, distance), Table::from_values(count, count, duration))
}

impl Address {
    /// The quickest way to a target, given the trips to the beginnings of all lanes: over junctions,
    /// or straight ahead where the target lies further along the same lane.
    fn drive(&self, target: &Address, entry: &[Trip]) -> Trip {
        let mut best = Trip::NEVER;
        for &(lane, ahead) in &target.lanes {
            best = best.min(entry[lane] + ahead);
            for &(own, done) in &self.lanes {
                if own == lane && ahead.length() >= done.length() && ahead.duration() >= done.duration() {
                    best = best.min(ahead - done);
                }
            }
        }
        best
    }
}
