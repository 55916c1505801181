//! Rows of numbers by ticks, and what is done with them, by the vectors of the instruction set.

use crate::simd::{Lanes, Simd};

/// How many ticks are told apart; all of the slack is the last of them.
pub(super) const TICKS: usize = 48;
pub(super) const LAST: usize = TICKS - 1;

/// No number of a row is greater, however dear stops may be for a while: infinite ones would become none.
pub(super) const GREATEST: f32 = 1e30;

/// Numbers by ticks.
pub(super) type Row = [f32; TICKS];

/// What an arc does to a row: it moves by whole ticks, and some of it by one more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    pub ticks: u32,
    early: f32,
    late: f32,
}

/// An arc. Those of pairs come before all others of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    /// Where in a level the row of the other end begins, and one more than the whole ticks before that: of a pair, the row without
    /// this end.
    pub row: u32,
    /// The place of the other end, and whose row is that of this one: of a pair, without the other.
    pub far: u32,
    pub own: u32,
    pub shift: Shift,
}

impl Shift {
    /// That of an arc which takes so much and has such a weight; none if no slack allows it.
    pub fn new(ticks: f32, weight: f64) -> Option<Self> {
        let ticks = f64::from(ticks.max(0.0));
        let part = ticks.fract();
        (ticks <= LAST as f64).then_some(Self {
            ticks: ticks as u32,
            early: (weight * (1.0 - part)) as f32,
            late: (weight * part) as f32,
        })
    }

    /// Adds a row to another.
    pub fn add(self, row: &[f32], to: &mut Row) {
        let ticks = self.ticks as usize;
        let mut add = |tick: usize, part: f32| to[tick] = (to[tick] + part).min(GREATEST);
        (ticks..TICKS).zip(row).for_each(|(tick, &value)| add(tick, self.early * value));
        (ticks + 1..TICKS).zip(row).for_each(|(tick, &value)| add(tick, self.late * value));
    }
}

/// What the window of a stop does to a row, either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gate {
    pub there: Pass,
    pub on: Pass,
}

/// What passes a gate: some ticks as they are, and what some others come to, at some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pass {
    open: Row,
    from: Row,
    to: Row,
}

impl Gate {
    /// That of a window, by what is spent; none if it is always open.
    pub fn new([opens, closes]: [f32; 2]) -> Option<Self> {
        let opens = opens.max(0.0).min(LAST as f32);
        let is_early = |tick: usize| (tick as f32) < opens;
        let is_late = |tick: usize| tick as f32 > closes + 0.5;
        if !(0..TICKS).any(|tick| is_early(tick) || is_late(tick)) {
            return None;
        }
        let row = |of: &dyn Fn(usize) -> f32| -> Row { std::array::from_fn(of) };
        let flag = |is: bool| if is { 1.0 } else { 0.0 };
        let open = row(&|tick| flag(!is_early(tick) && !is_late(tick)));
        let early = row(&|tick| flag(is_early(tick)));
        // Whoever waits goes on at the two ticks next to the opening, by how near they are.
        let opening = row(&|tick| (1.0 - (tick as f32 - opens).abs()).max(0.0));
        let turned = |row: Row| -> Row { std::array::from_fn(|tick| row[LAST - tick]) };
        Some(Self {
            there: Pass { open, from: early, to: opening },
            // Ways on go by what is left, and are what they are behind the gate.
            on: Pass { open: turned(open), from: turned(opening), to: turned(early) },
        })
    }
}

// What follows is compiled for the instruction set by being inlined, which closures may not be.

/// Adds what the other ends of arcs come to, each moved by its arc; their rows are those of a level that begins at `level`.
#[inline(always)]
pub(super) fn gather<S: Simd>(simd: S, sums: &mut Row, rows: &[f32], legs: &[Leg], level: usize) {
    // Two sums, so that products wait for fewer of each other.
    let (mut sum, mut other) = (read(simd, sums), [simd.splat(0.0); MOST]);
    for leg in legs {
        let [later, sooner] = ends(rows, level + leg.row as usize);
        let (later, sooner) = (read(simd, later), read(simd, sooner));
        let (early, late) = (simd.splat(leg.shift.early), simd.splat(leg.shift.late));
        for at in 0..vectors::<S>() {
            sum[at] = early.mul_add(sooner[at], sum[at]);
            other[at] = late.mul_add(later[at], other[at]);
        }
    }
    for at in 0..vectors::<S>() {
        sum[at] = (sum[at] + other[at]).min(simd.splat(GREATEST));
    }
    write::<S>(&sum, sums);
}

/// What is spent on the way there and left for the way on are all of the slack together.
#[inline(always)]
pub(super) fn meet<S: Simd>(simd: S, spent: &Row, left: &Row) -> f64 {
    let (spent, left) = (read(simd, spent), read(simd, left));
    let mut sum = simd.splat(0.0);
    for at in 0..vectors::<S>() {
        sum = spent[at].mul_add(left[vectors::<S>() - 1 - at].reversed(), sum);
    }
    sum.sum().min(GREATEST).into()
}

/// Leads a row through a gate.
#[inline(always)]
pub(super) fn pass<S: Simd>(simd: S, row: &mut Row, pass: &Pass) {
    let mut values = read(simd, row);
    let (open, from, to) = (read(simd, &pass.open), read(simd, &pass.from), read(simd, &pass.to));
    let mut sum = simd.splat(0.0);
    for at in 0..vectors::<S>() {
        sum = from[at].mul_add(values[at], sum);
    }
    let moved = simd.splat(sum.sum());
    for at in 0..vectors::<S>() {
        values[at] = to[at].mul_add(moved, open[at] * values[at]);
    }
    write::<S>(&values, row);
}

/// So many vectors make a row at most.
const MOST: usize = TICKS / 4;

/// A row in vectors, of which the first few are used.
type Vectors<S> = [<S as Simd>::Lanes; MOST];

/// How many of them are used.
#[inline(always)]
const fn vectors<S: Simd>() -> usize {
    const { assert!(TICKS.is_multiple_of(S::LANES)) };
    TICKS / S::LANES
}

#[inline(always)]
fn read<S: Simd>(simd: S, row: &Row) -> Vectors<S> {
    let mut vectors = [simd.splat(0.0); MOST];
    for at in 0..self::vectors::<S>() {
        vectors[at] = simd.load(&row[at * S::LANES..]);
    }
    vectors
}

#[inline(always)]
fn write<S: Simd>(vectors: &Vectors<S>, row: &mut Row) {
    for at in 0..self::vectors::<S>() {
        vectors[at].store(&mut row[at * S::LANES..]);
    }
}

/// A row that moves by whole ticks and one more, and the same for one less.
#[inline(always)]
fn ends(rows: &[f32], at: usize) -> [&Row; 2] {
    let both: &[f32; TICKS + 1] = rows[at..].first_chunk().expect("rows are whole");
    [both.first_chunk().expect("of both"), both.last_chunk().expect("of both")]
}
