//! `radar eval`.

mod confidence;
mod measure;
mod references;
mod report;
mod solved;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use radar::{Budget, Lanes};
use radar_net::decode::{Isa, Starts};
use radar_net::network::Use;
use radar_net::{Card, Checkpoint, Decode, Decoding, Network};
use serde_json::{Map, Value, json};

use crate::amounts::counted;
use crate::commands::{Minimise, model};
use crate::failure::{Exit, Failure};
use crate::input::Input;
use crate::{amounts, machine, output, set, watch};
use confidence::Tables;
use measure::Measure;
use references::References;
use report::Report;
use set::Set;

const EXAMPLES: &str = "\
Examples:
  radar generate tmat -n 50 --count 100 -o set.npz
  radar eval set.npz --model atsp.safetensors --solve-references 20000
  radar eval set.npz --model atsp.safetensors --decode sample --augment 8 -o out.json -o out.csv
  radar eval set.npz --model atsp.safetensors --keep 5 --confidence arcs -o out.json
  radar eval porto.json --model vrp.safetensors --starts 10 --isa portable --json
See docs/models.md.";

/// Measure a network on a set of problems
///
/// FILE is a problem, a set (npz, json-lines) or a folder. The network builds a plan from every start of every
/// sketch; the best is checked and counts. Printed are the mean cost, the gap against references, the time, and
/// where it went. Instances unlike what the weights were trained on are counted and said.
///
/// References are those of --references: a JSON object {"NAME": COST}, a JSON list in the order of the set, or a
/// CSV with the columns name and cost (bound and optimal if known). NAME is that of the instance's file without its
/// ending, with #0, #1, ... in a set. Without --references they are SET.references.json beside the set, or for the
/// validation set of a run its references.json, or a plan NAME.sol beside NAME's file. --solve-references finds those
/// that are missing by search and keeps them in the first of these.
///
/// Exit code 0 when every instance has a checked plan, 2 when some are refused, 3 when for some none was found.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// Weights in safetensors (see `radar model`)
    #[arg(long, value_name = "MODEL")]
    model: PathBuf,

    /// How the next node is chosen
    #[arg(long, value_enum, default_value_t)]
    decode: Choice,

    /// With --decode sample: below 1 the likely is chosen more often, above 1 less often [default: 1]
    #[arg(long, value_name = "T", value_parser = sensible)]
    temperature: Option<f32>,

    /// Scores stay within plus and minus this [default: as trained]
    #[arg(long, value_name = "C", value_parser = sensible)]
    clip: Option<f32>,

    /// How many first nodes are tried: of routes the likeliest, of a tour spread evenly [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    starts: Option<u32>,

    /// How many sketches of the matrix, each another view of the same instance
    #[arg(long, value_name = "A", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    augment: u32,

    /// How many distinct plans of each instance the JSON report lists, the best first: alternatives to choose from,
    /// or starts for a search [default: the best alone]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,

    /// Write how sure the network was: in this folder, NAME.csv for each instance with the columns from, to,
    /// probability. A row says with what probability the network went from one node on to another, in the mean over
    /// all its visits (0 is the depot, numbers as in the plans; from 0.001 on, the most probable first)
    #[arg(long, value_name = "DIR")]
    confidence: Option<PathBuf>,

    /// Where randomness comes from: sketches, sampling, and the search for references
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// Instructions: portable, avx2, avx512 or amx [default: the best of this machine]
    #[arg(long)]
    isa: Option<Isa>,

    /// What is minimised
    #[arg(long, value_enum, default_value_t)]
    minimise: Minimise,

    /// Costs to compare with: JSON or CSV
    #[arg(long, value_name = "FILE")]
    references: Option<PathBuf>,

    /// Find missing references by search: time each (2s) or steps each (20000)
    #[arg(long, value_name = "TIME|STEPS", value_parser = solved::parse_budget)]
    solve_references: Option<Budget>,

    /// The most memory to use, such as 500M or 2G [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = machine::parse_size)]
    memory: Option<u64>,

    /// Print everything as JSON
    #[arg(long)]
    json: bool,

    /// Write the report by its ending: .json (everything, with the plans) or .csv (a row per instance). May be repeated
    #[arg(short, long, value_name = "PATH")]
    output: Vec<PathBuf>,
}

/// How the next node is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Choice {
    /// The most probable
    #[default]
    Greedy,
    /// Drawn by its probability
    Sample,
}

/// Beyond these a score is no number any more, or decides nothing.
const SENSIBLE: std::ops::RangeInclusive<f32> = 1e-3..=1e6;

fn sensible(text: &str) -> Result<f32, String> {
    let number = text.parse::<f32>().ok().filter(|number| SENSIBLE.contains(number));
    number.ok_or_else(|| format!("`{text}` is no number from 0.001 to 1000000"))
}

/// Files of a folder that go with problems and are none.
const BESIDE: [&str; 3] = ["sol", "md", "references.json"];

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let json = args.json;
    evaluate(&args).map_err(|failure| failure.for_programs(json))
}

fn evaluate(args: &Args) -> Result<Exit, Failure> {
    let decoding = decoding(args)?;
    let mut inputs = args.input.stated.inputs(&args.input.file);
    inputs.extend([args.model.clone()].into_iter().chain(args.references.clone()));
    for path in &args.output {
        ending(path)?;
        output::allowed(path, &inputs)?;
    }
    let Checkpoint { card, weights } = model::read(&args.model)?;
    if args.augment > 1 && decoding.decode == Decode::Greedy {
        refuse_same_sketches(weights.config())?;
    }
    let network = Network::new(weights, isa(args.isa)?, Use::Inference);
    let set = set::load(&args.input, &BESIDE)?;
    let names = names(&set)?;
    inputs.extend(set.iter().flatten().map(|named| named.file.clone()));
    inputs.dedup();
    let tables = args.confidence.as_deref().map(|folder| Tables::prepare(folder, &names, &inputs));
    let tables = tables.transpose()?;
    watch::listen();
    let references = references(args, &set, &names)?;
    let measure = Measure {
        network: &network,
        card: &card,
        decoding,
        objective: args.minimise.into(),
        references: &references,
        keeps: args.keep.is_some(),
        tables,
        memory: args.memory.or_else(machine::free_memory),
    };
    let report = measured(args, &measure, set)?;
    for path in &args.output {
        let content = match ending(path)? {
            Ending::Json => format!("{:#}\n", report.to_json()).into_bytes(),
            Ending::Csv => report.to_csv().map_err(|error| {
                Failure::new(Exit::Internal, "internal", error.to_string(), "please report it")
            })?,
        };
        output::file(path, &content, &inputs)?;
    }
    print(args, &report);
    let missed = if report.missed() > 0 { Exit::Blocked } else { Exit::Done };
    Ok(report.exit().max(missed))
}

/// Refuses more sketches where all are the same.
pub fn refuse_same_sketches(config: &radar_net::Config) -> Result<(), Failure> {
    match config.draws() {
        true => Ok(()),
        false => Err(Failure::input(
            "unused-option",
            format!("--augment: this network (init {}) sees an instance in one way only", config.init),
            "leave it out",
        )),
    }
}

fn decoding(args: &Args) -> Result<Decoding, Failure> {
    let decode = match (args.decode, args.temperature) {
        (Choice::Sample, temperature) => Decode::Sample { temperature: temperature.unwrap_or(1.0) },
        (Choice::Greedy, None) => Decode::Greedy,
        (Choice::Greedy, Some(_)) => {
            let cause = "--temperature means nothing when the most probable node is chosen";
            return Err(Failure::input("unused-option", cause, "add --decode sample, or leave it out"));
        }
    };
    let is_json = |path: &PathBuf| matches!(ending(path), Ok(Ending::Json));
    if args.keep.is_some() && !args.json && !args.output.iter().any(is_json) {
        let cause = "--keep lists plans in the JSON report, and none is asked for";
        return Err(Failure::input("unused-option", cause, "add -o report.json or --json, or leave it out"));
    }
    Ok(Decoding {
        decode,
        starts: args.starts.map_or(Starts::All, |count| Starts::AtMost(count as usize)),
        augment: args.augment as usize,
        clip: args.clip,
        seed: args.seed,
        keep: args.keep.unwrap_or(1) as usize,
        confidence: args.confidence.is_some(),
    })
}

/// The instruction set to run on: exactly what was asked for, or the best.
pub fn isa(wanted: Option<Isa>) -> Result<Isa, Failure> {
    match wanted {
        Some(isa) if !isa.is_available() => {
            let available: Vec<String> = Isa::available().map(|isa| isa.to_string()).collect();
            let action = format!("give one of {}, or leave out --isa", available.join(", "));
            Err(Failure::input("isa-unavailable", format!("this machine has no {isa}"), action))
        }
        wanted => Ok(wanted.unwrap_or_else(Isa::best)),
    }
}

/// The forms of a report.
enum Ending {
    Json,
    Csv,
}

fn ending(path: &Path) -> Result<Ending, Failure> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match ending.as_str() {
        "json" => Ok(Ending::Json),
        "csv" => Ok(Ending::Csv),
        _ => {
            let cause = format!("the ending of `{}` stands for no form of a report", path.display());
            Err(Failure::input("ending-unknown", cause, "use .json or .csv"))
        }
    }
}

/// The names of the set. Results and references go by them, so that each may stand once.
fn names(set: &Set) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = set.iter().flatten().map(|named| named.name.clone()).collect();
    let mut seen = BTreeSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(names),
        Some(twice) => {
            let files = set.iter().flatten().filter(|named| named.name == *twice);
            let files: Vec<String> = files.map(|named| named.file.display().to_string()).collect();
            let cause = format!("two instances are called `{twice}` ({})", files.join(", "));
            Err(Failure::input("duplicate-name", cause, "rename one of the files"))
        }
    }
}

/// The references of the set: as given, as kept beside it, and solved where they are missing and wanted.
fn references(args: &Args, set: &Set, names: &[String]) -> Result<References, Failure> {
    let place = args.references.clone().or_else(|| references::beside(&args.input.file));
    let optional = args.references.is_none() || args.solve_references.is_some();
    let known = place.clone().filter(|path| !optional || path.exists());
    let known = match args.references.is_none() && known.is_none() {
        true => references::of_run(&args.input, args.minimise.into())?,
        false => known,
    };
    let mut references = match &known {
        Some(path) => References::read(path, names)?,
        None => References::default(),
    };
    if let (Some(path), None) = (&args.references, args.solve_references) {
        references.refuse_strangers(names).map_err(|failure| failure.of(&path.display().to_string()))?;
    }
    if let Some(budget) = args.solve_references {
        let place = place.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
        let place = place.ok_or_else(|| {
            let cause = "there is no place to keep the references";
            Failure::input("no-place", cause, "give --references FILE.json")
        })?;
        let inputs: Vec<PathBuf> = set.iter().flatten().map(|named| named.file.clone()).collect();
        output::allowed(&place, &inputs)?;
        let added = solved::fill(set, &mut references, budget, args.minimise.into(), args.seed)?;
        if added > 0 {
            references.write(&place, &inputs)?;
            output::complain(&format!(
                "note [references]: {added} references are kept in {}",
                place.display()
            ));
        }
    }
    Ok(references)
}

/// A bar with the time that is left; shown on a terminal only.
fn bar(count: usize, what: &'static str) -> ProgressBar {
    let bar = ProgressBar::new(count as u64).with_prefix(what);
    let template =
        "{spinner} {prefix} {bar:20} {pos}/{len} {elapsed}, {eta} left (Ctrl-C keeps what there is)";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(std::time::Duration::from_millis(200));
    bar
}

fn measured(args: &Args, measure: &Measure, set: Set) -> Result<Report, Failure> {
    let count = set.len();
    let need = set.iter().flatten().map(|named| measure.need(&named.problem, 1)).max().unwrap_or(0);
    let room = measure.memory.map_or(usize::MAX, |memory| (memory / need.max(1)) as usize);
    let lanes = Lanes::new(count, room);
    let bar = bar(count, "instances");
    let (cpu, clock) = (machine::cpu_time(), Instant::now());
    let outcomes = lanes.each(set, |named| {
        let outcome = measure.one(named, lanes.threads);
        bar.inc(1);
        outcome
    })?;
    let (wall, cpu_after) = (clock.elapsed(), machine::cpu_time());
    bar.finish_and_clear();
    Ok(Report {
        about: about(args, measure),
        headline: headline(args, measure, count),
        origin: measure.references.origin.clone(),
        outcomes: outcomes.into_iter().flatten().collect(),
        wall,
        cpu: cpu_after.zip(cpu).map(|(after, before)| after.saturating_sub(before)),
        threads: rayon::current_num_threads(),
        asked: count,
    })
}

/// What is the same for all instances.
fn about(args: &Args, measure: &Measure) -> Map<String, Value> {
    let Card { name, config, .. } = measure.card;
    let decode = match measure.decoding.decode {
        Decode::Greedy => json!({ "choice": "greedy" }),
        Decode::Sample { temperature } => json!({ "choice": "sample", "temperature": temperature }),
    };
    let about = json!({
        "set": args.input.file.display().to_string(),
        "model": {
            "name": name,
            "file": args.model.display().to_string(),
            "task": config.task,
            "parameters": measure.network.weights().count(),
        },
        "isa": measure.network.isa().to_string(),
        "decode": decode,
        "clip": measure.decoding.clip.map_or(config.clip, f64::from),
        "starts": args.starts,
        "augment": args.augment,
        "keep": measure.decoding.keep,
        "seed": args.seed,
    });
    about.as_object().cloned().unwrap_or_default()
}

fn headline(args: &Args, measure: &Measure, count: usize) -> String {
    let Card { name, config, .. } = measure.card;
    let decode = match measure.decoding.decode {
        Decode::Greedy => "greedy".to_owned(),
        Decode::Sample { temperature } => format!("sampled at temperature {temperature}"),
    };
    let starts = args
        .starts
        .map_or("all starts".to_owned(), |count| format!("at most {}", counted(count as usize, "start")));
    format!(
        "{}: {} by `{name}` ({}, {} weights) on {}, {decode}, {starts}, sketches {}, seed {}",
        args.input.file.display(),
        counted(count, "instance"),
        config.task,
        amounts::number(measure.network.weights().count() as f64, 0),
        measure.network.isa(),
        args.augment,
        args.seed
    )
}

fn print(args: &Args, report: &Report) {
    if args.json {
        output::line(&report.to_json().to_string());
        return;
    }
    const SHOWN: usize = 3;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for failure in report.failures() {
        let count = counts.entry(report::code(failure)).or_default();
        *count += 1;
        if *count <= SHOWN {
            failure.complain();
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN) {
        output::complain(&format!("and {} more [{code}]; --json lists all", count - SHOWN));
    }
    for (count, name, text) in report.warnings() {
        output::complain(&match count {
            1 => format!("warning: {name}: {text}"),
            _ => format!("warning: {count} instances, {name} among them: {text}"),
        });
    }
    let missed = report.missed();
    if missed > 0 {
        output::complain(&format!("interrupted, not evaluated: {}", counted(missed, "instance")));
    }
    report.lines().iter().for_each(|line| output::line(line));
}
