//! Puts the way back through a recorded case: prints the largest error of the loss and of every gradient,
//! relative to the largest entry recorded, and exits 1 beyond the tolerance.
//!
//! `cargo run --release -p radar-train --example parity -- --gradients FILE`

use std::process::ExitCode;

use radar_kernel::isa::Isa;
use radar_net::parity::run_gradients;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [flag, path] = arguments.as_slice() else {
        eprintln!("usage: parity --gradients FILE");
        return ExitCode::from(2);
    };
    if flag != "--gradients" {
        eprintln!("usage: parity --gradients FILE");
        return ExitCode::from(2);
    }
    let report = match std::fs::read(path) {
        Err(error) => Err(error.to_string()),
        Ok(bytes) => run_gradients(&bytes, Isa::best().precise()).map_err(|error| error.to_string()),
    };
    match report {
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
        Ok(report) => {
            print!("{report}");
            let verdict = if report.passed() { "passed" } else { "FAILED" };
            println!("{verdict}: largest error {:.2e}", report.worst());
            if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}
