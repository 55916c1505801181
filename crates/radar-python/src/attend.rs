//! Work on a thread of its own, while the caller's thread hears what it tells and minds Ctrl-C.
//!
//! Signals and callbacks belong to the thread that called: only there does Python deliver the one, and only there are
//! callers used to the other.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use radar_wire::{Blame, Failure};

use crate::failure::{cut_short, no_threads, raised};

/// Whether the interpreter is about to end.
static CLOSING: AtomicBool = AtomicBool::new(false);
/// How many calls are being attended.
static PRESENT: AtomicUsize = AtomicUsize::new(0);

/// One call that is being attended.
struct Present;

impl Present {
    fn enter() -> Self {
        PRESENT.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        PRESENT.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends all calls, for when the interpreter does: it kills the threads that come back to it later, and one that dies
/// within a callback of ours takes the whole process down.
#[pyfunction]
pub fn close(py: Python<'_>) {
    const LONGEST: Duration = Duration::from_secs(2);
    CLOSING.store(true, Ordering::SeqCst);
    py.detach(|| {
        let step = Duration::from_millis(5);
        for _ in 0..LONGEST.as_millis() / step.as_millis() {
            if PRESENT.load(Ordering::SeqCst) == 0 {
                break;
            }
            std::thread::sleep(step);
        }
    });
}

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
    /// What ended it early, if anything did.
    pub ended: Option<Ended>,
}

/// What ends work early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Ctrl-C.
    Interrupted,
    /// A callback that returned `False`.
    ByCaller,
    /// The end of the interpreter.
    ByClosing,
}

/// Runs `work` with the interpreter free. `hear` gets what it tells, on this thread; once it says `false` or raises,
/// the work is told to stop, and what was raised is raised when it has. Nothing is begun any more when the interpreter
/// is about to end.
pub fn attend<T: Send, R: Send>(
    py: Python<'_>,
    work: impl FnOnce(Line<'_, T>) -> Result<R, Failure> + Send,
    mut hear: impl FnMut(Python<'_>, T) -> PyResult<bool> + Send,
) -> PyResult<Attended<R>> {
    let stop = AtomicBool::new(false);
    let _here = Present::enter();
    if CLOSING.load(Ordering::SeqCst) {
        return Err(cut_short(py, Ended::ByClosing));
    }
    let (result, listened) = py.detach(|| {
        let (tell, told) = channel();
        let line = Line { tell, stop: &stop };
        std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, || sound(|| work(line))) {
            Ok(worker) => {
                let listened = listen(&told, &stop, &mut hear);
                (worker.join().unwrap_or_else(|panic| Err(defect(&*panic))), listened)
            }
            Err(error) => (Err(no_threads(&error)), Ok(None)),
        })
    });
    let ended = listened?;
    Ok(Attended { result: result.map_err(|failure| raised(py, &failure))?, ended })
}

/// Runs short work with the interpreter free.
pub fn apart<R: Send>(py: Python<'_>, work: impl FnOnce() -> Result<R, Failure> + Send) -> PyResult<R> {
    py.detach(|| sound(work)).map_err(|failure| raised(py, &failure))
}

/// What work comes to; a panic is a defect, told like any other failure.
pub fn sound<R>(work: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    // What the panic may have left half-done is never looked at again.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(defect(&*panic)))
}

fn defect(panic: &(dyn Any + Send)) -> Failure {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let cause = format!("a defect of this program: {}", text.unwrap_or("it does not say which"));
    Failure::new(Blame::Program, "internal", cause, "please report it with the problem")
}

/// Hears everything until the worker has hung up; says what ended it early. What was first counts.
fn listen<T>(
    told: &Receiver<T>,
    stop: &AtomicBool,
    hear: &mut impl FnMut(Python<'_>, T) -> PyResult<bool>,
) -> PyResult<Option<Ended>> {
    let mut ended = Ok(None);
    loop {
        if CLOSING.load(Ordering::SeqCst) && !stop.swap(true, Ordering::Relaxed) {
            ended = Ok(Some(Ended::ByClosing));
        }
        let heard = match told.recv_timeout(PATIENCE) {
            Ok(_) | Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => continue,
            Ok(what) => Python::attach(|py| {
                py.check_signals()?;
                hear(py, what)
            }),
            Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals().map(|()| true)),
            Err(RecvTimeoutError::Disconnected) => return ended,
        };
        let reason = match heard {
            Ok(true) => continue,
            Ok(false) => Ok(Some(Ended::ByCaller)),
            Err(error) if Python::attach(|py| error.is_instance_of::<PyKeyboardInterrupt>(py)) => {
                Ok(Some(Ended::Interrupted))
            }
            Err(error) => Err(error),
        };
        stop.store(true, Ordering::Relaxed);
        if matches!(ended, Ok(None)) {
            ended = reason;
        }
    }
}

/// What a callback says: to go on, unless it returns `False` itself, numpy's or Python's.
pub fn goes_on(answer: &Bound<'_, PyAny>) -> PyResult<bool> {
    let name = answer.get_type().name()?;
    let is_truth = ["bool", "bool_"].iter().any(|known| name == *known);
    Ok(!is_truth || answer.is_truthy()?)
}
