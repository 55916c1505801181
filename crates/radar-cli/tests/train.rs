//! Training by the real binary: signals, resumption, refusals.

#[path = "train/configuration.rs"]
mod configuration;
#[path = "train/references.rs"]
mod references;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const SMALL: &str = "
batch = 4
log_every = 1
save_every = 5
[model]
width = 16
heads = 2
hidden = 16
layers = 1
mix_hidden = 4
rank = 3
[data]
nodes = 7
[validation]
count = 3
every = 5
[budget]
steps = 1000000
";

/// A folder of its own for each test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a fresh folder");
        std::fs::write(path.join("small.toml"), SMALL).expect("written");
        Self(path)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_radar"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    fn radar(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.command(arguments).output().expect("it runs");
        (output.status.code().expect("not killed"), said(&output))
    }

    /// Starts a run and waits until it is under way.
    fn begin(&self) -> Child {
        let mut command = self.command(&["train", "small.toml", "--out", "run"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let begun = Instant::now();
        while std::fs::metadata(self.0.join("run/metrics.jsonl")).map_or(0, |file| file.len()) < 4000 {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing happens");
            std::thread::sleep(Duration::from_millis(20));
        }
        child
    }

    fn steps(&self) -> Vec<u64> {
        let text = std::fs::read_to_string(self.0.join("run/metrics.jsonl")).expect("a journal");
        let lines = text.lines().filter(|line| line.contains("\"train\""));
        let step = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            value["step"].as_u64().expect("a number")
        };
        lines.map(step).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.clone(), output.stderr.clone()].concat()).into_owned()
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("a signal");
    assert!(sent.success());
}

fn is_whole(folder: &Path) -> bool {
    ["config.toml", "state.safetensors", "last.safetensors", "best.safetensors", "curve.svg"]
        .iter()
        .all(|name| folder.join("run").join(name).is_file())
}

#[test]
fn signals_save_and_stop_and_resuming_goes_on() {
    let folder = Folder::new("train-signal");
    for name in ["-TERM", "-INT"] {
        let _ = std::fs::remove_dir_all(folder.0.join("run"));
        let child = folder.begin();
        signal(&child, name);
        // Some launchers say it twice.
        signal(&child, name);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && said(&output).contains("--resume"), "{}", said(&output));
        assert!(is_whole(&folder.0));
        let last = *folder.steps().last().expect("steps");
        let budget = format!("steps={}", last + 3);
        let (code, text) = folder.radar(&["train", "--out", "run", "--resume", "--budget", &budget]);
        assert!(code == 0 && text.contains("done"), "{text}");
        assert_eq!(folder.steps(), (1..=last + 3).collect::<Vec<u64>>());
    }
}

#[test]
fn a_kill_leaves_a_run_that_goes_on() {
    let folder = Folder::new("train-kill");
    let child = folder.begin();
    signal(&child, "-KILL");
    child.wait_with_output().expect("it ends");
    let last = *folder.steps().last().expect("steps");
    let budget = format!("steps={last}");
    let (code, text) =
        folder.radar(&["train", "small.toml", "--out", "run", "--resume", "--budget", &budget]);
    assert!(code == 0 && text.contains("done"), "{text}");
    assert_eq!(folder.steps(), (1..=last).collect::<Vec<u64>>());
    let (code, text) =
        folder.radar(&["train", "small.toml", "--out", "run", "--resume", "--set", "optimiser.lr=1"]);
    assert!(code == 2 && text.contains("`optimiser.lr`"), "{text}");
}

#[test]
fn what_changed_behind_a_run_is_told() {
    let folder = Folder::new("train-changed");
    assert_eq!(folder.radar(&["train", "small.toml", "--out", "run", "--budget", "steps=2"]).0, 0);
    let resume = |rest: &[&str]| {
        folder.radar(&[&["train", "--out", "run", "--resume", "--budget", "steps=3"][..], rest].concat())
    };
    for (rest, words) in [("batch=8", "`batch`"), ("nonsense=1", "`nonsense`")] {
        let (code, text) = resume(&["--set", rest]);
        assert!(code == 2 && text.contains(words), "{text}");
    }
    let path = |name: &str| folder.0.join("run").join(name);
    let change = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = std::fs::read(path(name)).expect("a file");
        let before = bytes.clone();
        change(&mut bytes);
        assert_ne!(bytes, before, "{name}");
        std::fs::write(path(name), bytes).expect("written");
        before
    };
    let config = change("config.toml", &|bytes| {
        *bytes = String::from_utf8_lossy(bytes).replace("seed = 1", "seed = 9").into_bytes();
    });
    let (code, text) = resume(&[]);
    assert!(code == 2 && text.contains("[other-configuration]") && text.contains("`seed`"), "{text}");
    std::fs::write(path("config.toml"), config).expect("written");
    let state = change("state.safetensors", &|bytes| *bytes.last_mut().expect("bytes") ^= 1);
    let (code, text) = resume(&[]);
    assert!(code == 2 && text.contains("[bad-state]"), "{text}");
    std::fs::write(path("state.safetensors"), state).expect("written");
    change("metrics.jsonl", &|bytes| bytes.truncate(bytes.len() - 5));
    let (code, text) = resume(&[]);
    assert!(code == 0 && text.contains("metrics.jsonl"), "{text}");
    let metrics = std::fs::read_to_string(path("metrics.jsonl")).expect("a file");
    for line in metrics.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
}

#[test]
fn weights_alone_are_a_beginning() {
    let folder = Folder::new("train-init");
    let first = ["train", "small.toml", "--out", "run", "--budget", "steps=2"];
    assert_eq!(folder.radar(&first).0, 0);
    let (code, text) = folder.radar(&first);
    assert!(code == 2 && text.contains("--resume"), "{text}");
    let init = ["--init", "run/last.safetensors", "--budget", "instances=6", "--set", "loss.kind=preference"];
    let (code, text) = folder.radar(&[&["train", "small.toml", "--out", "next"][..], &init].concat());
    assert!(code == 0 && text.contains("6 instances in 2 steps"), "{text}");
}

#[test]
fn what_happens_is_said_where_there_is_no_terminal() {
    let folder = Folder::new("train-lines");
    let arguments = ["train", "small.toml", "--out", "run", "--budget", "steps=6"];
    let (code, text) = folder.radar(&[&arguments[..], &["--set", "validation.count=0"]].concat());
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("step 1, 4 instances, ")).collect();
    assert!(code == 0 && lines.len() == 1 && lines[0].contains("best cost of the starts"), "{text}");
    let (code, text) = folder.radar(&["train", "small.toml", "--out", "next", "--budget", "steps=6"]);
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("validation: cost ")).collect();
    assert!(code == 0 && lines.len() == 3, "{text}");
    assert!(lines.iter().all(|line| line.matches("gap").count() == 1), "{text}");
    assert!(lines[1].contains("step 5, 20 instances"), "{text}");
    let one = ["train", "small.toml", "--out", "one", "--budget", "steps=1", "--set", "batch=1"];
    let (code, text) = folder.radar(&[&one[..], &["--set", "validation.count=0"]].concat());
    assert!(code == 0 && text.contains("step 1, 1 instance, "), "{text}");
}

/// A launcher's processes that have no MPI to speak through: the first says so for all.
#[cfg(not(feature = "mpi"))]
#[test]
fn only_the_first_of_several_processes_complains() {
    let folder = Folder::new("train-ranks");
    let launchers = [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")];
    let ranks = [("0", true), ("1", false)];
    for ((size, of), (rank, is_heard)) in launchers.iter().flat_map(|&names| ranks.map(|rank| (names, rank)))
    {
        let mut command = folder.command(&["train", "quick", "--out", "run"]);
        command.env(size, "2").env(of, rank);
        let output = command.output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(said(&output).contains("[no-mpi]"), is_heard, "{}", said(&output));
        assert_eq!(said(&output).is_empty(), !is_heard, "{}", said(&output));
    }
}

#[test]
fn roads_of_ones_own() {
    let folder = Folder::new("train-roads");
    std::fs::create_dir(folder.0.join("roads")).expect("a folder");
    for seed in ["1", "2"] {
        let out = format!("roads/{seed}.npz");
        let city = ["generate", "city", "-n", "30", "--seed", seed, "--to", "npz-city", "-o", &out];
        let (code, text) = folder.radar(&city);
        assert_eq!(code, 0, "{text}");
    }
    let arguments = ["train", "small.toml", "--out", "run", "--data", "roads", "--budget", "steps=2"];
    let (code, text) = folder.radar(&arguments);
    assert!(code == 0 && text.contains("8 instances"), "{text}");
    let config = std::fs::read_to_string(folder.0.join("run/config.toml")).expect("a configuration");
    assert!(config.contains("distribution = \"roads\"") && config.contains("variant = \"ATSP\""), "{config}");
    // Weights of elsewhere go on with them.
    let tuned =
        ["train", "small.toml", "--out", "tuned", "--init", "run/last.safetensors", "--data", "roads/2.npz"];
    let (code, text) = folder.radar(&[&tuned[..], &["--budget", "steps=2"]].concat());
    assert!(code == 0 && text.contains("8 instances in 2 steps"), "{text}");
    // It goes on from anywhere.
    let run = folder.0.join("run").display().to_string();
    let mut elsewhere = folder.command(&["train", "--out", &run, "--resume", "--set", "budget.steps=3"]);
    let output = elsewhere.current_dir(std::env::temp_dir()).output().expect("it runs");
    assert!(output.status.success() && said(&output).contains("12 instances"), "{}", said(&output));
    // What there is no room for is not read.
    let big = ["generate", "city", "-n", "1200", "--to", "npz-city", "-o", "big.npz"];
    assert_eq!(folder.radar(&big).0, 0);
    let big = ["train", "small.toml", "--out", "big", "--data", "big.npz", "--memory", "30M"];
    let (code, text) = folder.radar(&[&big[..], &["--budget", "steps=1"]].concat());
    assert!(
        code == 2 && text.contains("[too-little-memory]") && text.contains("for road matrices"),
        "{text}"
    );
    assert!(text.contains("`data.roads` (--data)") && !folder.0.join("big/config.toml").exists(), "{text}");
    std::fs::copy(folder.0.join("roads/2.npz"), folder.0.join("roads/1.npz")).expect("copied");
    let (code, text) = folder.radar(&["train", "--out", "run", "--resume", "--budget", "steps=4"]);
    assert!(code == 2 && text.contains("[other-data]") && text.contains("1.npz"), "{text}");
}

#[test]
fn what_does_not_fit_is_refused_before_it_begins() {
    let folder = Folder::new("train-memory");
    for set in [
        &["model.width=8192", "model.layers=128"][..],
        &["batch=1048576", "data.nodes=100"],
        &["data.nodes=2000", "batch=1", "validation.count=0"],
        &["validation.count=100000", "validation.nodes=200"],
        &["data.nodes=20000"],
    ] {
        let mut arguments = vec!["train", "quick", "--out", "run", "--budget", "steps=1", "--memory", "20G"];
        set.iter().for_each(|set| arguments.extend(["--set", set]));
        let (code, text) = folder.radar(&arguments);
        assert!(code == 2 && text.contains("[too-little-memory]"), "{set:?}: {text}");
        assert!(!folder.0.join("run").exists());
    }
}

/// It takes about ten milliseconds to draw a city.
#[test]
fn a_stop_is_heard_while_a_batch_is_drawn() {
    let folder = Folder::new("train-draw");
    let set = ["--set", "data.distribution=city", "--set", "data.nodes=100", "--set", "batch=20000"];
    let rest = ["--set", "validation.count=0", "--memory", "100G"];
    let mut command = folder.command(&[&["train", "small.toml", "--out", "run"][..], &set, &rest].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let begun = Instant::now();
    while !folder.0.join("run/curve.svg").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing happens");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    let told = Instant::now();
    signal(&child, "-INT");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && said(&output).contains("stopped"), "{}", said(&output));
    assert!(told.elapsed() < Duration::from_secs(20), "{:?}", told.elapsed());
}

#[test]
fn wrong_words_are_said_once() {
    let folder = Folder::new("train-words");
    for (rank, is_heard) in [("0", true), ("1", false)] {
        let mut command = folder.command(&["train", "quick", "--oops"]);
        let output = command.env("OMPI_COMM_WORLD_RANK", rank).output().expect("it runs");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(said(&output).contains("--oops"), is_heard, "{}", said(&output));
        assert_eq!(said(&output).is_empty(), !is_heard, "{}", said(&output));
    }
}
