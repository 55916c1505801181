//! Fuzzing on the stable toolchain: seeded damages, panics caught, memory and time measured.

mod allocation;
#[path = "../../crates/radar-format/tests/mutate/mod.rs"]
mod mutate;
mod service;
mod target;
mod watch;

use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use radar_kernel::random::Stream;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// How many findings of one target are worth saving in a run.
const MOST_FINDINGS: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option =
        |name: &str| arguments.iter().position(|given| given == name).and_then(|at| arguments.get(at + 1));
    let number = |name: &str, standard: u64| option(name).map_or(Some(standard), |text| text.parse().ok());
    let names = target::names();
    let wanted: Vec<&str> = match arguments.first().map(String::as_str) {
        Some("all") => names.clone(),
        Some(name) if names.contains(&name) => vec![name],
        _ => {
            println!("TARGET|all [--seconds 60] [--seed 0] [--replay FILE]; targets: {}", names.join(", "));
            println!("--seconds are those of each target");
            return ExitCode::from(2);
        }
    };
    let (Some(seconds), Some(seed)) = (number("--seconds", 60), number("--seed", 0)) else {
        println!("--seconds and --seed take whole numbers");
        return ExitCode::from(2);
    };
    // Panics are findings; their traces would drown the report.
    std::panic::set_hook(Box::new(|_| {
        service::PANICS.fetch_add(1, Ordering::SeqCst);
    }));
    if let Some(path) = option("--replay") {
        return replay(wanted[0], Path::new(path));
    }
    watch::begin(save);
    let findings: usize = wanted.iter().map(|name| fuzz(name, Duration::from_secs(seconds), seed)).sum();
    ExitCode::from(u8::from(findings > 0))
}

fn replay(name: &str, path: &Path) -> ExitCode {
    let outcome =
        std::fs::read(path).map_err(|error| error.to_string()).and_then(|bytes| target::run(name, &bytes));
    println!("{name}: {outcome:?}");
    ExitCode::from(u8::from(outcome.is_err()))
}

/// Fuzzes one target for `time`, its seeds included, and reports; returns how many findings there were.
fn fuzz(name: &str, time: Duration, seed: u64) -> usize {
    let home = Path::new(HOME);
    let fixtures = home.join("../crates/radar-format/tests/fixtures");
    let mut pool = target::seeds(name, &home.join("corpus"), &fixtures);
    let (mut findings, mut read, mut executions) = (0, 0_u64, 0_u64);
    let begun = Instant::now();
    let seeds = pool.len();
    for bytes in &pool {
        findings += usize::from(!examined(name, bytes, &mut read));
    }
    if pool.is_empty() {
        pool.push(Vec::new());
    }
    let mut stream = Stream::new(seed, name, 0);
    while begun.elapsed() < time && findings < MOST_FINDINGS {
        let base = stream.index(pool.len());
        let other = stream.index(pool.len());
        let bytes = mutate::damaged(&pool[base], &pool[other], &mut |below| stream.index(below.max(1)));
        let before = read;
        findings += usize::from(!examined(name, &bytes, &mut read));
        executions += 1;
        // What is still read is a better start for further damage than what is not.
        if read > before && pool.len() < 512 && stream.index(16) == 0 {
            pool.push(bytes);
        }
    }
    let speed = executions as f64 / begun.elapsed().as_secs_f64();
    println!(
        "{name}: {seeds} seeds, {executions} executions, {speed:.0} per second, {read} read, {findings} findings"
    );
    findings
}

/// Runs an input and saves it if it is a finding.
fn examined(name: &str, bytes: &[u8], read: &mut u64) -> bool {
    match watch::watched(name, bytes, || target::run(name, bytes)) {
        Ok(was_read) => {
            *read += u64::from(was_read);
            true
        }
        Err(finding) => {
            save(name, bytes, &finding);
            false
        }
    }
}

/// Keeps a finding under a name that is the same for the same input.
fn save(name: &str, bytes: &[u8], finding: &str) {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let folder = Path::new(HOME).join("failures");
    let path = folder.join(format!("{name}-{hash:016x}"));
    let saved = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, bytes));
    println!("{name}: {finding}; {} ({saved:?})", path.display());
}
