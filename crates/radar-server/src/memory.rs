//! Memory by forecast: nobody is promised what others hold.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::Notify;

/// What may be held by all together.
pub struct Memory {
    total: u64,
    held: Mutex<u64>,
    freed: Notify,
}

/// A part of it, given back when this is dropped.
pub struct Hold {
    memory: Arc<Memory>,
    bytes: u64,
}

impl Memory {
    /// All of it free.
    pub fn new(total: u64) -> Arc<Self> {
        Arc::new(Self { total, held: Mutex::new(0), freed: Notify::new() })
    }

    /// What there is altogether.
    pub fn total(&self) -> u64 {
        self.total
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.held.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn add(&self, bytes: u64) -> bool {
        let mut held = self.lock();
        let fits = held.checked_add(bytes).is_some_and(|sum| sum <= self.total);
        if fits {
            *held += bytes;
        }
        fits
    }

    /// So many bytes, if they are free.
    pub fn try_take(self: &Arc<Self>, bytes: u64) -> Option<Hold> {
        self.add(bytes).then(|| Hold { memory: Arc::clone(self), bytes })
    }

    /// So many bytes as soon as they are free; others may take less before.
    pub async fn take(self: &Arc<Self>, bytes: u64) -> Hold {
        loop {
            let freed = self.freed.notified();
            if let Some(hold) = self.try_take(bytes) {
                return hold;
            }
            freed.await;
        }
    }
}

impl Hold {
    /// Holds more, if that is free.
    pub fn grow(&mut self, bytes: u64) -> bool {
        let grown = self.memory.add(bytes);
        if grown {
            self.bytes += bytes;
        }
        grown
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        *self.memory.lock() -= self.bytes;
        self.memory.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_for_much_takes_nothing_from_others() {
        let memory = Memory::new(100);
        let first = memory.try_take(80).expect("free");
        let waiting = tokio::spawn({
            let memory = Arc::clone(&memory);
            async move { memory.take(90).await }
        });
        tokio::task::yield_now().await;
        let mut small = memory.try_take(10).expect("still free");
        assert!(small.grow(10) && !small.grow(1));
        drop(small);
        assert!(memory.try_take(30).is_none());
        drop(first);
        let much = waiting.await.expect("it came");
        assert!(memory.try_take(11).is_none());
        drop(much);
        assert!(memory.try_take(100).is_some());
    }
}
