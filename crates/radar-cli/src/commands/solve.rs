//! `radar solve`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use radar::{Budget, Options, Solution, Solver};

use crate::failure::{Exit, Failure};
use crate::input::{Input, Named};
use crate::table::Table;
use crate::watch::Watch;
use crate::{amounts, answer, ending, output, plan};

/// Find good feasible routes
///
/// FILE is a problem in any known format, a set of problems, or a folder of files. Every plan has
/// been checked independently before it is printed. With --json the answer goes to standard output;
/// with -o it goes to a file whose ending names the form: .json, .sol, .csv (schedule), .geojson, .svg.
///
/// For instance: radar solve table.json --stops stops.csv --capacity 40 -o routes.svg -o routes.json
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// Wall time, such as 0.5s or 2m; begins after reading [default: until done]
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME")]
    time: Option<Duration>,

    /// Work instead of time: how many constructions are tried; the answer is then the same everywhere
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// Where randomness comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// How plans are made
    #[arg(long, value_enum, default_value_t)]
    method: Method,

    /// How many start nodes are tried [default: all]
    #[arg(long, value_name = "N")]
    starts: Option<usize>,

    /// What is minimised
    #[arg(long, value_enum, default_value_t)]
    minimise: super::Minimise,

    /// A plan to start from; the answer is never worse
    #[arg(long, value_name = "PLAN")]
    warm: Option<PathBuf>,

    /// Serve what can be served when not every stop can
    #[arg(long)]
    allow_unserved: bool,

    /// Print the answer as JSON, one line per problem
    #[arg(long)]
    json: bool,

    /// Write the answer to a file, by its ending; for many problems a folder. May be repeated
    #[arg(short, long, value_name = "PATH")]
    output: Vec<PathBuf>,
}

/// How plans are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// The best there is for the problem and the budget
    #[default]
    Auto,
    /// Classical construction from many starts
    Construct,
}

impl From<Method> for radar::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Auto => Self::Auto,
            Method::Construct => Self::Construct,
        }
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    dispatch(&args).map_err(|failure| failure.for_programs(json))
}

fn dispatch(args: &Args) -> Result<Exit, Failure> {
    if args.input.file.is_dir() {
        return many(args, folder(args)?);
    }
    let mut problems = args.input.load()?;
    match problems.len() {
        1 => one(args, problems.remove(0)),
        0 => Err(Failure::input("empty-set", "the file holds no problem", "check the file")),
        _ => many(args, problems.into_iter().map(Ok).collect()),
    }
}

/// Every problem of every file in a folder, in the order of their names.
fn folder(args: &Args) -> Result<Vec<Result<Named, Failure>>, Failure> {
    let folder = &args.input.file;
    let unreadable = |error: std::io::Error| {
        Failure::input(
            "cannot-read",
            format!("{}: {error}", folder.display()),
            "check the path and its permissions",
        )
    };
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !hidden {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::input(
            "empty-folder",
            format!("{} holds no file", folder.display()),
            "check the path",
        ));
    }
    let mut problems = Vec::new();
    for file in files {
        match args.input.stated.load(&file) {
            Ok(loaded) => problems.extend(loaded.into_iter().map(Ok)),
            Err(failure) => problems.push(Err(failure)),
        }
    }
    Ok(problems)
}

fn solver(args: &Args, problem: &radar::Problem) -> Result<Solver, Failure> {
    let warm = args.warm.as_deref().map(|path| super::check::read_plan(path, problem)).transpose()?;
    Ok(Solver::new(Options {
        method: args.method.into(),
        seed: args.seed,
        budget: Budget { time: args.time, steps: args.steps },
        objective: args.minimise.into(),
        starts: args.starts,
        allow_unserved: args.allow_unserved,
        warm,
    }))
}

fn solve(args: &Args, named: Named) -> Result<Solution, Failure> {
    let solver = solver(args, &named.problem)?;
    let watch = Watch::new(&named.name);
    solver.solve(named.problem, &watch).map_err(|error| Failure::from(error).of(&named.name))
}

fn one(args: &Args, named: Named) -> Result<Exit, Failure> {
    let name = named.name.clone();
    // A form that does not exist is better refused before the work than after it.
    for path in &args.output {
        ending::answer(path)?;
    }
    let solution = solve(args, named)?;
    for path in &args.output {
        write(args, &solution, path)?;
    }
    if args.json {
        output::bytes(&answer::json_line(&solution)?);
        return Ok(Exit::Done);
    }
    output::line(&format!(
        "{name}: {}, {} stops",
        solution.instance.variant(),
        solution.instance.stops().len()
    ));
    output::bytes(plan::table(&solution.instance, &solution.routes, &solution.verdict).as_bytes());
    output::line(&plan::totals(&solution));
    output::line(&format!(
        "by {} in {}, checked; seed {}",
        solution.method,
        amounts::span(solution.timings.total),
        solution.seed
    ));
    for stop in &solution.unserved {
        let reasons = stop.reasons.join("; ");
        output::line(&format!(
            "not served: {} (node {}): {reasons}",
            solution.instance.id(stop.node),
            stop.node
        ));
    }
    for finding in &solution.findings {
        output::complain(&finding.to_string());
    }
    for warning in &solution.warnings {
        output::complain(&format!("warning: {warning}"));
    }
    Ok(Exit::Done)
}

fn write(args: &Args, solution: &Solution, path: &Path) -> Result<(), Failure> {
    let content = answer::bytes(solution, ending::answer(path)?)?;
    let inputs = [Some(&args.input.file), args.input.stated.stops.as_ref(), args.warm.as_ref()];
    let inputs: Vec<&Path> = inputs.into_iter().flatten().map(PathBuf::as_path).collect();
    output::file(path, &content, &inputs)
}

/// Solves every problem; the exit code is the worst of all.
fn many(args: &Args, problems: Vec<Result<Named, Failure>>) -> Result<Exit, Failure> {
    for folder in &args.output {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::input(
                "cannot-write",
                format!("{}: {error}", folder.display()),
                "for many problems -o takes a folder",
            )
        })?;
    }
    let mut worst = Exit::Done;
    let mut table =
        Table::new(&["problem<", "variant<", "stops", "routes", "cost", "unserved", "time", "method<"]);
    for problem in problems {
        let solved = problem.and_then(|named| {
            let name = named.name.clone();
            solve(args, named).map(|solution| (name, solution))
        });
        match solved {
            Ok((name, solution)) => {
                for folder in &args.output {
                    write(args, &solution, &folder.join(format!("{}.json", name.replace('#', "-"))))?;
                }
                if args.json {
                    output::bytes(&answer::json_line(&solution)?);
                }
                table.row(vec![
                    name,
                    solution.instance.variant().to_string(),
                    solution.instance.stops().len().to_string(),
                    solution.routes.len().to_string(),
                    amounts::number(solution.cost, 3),
                    solution.unserved.len().to_string(),
                    amounts::span(solution.timings.total),
                    solution.method.clone(),
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
    }
    Ok(worst)
}
