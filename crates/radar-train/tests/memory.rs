//! The forecast of memory against what the system says that runs took. A program of its own, without the usual harness:
//! it starts itself once for each run, so that every peak is that of one run alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use radar_problem::{Problem, Table};
use radar_train::ranks::Alone;
use radar_train::{Clock, Config, Outside, TrainError, start};

/// As the command has it.
#[global_allocator]
static ALLOCATOR: radar_kernel::allocator::LargePages = radar_kernel::allocator::LargePages;

/// Runs whose peaks are of different parts: keys over [`BASE`].
const RUNS: &[(&str, &[&str])] = &[
    ("weights", &["model.width=384", "model.hidden=768"]),
    ("weights, Muon", &["model.width=384", "model.hidden=768", "optimiser.kind=muon"]),
    ("weights, a running mean", &["model.width=384", "model.hidden=768", "ema=0.9"]),
    ("a batch", &["data.nodes=40", "batch=1500", "starts=2"]),
    // Just above a power of two steps, and just below one.
    ("trajectories", &["data.nodes=135", "batch=2", "chunk=1"]),
    ("longer trajectories", &["data.nodes=250", "batch=1", "chunk=1"]),
    (
        "trajectories of routes",
        &["model.task=vrp", "data.distribution=multitask", "data.nodes=180", "chunk=1"],
    ),
    ("imitation", &["loss.kind=imitation", "loss.search_steps=1", "data.nodes=250", "batch=1"]),
    ("a validation set", &["validation.count=200", "validation.nodes=100"]),
    ("road matrices", &["data.distribution=roads", "data.variant=ATSP", "validation.count=4"]),
    ("road matrices, written short", &["data.distribution=roads", "data.variant=ATSP", "name=short"]),
];

const BASE: &str = "
batch = 8
chunk = 2
compute = \"precise\"
[model]
width = 64
heads = 4
hidden = 128
layers = 2
[data]
nodes = 20
[validation]
count = 0
search_steps = 1
[budget]
steps = 1
";

/// How many points the road matrix has.
const POINTS: usize = 1500;

struct Still;

impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// A folder of this program, removed afterwards.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-memory-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Starts a run in a folder of its own, and stops it at once if it is only to be let in.
fn begin(run: usize, roads: &Path, memory: Option<u64>, is_stopped: bool) -> Result<(), TrainError> {
    let mut set: Vec<String> = RUNS[run].1.iter().map(|&text| text.to_owned()).collect();
    if set.iter().any(|key| key == "data.distribution=roads") {
        let file = if set.iter().any(|key| key == "name=short") { "short.csv" } else { "long.npz" };
        set.push(format!("data.roads={:?}", roads.join(file)));
    }
    let place = Place::new("run");
    let stop = || is_stopped;
    let outside = Outside { clock: &Still, memory, ranks: &Alone, stop: &stop, hear: &|_| () };
    start(Config::from_toml(BASE, &set).expect("sound"), &place.0.join("run"), None, &outside).map(|_| ())
}

/// The most memory that this process has had, in bytes.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(1024 * line.split_whitespace().next()?.parse::<u64>().ok()?)
}

/// Lays two files of road matrices into a folder: one with durations, and one in which a number is a digit.
fn lay_roads(folder: &Path) {
    let table = |factor: usize, most: usize| {
        let way = |at: usize| if at / POINTS == at % POINTS { 0.0 } else { ((at * factor) % most) as f64 };
        Table::from_values(POINTS, POINTS, (0..POINTS * POINTS).map(way).collect())
    };
    let long = Problem { duration: Some(table(7919, 1009)), ..Problem::atsp(table(104_729, 1009)) };
    let long = radar_format::write::problem("npz", &long).expect("npz");
    std::fs::write(folder.join("long.npz"), long).expect("written");
    let short = table(7919, 7);
    let line = |row: &[f64]| row.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n";
    let short: String =
        short.values().iter().copied().collect::<Vec<f64>>().chunks(POINTS).map(line).collect();
    std::fs::write(folder.join("short.csv"), short).expect("written");
}

fn main() {
    if peak().is_none() {
        return println!("the system does not tell how much memory was used");
    }
    // The forecast grows with the threads: on two, its other parts are seen.
    rayon::ThreadPoolBuilder::new().num_threads(2).build_global().expect("two threads");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, run, roads] = &arguments[..]
        && word == "take"
    {
        begin(run.parse().expect("a number"), Path::new(roads), None, false).expect("a run");
        return println!("{}", peak().expect("told"));
    }
    let roads = Place::new("roads");
    lay_roads(&roads.0);
    let mut failures = Vec::new();
    for (run, (name, _)) in RUNS.iter().enumerate() {
        let program = std::env::current_exe().expect("this program");
        let took =
            Command::new(program).args(["take", &run.to_string()]).arg(&roads.0).output().expect("it runs");
        assert!(took.status.success(), "{name}: {}", String::from_utf8_lossy(&took.stderr));
        let took: u64 = String::from_utf8_lossy(&took.stdout).trim().parse().expect("a number");
        let let_in = |memory: u64| match begin(run, &roads.0, Some(memory), true) {
            Err(error) if error.code == "too-little-memory" => Err(error.cause),
            other => other.map(|()| Ok(())).expect("a run"),
        };
        let (refused, admitted) = (let_in(took), let_in(2 * took));
        let forecast = refused.clone().err().unwrap_or_else(|| "no more than that was forecast".to_owned());
        println!("{name}: {:.0} MB; {forecast}", took as f64 / 1e6);
        if refused.is_ok() || admitted.is_err() {
            failures.push(name);
        }
    }
    assert!(failures.is_empty(), "the forecast is below what was taken, or above twice that: {failures:?}");
}
