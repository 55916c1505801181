//! The sums over all routes of some stops where their length has a limit, or their stops have hours.
//!
//! What counts of a length is its slack: how much farther a vehicle may drive than straight home. An arc takes of it what it is longer
//! than the way home that it replaces. A level of room has a row of ticks here, by the slack with which a vehicle arrives; what lies
//! between two ticks counts to both, by how near it is. So an arc is two shifts of a row, and a row is a few vectors, however little
//! room a stop takes.
//!
//! Pairs of stops have rows of their own, as in [`super::sums`]. Ways on are kept by what is left of the slack, and ways there by what is
//! spent: either way an arc moves a row up.
//!
//! Where stops have hours, slack is what is left of the day, and a gate is at every stop: whoever is early waits, so that all ticks before
//! it opens become one, and whoever is late does not get in. Ways on are kept as they are before the gate, ways there as they are behind it.

use std::borrow::Cow;
use std::sync::Arc;

use super::Slack;
use super::legs::{Kept, Legs};
use super::pairs::{Pairs, rows};
use super::prices::Prices;
use super::sums::Plan;
use super::ticks::{GREATEST, Gate, LAST, Leg, Row, Shift, TICKS, gather, meet, pass};
use crate::isa::Isa;
use crate::simd::{Kernel, Simd};

/// The sums. The stops are counted from 1 in their order, and 0 is the depot, of which nothing is kept; S is one more than there
/// are stops.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limited {
    isa: Isa,
    stops: Vec<usize>,
    top: usize,
    /// Zeros before a row at work, as many as the longest arc moves by.
    pad: usize,
    /// Levels that a stop takes (S).
    takes: Vec<usize>,
    prices: Prices,
    /// Weights of ways from the depot, by what they spend, and to it (S).
    first: Vec<Row>,
    home: Vec<Row>,
    pairs: Pairs,
    /// Arcs within deliveries and within pickups by where they begin, and by where they end.
    out: Legs<Leg>,
    into: Legs<Leg>,
    /// Arcs from a delivery to a pickup, by where they begin.
    turns: Vec<Turn>,
    deliveries: Vec<usize>,
    pickups: Vec<usize>,
    /// Whether stops have hours, and what their windows do (S).
    has_hours: bool,
    gates: Vec<Option<Arc<Gate>>>,
    /// On how many routes each stop is (S).
    visits: Vec<f64>,
    /// How often the arcs of each stop are used: the place where one ends, and the number.
    used: Legs<(usize, f64)>,
    /// Weights of all ways on from a stop and its factor, by the room and the slack with which a vehicle comes there (top + 1, S + 2 P,
    /// ticks).
    ahead: Vec<Row>,
}

/// Rows at work, which serve again: all ways on and all ways there (top + 1, S + 2 P, pad + ticks).
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    ahead: Vec<f32>,
    behind: Vec<f32>,
}

/// An arc after which all of the room is there again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turn {
    from: usize,
    to: usize,
    shift: Shift,
}

impl Limited {
    /// Those of all stops, at such prices.
    pub fn new(isa: Isa, plan: &Plan<'_>, slack: &Slack<'_>, prices: Prices) -> Self {
        let Plan { top, takes, gives, first, home, arcs } = plan;
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
        let legs: Vec<(usize, usize, Shift)> = legs.iter().filter_map(moved).collect();
        let pad = legs.iter().map(|leg| leg.2.ticks as usize + 1).max().unwrap_or(0).next_multiple_of(8);
        let leg = |near: usize, far: usize, shift: Shift| {
            let (row, own) = rows(near, far, pairs.rows(near, far));
            let row = row * (pad + TICKS) + pad - shift.ticks as usize - 1;
            (near, Leg { row: row as u32, far: far as u32, own: own as u32, shift })
        };
        let begins = |stop: usize| {
            let mut row = [0.0; TICKS];
            let shift = Shift::new(slack.arcs[stop], first[stop]);
            shift.into_iter().for_each(|shift| shift.add(&[1.0], &mut row));
            row
        };
        // Those that take as much one after the other: they look at the same level.
        let of_kind = |kind: bool| {
            let mut group: Vec<usize> = (1..count).filter(|&stop| gives[stop] == kind).collect();
            group.sort_by_key(|&stop| takes[stop]);
            group
        };
        Self {
            isa,
            stops: (1..count).collect(),
            top,
            pad,
            takes: takes.iter().map(|&takes| takes.into()).collect(),
            prices,
            first: (0..count).map(begins).collect(),
            home: home.iter().map(|&weight| [weight as f32; TICKS]).collect(),
            out: Legs::new(count, legs.iter().map(|&(from, to, shift)| leg(from, to, shift))),
            into: Legs::new(count, legs.iter().map(|&(from, to, shift)| leg(to, from, shift))),
            pairs,
            turns,
            deliveries: of_kind(false),
            pickups: of_kind(true),
            has_hours: slack.windows.is_some(),
            gates: (0..count).map(|stop| Gate::new(slack.windows?[stop]).map(Arc::new)).collect(),
            visits: Vec::new(),
            used: Legs::new(count, std::iter::empty()),
            ahead: Vec::new(),
        }
    }

    /// Those of some of these stops, at the prices that they have; nothing is summed yet.
    pub fn among(&self, is_left: &[bool]) -> Self {
        let kept = Kept::new(&self.stops, is_left);
        let stride = self.stride();
        let (pairs, now) = self.pairs.among(&kept);
        let far = |near: usize, leg: &Leg| {
            let far = kept.now(leg.far as usize)?;
            let (row, own) = rows(near, far, now(leg.own as usize));
            let row = row * stride + leg.row as usize % stride;
            Some(Leg { row: row as u32, far: far as u32, own: own as u32, ..*leg })
        };
        let turn = |turn: &Turn| Some(Turn { from: kept.now(turn.from)?, to: kept.now(turn.to)?, ..*turn });
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
            has_hours: self.has_hours,
            gates: kept.places().map(|place| self.gates[place].clone()).collect(),
            visits: Vec::new(),
            used: Legs::new(kept.stops.len() + 1, std::iter::empty()),
            ahead: Vec::new(),
            stops: kept.stops,
        }
    }

    fn stride(&self) -> usize {
        self.pad + TICKS
    }

    /// Where a level at work begins.
    fn level(&self, level: usize) -> usize {
        level * self.pairs.all_rows() * self.stride()
    }

    /// Where a row at work begins.
    fn at(&self, row: usize, level: usize) -> usize {
        self.level(level) + row * self.stride() + self.pad
    }

    /// Whether its stops have hours.
    pub fn has_hours(&self) -> bool {
        self.has_hours
    }

    /// Changes prices for some rounds and sums; nothing when it was stopped: asked in every round.
    pub fn found(mut self, rounds: usize, scratch: &mut Rows, stop: &dyn Fn() -> bool) -> Option<Self> {
        let numbers = self.level(self.top + 1);
        for rows in [&mut scratch.ahead, &mut scratch.behind] {
            rows.clear();
            rows.resize(numbers, 0.0);
        }
        // So many are on a route when routes are full.
        let full = self.stops.len() as f64 * self.top as f64 / self.takes.iter().sum::<usize>().max(1) as f64;
        for _ in 0..rounds {
            if stop() {
                return None;
            }
            self.sum(scratch);
            let begins =
                |place: usize| self.meet(&self.first[place], row(&scratch.ahead, self.at(place, self.top)));
            let routes = (1..=self.stops.len()).map(begins).sum();
            // How many stops are on a route is the limit's affair as much as the room's.
            self.prices.follow(&self.visits[1..], routes, [1.0, full]);
        }
        self.sum(scratch);
        self.keep(scratch);
        Some(self)
    }

    /// Sums all ways on and all ways there, and counts on how many routes each stop is.
    fn sum(&mut self, scratch: &mut Rows) {
        let Rows { ahead, behind } = scratch;
        let mut home = Cow::Borrowed(&self.home);
        self.isa.run(Backward { of: self, rows: ahead, group: &self.pickups, home: &home });
        // A pickup is reached with all of the room again, however much a delivery has left.
        for turn in &self.turns {
            turn.shift.add(row(ahead, self.at(turn.to, self.top)), &mut home.to_mut()[turn.from]);
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

    /// What is spent on the way there and left for the way on are all of the slack together.
    fn meet(&self, spent: &Row, left: &Row) -> f64 {
        self.isa.run(Meet { spent, left })
    }

    /// All ways to a stop, whatever room they leave.
    fn at_any_level(&self, behind: &[f32], place: usize) -> Row {
        let mut sum = [0.0; TICKS];
        for level in self.takes[place]..=self.top {
            join(&mut sum, row(behind, self.at(place, level)));
        }
        sum
    }

    /// Keeps what is asked for later.
    fn keep(&mut self, scratch: &Rows) {
        let Rows { ahead, behind } = scratch;
        self.ahead = ahead.chunks_exact(self.stride()).map(|kept| *row(kept, self.pad)).collect();
        let mut used = Vec::new();
        for place in 1..self.takes.len() {
            let legs = self.out.of(place);
            let often = self.isa.run(Used { of: self, place, legs, scratch });
            used.extend(legs.iter().zip(often).map(|(leg, used)| (place, (leg.far as usize, used))));
        }
        for turn in &self.turns {
            let mut moved = [0.0; TICKS];
            turn.shift.add(&self.at_any_level(behind, turn.from), &mut moved);
            used.push((turn.from, (turn.to, self.meet(&moved, row(ahead, self.at(turn.to, self.top))))));
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
        let rows = pair.map_or(place, |leg| leg.row as usize / self.stride());
        let row = &self.ahead[room * self.pairs.all_rows() + rows];
        let slack = f64::from(slack.clamp(0.0, LAST as f32));
        let tick = slack as usize;
        let (one, next) = (f64::from(row[tick]), f64::from(row[(tick + 1).min(LAST)]));
        one + slack.fract() * (next - one)
    }

    /// On how many routes a stop is.
    pub fn visits(&self, place: usize) -> f64 {
        self.visits[place]
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let rows = self.ahead.len() + self.first.len() + self.home.len();
        rows * size_of::<Row>() + self.out.bytes() + self.into.bytes() + self.used.bytes()
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

/// The row that begins there.
#[inline(always)]
fn row(rows: &[f32], at: usize) -> &Row {
    rows[at..].first_chunk().expect("rows are whole")
}

/// The same, to write to.
#[inline(always)]
fn row_mut(rows: &mut [f32], at: usize) -> &mut Row {
    rows[at..].first_chunk_mut().expect("rows are whole")
}

/// How many legs of a stop are of pairs.
#[inline(always)]
fn of_pairs(legs: &[Leg], stop: usize) -> usize {
    let mut count = 0;
    while count < legs.len() && legs[count].own as usize != stop {
        count += 1;
    }
    count
}

/// Writes a row times a factor.
#[inline(always)]
fn store(sums: &Row, factor: f32, to: &mut Row) {
    for tick in 0..TICKS {
        to[tick] = (factor * sums[tick]).min(GREATEST);
    }
}

/// What comes by a single arc, moved by it; the level of its other end begins at `level`.
#[inline(always)]
fn by_arc<S: Simd>(simd: S, rows: &[f32], leg: &Leg, level: usize) -> Row {
    let mut moved = [0.0; TICKS];
    gather(simd, &mut moved, rows, std::slice::from_ref(leg), level);
    moved
}

/// Adds a row to another.
#[inline(always)]
fn join(sums: &mut Row, row: &Row) {
    for tick in 0..TICKS {
        sums[tick] += row[tick];
    }
}

/// What a stop comes to behind its gate, or before it, where ways on are summed (`ON`), and with its factor.
#[inline(always)]
fn leave<S: Simd, const ON: bool>(simd: S, of: &Limited, stop: usize, mut row: Row, to: &mut Row) {
    if let Some(gate) = &of.gates[stop] {
        pass(simd, &mut row, if ON { &gate.on } else { &gate.there });
    }
    store(&row, of.prices.factor[stop] as f32, to);
}

/// Writes what a stop comes to at a level, and what without each other end of its pairs; `sums` is what it comes to apart from those,
/// whose levels begin at `below`.
#[inline(always)]
fn store_all<S: Simd, const ON: bool>(
    simd: S,
    of: &Limited,
    stop: usize,
    mut sums: Row,
    pairs: &[Leg],
    rows: &mut [f32],
    (level, below): (usize, usize),
) {
    // Without one of them, the sum is what comes before that and after it: differences would lose digits.
    for leg in pairs {
        *row_mut(rows, of.at(leg.own as usize, level)) = sums;
        gather(simd, &mut sums, rows, std::slice::from_ref(leg), below);
    }
    leave::<S, ON>(simd, of, stop, sums, row_mut(rows, of.at(stop, level)));
    let mut after = [0.0; TICKS];
    for leg in pairs.iter().rev() {
        let own = of.at(leg.own as usize, level);
        let mut without = after;
        join(&mut without, row(rows, own));
        leave::<S, ON>(simd, of, stop, without, row_mut(rows, own));
        gather(simd, &mut after, rows, std::slice::from_ref(leg), below);
    }
}

/// Sums ways on from a group of stops over all levels.
struct Backward<'a> {
    of: &'a Limited,
    rows: &'a mut [f32],
    group: &'a [usize],
    home: &'a [Row],
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { of, rows, group, home } = self;
        for level in 1..=of.top {
            for &stop in group {
                let takes = of.takes[stop];
                if takes > level {
                    continue;
                }
                let (legs, below) = (of.out.of(stop), of.level(level - takes));
                let (pairs, others) = legs.split_at(of_pairs(legs, stop));
                let mut sums = home[stop];
                gather(simd, &mut sums, rows, others, below);
                store_all::<S, true>(simd, of, stop, sums, pairs, rows, (level, below));
            }
        }
    }
}

/// Sums ways to a group of stops over all levels, and counts on how many routes each is.
struct Forward<'a> {
    of: &'a Limited,
    rows: &'a mut [f32],
    ahead: &'a [f32],
    group: &'a [usize],
    first: &'a [Row],
    visits: &'a mut [f64],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { of, rows, ahead, group, first, visits } = self;
        for level in 1..=of.top {
            for &stop in group {
                let takes = of.takes[stop];
                if takes > level {
                    continue;
                }
                let mut sums = if level == takes { first[stop] } else { [0.0; TICKS] };
                let (legs, below) = (of.into.of(stop), of.level(level - takes));
                let (pairs, others) = legs.split_at(of_pairs(legs, stop));
                gather(simd, &mut sums, rows, others, below);
                // Ways there have taken what the stop takes, ways on have yet to.
                let on = of.top - level + takes;
                visits[stop] += meet(simd, &sums, row(ahead, of.at(stop, on)));
                for leg in pairs {
                    let there = by_arc(simd, rows, leg, below);
                    visits[stop] += meet(simd, &there, row(ahead, of.at(leg.own as usize, on)));
                }
                store_all::<S, false>(simd, of, stop, sums, pairs, rows, (level, below));
            }
        }
    }
}

/// How often each arc of a stop is used.
struct Used<'a> {
    of: &'a Limited,
    place: usize,
    legs: &'a [Leg],
    scratch: &'a Rows,
}

impl Kernel for Used<'_> {
    type Output = Vec<f64>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<f64> {
        let Self { of, place, legs, scratch } = self;
        let mut used = vec![0.0; legs.len()];
        for at in 0..legs.len() {
            for level in of.takes[place]..=of.top {
                let on = by_arc(simd, &scratch.ahead, &legs[at], of.level(of.top - level));
                used[at] += meet(simd, row(&scratch.behind, of.at(legs[at].own as usize, level)), &on);
            }
        }
        used
    }
}

/// One meeting alone.
struct Meet<'a> {
    spent: &'a Row,
    left: &'a Row,
}

impl Kernel for Meet<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        meet(simd, self.spent, self.left)
    }
}
