//! What is seen of a run while it goes on: a bar on a terminal, lines elsewhere.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use radar_train::validation::Mark;
use radar_train::{Event, Progress, Score};

use crate::amounts::counted;
use crate::output;

/// Live figures.
pub struct View {
    bar: ProgressBar,
    lines: Mutex<Lines>,
}

/// What is said where there is no terminal.
#[derive(Default)]
struct Lines {
    /// When the last line was.
    last: Option<Instant>,
    /// Where the run stands, its gap aside.
    standing: String,
}

const STEPS: u64 = 1000;

/// Where there is no terminal, a line comes as soon as something happens after this.
const SILENCE: Duration = Duration::from_secs(20);

impl View {
    /// Of the run in a folder.
    pub fn new(out: &Path) -> Self {
        let bar = ProgressBar::new(STEPS).with_prefix(out.display().to_string());
        // The message is cut where the terminal ends: a second row would stay behind.
        let template = "{spinner} {prefix} {bar:12} {wide_msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar, lines: Mutex::default() }
    }

    /// Shows what has happened.
    pub fn event(&self, event: &Event) {
        match event {
            Event::Preparing(count) => {
                self.bar.set_length(*count as u64);
                self.bar.set_message("references for the validation set");
                // Where these are quickly found, the first validation is the first line.
                self.lines().last = Some(Instant::now());
            }
            Event::Prepared => {
                self.bar.inc(1);
                let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
                self.now_and_then(|_| format!("references for the validation set: {done} of {all}"));
            }
            Event::Step(progress) => self.step(progress),
            Event::Validated(mark) => self.say(&format!("validation: {}", shown(mark)), true),
            Event::Saved(_) => {}
            Event::Note(text) => self.say(&format!("note: {text}"), false),
        }
    }

    fn step(&self, progress: &Progress) {
        let Progress { spent, share, left, per_second, score, mark, .. } = progress;
        let gap = mark.and_then(|mark| mark.gap).map(|gap| format!("gap {:.2} %", 100.0 * gap));
        let score = score.map(|Score { name, cost }| format!(", {name} {cost:.4}")).unwrap_or_default();
        let left = left.map(|left| format!(", {} left", span(left))).unwrap_or_default();
        let instances = counted(spent.instances as usize, "instance");
        let standing = format!("step {}, {instances}, {per_second:.1}/s{score}{left}", spent.steps);
        self.bar.set_length(STEPS);
        self.bar.set_position((share.min(1.0) * STEPS as f64) as u64);
        let (message, shown) = match gap {
            // What matters most comes first where the end may be cut off.
            Some(gap) => (format!("{standing}, {gap}"), format!("{gap}, {standing}")),
            None => (standing.clone(), standing.clone()),
        };
        self.bar.set_message(format!("{shown} (Ctrl-C saves and stops)"));
        self.now_and_then(|lines| {
            lines.standing = standing;
            message
        });
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says something, and where the run stands if asked to.
    fn say(&self, text: &str, with_standing: bool) {
        let mut lines = self.lines();
        lines.last = Some(Instant::now());
        let text = match with_standing && !lines.standing.is_empty() {
            true => format!("{text}: {}", lines.standing),
            false => text.to_owned(),
        };
        match self.bar.is_hidden() {
            true => output::complain(&text),
            false => self.bar.println(text),
        }
    }

    /// Says a line if nothing shows what happens and the last one is some time ago.
    fn now_and_then(&self, line: impl FnOnce(&mut Lines) -> String) {
        let mut lines = self.lines();
        let line = line(&mut lines);
        if self.bar.is_hidden() && lines.last.is_none_or(|last| last.elapsed() >= SILENCE) {
            lines.last = Some(Instant::now());
            output::complain(&line);
        }
    }
}

impl Drop for View {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A validation in words.
pub fn shown(mark: &Mark) -> String {
    let gap = mark.gap.map(|gap| format!(", gap {:.2} %", 100.0 * gap)).unwrap_or_default();
    let unsolved = if mark.unsolved > 0 { format!(", {} unsolved", mark.unsolved) } else { String::new() };
    format!("cost {:.4}{gap}{unsolved}", mark.cost)
}

/// A span of time in words.
pub fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}
