//! Puts the network through a recorded case: prints the largest error of each activation, exits 1 beyond
//! the tolerance.
//!
//! `cargo run --release -p radar-net --example parity -- FILE [ISA]`
//!
//! Products keep all digits of an f32 unless an instruction set is named; `amx` rounds their factors, and is
//! beyond the tolerance. With `--features emulated-tiles` any machine has it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = radar_net::parity::program(&arguments);
    print!("{}", outcome.said);
    if !outcome.complaint.is_empty() {
        eprintln!("{}", outcome.complaint);
    }
    ExitCode::from(outcome.code)
}
