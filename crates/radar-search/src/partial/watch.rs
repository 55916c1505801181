//! Asks for the end of the budget now and then within long steps.

use crate::pace::Pace;

/// After so many places looked at, a fraction of a millisecond, the pace is asked.
const ASKED: usize = 1 << 13;

/// Counts work.
pub(super) struct Watch<'a> {
    pace: &'a dyn Pace,
    work: usize,
    over: bool,
}

impl<'a> Watch<'a> {
    pub fn new(pace: &'a dyn Pace) -> Self {
        Self { pace, work: 0, over: false }
    }

    /// Takes note of work; says whether the budget is over.
    #[inline]
    pub fn is_over_after(&mut self, work: usize) -> bool {
        self.work += work;
        if self.work >= ASKED {
            self.work = 0;
            self.over = self.over || self.pace.is_over();
        }
        self.over
    }
}
