//! Work on a thread of its own, while the caller's thread hears what it tells and minds Ctrl-C.
//!
//! Signals and callbacks belong to the thread that called: only there does Python deliver the one, and only there are
//! callers used to the other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// How long Ctrl-C may go unheard.
const PATIENCE: Duration = Duration::from_millis(50);

/// The worker's end: it tells what happens, and is told to stop.
pub struct Line<'a, T> {
    tell: Sender<T>,
    stop: &'a AtomicBool,
}

impl<T> Clone for Line<'_, T> {
    fn clone(&self) -> Self {
        Self { tell: self.tell.clone(), stop: self.stop }
    }
}

impl<T> Line<'_, T> {
    /// Tells the caller. Nobody listens any more when the caller's side has failed, which is no matter here.
    pub fn tell(&self, what: T) {
        let _ = self.tell.send(what);
    }

    /// Whether the caller wants an end.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// What came of it.
pub struct Attended<R> {
    /// What the work returned.
    pub result: R,
    /// Whether Ctrl-C ended it.
    pub interrupted: bool,
}

/// Runs `work` with the interpreter free. `hear` gets what it tells, on this thread; once it says `false` or raises,
/// the work is told to stop, and what was raised is raised when it has.
pub fn attend<T: Send, R: Send>(
    py: Python<'_>,
    work: impl FnOnce(Line<'_, T>) -> R + Send,
    mut hear: impl FnMut(Python<'_>, T) -> PyResult<bool> + Send,
) -> PyResult<Attended<R>> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (tell, told) = channel();
        let line = Line { tell, stop: &stop };
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(line));
            let listened = listen(&told, &stop, &mut hear);
            let result = worker.join();
            let interrupted = listened?;
            let result = result.map_err(|_| PyRuntimeError::new_err("a defect: please report it"))?;
            Ok(Attended { result, interrupted })
        })
    })
}

/// Hears everything until the worker has hung up; says whether it was Ctrl-C that ended it.
fn listen<T>(
    told: &Receiver<T>,
    stop: &AtomicBool,
    hear: &mut impl FnMut(Python<'_>, T) -> PyResult<bool>,
) -> PyResult<bool> {
    let mut ended = Ok(false);
    loop {
        let heard = match told.recv_timeout(PATIENCE) {
            Ok(_) if stop.load(Ordering::Relaxed) => continue,
            Ok(what) => Python::attach(|py| {
                py.check_signals()?;
                hear(py, what)
            }),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals().map(|()| true)),
            Err(RecvTimeoutError::Disconnected) => return ended,
        };
        match heard {
            Ok(true) => {}
            Ok(false) => stop.store(true, Ordering::Relaxed),
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                let is_interrupt = Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py));
                ended = if is_interrupt { Ok(true) } else { Err(error) };
            }
        }
    }
}

/// What a callback says: to go on, unless it returns `False` itself.
pub fn goes_on(py: Python<'_>, answer: &Bound<'_, PyAny>) -> bool {
    !answer.is(pyo3::types::PyBool::new(py, false))
}
