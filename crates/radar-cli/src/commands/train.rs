//! `radar train`.

#[cfg(feature = "mpi")]
mod mpi;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use radar_net::Checkpoint;
use radar_train::ranks::{self, Alone, Ranks};
use radar_train::validation::Mark;
use radar_train::{Budget, Clock, Config, Ending, Event, Outside, Progress, Summary, TrainError, config};

use super::model;
use crate::failure::{Exit, Failure};
use crate::{machine, output, watch};

/// Train a network
///
/// CONFIG is a TOML file or the name of a preset (listed below). The folder of the run holds config.toml,
/// metrics.jsonl, curve.svg, the best and the last weights with their cards, the validation set, and the state
/// from which --resume goes on bit for bit. Ctrl-C and SIGTERM save and stop.
///
/// For instance: radar train quick --out runs/first
#[derive(clap::Args)]
#[command(after_help = list())]
pub struct Args {
    /// A configuration (TOML), or the name of a preset; not needed with --resume
    #[arg(value_name = "CONFIG", required_unless_present = "resume")]
    config: Option<String>,

    /// The folder of the run
    #[arg(long, value_name = "RUN")]
    out: PathBuf,

    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,

    /// When to end: 2h, cpu=2h, steps=500 or instances=1e6 [default: as configured]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,

    /// Begin with these weights; the network is theirs, and the optimiser starts afresh
    #[arg(long, value_name = "MODEL", conflicts_with = "resume")]
    init: Option<PathBuf>,

    /// Learn on road matrices of your own: a file or a folder (npz, or any table)
    #[arg(long, value_name = "PATH", conflicts_with = "resume")]
    data: Vec<PathBuf>,

    /// Any key of the configuration; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

fn list() -> String {
    let mut text = "Presets:\n".to_owned();
    for name in config::names() {
        let about = config::named(name).unwrap_or_default().lines();
        let about = about.map_while(|line| line.strip_prefix("# "));
        text.push_str(&format!("  {name:<13} {}\n", about.collect::<Vec<_>>().join("\n                ")));
    }
    text
}

/// Runs the command. Rank 0 does what is said here; all others learn with it, and say nothing.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let ranks = join()?;
    let clock = SessionClock(Instant::now());
    let stop = || watch::interrupted();
    if ranks.rank() > 0 {
        watch::listen();
        let outside = Outside { clock: &clock, ranks: &*ranks, stop: &stop, hear: &|_| () };
        return Ok(radar_train::follow(&outside).map_or_else(|error| failure(error).exit(), |_| Exit::Done));
    }
    match lead(&args, &*ranks, &clock, &stop) {
        Ok(summary) => report(&args, &summary),
        Err(failure) => {
            // Said before this rank leaves: when one process has failed, the launcher ends what is left.
            failure.complain();
            return Ok(failure.exit());
        }
    }
    Ok(Exit::Done)
}

/// The processes that were started together with this one.
#[cfg(feature = "mpi")]
fn join() -> Result<Box<dyn Ranks>, Failure> {
    Ok(match mpi::Mpi::join() {
        Some(ranks) => Box::new(ranks),
        None => Box::new(Alone),
    })
}

#[cfg(not(feature = "mpi"))]
fn join() -> Result<Box<dyn Ranks>, Failure> {
    // What Open MPI's launcher says. Each of its processes would train a run of its own in the same folder.
    let started = std::env::var("OMPI_COMM_WORLD_SIZE").ok().and_then(|size| size.parse::<usize>().ok());
    match started {
        Some(size @ 2..) => Err(Failure::input(
            "no-mpi",
            format!("{size} processes were started, but this program was built without MPI"),
            "build it with `--features mpi`, or start one process",
        )),
        _ => Ok(Box::new(Alone)),
    }
}

/// What was asked for.
enum Work {
    Start(Box<Config>, Option<Box<Checkpoint>>),
    Resume(Option<Budget>),
}

fn lead(
    args: &Args,
    ranks: &dyn Ranks,
    clock: &dyn Clock,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Summary, Failure> {
    let work = work(args).inspect_err(|failure| {
        let code = if failure.exit() == Exit::Internal { "internal" } else { "refused" };
        ranks::dismiss(ranks, &TrainError::new(code, "rank 0 was refused", "see what it says"));
    })?;
    let watch = Watch::new(&args.out);
    let hear = |event: &Event| watch.event(event);
    let outside = Outside { clock, ranks, stop, hear: &hear };
    let summary = match work {
        Work::Start(config, init) => radar_train::start(*config, &args.out, init.as_deref(), &outside),
        Work::Resume(budget) => radar_train::resume(&args.out, budget, &outside),
    };
    summary.map_err(failure)
}

fn work(args: &Args) -> Result<Work, Failure> {
    let budget = args.budget.as_deref().map(Budget::parse).transpose().map_err(failure)?;
    if args.resume {
        refuse_difference(args)?;
        return Ok(Work::Resume(budget));
    }
    let mut config = configuration(args, args.config.as_deref().unwrap_or_default())?;
    config.budget = budget.unwrap_or(config.budget);
    let init = args.init.as_deref().map(model::read).transpose()?;
    Ok(Work::Start(Box::new(config), init.map(Box::new)))
}

/// The configuration of a file or a preset, with what the command line says over it.
fn configuration(args: &Args, wanted: &str) -> Result<Config, Failure> {
    let path = Path::new(wanted);
    let text = match path.is_file() || path.extension().is_some_and(|ending| ending == "toml") {
        true => std::fs::read_to_string(path).map_err(|error| {
            Failure::input("cannot-read", format!("{wanted}: {error}"), "check the path and its permissions")
        })?,
        false => config::named(wanted).map_err(failure)?.to_owned(),
    };
    let mut set = Vec::new();
    if !args.data.is_empty() {
        let paths: Vec<String> =
            args.data.iter().map(|path| format!("{:?}", path.display().to_string())).collect();
        // Roads take the place of the matrices; what is drawn upon them stays.
        let drawn = Config::from_toml(&text, &args.set).map_err(|error| failure(error).of(wanted))?;
        set.push("data.distribution=roads".to_owned());
        if let Some(part) = drawn.data.mixture.first() {
            let variant = part.variant().map_err(failure)?;
            set.push(format!(
                "data.variant={}",
                variant.map_or("mix".to_owned(), |variant| variant.to_string())
            ));
            set.extend(part.parameters.get("preset").map(|preset| format!("data.preset={preset}")));
        }
        set.push(format!("data.roads=[{}]", paths.join(", ")));
    }
    set.extend(args.set.iter().cloned());
    Config::from_toml(&text, &set).map_err(|error| failure(error).of(wanted))
}

/// A run goes on as it began; another configuration is another run.
fn refuse_difference(args: &Args) -> Result<(), Failure> {
    if args.config.is_none() && args.set.is_empty() {
        return Ok(());
    }
    let kept = radar_train::configuration(&args.out).map_err(failure)?;
    let given = match &args.config {
        Some(wanted) => configuration(args, wanted)?,
        None => Config::from_toml(&kept.to_toml().map_err(failure)?, &args.set).map_err(failure)?,
    };
    match given.first_difference(&kept) {
        None => Ok(()),
        Some(key) => Err(Failure::input(
            "other-configuration",
            format!("`{key}` is not as in the run in {}", args.out.display()),
            "leave the configuration out, or start another run (--init RUN/last.safetensors)",
        )),
    }
}

fn failure(error: TrainError) -> Failure {
    let exit = match error.code {
        "internal" => Exit::Internal,
        _ => Exit::BadInput,
    };
    Failure::new(exit, error.code, error.cause, error.action)
}

fn report(args: &Args, summary: &Summary) {
    let Summary { ending, spent, best, score } = summary;
    let how = match ending {
        Ending::Done => "done".to_owned(),
        Ending::Stopped => format!("stopped; go on with --out {} --resume", args.out.display()),
    };
    output::line(&format!(
        "{}: {how}: {} instances in {} steps, {} ({} CPU)",
        args.out.display(),
        spent.instances,
        spent.steps,
        span(spent.time),
        span(spent.cpu),
    ));
    if let Some(score) = score {
        output::line(&format!("  training score {score:.4} (best sampled cost over the starts)"));
    }
    if let Some(mark) = best {
        output::line(&format!("  best validation: {}", shown(mark)));
    }
}

fn shown(mark: &Mark) -> String {
    let gap = mark.gap.map(|gap| format!(", gap {:.2} %", 100.0 * gap)).unwrap_or_default();
    let unsolved = if mark.unsolved > 0 { format!(", {} unsolved", mark.unsolved) } else { String::new() };
    format!("cost {:.4}{gap}{unsolved}", mark.cost)
}

fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// The clock of the machine since the session began.
struct SessionClock(Instant);

impl Clock for SessionClock {
    fn wall(&self) -> Duration {
        self.0.elapsed()
    }

    fn cpu(&self) -> Duration {
        let threads = rayon::current_num_threads() as u32;
        machine::cpu_time().unwrap_or_else(|| self.wall() * threads)
    }
}

/// Live figures: a bar on a terminal, a line now and then elsewhere.
struct Watch {
    bar: ProgressBar,
}

const STEPS: u64 = 1000;

impl Watch {
    fn new(out: &Path) -> Self {
        watch::listen();
        let bar = ProgressBar::new(STEPS).with_prefix(out.display().to_string());
        let template = "{spinner} {prefix} {bar:20} {msg} (Ctrl-C saves and stops)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(500));
        Self { bar }
    }

    fn event(&self, event: &Event) {
        match event {
            Event::Preparing(count) => {
                self.bar.set_length(*count as u64);
                self.bar.set_message("references for the validation set");
            }
            Event::Prepared => self.bar.inc(1),
            Event::Step(progress) => self.step(progress),
            Event::Validated(mark) => self.say(&format!("validation: {}", shown(mark))),
            Event::Saved(_) => {}
            Event::Note(text) => self.say(&format!("note: {text}")),
        }
    }

    fn step(&self, progress: &Progress) {
        let Progress { spent, share, left, per_second, score, .. } = progress;
        let gap = progress.mark.and_then(|mark| mark.gap).map(|gap| format!(", gap {:.2} %", 100.0 * gap));
        let left = left.map(|left| format!(", {} left", span(left))).unwrap_or_default();
        self.bar.set_length(STEPS);
        self.bar.set_position((share.min(1.0) * STEPS as f64) as u64);
        self.bar.set_message(format!(
            "step {}, {} instances, {per_second:.1}/s, score {score:.4}{}{left}",
            spent.steps,
            spent.instances,
            gap.unwrap_or_default()
        ));
    }

    fn say(&self, text: &str) {
        if self.bar.is_hidden() {
            output::complain(&format!("{}: {}", text, self.bar.message()));
        } else {
            self.bar.println(text);
        }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
