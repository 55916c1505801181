//! A unit vector of its own for each node, of all that the width has, in random order.

use super::{Marks, Sight};
use crate::error::NetError;

pub(super) fn marks(sight: &Sight) -> Result<Marks, NetError> {
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
