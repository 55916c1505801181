//! `radar generate`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::ProgressBar;
use radar::Problem;
use radar_format::ending;
use radar_sample::{Atlas, Distribution, FlowShop, Roads, catalogue};
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::{input, output};

/// Draw instances from a seeded distribution
///
/// The same name, parameters, seed and number give the same bytes on every machine, for any number of
/// threads. One instance goes to standard output as JSON unless -o says otherwise; many go to a set
/// (.npz, .jsonl) or to a folder (ends in /).
///
/// For instance: radar generate city -n 50 --variant AVRPTW --seed 7 -o city.json
#[derive(clap::Args)]
#[command(after_help = list())]
pub struct Args {
    /// The distribution (listed below)
    #[arg(value_name = "DISTRIBUTION")]
    name: String,

    /// Stops: nodes of a tour, or stops beside the depot
    #[arg(short, value_name = "N")]
    n: Option<String>,

    /// What to draw: ATSP, ACVRP, A[O]VRP[B][L][TW], or mix
    #[arg(long)]
    variant: Option<String>,

    /// `paper`, `tight` (limits that bind, windows that make vehicles wait) or `day` (a dispatcher's: windows of hours or none, vehicles of many sizes)
    #[arg(long)]
    preset: Option<String>,

    /// Any parameter of the distribution; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,

    /// A road matrix (npz, OSRM table, any format) to draw points from; may be repeated
    #[arg(long, value_name = "FILE")]
    roads: Vec<PathBuf>,

    /// How many instances
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// Where randomness comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Where to write: a file by its ending, or a folder
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// The format to write [default: by the ending]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
}

/// The values of all matrices of a set that is held in memory: 8 GiB.
const MOST_VALUES: u64 = 1 << 30;
/// The values of all matrices that are drawn between two steps of the progress bar: half a GiB.
const CHUNK_VALUES: u64 = 1 << 26;

fn list() -> String {
    let mut text = "Distributions:\n".to_owned();
    for entry in catalogue::ALL {
        text.push_str(&format!("  {:<10} {}\n", entry.name, entry.summary));
        for parameter in entry.parameters {
            text.push_str(&format!(
                "      {}={} ({})\n",
                parameter.name, parameter.default, parameter.summary
            ));
        }
    }
    text.push_str(
        "  flow-shop  processing times of a flexible flow shop: stages=3 jobs=20 machines=4, JSON lines\n",
    );
    text
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let mut parameters: Vec<(&str, &str)> = Vec::new();
    for text in &args.set {
        parameters.push(text.split_once('=').ok_or_else(|| {
            Failure::input(
                "bad-parameter",
                format!("`{text}` is no KEY=VALUE"),
                "for instance --set sigma=0.1",
            )
        })?);
    }
    let named = [("n", &args.n), ("variant", &args.variant), ("preset", &args.preset)];
    parameters.extend(named.iter().filter_map(|(key, value)| Some((*key, value.as_deref()?))));
    let keys: BTreeSet<&str> = parameters.iter().map(|(key, _)| *key).collect();
    if keys.len() < parameters.len() {
        return Err(Failure::input("bad-parameter", "a parameter is given twice", "give each once"));
    }
    if args.name == "flow-shop" {
        return flow_shops(&args, &parameters);
    }
    let needs_roads = catalogue::ALL.iter().any(|entry| entry.name == args.name && entry.needs_roads);
    if !args.roads.is_empty() && !needs_roads {
        let cause = format!("{} takes no road matrix", args.name);
        return Err(Failure::input("bad-distribution", cause, "leave out --roads, or draw from `roads`"));
    }
    let matrices = args.roads.iter().map(|path| roads(path)).collect::<Result<Vec<Roads>, Failure>>()?;
    let roads = Atlas::new(matrices).map(Arc::new);
    let distribution = Distribution::named(&args.name, &parameters, roads).map_err(|error| {
        Failure::input("bad-distribution", error.to_string(), "see `radar generate --help`")
    })?;
    write(&args, &distribution)
}

/// The road matrix of a file.
fn roads(path: &Path) -> Result<Roads, Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    radar_wire::roads(&name, &input::bytes(path)?)
        .map_err(|failure| Failure::from(failure).of(&path.display().to_string()))
}

fn write(args: &Args, distribution: &Distribution) -> Result<Exit, Failure> {
    let folder = args.output.as_deref().filter(|path| path.to_string_lossy().ends_with('/') || path.is_dir());
    let format = match (&args.to, &args.output, folder) {
        (Some(format), ..) => format.as_str(),
        (None, None, _) => {
            if args.count == 1 {
                "json"
            } else {
                "json-lines"
            }
        }
        (None, Some(_), Some(_)) => "json",
        (None, Some(path), None) => ending::problem(path)?,
    };
    let inputs = &args.roads;
    match (folder, &args.output) {
        (Some(folder), _) => output::folder(folder)?,
        (None, Some(path)) => output::allowed(path, inputs)?,
        (None, None) => {}
    }
    let values = distribution.values();
    if distribution.nodes().saturating_pow(2) > radar_format::read::MOST_VALUES {
        return Err(Failure::input(
            "too-large",
            format!("a matrix of {} nodes could not be read back", distribution.nodes()),
            format!("draw at most {} nodes", radar_format::read::MOST_VALUES.isqrt()),
        ));
    }
    if folder.is_none() && values.saturating_mul(args.count) > MOST_VALUES {
        return Err(Failure::input(
            "set-too-large",
            format!("{} instances of {values} matrix entries do not fit memory as one set", args.count),
            "write to a folder (-o DIR/) or draw fewer",
        ));
    }
    let chunk = (CHUNK_VALUES / values.max(1)).clamp(1, 64);
    let bar = ProgressBar::new(args.count);
    let mut clamped = 0;
    let mut set = Vec::new();
    for first in (0..args.count).step_by(chunk as usize) {
        let indices = first..args.count.min(first + chunk);
        for (sample, index) in distribution.sample_many(args.seed, indices.clone()).into_iter().zip(indices) {
            clamped += sample.clamped;
            let Some(folder) = folder else {
                set.push(sample.problem);
                continue;
            };
            let content = radar_format::write::problem(format, &sample.problem)?;
            let file = folder.join(format!("{}-{index:05}.{}", args.name, ending::of(format)));
            output::file(&file, &content, inputs)?;
        }
        bar.set_position(args.count.min(first + chunk));
    }
    bar.finish_and_clear();
    if folder.is_none() {
        finish(args, format, &set, inputs)?;
    }
    if clamped > 0 {
        output::complain(&format!("note [clamped]: {clamped} negative factors were replaced by 0"));
    }
    Ok(Exit::Done)
}

fn finish(args: &Args, format: &str, set: &[Problem], inputs: &[PathBuf]) -> Result<(), Failure> {
    let content = radar_format::write::all(format, set)?;
    match &args.output {
        Some(path) => output::file(path, &content, inputs),
        None => {
            output::bytes(&content);
            Ok(())
        }
    }
}

/// Flow shops are no routing problems and have a form of their own.
fn flow_shops(args: &Args, parameters: &[(&str, &str)]) -> Result<Exit, Failure> {
    let (mut stages, mut jobs, mut machines) = (3_usize, 20_usize, 4_usize);
    for (key, value) in parameters {
        let target = match *key {
            "stages" => &mut stages,
            "jobs" | "n" => &mut jobs,
            "machines" => &mut machines,
            other => {
                let cause = format!("flow-shop has no parameter `{other}`");
                return Err(Failure::input("bad-distribution", cause, "it has stages, jobs and machines"));
            }
        };
        let parsed = value.parse().ok().filter(|count| (1..=1000).contains(count));
        *target = parsed.ok_or_else(|| {
            Failure::input(
                "bad-distribution",
                format!("{key} is `{value}`"),
                "give a whole number from 1 to 1000",
            )
        })?;
    }
    let cells = (stages * jobs * machines) as u64;
    if cells.saturating_mul(args.count) > CHUNK_VALUES {
        let cause = format!("{} flow shops of {cells} times are too many", args.count);
        return Err(Failure::input("set-too-large", cause, "draw fewer, or smaller ones"));
    }
    if let Some(path) = &args.output
        && ending::problem(path)? != "json-lines"
    {
        let cause = format!("flow shops are written as JSON lines, not to {}", path.display());
        return Err(Failure::input("ending-unknown", cause, "use the ending .jsonl"));
    }
    let mut text = String::new();
    for index in 0..args.count {
        let shop = FlowShop::sample(stages, jobs, machines, args.seed, index);
        let times: Vec<Vec<Vec<u32>>> = (0..stages)
            .map(|stage| {
                let job = |job| (0..machines).map(|machine| shop.time(stage, job, machine)).collect();
                (0..jobs).map(job).collect()
            })
            .collect();
        let shop = json!({ "stages": stages, "jobs": jobs, "machines": machines, "times": times });
        text.push_str(&format!("{shop}\n"));
    }
    match &args.output {
        Some(path) => output::file(path, text.as_bytes(), &[])?,
        None => output::bytes(text.as_bytes()),
    }
    Ok(Exit::Done)
}
