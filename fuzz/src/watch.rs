//! An end to readers that come to none.
//!
//! An input that takes long is a finding when it is done; one that is never done would keep the whole run
//! waiting, so a second thread saves it and ends the process.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// No input takes this long unless it takes for ever.
const ENDLESS: Duration = Duration::from_secs(30);

/// What is being read: since when, by which target, and all of it.
static CURRENT: Mutex<Option<(Instant, String, Vec<u8>)>> = Mutex::new(None);

fn current() -> MutexGuard<'static, Option<(Instant, String, Vec<u8>)>> {
    CURRENT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work` on an input under watch.
pub fn watched<T>(name: &str, bytes: &[u8], work: impl FnOnce() -> T) -> T {
    *current() = Some((Instant::now(), name.to_owned(), bytes.to_vec()));
    let done = work();
    *current() = None;
    done
}

/// Begins to watch; `save` is called with the input that does not end.
pub fn begin(save: fn(name: &str, bytes: &[u8], finding: &str)) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            if let Some((begun, name, bytes)) = &*current()
                && begun.elapsed() > ENDLESS
            {
                save(name, bytes, &format!("reading did not end within {ENDLESS:?}"));
                std::process::exit(1);
            }
        }
    });
}
