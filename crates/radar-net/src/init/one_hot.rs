//! A unit vector of its own for each node, of all that the width has, in random order.

use super::{Marks, Part, Sight};
use crate::error::NetError;
use crate::reference;

pub(super) const PART: Part =
    Part { columns: |_| 0, alone: true, draws: |_| true, words: |_| "one-hot".to_owned(), marks, naive };

fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let (nodes, width) = (sight.nodes, sight.config.width);
    if nodes > width {
        return Err(NetError::new(
            "too-many-nodes",
            format!(
                "`init` is one-hot, which tells no more nodes apart than `width` = {width}, and the \
                 instance has {nodes}"
            ),
            format!("use a network of another `init`, or an instance of at most {width} nodes"),
        ));
    }
    Ok(Marks { units: sight.stream("one-hot").sample(width, nodes), ..Marks::default() })
}

// Naively: nothing below shares code with what is above.

/// Every node takes one of the unit vectors that are left; the first of them takes its place.
fn naive(sight: &reference::Sight<'_>) -> reference::Marks {
    let mut stream = sight.stream("one-hot");
    let mut left: Vec<usize> = (0..sight.config.width).collect();
    let mut places = Vec::new();
    while places.len() < sight.nodes && !left.is_empty() {
        let taken = stream.index(left.len());
        left.swap(0, taken);
        places.push(left.remove(0));
    }
    reference::Marks { places, ..reference::Marks::default() }
}
