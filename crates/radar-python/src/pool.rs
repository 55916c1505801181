//! Threads of this process.

use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

use radar_wire::Failure;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::failure::no_threads;

/// Pools that nobody uses at the moment, and the process that they belong to.
struct Idle {
    process: u32,
    pools: Vec<ThreadPool>,
}

static IDLE: Mutex<Idle> = Mutex::new(Idle { process: 0, pools: Vec::new() });

/// The pools of this process. One that was forked off (multiprocessing does that) has the memory of its parent's pools
/// and none of their threads.
fn idle<R>(with: impl FnOnce(&mut Vec<ThreadPool>) -> R) -> R {
    let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if idle.process != process {
        // Threads that are not there cannot be waited for: what a parent left is never dropped.
        std::mem::forget(std::mem::take(&mut idle.pools));
        idle.process = process;
    }
    with(&mut idle.pools)
}

/// Threads for one call, one per core or as RAYON_NUM_THREADS says. Calls of several Python threads have their own: a
/// call that waited for another's would miss its deadline.
pub struct Lent {
    pool: Option<ThreadPool>,
    process: u32,
}

/// Threads that are free, or new ones.
pub fn lent() -> Result<Lent, Failure> {
    let pool = match idle(Vec::pop) {
        Some(pool) => pool,
        None => ThreadPoolBuilder::new().build().map_err(|error| no_threads(&error))?,
    };
    Ok(Lent { pool: Some(pool), process: std::process::id() })
}

impl Deref for Lent {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        match &self.pool {
            Some(pool) => pool,
            None => unreachable!("it is given back only when this is dropped"),
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        /// As many callers at once are usual; threads of more are not kept.
        const KEPT: usize = 8;
        let Some(pool) = self.pool.take() else { return };
        if self.process == std::process::id() {
            idle(|pools| {
                if pools.len() < KEPT {
                    pools.push(pool)
                }
            });
        } else {
            std::mem::forget(pool);
        }
    }
}
