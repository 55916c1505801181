//! The arc from where the vehicle is to the candidate.

use super::Amounts;
use crate::input::Input;

pub(super) struct Edge<'a>(pub &'a Input);

impl Amounts for Edge<'_> {
    fn row(&self, current: usize, _: usize) -> &[f32] {
        let nodes = self.0.nodes();
        &self.0.distance()[current * nodes..(current + 1) * nodes]
    }
}
