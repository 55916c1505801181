//! Puts the network through a recorded case: prints the largest error of each activation, exits 1 beyond
//! the tolerance.
//!
//! `cargo run --release -p radar-net --example parity -- FILE [ISA]`
//!
//! Products keep all digits of an f32 unless an instruction set is named; `amx` rounds their factors, and is
//! beyond the tolerance. With `--features emulated-tiles` any machine has it.

use std::process::ExitCode;

use radar_kernel::isa::Isa;
use radar_net::parity::{Fast, run};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: parity FILE [ISA]");
        return ExitCode::from(2);
    };
    let isa = match arguments.next().map_or(Ok(Isa::best().precise()), |name| name.parse::<Isa>()) {
        Ok(isa) if isa.is_available() => isa,
        Ok(isa) => {
            eprintln!("this machine does not have {isa}");
            return ExitCode::from(2);
        }
        Err(unknown) => {
            eprintln!("{unknown}");
            return ExitCode::from(2);
        }
    };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    match run(&bytes, &Fast(isa)) {
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
