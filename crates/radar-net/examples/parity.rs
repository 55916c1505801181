//! Puts the network through a recorded case: prints the largest error of each activation, exits 1 beyond
//! the tolerance.
//!
//! `cargo run --release -p radar-net --example parity -- FILE`

use std::process::ExitCode;

use radar_kernel::isa::Isa;
use radar_net::parity::{Fast, run};

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: parity FILE");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    match run(&bytes, &Fast(Isa::best().precise())) {
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
        Ok(report) => {
            print!("{report}");
            println!(
                "{}: largest error {:.2e}",
                if report.passed() { "passed" } else { "FAILED" },
                report.worst()
            );
            if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
    }
}
