//! Progress on a terminal, and Ctrl-C.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use radar::{Event, Progress};

use crate::amounts;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// `timeout` and launchers signal a process and then its group: what comes this soon is the same wish again.
const SAME_WISH: Duration = Duration::from_secs(1);

/// Shows a solve that takes long, and ends it at Ctrl-C with the best plan so far.
pub struct Watch {
    bar: ProgressBar,
}

impl Watch {
    /// Watches the solve of `name`. Nothing is shown unless standard error is a terminal.
    pub fn new(name: &str) -> Self {
        listen();
        let bar = ProgressBar::new_spinner().with_prefix(name.to_owned());
        if let Ok(style) =
            ProgressStyle::with_template("{spinner} {prefix} {elapsed} {msg} (Ctrl-C keeps the best so far)")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar }
    }
}

/// From here on Ctrl-C and SIGTERM are heard instead of ending the program.
pub fn listen() {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    // The second Ctrl-C ends the program the hard way, in case the first is not heard.
    let _ = ctrlc::set_handler(|| {
        let since = FIRST.get_or_init(Instant::now).elapsed();
        if INTERRUPTED.swap(true, Ordering::SeqCst) && since >= SAME_WISH {
            std::process::exit(130);
        }
    });
}

/// Whether somebody pressed Ctrl-C.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

impl Progress for Watch {
    fn event(&self, event: &Event) {
        match event {
            Event::Started { variant, stops } => self.bar.set_message(format!("{variant}, {stops} stops")),
            Event::Incumbent { cost, routes, .. } => {
                self.bar.set_message(format!("cost {} in {routes} routes", amounts::cost(*cost)));
            }
            _ => {}
        }
    }

    fn cancelled(&self) -> bool {
        interrupted()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
