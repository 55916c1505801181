//! The same network in plain PyTorch, in a Python of its own: `torch/`.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const FOLDER: &str = ".venv-torch";
const PYTHON: &str = ".venv-torch/bin/python";
const PACKAGES: [&str; 3] = ["torch", "safetensors", "numpy"];
/// The recorded cases that it must pass before it counts.
const CASES: [&str; 2] = [
    "../crates/radar-net/tests/golden/atsp20.safetensors",
    "../crates/radar-net/tests/golden/acvrp20.safetensors",
];

/// What the peer said.
pub struct Timing {
    pub instances_per_second: f64,
    pub version: String,
}

/// Makes its environment, and has it pass the recorded cases.
pub fn prepare() -> Result<(), String> {
    let marker = Path::new(FOLDER).join("installed.txt");
    if !marker.exists() {
        eprintln!("making bench/{FOLDER} (a few GB, once)");
        run(Command::new("python3").args(["-m", "venv", FOLDER]))?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(Command::new(PYTHON).args(pip).args(PACKAGES))?;
        std::fs::write(&marker, PACKAGES.join("\n")).map_err(|error| error.to_string())?;
    }
    run(Command::new(PYTHON).arg("torch/golden.py").args(CASES)).map(|_| ())
}

/// Times it: `mode` is `inference` or `training`.
pub fn time(
    mode: &str,
    nodes: usize,
    width: usize,
    layers: usize,
    batch: usize,
    threads: usize,
    repeats: usize,
) -> Result<Timing, String> {
    let numbers = [nodes, width, layers, batch, threads, repeats].map(|number| number.to_string());
    let text = run(Command::new(PYTHON).arg("torch/clock.py").arg(mode).args(numbers))?;
    let value: Value =
        serde_json::from_str(text.trim()).map_err(|error| format!("torch/clock.py: {error}"))?;
    Ok(Timing {
        instances_per_second: value["instances_per_second"].as_f64().unwrap_or(0.0),
        version: value["torch"].as_str().unwrap_or_default().to_owned(),
    })
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("failed").to_owned())
}
