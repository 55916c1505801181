//! The arc from the candidate to whichever other node is nearest: what going on from it costs at least.

use super::Amounts;
use crate::input::Input;

pub(super) struct Ahead(Vec<f32>);

impl Ahead {
    pub fn of(input: &Input) -> Self {
        let nodes = input.nodes();
        let least = |from: usize| {
            let row = &input.distance()[from * nodes..(from + 1) * nodes];
            let others = row.iter().enumerate().filter(|&(to, _)| to != from).map(|(_, &amount)| amount);
            others.reduce(f32::min).unwrap_or(0.0)
        };
        Self((0..nodes).map(least).collect())
    }
}

impl Amounts for Ahead {
    fn row(&self, _: usize, _: usize) -> &[f32] {
        &self.0
    }
}
