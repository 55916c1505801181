//! The sums over all routes of some stops where their length has a limit, or their stops have hours.
//!
//! What counts of a length is its slack: how much farther a vehicle may drive than straight home. An arc takes of it what it is longer
//! than the way home that it replaces. A level of room has a row of ticks here, by the slack with which a vehicle arrives; what lies
//! between two ticks counts to both, by how near it is. So an arc is two shifts of a row, and a row is a few vectors, however little
//! room a stop takes.
//!
//! Pairs of stops have rows of their own, as in [`super::sums`]. Ways on are kept by what is left of the slack, and ways there by what is spent: either way an arc moves a row up.
//!
//! Where stops have hours, slack is what is left of the day, and a gate is at every stop: whoever is early waits, so that all ticks before
//! it opens become one, and whoever is late does not get in. Ways on are kept as they are before the gate, ways there as they are behind it.

use std::borrow::Cow;
use std::ops::{Add, AddAssign, Mul};

use super::Slack;
use super::legs::{Kept, Legs};
use super::pairs::{Pairs, rows};
use super::prices::Prices;
use super::sums::Plan;
use crate::isa::Isa;
use crate::simd::{Kernel, Simd};

/// How many ticks are told apart; all of the slack is the last of them.
pub(super) const TICKS: usize = 24;
const LAST: usize = TICKS - 1;

/// Numbers by ticks.
type Row<F> = [F; TICKS];

/// The numbers of rows: f32 take two thirds of the time, where weights do not lie too far apart.
pub(super) trait Real:
    Copy + std::fmt::Debug + Default + PartialEq + Add<Output = Self> + Mul<Output = Self> + AddAssign + 'static
{
    /// The nearest one.
    fn of(value: f64) -> Self;

    /// As it is.
    fn wide(self) -> f64;

    /// `self * factor + term`, rounded once.
    fn fused(self, factor: Self, term: Self) -> Self;
}

impl Real for f32 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as f32
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn fused(self, factor: Self, term: Self) -> Self {
        self.mul_add(factor, term)
    }
}

impl Real for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn fused(self, factor: Self, term: Self) -> Self {
        self.mul_add(factor, term)
    }
}

/// The sums. The stops are counted from 1 in their order, and 0 is the depot, of which nothing is kept; S is one more than there
/// are stops.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limited<F> {
    isa: Isa,
    stops: Vec<usize>,
    top: usize,
    /// Zeros before a row at work, as many as the longest arc moves by.
    pad: usize,
    /// Levels that a stop takes (S).
    takes: Vec<usize>,
    prices: Prices,
    /// Weights of ways from the depot, by what they spend, and to it (S).
    first: Vec<Row<F>>,
    home: Vec<Row<F>>,
    pairs: Pairs,
    /// Arcs within deliveries and within pickups by where they begin, and by where they end.
    out: Legs<Leg<F>>,
    into: Legs<Leg<F>>,
    /// Arcs from a delivery to a pickup, by where they begin.
    turns: Vec<Turn<F>>,
    deliveries: Vec<usize>,
    pickups: Vec<usize>,
    /// What windows do, where stops have any (S).
    gates: Vec<Option<Gate<F>>>,
    /// On how many routes each stop is (S).
    visits: Vec<f64>,
    /// How often the arcs of each stop are used: the place where one ends, and the number.
    used: Legs<(usize, f64)>,
    /// Weights of all ways on from a stop and its factor, by the room and the slack with which a vehicle comes there (S + 2 P, top + 1,
    /// ticks).
    ahead: Vec<Row<F>>,
}

/// What a window does to a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gate<F> {
    /// When it opens: so far behind this tick, which is not the last, as a part of one.
    tick: usize,
    part: F,
    /// 1 at ticks at which a vehicle goes on at once, and 1 at those at which it waits; neither when it is too late.
    open: Row<F>,
    early: Row<F>,
}

impl<F: Real> Gate<F> {
    /// That of a window, by what is spent; none if it is always open.
    fn new([opens, closes]: [f32; 2]) -> Option<Self> {
        let opens = opens.max(0.0).min(LAST as f32);
        let is_early = |tick: usize| (tick as f32) < opens;
        let is_late = |tick: usize| tick as f32 > closes + 0.5;
        let flag = |is: bool| if is { F::of(1.0) } else { F::default() };
        let tick = (opens as usize).min(LAST - 1);
        (0..TICKS).any(|tick| is_early(tick) || is_late(tick)).then(|| Self {
            tick,
            part: F::of(f64::from(opens) - tick as f64),
            open: std::array::from_fn(|tick| flag(!is_early(tick) && !is_late(tick))),
            early: std::array::from_fn(|tick| flag(is_early(tick))),
        })
    }

    /// Of ways there, by what they have spent at arrival: by what they have spent when they are let in.
    #[inline(always)]
    fn there(&self, spent: &Row<F>) -> Row<F> {
        let mut waiting = F::default();
        let mut row = [F::default(); TICKS];
        for tick in 0..TICKS {
            waiting += self.early[tick] * spent[tick];
            row[tick] = self.open[tick] * spent[tick];
        }
        row[self.tick] += self.rest() * waiting;
        row[self.tick + 1] += self.part * waiting;
        row
    }

    /// Of ways on, by what is left when they begin: by what is left at arrival.
    #[inline(always)]
    fn on(&self, left: &Row<F>) -> Row<F> {
        let last = LAST - self.tick;
        let waiting = self.rest() * left[last] + self.part * left[last - 1];
        let mut row = [F::default(); TICKS];
        for tick in 0..TICKS {
            row[tick] = self.open[LAST - tick] * left[tick] + self.early[LAST - tick] * waiting;
        }
        row
    }

    /// What of a whole is not its part.
    #[inline(always)]
    fn rest(&self) -> F {
        F::of(1.0) + F::of(-1.0) * self.part
    }
}

/// Rows at work, which serve again: all ways on and all ways there (S + 2 P, top + 1, pad + ticks).
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<F> {
    ahead: Vec<F>,
    behind: Vec<F>,
}

/// What an arc does to a row: it moves by whole ticks, and some of it by one more.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Shift<F> {
    ticks: usize,
    early: F,
    late: F,
}

/// An arc. Those of pairs come before all others of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Leg<F> {
    /// Where the rows of the other end begin, and one more than the whole ticks before that: of a pair, the rows without this end.
    row: usize,
    /// The place of the other end, and whose rows are those of this one: of a pair, without the other.
    far: u32,
    own: u32,
    early: F,
    late: F,
}

/// An arc after which all of the room is there again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn<F> {
    from: usize,
    to: usize,
    shift: Shift<F>,
}

impl<F: Real> Shift<F> {
    /// That of an arc which takes so much and has such a weight; none if no slack allows it.
    fn new(ticks: f32, weight: f64) -> Option<Self> {
        let ticks = f64::from(ticks.max(0.0));
        let part = ticks.fract();
        (ticks <= LAST as f64).then_some(Self {
            ticks: ticks as usize,
            early: F::of(weight * (1.0 - part)),
            late: F::of(weight * part),
        })
    }

    /// Adds a row to another.
    fn add(self, row: &[F], to: &mut Row<F>) {
        (self.ticks..TICKS).zip(row).for_each(|(tick, &value)| to[tick] += self.early * value);
        (self.ticks + 1..TICKS).zip(row).for_each(|(tick, &value)| to[tick] += self.late * value);
    }
}

impl<F: Real> Limited<F> {
    /// Those of all stops, at such prices.
    pub fn new(isa: Isa, plan: &Plan<'_>, slack: &Slack<'_>, prices: Prices) -> Self {
        let Plan { top, takes, gives, first, home, arcs, .. } = plan;
        let (top, count) = (*top, takes.len());
        let moved = |&(from, to, weight): &(usize, usize, f64)| {
            Shift::new(slack.arcs[from * count + to], weight).map(|shift| (from, to, shift))
        };
        let is_turn = |from: usize, to: usize| gives[to] && !gives[from];
        let turns = arcs.iter().filter(|arc| is_turn(arc.0, arc.1)).filter_map(moved);
        let turns = turns.map(|(from, to, shift)| Turn { from, to, shift }).collect();
        let in_reach = |arc: &&(usize, usize, f64)| !is_turn(arc.0, arc.1) && moved(arc).is_some();
        let mut legs: Vec<_> = arcs.iter().filter(in_reach).copied().collect();
        let pairs = Pairs::new(count, &mut legs);
        let legs: Vec<(usize, usize, Shift<F>)> = legs.iter().filter_map(moved).collect();
        let pad = legs.iter().map(|leg| leg.2.ticks + 1).max().unwrap_or(0).next_multiple_of(8);
        let leg = |near: usize, far: usize, shift: Shift<F>| {
            let (row, own) = rows(near, far, pairs.rows(near, far));
            let row = row * (top + 1) * (pad + TICKS) + pad - shift.ticks - 1;
            (near, Leg { row, far: far as u32, own: own as u32, early: shift.early, late: shift.late })
        };
        let begins = |stop: usize| {
            let mut row = [F::default(); TICKS];
            let shift = Shift::new(slack.arcs[stop], first[stop]);
            shift.into_iter().for_each(|shift| shift.add(&[F::of(1.0)], &mut row));
            row
        };
        let of_kind = |kind: bool| (1..count).filter(|&stop| gives[stop] == kind).collect();
        Self {
            isa,
            stops: (1..count).collect(),
            top,
            pad,
            takes: takes.iter().map(|&takes| takes.into()).collect(),
            prices,
            first: (0..count).map(begins).collect(),
            home: home.iter().map(|&weight| [F::of(weight); TICKS]).collect(),
            out: Legs::new(count, legs.iter().map(|&(from, to, shift)| leg(from, to, shift))),
            into: Legs::new(count, legs.iter().map(|&(from, to, shift)| leg(to, from, shift))),
            pairs,
            turns,
            deliveries: of_kind(false),
            pickups: of_kind(true),
            gates: (0..count).map(|stop| Gate::new(slack.windows?[stop])).collect(),
            visits: Vec::new(),
            used: Legs::new(count, std::iter::empty()),
            ahead: Vec::new(),
        }
    }

    /// Those of some of these stops, at the prices that they have; nothing is summed yet.
    pub fn among(&self, is_left: &[bool]) -> Self {
        let kept = Kept::new(&self.stops, is_left);
        let of_stop = self.of_stop();
        let (pairs, now) = self.pairs.among(&kept);
        let far = |near: usize, leg: &Leg<F>| {
            let far = kept.now(leg.far as usize)?;
            let (row, own) = rows(near, far, now(leg.own as usize));
            Some(Leg { row: row * of_stop + leg.row % of_stop, far: far as u32, own: own as u32, ..*leg })
        };
        let turn =
            |turn: &Turn<F>| Some(Turn { from: kept.now(turn.from)?, to: kept.now(turn.to)?, ..*turn });
        let group = |of: &[usize]| of.iter().filter_map(|&place| kept.now(place)).collect();
        Self {
            isa: self.isa,
            top: self.top,
            pad: self.pad,
            takes: kept.places().map(|place| self.takes[place]).collect(),
            prices: self.prices.of(kept.places()),
            first: kept.places().map(|place| self.first[place]).collect(),
            home: kept.places().map(|place| self.home[place]).collect(),
            out: self.out.among(&kept, far),
            into: self.into.among(&kept, far),
            pairs,
            turns: self.turns.iter().filter_map(turn).collect(),
            deliveries: group(&self.deliveries),
            pickups: group(&self.pickups),
            gates: kept.places().map(|place| self.gates[place]).collect(),
            visits: Vec::new(),
            used: Legs::new(kept.stops.len() + 1, std::iter::empty()),
            ahead: Vec::new(),
            stops: kept.stops,
        }
    }

    fn stride(&self) -> usize {
        self.pad + TICKS
    }

    /// Numbers per stop at work.
    fn of_stop(&self) -> usize {
        (self.top + 1) * self.stride()
    }

    /// Where a row at work begins.
    fn at(&self, place: usize, level: usize) -> usize {
        place * self.of_stop() + level * self.stride() + self.pad
    }

    /// Whether its stops have hours.
    pub fn has_hours(&self) -> bool {
        self.gates.iter().any(Option::is_some)
    }

    /// Changes prices for some rounds and sums; nothing when it was stopped: asked in every round.
    pub fn found(mut self, rounds: usize, scratch: &mut Rows<F>, stop: &dyn Fn() -> bool) -> Option<Self> {
        let numbers = self.pairs.all_rows() * self.of_stop();
        for rows in [&mut scratch.ahead, &mut scratch.behind] {
            rows.clear();
            rows.resize(numbers, F::default());
        }
        // So many are on a route when routes are full.
        let full = self.stops.len() as f64 * self.top as f64 / self.takes.iter().sum::<usize>().max(1) as f64;
        for _ in 0..rounds {
            if stop() {
                return None;
            }
            self.sum(scratch);
            let begins = |place: usize| meet(&self.first[place], self.row(&scratch.ahead, place, self.top));
            let routes = (1..=self.stops.len()).map(begins).sum();
            // How many stops are on a route is the limit's affair as much as the room's.
            self.prices.follow(&self.visits[1..], routes, [1.0, full]);
        }
        self.sum(scratch);
        self.keep(scratch);
        Some(self)
    }

    fn row<'a>(&self, rows: &'a [F], place: usize, level: usize) -> &'a [F] {
        &rows[self.at(place, level)..][..TICKS]
    }

    /// Sums all ways on and all ways there, and counts on how many routes each stop is.
    fn sum(&mut self, scratch: &mut Rows<F>) {
        let Rows { ahead, behind } = scratch;
        let mut home = Cow::Borrowed(&self.home);
        self.isa.run(Backward { of: self, rows: ahead, group: &self.pickups, home: &home });
        // A pickup is reached with all of the room again, however much a delivery has left.
        for turn in &self.turns {
            turn.shift.add(self.row(ahead, turn.to, self.top), &mut home.to_mut()[turn.from]);
        }
        self.isa.run(Backward { of: self, rows: ahead, group: &self.deliveries, home: &home });

        let mut visits = std::mem::take(&mut self.visits);
        visits.clear();
        visits.resize(self.takes.len(), 0.0);
        let mut first = Cow::Borrowed(&self.first);
        let (rows, group) = (&mut behind[..], &self.deliveries);
        self.isa.run(Forward { of: self, rows, ahead, group, first: &first, visits: &mut visits });
        for turn in &self.turns {
            turn.shift.add(&self.at_any_level(behind, turn.from), &mut first.to_mut()[turn.to]);
        }
        let (rows, group) = (&mut behind[..], &self.pickups);
        self.isa.run(Forward { of: self, rows, ahead, group, first: &first, visits: &mut visits });
        self.visits = visits;
    }

    /// All ways to a stop, whatever room they leave.
    fn at_any_level(&self, behind: &[F], place: usize) -> Row<F> {
        let mut sum = [F::default(); TICKS];
        for level in self.takes[place]..=self.top {
            let row = self.row(behind, place, level);
            (0..TICKS).for_each(|tick| sum[tick] += row[tick]);
        }
        sum
    }

    /// Keeps what is asked for later.
    fn keep(&mut self, scratch: &Rows<F>) {
        let Rows { ahead, behind } = scratch;
        self.ahead = vec![[F::default(); TICKS]; self.pairs.all_rows() * (self.top + 1)];
        for (at, kept) in self.ahead.iter_mut().enumerate() {
            let start = at * (self.pad + TICKS) + self.pad;
            kept.copy_from_slice(&ahead[start..][..TICKS]);
        }
        let mut used = Vec::new();
        for place in 1..self.takes.len() {
            let legs = self.out.of(place);
            let often = self.isa.run(Used { of: self, place, legs, scratch });
            used.extend(legs.iter().zip(often).map(|(leg, used)| (place, (leg.far as usize, used))));
        }
        for turn in &self.turns {
            let mut moved = [F::default(); TICKS];
            turn.shift.add(&self.at_any_level(behind, turn.from), &mut moved);
            used.push((turn.from, (turn.to, meet(&moved, self.row(ahead, turn.to, self.top)))));
        }
        self.used = Legs::new(self.takes.len(), used.into_iter());
    }

    /// The weight of all ways on from a stop, its factor among them, where a vehicle comes from such a place with so much room and
    /// slack.
    pub fn ahead(&self, from: usize, place: usize, room: usize, slack: f32) -> f64 {
        // What is missing of none may be rounding.
        if slack < -0.01 {
            return 0.0;
        }
        let legs = self.out.of(from);
        let pair = legs[..of_pairs(legs, from)].iter().find(|leg| leg.far as usize == place);
        let rows = pair.map_or(place, |leg| leg.row / self.of_stop());
        let row = &self.ahead[rows * (self.top + 1) + room];
        let slack = f64::from(slack.clamp(0.0, LAST as f32));
        let tick = slack as usize;
        let (one, next) = (row[tick].wide(), row[(tick + 1).min(LAST)].wide());
        one + slack.fract() * (next - one)
    }

    /// On how many routes a stop is.
    pub fn visits(&self, place: usize) -> f64 {
        self.visits[place]
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ahead[..])
    }

    /// The stops.
    pub fn stops(&self) -> &[usize] {
        &self.stops
    }

    /// Arcs from a place to stops, and how often each is used.
    pub fn used_from(&self, place: usize) -> impl Iterator<Item = (usize, f64)> {
        self.used.of(place).iter().map(|&(to, used)| (self.stops[to - 1], used))
    }
}

// What follows is compiled for the instruction set by being inlined, which closures may not be.

/// `factor * value + sum`, rounded once where that is fast.
#[inline(always)]
fn fused<S: Simd, F: Real>(factor: F, value: F, sum: F) -> F {
    if S::IS_FUSED { factor.fused(value, sum) } else { factor * value + sum }
}

/// How many legs of a stop are of pairs.
#[inline(always)]
fn of_pairs<F>(legs: &[Leg<F>], stop: usize) -> usize {
    let mut count = 0;
    while count < legs.len() && legs[count].own as usize != stop {
        count += 1;
    }
    count
}

/// Adds what the other ends of arcs come to, each moved by its arc; their levels begin at `level`.
#[inline(always)]
fn add<S: Simd, F: Real>(sums: &mut Row<F>, rows: &[F], legs: &[Leg<F>], level: usize) {
    for leg in legs {
        let row = &rows[leg.row + level..][..TICKS + 1];
        for tick in 0..TICKS {
            let sum = fused::<S, F>(leg.early, row[tick + 1], sums[tick]);
            sums[tick] = fused::<S, F>(leg.late, row[tick], sum);
        }
    }
}

/// What is spent on the way there and left for the way on are all of the slack together.
#[inline(always)]
fn meet<F: Real>(spent: &[F], left: &[F]) -> f64 {
    let (spent, left) = (&spent[..TICKS], &left[..TICKS]);
    // Eight sums, so that none waits for the last one.
    let mut sums = [F::default(); 8];
    for tick in 0..TICKS {
        sums[tick % 8] += spent[tick] * left[LAST - tick];
    }
    let [a, b, c, d, e, f, g, h] = sums;
    (((a + b) + (c + d)) + ((e + f) + (g + h))).wide()
}

/// Writes a row times a factor.
#[inline(always)]
fn store<F: Real>(sums: &Row<F>, factor: F, to: &mut [F]) {
    let to = &mut to[..TICKS];
    for tick in 0..TICKS {
        to[tick] = factor * sums[tick];
    }
}

/// What comes by a single arc, moved by it; the levels of its other end begin at `level`.
#[inline(always)]
fn by_arc<S: Simd, F: Real>(rows: &[F], leg: &Leg<F>, level: usize) -> Row<F> {
    let mut moved = [F::default(); TICKS];
    add::<S, F>(&mut moved, rows, std::slice::from_ref(leg), level);
    moved
}

/// Adds a row to another.
#[inline(always)]
fn join<F: Real>(sums: &mut Row<F>, row: &[F]) {
    let row = &row[..TICKS];
    for tick in 0..TICKS {
        sums[tick] += row[tick];
    }
}

/// What ways on (`ON`) or ways there come to at the gate of a stop.
#[inline(always)]
fn let_in<F: Real, const ON: bool>(of: &Limited<F>, stop: usize, row: Row<F>) -> Row<F> {
    match &of.gates[stop] {
        None => row,
        Some(gate) if ON => gate.on(&row),
        Some(gate) => gate.there(&row),
    }
}

/// Writes what a stop comes to at a level, and what without each other end of its pairs; `sums` is what it comes to apart from those,
/// whose levels begin at `below`.
#[inline(always)]
fn store_all<S: Simd, F: Real, const ON: bool>(
    of: &Limited<F>,
    stop: usize,
    mut sums: Row<F>,
    pairs: &[Leg<F>],
    rows: &mut [F],
    (level, below): (usize, usize),
) {
    let factor = F::of(of.prices.factor[stop]);
    // Without one of them, the sum is what comes before that and after it: differences would lose digits.
    for leg in pairs {
        store(&sums, F::of(1.0), &mut rows[of.at(leg.own as usize, level)..]);
        add::<S, F>(&mut sums, rows, std::slice::from_ref(leg), below);
    }
    store(&let_in::<F, ON>(of, stop, sums), factor, &mut rows[of.at(stop, level)..]);
    let mut after = [F::default(); TICKS];
    for leg in pairs.iter().rev() {
        let own = of.at(leg.own as usize, level);
        let mut without = after;
        join(&mut without, &rows[own..]);
        store(&let_in::<F, ON>(of, stop, without), factor, &mut rows[own..]);
        add::<S, F>(&mut after, rows, std::slice::from_ref(leg), below);
    }
}

/// Sums ways on from a group of stops over all levels.
struct Backward<'a, F> {
    of: &'a Limited<F>,
    rows: &'a mut [F],
    group: &'a [usize],
    home: &'a [Row<F>],
}

impl<F: Real> Kernel for Backward<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { of, rows, group, home } = self;
        for level in 1..=of.top {
            for &stop in group {
                let takes = of.takes[stop];
                if takes > level {
                    continue;
                }
                let (legs, below) = (of.out.of(stop), (level - takes) * of.stride());
                let (pairs, others) = legs.split_at(of_pairs(legs, stop));
                let mut sums = home[stop];
                add::<S, F>(&mut sums, rows, others, below);
                store_all::<S, F, true>(of, stop, sums, pairs, rows, (level, below));
            }
        }
    }
}

/// Sums ways to a group of stops over all levels, and counts on how many routes each is.
struct Forward<'a, F> {
    of: &'a Limited<F>,
    rows: &'a mut [F],
    ahead: &'a [F],
    group: &'a [usize],
    first: &'a [Row<F>],
    visits: &'a mut [f64],
}

impl<F: Real> Kernel for Forward<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let Self { of, rows, ahead, group, first, visits } = self;
        for level in 1..=of.top {
            for &stop in group {
                let takes = of.takes[stop];
                if takes > level {
                    continue;
                }
                let mut sums = if level == takes { first[stop] } else { [F::default(); TICKS] };
                let (legs, below) = (of.into.of(stop), (level - takes) * of.stride());
                let (pairs, others) = legs.split_at(of_pairs(legs, stop));
                add::<S, F>(&mut sums, rows, others, below);
                // Ways there have taken what the stop takes, ways on have yet to.
                let on = of.top - level + takes;
                visits[stop] += meet(&sums, &ahead[of.at(stop, on)..]);
                for leg in pairs {
                    let there = by_arc::<S, F>(rows, leg, below);
                    visits[stop] += meet(&there, &ahead[of.at(leg.own as usize, on)..]);
                }
                store_all::<S, F, false>(of, stop, sums, pairs, rows, (level, below));
            }
        }
    }
}

/// How often each arc of a stop is used.
struct Used<'a, F> {
    of: &'a Limited<F>,
    place: usize,
    legs: &'a [Leg<F>],
    scratch: &'a Rows<F>,
}

impl<F: Real> Kernel for Used<'_, F> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Vec<f64> {
        let Self { of, place, legs, scratch } = self;
        let mut used = vec![0.0; legs.len()];
        for at in 0..legs.len() {
            for level in of.takes[place]..=of.top {
                let on = by_arc::<S, F>(&scratch.ahead, &legs[at], (of.top - level) * of.stride());
                used[at] += meet(&scratch.behind[of.at(legs[at].own as usize, level)..], &on);
            }
        }
        used
    }
}
