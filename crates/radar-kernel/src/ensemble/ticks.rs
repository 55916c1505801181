//! Rows of numbers by ticks, and what is done with them: in f32 by the vectors of the instruction set, in f64 as it comes.

use std::ops::{Add, AddAssign, Mul};

use crate::simd::{Lanes, Simd};

/// How many ticks are told apart; all of the slack is the last of them.
pub(super) const TICKS: usize = 48;
pub(super) const LAST: usize = TICKS - 1;

/// Numbers by ticks.
pub(super) type Row<F> = [F; TICKS];

/// What an arc does to a row: it moves by whole ticks, and some of it by one more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift<F> {
    pub ticks: u32,
    early: F,
    late: F,
}

/// An arc. Those of pairs come before all others of a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg<F> {
    /// Where in a level the row of the other end begins, and one more than the whole ticks before that: of a pair, the row without
    /// this end.
    pub row: u32,
    /// The place of the other end, and whose row is that of this one: of a pair, without the other.
    pub far: u32,
    pub own: u32,
    pub shift: Shift<F>,
}

impl<F: Real> Shift<F> {
    /// That of an arc which takes so much and has such a weight; none if no slack allows it.
    pub fn new(ticks: f32, weight: f64) -> Option<Self> {
        let ticks = f64::from(ticks.max(0.0));
        let part = ticks.fract();
        (ticks <= LAST as f64).then_some(Self {
            ticks: ticks as u32,
            early: F::of(weight * (1.0 - part)),
            late: F::of(weight * part),
        })
    }

    /// Adds a row to another.
    pub fn add(self, row: &[F], to: &mut Row<F>) {
        let ticks = self.ticks as usize;
        (ticks..TICKS).zip(row).for_each(|(tick, &value)| to[tick] += self.early * value);
        (ticks + 1..TICKS).zip(row).for_each(|(tick, &value)| to[tick] += self.late * value);
    }
}

/// What the window of a stop does to a row, either way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gate<F> {
    pub there: Pass<F>,
    pub on: Pass<F>,
}

/// What passes a gate: some ticks as they are, and what some others come to, at some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pass<F> {
    open: Row<F>,
    from: Row<F>,
    to: Row<F>,
}

impl<F: Real> Gate<F> {
    /// That of a window, by what is spent; none if it is always open.
    pub fn new([opens, closes]: [f32; 2]) -> Option<Self> {
        let opens = opens.max(0.0).min(LAST as f32);
        let is_early = |tick: usize| (tick as f32) < opens;
        let is_late = |tick: usize| tick as f32 > closes + 0.5;
        if !(0..TICKS).any(|tick| is_early(tick) || is_late(tick)) {
            return None;
        }
        // Whoever waits goes on between this tick and the next one.
        let tick = (opens as usize).min(LAST - 1);
        let part = f64::from(opens) - tick as f64;
        let row = |of: &dyn Fn(usize) -> f64| -> Row<F> { std::array::from_fn(|tick| F::of(of(tick))) };
        let open = row(&|tick| f64::from(!is_early(tick) && !is_late(tick)));
        let early = row(&|tick| f64::from(is_early(tick)));
        let opening = row(&|at| {
            if at == tick {
                1.0 - part
            } else if at == tick + 1 {
                part
            } else {
                0.0
            }
        });
        let turned = |row: Row<F>| -> Row<F> { std::array::from_fn(|tick| row[LAST - tick]) };
        Some(Self {
            there: Pass { open, from: early, to: opening },
            // Ways on go by what is left, and are what they are behind the gate.
            on: Pass { open: turned(open), from: turned(opening), to: turned(early) },
        })
    }
}

/// The numbers of rows: f32 where weights do not lie too far apart.
pub(super) trait Real:
    Copy + std::fmt::Debug + Default + PartialEq + Add<Output = Self> + Mul<Output = Self> + AddAssign + 'static
{
    /// The nearest one.
    fn of(value: f64) -> Self;

    /// As it is.
    fn wide(self) -> f64;

    /// Adds what the other ends of arcs come to, each moved by its arc; their rows are those of a level that begins at `level`.
    fn gather<S: Simd>(simd: S, sums: &mut Row<Self>, rows: &[Self], legs: &[Leg<Self>], level: usize);

    /// What is spent on the way there and left for the way on are all of the slack together.
    fn meet<S: Simd>(simd: S, spent: &Row<Self>, left: &Row<Self>) -> f64;

    /// Leads a row through a gate.
    fn pass<S: Simd>(simd: S, row: &mut Row<Self>, pass: &Pass<Self>);
}

// What follows is compiled for the instruction set by being inlined, which closures may not be.

impl Real for f32 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }

    #[inline(always)]
    fn gather<S: Simd>(simd: S, sums: &mut Row<f32>, rows: &[f32], legs: &[Leg<f32>], level: usize) {
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
            sum[at] = sum[at] + other[at];
        }
        write::<S>(&sum, sums);
    }

    #[inline(always)]
    fn meet<S: Simd>(simd: S, spent: &Row<f32>, left: &Row<f32>) -> f64 {
        let (spent, left) = (read(simd, spent), read(simd, left));
        let mut sum = simd.splat(0.0);
        for at in 0..vectors::<S>() {
            sum = spent[at].mul_add(left[vectors::<S>() - 1 - at].reversed(), sum);
        }
        sum.sum().into()
    }

    #[inline(always)]
    fn pass<S: Simd>(simd: S, row: &mut Row<f32>, pass: &Pass<f32>) {
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
}

/// So many vectors make a row at most.
const MOST: usize = TICKS / 4;

/// A row in vectors, of which the first few are used.
type Vectors<S> = [<S as Simd>::Lanes; MOST];

/// A row that moves by whole ticks and one more, and the same for one less.
#[inline(always)]
fn ends<F>(rows: &[F], at: usize) -> [&Row<F>; 2] {
    let both: &[F; TICKS + 1] = rows[at..].first_chunk().expect("rows are whole");
    [both.first_chunk().expect("of both"), both.last_chunk().expect("of both")]
}

/// How many.
#[inline(always)]
const fn vectors<S: Simd>() -> usize {
    const { assert!(TICKS.is_multiple_of(S::LANES)) };
    TICKS / S::LANES
}

#[inline(always)]
fn read<S: Simd>(simd: S, row: &Row<f32>) -> Vectors<S> {
    let mut vectors = [simd.splat(0.0); MOST];
    for at in 0..self::vectors::<S>() {
        vectors[at] = simd.load(&row[at * S::LANES..]);
    }
    vectors
}

#[inline(always)]
fn write<S: Simd>(vectors: &Vectors<S>, row: &mut Row<f32>) {
    for at in 0..self::vectors::<S>() {
        vectors[at].store(&mut row[at * S::LANES..]);
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
    fn gather<S: Simd>(_: S, sums: &mut Row<f64>, rows: &[f64], legs: &[Leg<f64>], level: usize) {
        for leg in legs {
            let ([later, sooner], Shift { early, late, .. }) =
                (ends(rows, level + leg.row as usize), leg.shift);
            for tick in 0..TICKS {
                sums[tick] = fused::<S>(late, later[tick], fused::<S>(early, sooner[tick], sums[tick]));
            }
        }
    }

    #[inline(always)]
    fn meet<S: Simd>(_: S, spent: &Row<f64>, left: &Row<f64>) -> f64 {
        // Eight sums, so that none waits for the last one.
        let mut sums = [0.0; 8];
        for tick in 0..TICKS {
            sums[tick % 8] += spent[tick] * left[LAST - tick];
        }
        sums.iter().sum()
    }

    #[inline(always)]
    fn pass<S: Simd>(_: S, row: &mut Row<f64>, pass: &Pass<f64>) {
        let mut sums = [0.0; 8];
        for tick in 0..TICKS {
            sums[tick % 8] += pass.from[tick] * row[tick];
        }
        let moved: f64 = sums.iter().sum();
        for tick in 0..TICKS {
            row[tick] = fused::<S>(pass.to[tick], moved, pass.open[tick] * row[tick]);
        }
    }
}

/// `factor * value + sum`, rounded once where that is fast.
#[inline(always)]
fn fused<S: Simd>(factor: f64, value: f64, sum: f64) -> f64 {
    if S::IS_FUSED { factor.mul_add(value, sum) } else { factor * value + sum }
}
