//! One random number per node, uniform on [0, 1).

use super::{Marks, Sight};
use crate::error::NetError;

pub(super) fn marks(sight: &Sight) -> Result<Marks, NetError> {
    let mut stream = sight.stream("random");
    let columns = (0..sight.nodes).map(|_| stream.unit() as f32).collect();
    Ok(Marks { columns, ..Marks::default() })
}
