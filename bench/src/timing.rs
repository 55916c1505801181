//! CPU time, because wall time on a shared machine says little.

use std::time::Duration;

use cpu_time::{ProcessTime, ThreadTime};
use radar::Clock;

/// CPU time of the process, which does nothing else meanwhile.
pub struct CpuClock(ProcessTime);

impl CpuClock {
    /// Begins now.
    pub fn start() -> Self {
        Self(ProcessTime::now())
    }
}

impl Clock for CpuClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// CPU time of the thread that asks: of work that stays on it, beside other work.
pub struct ThreadClock(Duration);

impl ThreadClock {
    /// Begins now, on this thread.
    pub fn start() -> Self {
        Self(ThreadTime::now().as_duration())
    }
}

impl Clock for ThreadClock {
    fn now(&self) -> Duration {
        ThreadTime::now().as_duration().saturating_sub(self.0)
    }
}

/// The least CPU seconds of `work` over `repeats` runs, all threads counted.
pub fn least<T>(repeats: usize, mut work: impl FnMut() -> T) -> f64 {
    let once = |work: &mut dyn FnMut() -> T| {
        let begun = ProcessTime::now();
        std::hint::black_box(work());
        begun.elapsed().as_secs_f64()
    };
    (0..repeats).map(|_| once(&mut work)).fold(f64::INFINITY, f64::min)
}

/// Runs `work` on one thread.
pub fn alone<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    pool.install(work)
}
