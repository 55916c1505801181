//! The sums over all routes of some stops, and what they are made of.
//!
//! All ways on from the depot or to it are summed by the same recursion: what a stop comes to at a level is its factor
//! times the sum, over its arcs, of weights times what their other ends come to as many levels below as the stop takes.
//! The depot comes to 1 at every level if ways lead on and home, and at the lowest if they lead there.
//!
//! Nobody goes straight back between the stops of a pair ([`super::pairs`]): each of the two has one more row, what it comes to without
//! the other, and the arc between them leads there.

use super::legs::{Kept, Legs};
use super::pairs::{Pairs, rows};
use super::prices::Prices;
use crate::isa::Isa;
use crate::simd::{Kernel, Simd};

/// As many levels are summed at once at most.
const WIDEST: usize = 8;

/// The sums. The stops are counted from 1 in their order, and 0 is the depot; S is one more than there are stops.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sums {
    isa: Isa,
    stops: Vec<usize>,
    top: usize,
    /// Numbers per row: as many zeros as a stop takes at most, and the levels.
    stride: usize,
    ground: usize,
    /// Levels that a stop takes (S).
    takes: Vec<usize>,
    prices: Prices,
    /// Weights from the depot and to it (S).
    first: Vec<f64>,
    home: Vec<f64>,
    pairs: Pairs,
    /// Arcs within deliveries and within pickups by where they begin, and by where they end.
    out: Legs<Leg>,
    into: Legs<Leg>,
    /// Arcs from a delivery to a pickup, by where they begin: from, to, weight.
    turns: Vec<(usize, usize, f64)>,
    deliveries: Group,
    pickups: Group,
    /// Weights of all ways on from a stop and its factor, by the room with which a vehicle comes there (S + 2 P, stride).
    ahead: Vec<f64>,
    /// Weights of all ways to a stop and its factor, by the room that is taken with it (S + 2 P, stride).
    behind: Vec<f64>,
    /// Weights of those among them that come from no other one of a pair, without the factor (S, stride).
    apart: Vec<f64>,
}

/// Stops by how many levels can be summed at once, which is not more than they take: 1, 2, 4, 8.
type Group = [Vec<usize>; 4];

/// An arc. Those of pairs come before all others of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg {
    /// The place of the other end.
    far: u32,
    /// Where the row of the other end begins, and that of this one: of a pair, each without the other.
    row: u32,
    own: u32,
    weight: f64,
}

impl Leg {
    /// One between two places, whose rows as a pair begin there if they are one; rows have such a length.
    fn new(near: usize, far: usize, pair: Option<usize>, stride: usize, weight: f64) -> Self {
        let (row, own) = rows(near, far, pair);
        Self { far: far as u32, row: (row * stride) as u32, own: (own * stride) as u32, weight }
    }
}

/// Sums a group of stops over all levels.
struct Climb<'a> {
    rows: &'a mut [f64],
    /// What stops come to by arcs that are of no pairs, without their factors (S, stride).
    apart: &'a mut [f64],
    legs: &'a Legs<Leg>,
    group: &'a Group,
    takes: &'a [usize],
    /// Weights of the arcs between a stop and the depot (S).
    depot: &'a [f64],
    factor: &'a [f64],
    levels: usize,
    stride: usize,
    ground: usize,
}

impl Kernel for Climb<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, _: S) {
        // What takes less than some levels waits until those of half as many are there.
        for level in (0..self.levels).step_by(8) {
            self.sum::<8>(level);
            for level in [level, level + 4] {
                self.sum::<4>(level);
                for level in [level, level + 2] {
                    self.sum::<2>(level);
                    self.sum::<1>(level);
                    self.sum::<1>(level + 1);
                }
            }
        }
    }
}

impl Climb<'_> {
    #[inline(always)]
    fn sum<const WIDTH: usize>(&mut self, level: usize) {
        for &stop in &self.group[WIDTH.trailing_zeros() as usize] {
            let (below, above) = (self.ground + level - self.takes[stop], self.ground + level);
            let (own, factor) = (stop * self.stride, self.factor[stop]);
            let legs = self.legs.of(stop);
            let (pairs, others) = legs.split_at(of_pairs(legs, own));
            let mut sums = [0.0; WIDTH];
            add(&mut sums, &self.rows[below..], self.depot[stop]);
            others.iter().for_each(|leg| add(&mut sums, &self.rows[leg.row as usize + below..], leg.weight));
            store(&sums, 1.0, &mut self.apart[own + above..]);
            // Without one of a pair, the sum is what comes before that and after it: differences would lose digits.
            for leg in pairs {
                store(&sums, 1.0, &mut self.rows[leg.own as usize + above..]);
                add(&mut sums, &self.rows[leg.row as usize + below..], leg.weight);
            }
            store(&sums, factor, &mut self.rows[own + above..]);
            let mut after = [0.0; WIDTH];
            for leg in pairs.iter().rev() {
                let mut without = after;
                add(&mut without, &self.rows[leg.own as usize + above..], 1.0);
                store(&without, factor, &mut self.rows[leg.own as usize + above..]);
                add(&mut after, &self.rows[leg.row as usize + below..], leg.weight);
            }
        }
    }
}

/// Adds some levels of a row, at a weight.
#[inline(always)]
fn add<const WIDTH: usize>(sums: &mut [f64; WIDTH], row: &[f64], weight: f64) {
    let row = &row[..WIDTH];
    (0..WIDTH).for_each(|at| sums[at] += weight * row[at]);
}

/// Writes some levels of a row, times a factor.
#[inline(always)]
fn store<const WIDTH: usize>(sums: &[f64; WIDTH], factor: f64, row: &mut [f64]) {
    let row = &mut row[..WIDTH];
    (0..WIDTH).for_each(|at| row[at] = factor * sums[at]);
}

/// What sums are made of.
pub(super) struct Plan<'a> {
    pub top: usize,
    /// Levels that a stop takes, whether it is a pickup, and weights from the depot and to it (S).
    pub takes: &'a [u16],
    pub gives: &'a [bool],
    pub first: Vec<f64>,
    pub home: Vec<f64>,
    /// Arcs between stops, by where they begin: from, to, weight.
    pub arcs: Vec<(usize, usize, f64)>,
}

impl Sums {
    /// Those of all stops, at the first prices.
    pub fn new(isa: Isa, plan: &Plan<'_>) -> Self {
        let Plan { top, takes, gives, first, home, arcs } = plan;
        let top = *top;
        let count = takes.len();
        let takes: Vec<usize> = takes.iter().map(|&takes| takes.into()).collect();
        let (ground, stride) = sizes(top, &takes);
        let (turns, mut legs): (Vec<_>, Vec<_>) =
            arcs.iter().copied().partition(|&(from, to, _)| gives[to] && !gives[from]);
        let pairs = Pairs::new(count, &mut legs);
        let leg = |near: usize, far: usize, weight: f64| {
            (near, Leg::new(near, far, pairs.rows(near, far), stride, weight))
        };
        let of_kind = |kind: bool| grouped(&takes, (1..count).filter(|&stop| gives[stop] == kind));
        Self {
            isa,
            stops: (1..count).collect(),
            top,
            stride,
            ground,
            prices: Prices::new(count),
            first: first.clone(),
            home: home.clone(),
            out: Legs::new(count, legs.iter().map(|&(from, to, weight)| leg(from, to, weight))),
            into: Legs::new(count, legs.iter().map(|&(from, to, weight)| leg(to, from, weight))),
            pairs,
            turns,
            deliveries: of_kind(false),
            pickups: of_kind(true),
            ahead: Vec::new(),
            behind: Vec::new(),
            apart: Vec::new(),
            takes,
        }
        .begun()
    }

    /// Those of some of these stops, at the prices that they have.
    pub fn among(&self, is_left: &[bool]) -> Self {
        let kept = Kept::new(&self.stops, is_left);
        let of = |values: &[f64]| -> Vec<f64> { kept.places().map(|place| values[place]).collect() };
        let takes: Vec<usize> = kept.places().map(|place| self.takes[place]).collect();
        let (ground, stride) = sizes(self.top, &takes);
        let (pairs, now) = self.pairs.among(&kept);
        let far = |near: usize, leg: &Leg| {
            let pair = now(leg.own as usize / self.stride);
            Some(Leg::new(near, kept.now(leg.far as usize)?, pair, stride, leg.weight))
        };
        let turn = |&(from, to, weight): &(usize, usize, f64)| Some((kept.now(from)?, kept.now(to)?, weight));
        let group = |of: &Group| grouped(&takes, of.iter().flatten().filter_map(|&place| kept.now(place)));
        Self {
            isa: self.isa,
            top: self.top,
            stride,
            ground,
            prices: self.prices.of(kept.places()),
            first: of(&self.first),
            home: of(&self.home),
            out: self.out.among(&kept, far),
            into: self.into.among(&kept, far),
            pairs,
            turns: self.turns.iter().filter_map(turn).collect(),
            deliveries: group(&self.deliveries),
            pickups: group(&self.pickups),
            ahead: Vec::new(),
            behind: Vec::new(),
            apart: Vec::new(),
            takes,
            stops: kept.stops,
        }
        .begun()
    }

    /// With what the depot comes to.
    fn begun(mut self) -> Self {
        let numbers = self.pairs.all_rows() * self.stride;
        (self.ahead, self.behind) = (vec![0.0; numbers], vec![0.0; numbers]);
        self.apart = vec![0.0; self.takes.len() * self.stride];
        self.ahead[self.ground..self.stride].fill(1.0);
        self.behind[self.ground] = 1.0;
        self
    }

    /// Sums all ways on.
    pub fn backward(&mut self) {
        let (mut ahead, mut apart) = (std::mem::take(&mut self.ahead), std::mem::take(&mut self.apart));
        let mut home = self.home.clone();
        self.climb(&mut ahead, &mut apart, &self.out, &self.pickups, &home);
        // A pickup is reached with all of the room again, however much a delivery has left.
        for &(from, to, weight) in &self.turns {
            home[from] += weight * self.levels(&ahead, to)[self.top];
        }
        self.climb(&mut ahead, &mut apart, &self.out, &self.deliveries, &home);
        (self.ahead, self.apart) = (ahead, apart);
    }

    /// Sums all ways there.
    pub fn forward(&mut self) {
        let (mut behind, mut apart) = (std::mem::take(&mut self.behind), std::mem::take(&mut self.apart));
        let mut first = self.first.clone();
        self.climb(&mut behind, &mut apart, &self.into, &self.deliveries, &first);
        for &(from, to, weight) in &self.turns {
            first[to] += weight * self.levels(&behind, from).iter().sum::<f64>();
        }
        self.climb(&mut behind, &mut apart, &self.into, &self.pickups, &first);
        (self.behind, self.apart) = (behind, apart);
    }

    /// Sums a group of stops in `rows` (S + 2 P, stride), whose arcs to or from the depot weigh so much (S).
    fn climb(&self, rows: &mut [f64], apart: &mut [f64], legs: &Legs<Leg>, group: &Group, depot: &[f64]) {
        let Self { takes, top, stride, ground, .. } = self;
        let factor = &self.prices.factor[..];
        let (levels, stride, ground) = (top + 1, *stride, *ground);
        self.isa.run(Climb { rows, apart, legs, group, takes, depot, factor, levels, stride, ground });
    }

    /// The levels of a stop in `rows` (top + 1).
    fn levels<'a>(&self, rows: &'a [f64], stop: usize) -> &'a [f64] {
        self.levels_at(rows, stop * self.stride)
    }

    /// The levels of the row that begins there (top + 1).
    fn levels_at<'a>(&self, rows: &'a [f64], row: usize) -> &'a [f64] {
        &rows[row + self.ground..][..=self.top]
    }

    /// By the room with which a vehicle comes there: all ways on from a stop, its factor among them (top + 1).
    fn ahead(&self, stop: usize) -> &[f64] {
        self.levels(&self.ahead, stop)
    }

    /// The same for a vehicle that comes from such a place: it does not go straight back.
    pub fn ahead_from(&self, from: usize, stop: usize) -> &[f64] {
        let legs = self.out.of(from);
        let pair = legs[..of_pairs(legs, from * self.stride)].iter().find(|leg| leg.far as usize == stop);
        self.levels_at(&self.ahead, pair.map_or(stop * self.stride, |leg| leg.row as usize))
    }

    /// By the room that is taken with it: all ways to a stop, its factor among them (top + 1).
    fn behind(&self, stop: usize) -> &[f64] {
        self.levels(&self.behind, stop)
    }

    /// On how many routes a stop is, and on how many it is the first.
    pub fn visits(&self, stop: usize) -> f64 {
        // Ways there have taken what the stop takes, ways on have yet to.
        let takes = self.takes[stop];
        let apart = meet(&self.levels(&self.apart, stop)[takes..], &self.ahead(stop)[takes..]);
        let legs = self.into.of(stop);
        let of_pairs = legs[..of_pairs(legs, stop * self.stride)].iter().map(|leg| {
            let there = self.levels_at(&self.behind, leg.row as usize);
            leg.weight * meet(there, self.levels_at(&self.ahead, leg.own as usize))
        });
        apart + of_pairs.sum::<f64>()
    }

    pub fn begins(&self, stop: usize) -> f64 {
        self.first[stop] * self.ahead(stop)[self.top]
    }

    /// Changes the prices so that visits come nearer to one.
    pub fn reprice(&mut self) {
        let places = 1..=self.stops.len();
        let visits: Vec<f64> = places.clone().map(|stop| self.visits(stop)).collect();
        let routes: f64 = places.map(|stop| self.begins(stop)).sum();
        // So many are on a route when routes are full.
        let full = visits.len() as f64 * self.top as f64 / self.takes.iter().sum::<usize>().max(1) as f64;
        self.prices.follow(&visits, routes, [full, full]);
    }

    /// The prices, of the depot and the stops in their order.
    pub fn prices(&self) -> &Prices {
        &self.prices
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let rows = self.ahead.len() + self.behind.len() + self.apart.len();
        rows * size_of::<f64>() + self.out.bytes() + self.into.bytes()
    }

    /// The stops.
    pub fn stops(&self) -> &[usize] {
        &self.stops
    }

    /// Arcs from a place to stops, and how often each is used.
    pub fn used_from(&self, place: usize) -> impl Iterator<Item = (usize, f64)> {
        let behind = self.behind(place);
        let legs = self.out.of(place).iter().map(move |leg| {
            let there = self.levels_at(&self.behind, leg.own as usize);
            let on = self.levels_at(&self.ahead, leg.row as usize);
            (self.stops[leg.far as usize - 1], leg.weight * meet(there, on))
        });
        let turns = &self.turns[self.turns.partition_point(|turn| turn.0 < place)..];
        let turns = turns.iter().take_while(move |turn| turn.0 == place).map(move |&(_, to, weight)| {
            let behind: f64 = behind.iter().sum();
            (self.stops[to - 1], behind * weight * self.ahead(to)[self.top])
        });
        legs.chain(turns)
    }
}

/// What is taken on the way there and left for the way on are all of the room together.
fn meet(there: &[f64], on: &[f64]) -> f64 {
    there.iter().zip(on.iter().rev()).map(|(there, on)| there * on).sum()
}

/// How many legs of a stop are of pairs; its own row begins there.
#[inline(always)]
fn of_pairs(legs: &[Leg], own: usize) -> usize {
    legs.iter().take_while(|leg| leg.own as usize != own).count()
}

/// Stops in groups.
fn grouped(takes: &[usize], stops: impl Iterator<Item = usize>) -> Group {
    let mut group = Group::default();
    stops.for_each(|stop| group[takes[stop].clamp(1, WIDEST).ilog2() as usize].push(stop));
    group
}

/// How many zeros a row begins with, and how long it is.
fn sizes(top: usize, takes: &[usize]) -> (usize, usize) {
    let ground = takes.iter().copied().max().unwrap_or(0);
    (ground, ground + (top + 1).next_multiple_of(WIDEST))
}
