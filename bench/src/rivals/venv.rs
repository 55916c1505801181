//! The rivals' own Python, apart from any other on the machine.

use std::path::Path;
use std::process::Command;

/// Its interpreter, from the bench's folder.
pub const PYTHON: &str = ".venv/bin/python";

const REQUIREMENTS: &str = "rivals/requirements.txt";
/// What was installed: the same requirements are not installed twice.
const INSTALLED: &str = ".venv/installed.txt";

/// Makes the environment and installs every rival; says of each one that failed what pip said.
pub fn prepare() -> Result<Vec<String>, String> {
    let wanted = std::fs::read_to_string(REQUIREMENTS).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    if std::fs::read_to_string(INSTALLED).is_ok_and(|installed| installed == wanted) {
        return Ok(Vec::new());
    }
    if !Path::new(PYTHON).exists() {
        eprintln!("making bench/.venv");
        run(Command::new("python3").args(["-m", "venv", ".venv"]))?;
    }
    // One by one: a rival without a wheel for this machine must not keep the others out.
    let mut failures = Vec::new();
    for line in wanted.lines().filter(|line| !line.trim().is_empty()) {
        eprintln!("installing {line}");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--prefer-binary"];
        if let Err(why) = run(Command::new(PYTHON).args(pip).arg(line)) {
            failures.push(format!("{line}: {why}"));
        }
    }
    if failures.is_empty() {
        std::fs::write(INSTALLED, wanted).map_err(|error| format!("{INSTALLED}: {error}"))?;
    }
    Ok(failures)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(words.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("failed").to_owned())
}
