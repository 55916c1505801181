//! Nothing but what the task says of a node.

use super::{Marks, Part};
use crate::reference;

pub(super) const PART: Part = Part {
    columns: |_| 0,
    alone: false,
    draws: |_| false,
    words: |_| "demand".to_owned(),
    marks: |_| Ok(Marks::default()),
    naive: |_| reference::Marks::default(),
};
