//! `radar solve`.

mod unused;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use radar::{Budget, Finding, Model, Options, Problem, Severity, Solution, Solver};
use radar_format::ending;
use radar_net::decode::Isa;

use crate::failure::{Exit, Failure};
use crate::input::{Input, Named};
use crate::table::Table;
use crate::watch::{self, Watch};
use crate::{amounts, answer, machine, output, plan, set};

/// Find good feasible routes
///
/// FILE is a problem in any known format, a set of problems, or a folder of files. Every plan has
/// been checked independently before it is printed. With --json the answer goes to standard output;
/// with -o it goes to a file whose ending names the form: .json, .sol, .csv (schedule), .geojson, .svg.
/// The answer comes with a lower bound; a plan that is proved to be the best ends the search at once.
///
/// For instance: radar solve table.json --stops stops.csv --capacity 40 -o routes.svg -o routes.json
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// Wall time, such as 0.5s or 2m; begins after reading [default: steps]
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME")]
    time: Option<Duration>,

    /// Work instead of time: steps of each search, or plans that construction makes; the answer is then
    /// the same everywhere [default: 500 per node, 2000 to 50000]
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// Searches side by side that exchange their best; threads only schedule them [default: 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=256))]
    searches: Option<u16>,

    /// Where randomness comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// How plans are made
    #[arg(long, value_enum, default_value_t)]
    method: Method,

    /// A network: a checkpoint that `radar model` or `radar train` wrote. With --method neural it makes the plan
    /// [default: the one that comes along]; else the search starts from its plan and hears how sure it is of every arc
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,

    /// The network, once it is read.
    #[arg(skip)]
    loaded: Option<Arc<Model>>,

    /// How many sketches of the matrix the network decodes from [default: 1]
    #[arg(long, value_name = "A", value_parser = clap::value_parser!(u16).range(1..=1024))]
    augment: Option<u16>,

    /// The instructions the network runs on: portable, avx2, avx512 or amx [default: the best there are]
    #[arg(long, value_name = "ISA")]
    isa: Option<Isa>,

    /// How many start nodes construction, or the network, tries: spread evenly, of a network's routes the likeliest
    /// [default: all up to 512 nodes, above as many as take as long; up to 4 of a network before a search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    starts: Option<u32>,

    /// What is minimised
    #[arg(long, value_enum, default_value_t)]
    minimise: super::Minimise,

    /// A plan to start from; the answer is never worse
    #[arg(long, value_name = "PLAN")]
    warm: Option<PathBuf>,

    /// Routes under way whose beginnings stay as they are: a plan with `freeze`, a list that says how many
    /// stops of each route stay (without it all of them); other stops are put in behind them
    #[arg(long, value_name = "PLAN", conflicts_with = "warm")]
    freeze: Option<PathBuf>,

    /// Serve what can be served when not every stop can
    #[arg(long)]
    allow_unserved: bool,

    /// Print the answer as JSON, one line per problem
    #[arg(long)]
    json: bool,

    /// Write the answer to a file, by its ending; for many problems to a folder. May be repeated
    #[arg(short, long, value_name = "PATH")]
    output: Vec<PathBuf>,

    /// The form of the answers in a folder: json, sol, csv, geojson or svg [default: json]
    #[arg(long, value_name = "FORM")]
    to: Option<String>,
}

/// How plans are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// What measured best for the problem and the budget: search, and before it a network where one is worth its time (routes,
    /// unless --steps makes answers the same everywhere)
    #[default]
    Auto,
    /// Search, with a lower bound, and a proof where one is cheap
    Search,
    /// Classical construction from many starts
    Construct,
    /// A network, from many starts: the one given with --model, or the one that comes along
    Neural,
}

impl From<Method> for radar::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Auto => Self::Auto,
            Method::Search => Self::Search,
            Method::Construct => Self::Construct,
            Method::Neural => Self::Neural,
        }
    }
}

/// Runs the command.
pub fn run(mut args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    let loaded = unused::refuse(&args).and_then(|()| model(&args)).map(|model| args.loaded = model);
    loaded.and_then(|()| dispatch(&args)).map_err(|failure| failure.for_programs(json))
}

fn dispatch(args: &Args) -> Result<Exit, Failure> {
    let mut problems = set::load(&args.input, &[])?;
    match problems.len() {
        _ if args.input.file.is_dir() => many(args, problems),
        1 => one(args, problems.remove(0)?),
        0 => Err(Failure::input("empty-set", "the file holds no problem", "check the file")),
        _ => many(args, problems),
    }
}

/// The network, if one is given.
fn model(args: &Args) -> Result<Option<Arc<Model>>, Failure> {
    let isa = super::eval::isa(args.isa)?;
    match &args.model {
        Some(path) => {
            let checkpoint = super::model::read(path)?;
            if args.augment.is_some_and(|sketches| sketches > 1) {
                super::eval::refuse_same_sketches(checkpoint.weights.config())?;
            }
            Ok(Some(Arc::new(Model::new(checkpoint, isa))))
        }
        None => Ok(None),
    }
}

/// The network for a problem: the one given, or the one that comes along where it makes the plan.
fn network(args: &Args, problem: &Problem) -> Result<Option<Arc<Model>>, Failure> {
    match (&args.loaded, args.method) {
        (Some(given), _) => Ok(Some(Arc::clone(given))),
        (None, Method::Neural) => Ok(radar::shipped(problem.kind, super::eval::isa(args.isa)?)),
        (None, _) => Ok(None),
    }
}

fn solver(args: &Args, problem: &Problem) -> Result<Solver, Failure> {
    let warm = args.warm.as_deref().map(|path| super::check::read_plan(path, problem)).transpose()?;
    let freeze = args.freeze.as_deref().map(|path| super::check::read_freeze(path, problem)).transpose()?;
    Ok(Solver::new(Options {
        method: args.method.into(),
        seed: args.seed,
        budget: Budget { time: args.time, steps: args.steps },
        objective: args.minimise.into(),
        starts: starts(args),
        allow_unserved: args.allow_unserved,
        warm,
        freeze,
        model: network(args, problem)?,
        augment: args.augment.unwrap_or(1).into(),
        guide: radar::Guide::Both,
        prior: None,
        searches: args.searches.unwrap_or(1).into(),
    }))
}

fn starts(args: &Args) -> Option<usize> {
    args.starts.and_then(|starts| usize::try_from(starts).ok())
}

fn solve(args: &Args, name: &str, problem: Problem) -> Result<Solution, Failure> {
    let solver = solver(args, &problem)?;
    fits(args, &problem).map_err(|failure| failure.of(name))?;
    let watch = Watch::new(name);
    solver.solve(problem, &watch).map_err(|error| Failure::from(error).of(name))
}

/// Refuses what the network has no room for, before the system ends the program.
fn fits(args: &Args, problem: &Problem) -> Result<(), Failure> {
    let (Some(model), Some(free)) = (network(args, problem)?, machine::free_memory()) else { return Ok(()) };
    let need = model.memory(problem.nodes(), args.method.into(), starts(args), rayon::current_num_threads());
    if need <= free {
        return Ok(());
    }
    let (need, free) = (machine::shown(need), machine::shown(free));
    Err(Failure::input(
        "too-little-memory",
        format!("{} nodes with this network take about {need}, and {free} are free", problem.nodes()),
        "give fewer --starts or --threads, close other programs, or leave out the network",
    ))
}

/// Every file that this command reads.
fn inputs(args: &Args) -> Vec<PathBuf> {
    args.input
        .stated
        .inputs(&args.input.file)
        .into_iter()
        .chain(args.warm.clone())
        .chain(args.freeze.clone())
        .collect()
}

fn one(args: &Args, named: Named) -> Result<Exit, Failure> {
    let Named { name, problem, notes, .. } = named;
    let inputs = inputs(args);
    unused::refuse_for_one(args)?;
    // What cannot be written is better refused before the work than after it.
    for path in &args.output {
        radar_format::write::answerable(ending::answer(path)?, &problem)?;
        output::writable(path, &inputs)?;
    }
    let solution = solve(args, &name, problem)?;
    let mut exit = Exit::Done;
    for path in &args.output {
        let written = ending::answer(path)
            .map_err(Failure::from)
            .and_then(|format| answer::bytes(&solution, &notes, format))
            .and_then(|content| output::file(path, &content, &inputs));
        exit = exit.max(complained(written));
    }
    if args.json {
        output::bytes(&answer::json_line(&solution, &notes)?);
        return Ok(exit);
    }
    let stops = solution.instance.stops().len();
    output::line(&format!("{name}: {}, {}", solution.instance.variant(), amounts::counted(stops, "stop")));
    output::bytes(plan::table(&solution.instance, &solution.routes, &solution.verdict).as_bytes());
    output::line(&plan::totals(&solution));
    output::line(&format!(
        "by {} in {}, checked; seed {}",
        solution.method,
        amounts::span(solution.timings.total),
        solution.seed
    ));
    unserved(&solution).iter().for_each(|line| output::line(line));
    warn(&name, &solution);
    Ok(exit)
}

/// How it ends when an answer may not have been written: it is worth printing all the same.
fn complained(written: Result<(), Failure>) -> Exit {
    match written {
        Ok(()) => Exit::Done,
        Err(failure) => {
            failure.complain();
            failure.exit()
        }
    }
}

/// What is said of each stop left out: why, and the few smallest changes that would let it in.
fn unserved(solution: &Solution) -> Vec<String> {
    const SHOWN: usize = 3;
    let mut lines = Vec::new();
    for stop in &solution.unserved {
        lines.push(format!(
            "not served: {}: {}",
            solution.instance.label(stop.node),
            stop.reasons.join("; ")
        ));
        lines.extend(stop.remedies.iter().take(SHOWN).map(|remedy| format!("    enough: {remedy}")));
    }
    lines
}

fn warn(name: &str, solution: &Solution) {
    // What blocks a stop is said with the stop.
    let rest = |finding: &&Finding| finding.severity() != Severity::Blocker || finding.nodes.is_empty();
    output::findings(name, solution.findings.iter().filter(rest));
    for warning in &solution.warnings {
        output::complain(&format!("{name}: warning [{}]: {}", warning.code, warning.text));
    }
}

/// Solves every problem; the exit code is the worst of all.
fn many(args: &Args, problems: Vec<Result<Named, Failure>>) -> Result<Exit, Failure> {
    let mut inputs = inputs(args);
    inputs.extend(problems.iter().flatten().map(|named| named.file.clone()));
    let to = args.to.as_deref().unwrap_or("json");
    let place = |folder: &Path, name: &str| folder.join(format!("{}.{to}", name.replace('#', "-")));
    let format = ending::answer(Path::new(&format!("answer.{to}")))?;
    for folder in &args.output {
        if ending::answer(folder).is_ok() && !folder.is_dir() {
            return Err(Failure::input(
                "ending-unknown",
                format!("{} names a file, but there are {} problems", folder.display(), problems.len()),
                "give a folder, and the form of the answers with --to",
            ));
        }
        output::folder(folder)?;
        output::writable(&place(folder, "answer"), &inputs)?;
        for named in problems.iter().flatten() {
            radar_format::write::answerable(format, &named.problem)
                .map_err(|error| Failure::from(error).of(&named.name))?;
            output::allowed(&place(folder, &named.name), &inputs)?;
        }
    }
    let mut worst = Exit::Done;
    let mut table = Table::new(&[
        "problem<", "variant<", "stops", "routes", "cost", "gap", "unserved", "time", "method<",
    ]);
    let count = problems.len();
    let (mut solved_count, mut cost, mut time) = (0_u32, 0.0, Duration::ZERO);
    for (at, problem) in problems.into_iter().enumerate() {
        if watch::interrupted() {
            output::complain(&format!("interrupted: {} of {count} problems were not solved", count - at));
            worst = worst.max(Exit::Blocked);
            break;
        }
        let solved = problem.and_then(|Named { name, problem, notes, .. }| {
            solve(args, &name, problem).map(|solution| (name, notes, solution))
        });
        match solved {
            Ok((name, notes, solution)) => {
                solved_count += 1;
                cost += solution.cost;
                time += solution.timings.total;
                for folder in &args.output {
                    let written = answer::bytes(&solution, &notes, format)
                        .and_then(|content| output::file(&place(folder, &name), &content, &inputs));
                    worst = worst.max(complained(written));
                }
                if args.json {
                    output::bytes(&answer::json_line(&solution, &notes)?);
                    continue;
                }
                warn(&name, &solution);
                unserved(&solution).iter().for_each(|line| output::complain(&format!("{name}: {line}")));
                table.row(vec![
                    name,
                    solution.instance.variant().to_string(),
                    solution.instance.stops().len().to_string(),
                    solution.routes.len().to_string(),
                    amounts::cost(solution.cost),
                    plan::gap(&solution),
                    solution.unserved.len().to_string(),
                    amounts::span(solution.timings.total),
                    solution.method,
                ]);
            }
            Err(failure) => {
                worst = worst.max(failure.exit());
                match args.json {
                    true => output::line(&failure.to_json().to_string()),
                    false => failure.complain(),
                }
            }
        }
    }
    if !args.json {
        output::bytes(table.to_string().as_bytes());
        let mean = match solved_count {
            0 => String::new(),
            _ => format!(", mean cost {}", amounts::cost(cost / f64::from(solved_count))),
        };
        output::line(&format!("{solved_count} of {count} solved{mean}, {} in all", amounts::span(time)));
    }
    Ok(worst)
}
