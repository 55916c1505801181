//! `radar train`.

#[cfg(feature = "mpi")]
mod mpi;
mod view;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use radar_net::Checkpoint;
use radar_train::config::{self, Given};
use radar_train::ranks::{self, Alone, Ranks};
use radar_train::{Budget, Clock, Config, Ending, Event, Outside, Score, Summary, TrainError};

use super::model;
use crate::amounts::counted;
use crate::failure::{Exit, Failure};
use crate::{machine, output, watch};
use view::{View, shown, span};

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
    #[arg(value_name = "CONFIG")]
    config: Option<String>,

    /// The folder of the run
    #[arg(long, value_name = "RUN", required_unless_present = "show")]
    out: Option<PathBuf>,

    /// Go on with the run in the folder
    #[arg(long)]
    resume: bool,

    /// When to end, over all sessions of the run: 2h, cpu=2h, steps=500 or instances=1e6. Time counts from when the
    /// references of the validation set are there. It holds together with `--set budget.steps=...` and the like: what is
    /// spent first ends the run [default: as configured]
    #[arg(long, value_name = "BUDGET")]
    budget: Option<String>,

    /// Begin with these weights (best.safetensors or last.safetensors of a run, or any other); the network is theirs,
    /// and the optimiser starts afresh
    #[arg(long, value_name = "MODEL")]
    init: Option<PathBuf>,

    /// Learn on road matrices of your own: a file (npz, CSV, or any other format that has tables) or a folder of such.
    /// `data.nodes` points are cut out of a matrix for each instance; demands and windows in the file are not looked
    /// at. May be repeated
    #[arg(long, value_name = "PATH")]
    data: Vec<PathBuf>,

    /// Any key of the configuration; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// The most memory to use, such as 500M or 2G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = machine::parse_size)]
    memory: Option<u64>,

    /// Print the configuration with all its keys (TOML), and train nothing
    #[arg(long, conflicts_with = "resume")]
    show: bool,
}

/// The presets, and where everything else is told.
fn list() -> String {
    let mut text = "Presets:\n".to_owned();
    for name in config::names() {
        let about = config::named(name).unwrap_or_default().lines();
        let about: Vec<&str> = about.map_while(|line| line.strip_prefix("# ")).collect();
        text.push_str(&format!("  {name}\n{}", wrapped(&about.join(" "), "      ")));
    }
    text.push('\n');
    text.push_str(&wrapped(
        "`radar train quick --show` prints a preset with all its keys; docs/training.md says what they mean, what files of \
         your own may be, and how several machines train together.",
        "",
    ));
    text.truncate(text.trim_end().len());
    text
}

/// Words in lines of 80 columns that begin with an indent.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
        let begins = column == 0 || column + 1 + width > 80;
        if begins && column > 0 {
            lines.push('\n');
        }
        lines.push_str(if begins { indent } else { " " });
        column = width + if begins { indent.len() } else { column + 1 };
        lines.push_str(word);
    }
    lines + "\n"
}

/// Runs the command. Rank 0 does what is said here; all others learn with it, and say nothing.
pub fn run(args: Args) -> Result<Exit, Failure> {
    if args.show {
        return show(&args);
    }
    let ranks = match join() {
        Err(failure) if !leads() => return Ok(failure.exit()),
        joined => joined?,
    };
    let clock = SessionClock(Instant::now());
    let stop = || watch::interrupted();
    if ranks.rank() > 0 {
        watch::listen();
        let outside =
            Outside { clock: &clock, memory: memory(&args), ranks: &*ranks, stop: &stop, hear: &|_| () };
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

/// Prints what would be trained.
fn show(args: &Args) -> Result<Exit, Failure> {
    if !leads() {
        return Ok(Exit::Done);
    }
    if let Work::Start(config, _) = work(args)? {
        output::bytes(config.to_toml().map_err(failure)?.as_bytes());
    }
    Ok(Exit::Done)
}

/// Bytes that this process may use: its share of what is free, where several run on one machine.
fn memory(args: &Args) -> Option<u64> {
    let here = launched(&["OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"]);
    args.memory.or_else(|| Some(machine::free_memory()? / here.unwrap_or(1).max(1)))
}

/// What the launcher says of itself, in the first of these variables that there is: Open MPI's, then MPICH's.
fn launched(variables: &[&str]) -> Option<u64> {
    variables.iter().find_map(|variable| std::env::var(variable).ok()?.parse().ok())
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
    // Each of the launcher's processes would train a run of its own in the same folder.
    match launched(&["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]) {
        Some(size @ 2..) => Err(Failure::input(
            "no-mpi",
            format!("{size} processes were started, but this program was built without MPI"),
            "build it with `--features mpi`, or start one process",
        )),
        _ => Ok(Box::new(Alone)),
    }
}

/// Whether this process would be rank 0: the one that speaks, also where there is no MPI to ask.
pub fn leads() -> bool {
    launched(&["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"]).is_none_or(|rank| rank == 0)
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
    watch::listen();
    let view = View::new(args.out());
    let hear = |event: &Event| view.event(event);
    let outside = Outside { clock, memory: memory(args), ranks, stop, hear: &hear };
    let summary = match work {
        Work::Start(config, init) => radar_train::start(*config, args.out(), init.as_deref(), &outside),
        Work::Resume(budget) => radar_train::resume(args.out(), budget, &outside),
    };
    summary.map_err(failure)
}

impl Args {
    /// The folder of the run. (The parser asks for it where there is a run.)
    fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("."))
    }
}

fn work(args: &Args) -> Result<Work, Failure> {
    if args.resume {
        refuse_beginning(args)?;
        return Ok(Work::Resume(changed_budget(args)?));
    }
    let wanted = args.config.as_deref().ok_or_else(|| {
        let cause = "there is no CONFIG to start from";
        Failure::input("no-configuration", cause, "give a file or a preset, or go on with a run (--resume)")
    })?;
    let init = args.init.as_deref().map(model::read).transpose()?;
    let roads: Vec<String> = args.data.iter().map(|path| path.display().to_string()).collect();
    let config = configuration(args, wanted, &roads, init.as_ref().map(|init| &init.card.config))?;
    Ok(Work::Start(Box::new(config), init.map(Box::new)))
}

/// Refuses what only the beginning of a run can heed. (The parser of the command line could, but all ranks have
/// one: rank 0 alone is to speak.)
fn refuse_beginning(args: &Args) -> Result<(), Failure> {
    let given = [("--init", args.init.is_some()), ("--data", !args.data.is_empty())];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::input(
            "unused-option",
            format!("{option} says how a run begins, and --resume goes on with one"),
            "leave one of them out",
        )),
        None => Ok(()),
    }
}

/// The configuration of a file or a preset, with what the command line says over it, on road matrices if any are given
/// and for a network that may be there already.
fn configuration(
    args: &Args,
    wanted: &str,
    roads: &[String],
    network: Option<&radar_net::Config>,
) -> Result<Config, Failure> {
    let path = Path::new(wanted);
    let text = match is_path(path) {
        true => std::fs::read_to_string(path).map_err(|error| {
            Failure::input("cannot-read", format!("{wanted}: {error}"), "check the path and its permissions")
        })?,
        false => config::named(wanted).map_err(failure)?.to_owned(),
    };
    let given = Given { text: &text, roads, set: &set(args)?, network };
    let config = given.read().map_err(|error| {
        // What the text alone is refused for is its own; anything else the command line has brought.
        let own = Given { text: &text, network, ..Given::default() }.read().err();
        let is_own = own.is_some_and(|own| own == error);
        if is_own { failure(error).of(wanted) } else { failure(error) }
    })?;
    config.with_whole_paths().map_err(failure)
}

/// Whether CONFIG is a file's name, not a preset's.
fn is_path(wanted: &Path) -> bool {
    wanted.is_file() || wanted.extension().is_some_and(|ending| ending == "toml")
}

/// The single keys that are given, those of the budget among them.
fn set(args: &Args) -> Result<Vec<String>, Failure> {
    let budget = args.budget.as_deref().map(Budget::parse).transpose().map_err(failure)?;
    Ok(args.set.iter().cloned().chain(budget.iter().flat_map(Budget::keys)).collect())
}

/// A run goes on as it began, its budget aside: the one that is given here, if any is. Any other configuration is
/// another run.
fn changed_budget(args: &Args) -> Result<Option<Budget>, Failure> {
    let set = set(args)?;
    if args.config.is_none() && set.is_empty() {
        return Ok(None);
    }
    let kept = radar_train::configuration(args.out()).and_then(Config::with_whole_paths).map_err(failure)?;
    let mut given = match &args.config {
        Some(wanted) => begun_again(args, wanted, &kept)?,
        None => Config::from_toml(&kept.to_toml().map_err(failure)?, &set).map_err(failure)?,
    };
    // What nobody gave was decided when the run began.
    given.schedule.warmup = given.schedule.warmup.or(kept.schedule.warmup);
    if args.budget.is_none()
        && !args.set.iter().any(|key| key.starts_with("budget"))
        && args.config.as_deref().is_some_and(|wanted| !is_path(Path::new(wanted)))
    {
        // A preset has a budget so that it ends; the run may have been given another.
        given.budget = kept.budget;
    }
    match given.first_difference(&kept) {
        None => Ok((given.budget != kept.budget).then_some(given.budget)),
        Some(key) => Err(Failure::input(
            "other-configuration",
            format!("`{key}` is not as in the run in {}", args.out().display()),
            "leave the configuration out, or start another run (--init RUN/last.safetensors)",
        )),
    }
}

/// What a file or a preset would be again with all that the run began with: the network of its first weights, and road
/// matrices that the file does not name.
fn begun_again(args: &Args, wanted: &str, kept: &Config) -> Result<Config, Failure> {
    let status = radar_train::status(args.out()).map_err(failure)?;
    let network = status.init.is_some().then_some(&kept.model);
    let as_it_says = configuration(args, wanted, &[], network);
    let names_roads = as_it_says.as_ref().is_ok_and(|config| !config.data.roads.is_empty());
    match kept.data.roads.is_empty() || names_roads {
        true => as_it_says,
        false => configuration(args, wanted, &kept.data.roads, network),
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
    let Summary { ending, spent, best, best_step, score, references: (references, proved) } = summary;
    let out = args.out().display();
    let how = match ending {
        Ending::Done => "done".to_owned(),
        Ending::Stopped => "stopped".to_owned(),
    };
    output::line(&format!(
        "{out}: {how}: {} in {}, {} ({} CPU)",
        counted(spent.instances as usize, "instance"),
        counted(spent.steps as usize, "step"),
        span(spent.time),
        span(spent.cpu),
    ));
    if let Some(Score { name, cost }) = score {
        output::line(&format!("  training: {name} {cost:.4}"));
    }
    if let Some(mark) = best {
        let against = match mark.gap {
            Some(_) if *references > 0 => {
                format!(" against {}, {proved} proved optimal", counted(*references, "reference"))
            }
            _ => String::new(),
        };
        let when = match best_step {
            0 if spent.steps > 0 => "before the first step: training has not improved it".to_owned(),
            step => format!("after step {step}"),
        };
        output::line(&format!("  best validation: {}{against}, {when}", shown(mark)));
    }
    if *ending == Ending::Stopped {
        output::line(&format!("  to go on: radar train --out {out} --resume"));
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
