//! Work ends when nobody waits for it any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Held by whoever waits; when it is dropped, the work should end.
#[derive(Default)]
pub struct Leash(Arc<AtomicBool>);

impl Leash {
    /// True once nobody waits.
    pub fn ends(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
