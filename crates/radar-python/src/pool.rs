//! Threads of this process.

use std::sync::{Arc, Mutex, PoisonError};

use radar_wire::{Blame, Failure};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// The threads, and the process that they belong to.
static POOL: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads that work is spread over: one per core, or as RAYON_NUM_THREADS says. A process that was forked off
/// (multiprocessing does that) has none of its parent's threads, and gets its own.
pub fn shared() -> Result<Arc<ThreadPool>, Failure> {
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, threads)) = &*pool
        && *owner == process
    {
        return Ok(Arc::clone(threads));
    }
    let threads = Arc::new(of(0)?);
    // Threads that are not there cannot be waited for: what a parent left is never dropped.
    std::mem::forget(pool.replace((process, Arc::clone(&threads))));
    Ok(threads)
}

/// So many threads; 0 is one per core.
pub fn of(threads: usize) -> Result<ThreadPool, Failure> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
        Failure::new(Blame::Program, "threads", error.to_string(), "allow more threads to this process")
    })
}
