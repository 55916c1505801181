//! What all requests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::desk::Desk;
use crate::jobs::{Running, Waiting};
use crate::metrics::Metrics;
use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::store::{Store, StoreError};

/// What all requests share.
pub struct Service {
    /// What the operator decided.
    pub settings: Settings,
    /// Whose turn it is.
    pub desk: Arc<Desk>,
    /// The jobs.
    pub store: Store,
    /// The jobs at work.
    pub running: Running,
    /// The jobs that wait.
    pub waiting: Waiting,
    /// Whether the store failed when it was last asked for a job.
    pub store_fails: AtomicBool,
    /// What is counted.
    pub metrics: Metrics,
    /// How many listen to events.
    pub listeners: AtomicUsize,
}

impl Service {
    /// A service with its store open.
    pub fn new(settings: Settings) -> Result<Arc<Self>, StoreError> {
        let store = Store::open(settings.store.as_deref())?;
        Ok(Arc::new(Self {
            desk: Desk::new(settings.limits),
            store,
            running: Running::default(),
            waiting: Waiting::default(),
            store_fails: AtomicBool::new(false),
            metrics: Metrics::new(),
            listeners: AtomicUsize::new(0),
            settings,
        }))
    }

    /// Somebody more listens to events, if there is room.
    pub fn listen(self: &Arc<Self>) -> Result<Listener, Refusal> {
        let most = self.settings.limits.listeners;
        let room = |count: usize| (count < most).then_some(count + 1);
        match self.listeners.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room) {
            Ok(_) => Ok(Listener(Arc::clone(self))),
            Err(_) => Err(Refusal::not_now(
                "too-many-listeners",
                format!("{most} listen to events already"),
                "ask for the job now and then instead",
                5,
            )),
        }
    }
}

/// Somebody who listens to events.
pub struct Listener(Arc<Service>);

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        if matches!(error, StoreError::KeyReused) {
            let cause = "the `Idempotency-Key` belongs to another request";
            return Self::unprocessable("key-reused", cause, "send another key with another request");
        }
        tracing::error!(%error, "the store failed");
        Self::not_now(
            "store-failed",
            "the store of jobs does not take it",
            "tell the operator; what was accepted before is safe",
            30,
        )
    }
}
