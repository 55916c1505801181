//! What a solve has come to so far, for everybody who watches it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use radar::{Event, Progress, Routes};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// A moment of a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Seconds since the work began.
    pub elapsed: f64,
    /// The cost of the best plan.
    pub cost: f64,
    /// A lower bound on the cost of any plan, once one is known.
    pub bound: Option<f64>,
    /// (cost - bound) / cost.
    pub gap: Option<f64>,
    /// How many routes the plan has.
    pub routes: usize,
    /// How many stops it leaves out.
    pub unserved: usize,
    /// What made it.
    pub method: String,
}

/// A solve as it is watched.
#[derive(Debug)]
pub struct Feed {
    seen: Mutex<Seen>,
    version: watch::Sender<u64>,
    cancelled: AtomicBool,
    by_caller: AtomicBool,
    begun: Instant,
    /// When the service, not the caller, has had enough.
    until: Instant,
    /// What an earlier attempt had spent.
    spent: Duration,
}

/// What has been seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The moments at which something got better.
    pub curve: Vec<Point>,
    /// The best plan.
    pub plan: Option<Routes>,
    /// What no plan costs less than.
    pub bound: Option<f64>,
    /// How many moments there were, those forgotten included.
    pub total: usize,
    /// Whether nothing will come any more.
    pub ended: bool,
}

/// Beyond so many moments every other one is forgotten.
const MOST_POINTS: usize = 1000;

impl Feed {
    /// Nothing seen yet, or what an earlier attempt came to.
    pub fn new(until: Instant, spent: Duration, seen: Seen) -> Self {
        Self {
            seen: Mutex::new(seen),
            version: watch::Sender::new(0),
            cancelled: AtomicBool::new(false),
            by_caller: AtomicBool::new(false),
            begun: Instant::now(),
            until,
            spent,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        // Nothing that holds the lock can fail halfway.
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// What has been seen so far.
    pub fn seen(&self) -> Seen {
        self.lock().clone()
    }

    /// Changes whenever something is seen.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Asks the solve to end with the best plan so far.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
    }

    /// The same, and it was the caller who wanted it.
    pub fn cancel_by_caller(&self) {
        self.by_caller.store(true, Ordering::SeqCst);
        self.cancel();
    }

    /// Whether the caller wanted it to end.
    pub fn was_cancelled_by_caller(&self) -> bool {
        self.by_caller.load(Ordering::SeqCst)
    }

    /// The time spent, earlier attempts included.
    pub fn spent(&self) -> Duration {
        self.spent + self.begun.elapsed()
    }

    /// Nothing will come any more.
    pub fn end(&self) {
        self.lock().ended = true;
        self.version.send_modify(|version| *version += 1);
    }

    fn add(&self, change: impl FnOnce(&mut Seen)) {
        let mut seen = self.lock();
        let before = seen.curve.len();
        change(&mut seen);
        seen.total += seen.curve.len() - before;
        if seen.curve.len() > MOST_POINTS {
            let last = seen.curve.len() - 1;
            let mut at = 0;
            seen.curve.retain(|_| {
                at += 1;
                at % 2 == 1 || at > last
            });
        }
        drop(seen);
        self.version.send_modify(|version| *version += 1);
    }
}

impl Progress for Feed {
    fn event(&self, event: &Event) {
        match event {
            Event::Incumbent { cost, routes, unserved, method, plan, elapsed } => self.add(|seen| {
                // What an earlier attempt found may be better than what this one begins with.
                let known = seen.curve.last().map(|last| (last.unserved, last.cost));
                if seen.plan.is_some() && known.is_some_and(|known| known < (*unserved, *cost)) {
                    return;
                }
                let bound = seen.bound;
                seen.curve.push(Point {
                    elapsed: (self.spent + *elapsed).as_secs_f64(),
                    cost: *cost,
                    bound,
                    gap: bound.map(|bound| radar_problem::gap(*cost, bound)),
                    routes: *routes,
                    unserved: *unserved,
                    method: method.clone(),
                });
                seen.plan = Some(plan.clone());
            }),
            Event::Bound { bound, elapsed } => self.add(|seen| {
                if seen.bound.is_some_and(|known| known >= *bound) {
                    return;
                }
                seen.bound = Some(*bound);
                if let Some(last) = seen.curve.last().cloned() {
                    let gap = Some(radar_problem::gap(last.cost, *bound));
                    let elapsed = (self.spent + *elapsed).as_secs_f64();
                    seen.curve.push(Point { elapsed, bound: Some(*bound), gap, ..last });
                }
            }),
            _ => {}
        }
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed) || Instant::now() >= self.until
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn incumbent(cost: f64) -> Event {
        Event::Incumbent {
            cost,
            routes: 1,
            unserved: 0,
            method: "search".to_owned(),
            plan: Routes(vec![vec![1]]),
            elapsed: Duration::from_millis(10),
        }
    }

    #[test]
    fn a_long_curve_keeps_its_ends() {
        let feed =
            Feed::new(Instant::now() + Duration::from_secs(60), Duration::from_secs(1), Seen::default());
        for step in 0..5000 {
            feed.event(&incumbent(f64::from(10_000 - step)));
        }
        feed.event(&Event::Bound { bound: 4000.0, elapsed: Duration::from_secs(1) });
        let curve = feed.seen().curve;
        assert!(curve.len() <= MOST_POINTS + 1);
        assert_eq!(curve[0].cost, 10_000.0);
        assert!(curve[0].elapsed >= 1.0, "what an earlier attempt spent counts");
        let last = curve.last().expect("points");
        assert_eq!((last.cost, last.bound), (5001.0, Some(4000.0)));
        assert!(!feed.cancelled());
        feed.cancel();
        assert!(feed.cancelled());
    }
}
