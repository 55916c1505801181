//! What trajectories attend to: the weights of every head over the open nodes.

use std::ops::Range;

use radar_kernel::attention::{
    FAINT, Factors, InContext, Places, Weighed, exponentials, weigh, weigh_backward, weigh_in_context,
};
use radar_kernel::product::{Finish, View, multiply};
use radar_kernel::simd::{add_scaled, dot, exp_in_place};

use super::decoder::{Rest, Tables};

/// Where R trajectories stand.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The node each stands at (R).
    pub current: &'a [usize],
    /// Where each will end: a tour's first node, or the depot (R).
    pub home: &'a [usize],
    /// Numbers about each route so far (R, C).
    pub context: &'a [f32],
    /// How surprising every node is to each vehicle (R, N), or nothing ([`crate::journey`]).
    pub surprises: &'a [f32],
    /// A bit for every node that may come next, in words of 64 (R, N / 64 rounded up).
    pub open: &'a [u64],
}

/// Rows of a trajectory that pass together: as many as leave their tables in the first-level cache.
const ROWS: usize = 54;

/// The rows of a trajectory in parts of about equal length.
pub(super) fn parts(rows: usize) -> impl Iterator<Item = Range<usize>> {
    // Whole blocks of any product, as far as there are.
    let each = rows.div_ceil(rows.div_ceil(ROWS).max(1)).next_multiple_of(6).max(1);
    (0..rows).step_by(each).map(move |from| from..rows.min(from + each))
}

impl<'a> Step<'a> {
    /// Some of the rows.
    pub(super) fn part(&self, rows: &Range<usize>) -> Self {
        let count = self.current.len().max(1);
        let of = |each: usize| rows.start * each..rows.end * each;
        Self {
            current: &self.current[rows.clone()],
            home: &self.home[rows.clone()],
            context: &self.context[of(self.context.len() / count)],
            surprises: &self.surprises[of(self.surprises.len() / count)],
            open: &self.open[of(self.open.len() / count)],
        }
    }
}

/// The memory of attention, and its result for one head.
#[derive(Clone, Debug, Default)]
pub(super) struct Attention {
    /// 1 where a node may come next, 0 elsewhere (R, stride).
    pub open: Vec<f32>,
    /// Not normalised (R, stride), and the inverse sums of its rows (R).
    pub weights: Vec<f32>,
    pub inverse_sums: Vec<f32>,
    /// Where nothing is tabulated: queries (R, d), exponentials of their scores (R, stride), and what stands for the
    /// second factor (stride).
    query: Vec<f32>,
    near: Vec<f32>,
    ones: Vec<f32>,
    /// 0, 1, 2, ... (R)
    own: Vec<usize>,
    /// 0, 0, 0, ... (R)
    same: Vec<usize>,
}

/// Slopes on the way back through attention.
pub(super) struct Slopes<'a> {
    /// Of the normalised weights (R, stride), and their means under these weights (R).
    pub weights: &'a [f32],
    pub means: &'a [f32],
    /// Of the scores in both tables, to be added to: (any, stride).
    pub near: &'a mut [f32],
    pub rest: &'a mut [f32],
}

impl Attention {
    /// Prepares for the rows of a step.
    pub fn begin(&mut self, tables: &Tables, step: &Step) {
        let (rows, stride) = (step.current.len(), tables.stride);
        self.open.resize(rows * stride, 0.0);
        let words = step.open.len() / rows.max(1);
        let bits = step.open.chunks_exact(words.max(1));
        bits.zip(self.open.chunks_exact_mut(stride.max(1))).for_each(|(bits, open)| spread(bits, open));
        self.weights.resize(rows * stride, 0.0);
        self.inverse_sums.resize(rows, 0.0);
        self.own.clear();
        self.own.extend(0..rows);
        if tables.near.is_none() {
            self.same.resize(rows, 0);
            self.query.clear();
            (0..rows).for_each(|row| tables.query(step, row, &mut self.query));
            self.near.resize(rows * stride, 0.0);
            self.ones.clear();
            self.ones.resize(stride, 1.0);
        }
    }

    /// The weights of one head in these rows.
    pub fn attend(&mut self, tables: &Tables, step: &Step, head: usize) {
        let mut weights = std::mem::take(&mut self.weights);
        let mut inverse_sums = std::mem::take(&mut self.inverse_sums);
        self.weigh(tables, step, head, &mut weights, &mut inverse_sums);
        for (row, inverse) in inverse_sums.iter_mut().enumerate() {
            // Also when it is not a number.
            if *inverse < FAINT {
                continue;
            }
            let place = row * tables.stride..(row + 1) * tables.stride;
            *inverse = tables.attend_apart(step, row, head, &self.open[place.clone()], &mut weights[place]);
        }
        (self.weights, self.inverse_sums) = (weights, inverse_sums);
    }

    fn weigh(&mut self, tables: &Tables, step: &Step, head: usize, weights: &mut [f32], sums: &mut [f32]) {
        let (isa, nodes, stride) = (tables.network.isa, tables.nodes, tables.stride);
        let config = tables.network.weights.config();
        let of_head = |table: &[f32]| {
            let each = table.len() / config.heads;
            head * each..(head + 1) * each
        };
        let Some(near) = &tables.near else {
            // A score as a whole takes the place of both factors.
            let (width, size) = (config.width, config.head_width());
            let query = View::with_step(&self.query[head * size..], step.current.len(), size, width);
            multiply(query, &tables.packed.keys[head], &mut self.near, stride, Finish::default());
            exponentials(isa, nodes, stride, &mut self.near);
            let (near, near_rows) = (&self.near[..], &self.own[..]);
            let (rest, rest_rows) = (&self.ones[..], &self.same[..]);
            let factors = Factors { stride, near, near_rows, rest, rest_rows, open: &self.open };
            return weigh(isa, &factors, weights, sums);
        };
        let (near, near_rows, open) = (&near[of_head(near)], step.current, &self.open[..]);
        match &tables.rest {
            Rest::Home(home) => {
                let (rest, rest_rows) = (&home[of_head(home)], step.home);
                let factors = Factors { stride, near, near_rows, rest, rest_rows, open };
                weigh(isa, &factors, weights, sums);
            }
            Rest::Context { units, base } => {
                let (numbers, units) = (step.context, &units[of_head(units)]);
                let context = InContext { stride, near, near_rows, numbers, units, base, open };
                weigh_in_context(isa, &context, weights, sums);
            }
        }
    }

    /// The way back through [`Self::attend`], which comes before, where scores are tabulated: normalises the weights,
    /// and adds the slopes of the scores to the places of both tables.
    pub fn attend_backward(&mut self, tables: &Tables, step: &Step, of: Slopes) {
        let rest = match &tables.rest {
            Rest::Home(_) => step.home,
            Rest::Context { .. } => &self.own,
        };
        let places = Places { stride: tables.stride, near: step.current, rest };
        let weighed = Weighed { inverse_sums: &self.inverse_sums, means: of.means, slopes: of.weights };
        weigh_backward(tables.network.isa, places, &weighed, &mut self.weights, of.near, of.rest);
    }
}

impl Tables<'_> {
    /// Appends the query of a row (d).
    fn query(&self, step: &Step, row: usize, query: &mut Vec<f32>) {
        let (width, isa) = (self.network.weights.config().width, self.network.isa);
        let numbers = self.network.weights.config().context();
        let (current, home) = (step.current[row], step.home[row]);
        let begin = query.len();
        query.extend_from_slice(&self.query[current * width..(current + 1) * width]);
        let query = &mut query[begin..];
        if let Some(first) = &self.first {
            add_scaled(isa, query, 1.0, &first[home * width..(home + 1) * width]);
        }
        let context = &step.context[row * numbers..(row + 1) * numbers];
        for (&number, unit) in context.iter().zip(self.context.chunks_exact(width)) {
            add_scaled(isa, query, number, unit);
        }
    }

    /// Writes the weights of one row, not normalised, and returns the inverse of their sum: without tables,
    /// for rows whose open nodes are so far below others that a product of factors would underflow.
    fn attend_apart(&self, step: &Step, row: usize, head: usize, open: &[f32], weights: &mut [f32]) -> f32 {
        let (isa, config) = (self.network.isa, self.network.weights.config());
        let (width, size) = (config.width, config.head_width());
        let mut query = Vec::with_capacity(width);
        self.query(step, row, &mut query);
        let query = &query[head * size..(head + 1) * size];
        let mut most = f32::NEG_INFINITY;
        for (node, (weight, &open)) in weights.iter_mut().zip(open).enumerate() {
            *weight = f32::NEG_INFINITY;
            if open > 0.0 {
                *weight = dot(isa, query, &self.keys[node * width + head * size..][..size]);
                most = weight.max(most);
            }
        }
        weights.iter_mut().for_each(|weight| *weight -= most);
        exp_in_place(isa, weights);
        weights.iter().sum::<f32>().recip()
    }
}

/// 1 for the bits that are set, 0 for the others and for what lies beyond the bits.
fn spread(words: &[u64], open: &mut [f32]) {
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let mut places = open.chunks_mut(8);
    for (byte, open) in bytes.zip(&mut places) {
        open.copy_from_slice(&OPEN[usize::from(byte)][..open.len()]);
    }
    places.for_each(|open| open.fill(0.0));
}

/// What [`spread`] makes of each byte.
static OPEN: [[f32; 8]; 256] = {
    let mut all = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                all[byte][bit] = 1.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_ones() {
        let mut open = vec![9.0; 150];
        spread(&[1 << 3 | 1 << 63, 1 << 5], &mut open);
        for (at, entry) in open.iter().enumerate() {
            assert_eq!(*entry, if [3, 63, 69].contains(&at) { 1.0 } else { 0.0 });
        }
    }
}
