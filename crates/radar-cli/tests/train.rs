//! Training by the real binary: signals, resumption, refusals.

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
}

#[test]
fn refusals_say_what_is_valid() {
    let folder = Folder::new("train-refuse");
    for (arguments, part) in [
        (&["train", "quik", "--out", "run"][..], "did you mean `quick`?"),
        (&["train", "none.toml", "--out", "run"], "none.toml"),
        (&["train", "quick", "--out", "run", "--set", "optimizer.lr=1"], "did you mean `optimiser`?"),
        (&["train", "quick", "--out", "run", "--budget", "soon"], "steps=500"),
        (&["train", "--out", "run", "--resume"], "config.toml"),
        (&["train", "quick", "--out", "run", "--data", "nowhere"], "nowhere"),
    ] {
        let (code, text) = folder.radar(arguments);
        assert!(code == 2 && text.contains(part), "{arguments:?}: {text}");
        assert!(!folder.0.join("run/config.toml").exists());
    }
}
