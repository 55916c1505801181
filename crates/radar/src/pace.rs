//! The budget of a solve, as searches ask for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use radar_problem::Instance;
use radar_search::Pace;

use crate::budget::Clock;
use crate::progress::Progress;

/// Steps of a search when nobody says otherwise: about a second from a hundred stops on.
pub(crate) fn usual_steps(instance: &Instance) -> u64 {
    (500 * instance.nodes() as u64).clamp(2_000, 50_000)
}

/// Steps after which a tiny problem has nothing left to find, however much time there is; `None` for
/// problems that are not tiny.
pub(crate) fn exhausting_steps(instance: &Instance) -> Option<u64> {
    const TINY: usize = 12;
    let nodes = instance.nodes() as u64;
    (instance.nodes() <= TINY).then_some(1_000 * nodes * nodes)
}

/// Steps of the search of whom to serve: each fills routes anew, and takes as long as so many others.
pub(crate) fn serving_steps(steps: u64) -> u64 {
    const PER_STEP: u64 = 16;
    steps.div_ceil(PER_STEP)
}

/// A time so long that shares of it do not matter.
const MOST: Duration = Duration::from_secs(1 << 40);

/// A budget from some moment on.
#[derive(Clone, Copy)]
pub(crate) struct Allowance<'a> {
    pub clock: &'a dyn Clock,
    pub progress: &'a dyn Progress,
    /// When the search began, and when it must end.
    pub begun: Duration,
    pub deadline: Option<Duration>,
    /// How many steps there are, for each of the searches.
    pub steps: Option<u64>,
    /// Whether time paces the search; otherwise it only ends it.
    pub paced: bool,
}

impl Allowance<'_> {
    /// The same until a share of the time is over.
    pub fn until(&self, share: f64) -> Self {
        let end = |deadline: Duration| {
            let span = deadline.saturating_sub(self.begun);
            if span > MOST { deadline } else { self.begun + span.mul_f64(share) }
        };
        Self { deadline: self.deadline.map(end), ..*self }
    }
}

/// A budget of which the last part is kept back as long as nothing has been found.
pub(crate) struct Reserve<'a> {
    pub all: Allowance<'a>,
    pub most: Allowance<'a>,
    pub found: AtomicBool,
    /// Hears of lower bounds.
    pub bounded: &'a (dyn Fn(i64) + Sync),
}

impl Reserve<'_> {
    fn allowance(&self) -> &Allowance<'_> {
        if self.found.load(Ordering::Relaxed) { &self.all } else { &self.most }
    }
}

impl Pace for Reserve<'_> {
    fn spent(&self, steps: u64) -> f64 {
        self.allowance().spent(steps)
    }

    fn left(&self) -> Option<Duration> {
        self.allowance().left()
    }

    fn bounded(&self, bound: i64) {
        (self.bounded)(bound);
    }
}

impl Pace for Allowance<'_> {
    fn spent(&self, steps: u64) -> f64 {
        if self.progress.cancelled() {
            return 1.0;
        }
        let by_steps =
            self.steps.map_or(0.0, |most| if most == 0 { 1.0 } else { steps as f64 / most as f64 });
        let by_time = self.deadline.map_or(0.0, |deadline| {
            let span = deadline.saturating_sub(self.begun);
            let passed = self.clock.now().saturating_sub(self.begun);
            match (passed >= span, self.paced) {
                (true, _) => 1.0,
                (false, true) => passed.as_secs_f64() / span.as_secs_f64(),
                (false, false) => 0.0,
            }
        });
        by_steps.max(by_time)
    }

    fn left(&self) -> Option<Duration> {
        if self.progress.cancelled() {
            return Some(Duration::ZERO);
        }
        let left = self.deadline.map(|deadline| deadline.saturating_sub(self.clock.now()));
        left.filter(|left| self.paced || left.is_zero())
    }
}
