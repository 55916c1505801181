//! One random number per node, uniform on [0, 1).

use super::{Marks, Part, Sight};
use crate::error::NetError;
use crate::reference;

pub(super) const PART: Part =
    Part { columns: |_| 1, alone: true, draws: |_| true, words: |_| "random".to_owned(), marks, naive };

fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let mut stream = sight.stream("random");
    let columns = (0..sight.nodes).map(|_| stream.unit() as f32).collect();
    Ok(Marks { columns, ..Marks::default() })
}

// Naively: nothing below shares code with what is above.

fn naive(sight: &reference::Sight<'_>) -> reference::Marks {
    let mut stream = sight.stream("random");
    let columns = (0..sight.nodes).map(|_| stream.unit()).collect();
    reference::Marks { columns, ..reference::Marks::default() }
}
