//! Work side by side: some lanes, each with threads of its own.
//!
//! A lane does not help another out, so that what is timed on it is its own work.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPoolBuildError;

/// How the threads are shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// How many items at a time.
    pub count: usize,
    /// Threads for each.
    pub threads: usize,
}

impl Lanes {
    /// As many lanes as there are threads here, unless there are fewer items or there is less room.
    pub fn new(items: usize, room: usize) -> Self {
        let threads = rayon::current_num_threads();
        let count = threads.min(items).min(room).max(1);
        Self { count, threads: threads / count }
    }

    /// What `work` makes of every item, in the order of the items.
    pub fn each<T: Send, R: Send>(
        self,
        items: Vec<T>,
        work: impl Fn(T) -> R + Sync,
    ) -> Result<Vec<R>, ThreadPoolBuildError> {
        let pools =
            (0..self.count).map(|_| rayon::ThreadPoolBuilder::new().num_threads(self.threads).build());
        let pools = pools.collect::<Result<Vec<_>, _>>()?;
        let queue = Mutex::new(items.into_iter().enumerate());
        let done = Mutex::new(Vec::new());
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        std::thread::scope(|scope| {
            for pool in &pools {
                scope.spawn(|| {
                    pool.install(|| {
                        while let Some((at, item)) = next() {
                            let result = work(item);
                            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
                        }
                    });
                });
            }
        });
        let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.sort_unstable_by_key(|(at, _)| *at);
        Ok(done.into_iter().map(|(_, result)| result).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for count in 1..4 {
            let lanes = Lanes { count, threads: 1 };
            let squares = lanes.each((0..50_u64).collect(), |item| item * item).expect("threads");
            assert_eq!(squares, (0..50).map(|item| item * item).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn threads_go_to_items_first_and_then_within() {
        let all = rayon::current_num_threads();
        assert_eq!(Lanes::new(1, 9), Lanes { count: 1, threads: all });
        assert_eq!(Lanes::new(1000, 1000), Lanes { count: all, threads: 1 });
        assert_eq!(Lanes::new(1000, 0), Lanes { count: 1, threads: all });
    }
}
