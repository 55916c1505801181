//! What the example program does, but for printing.

use radar_kernel::isa::Isa;

use super::{Fast, run};

/// What a program says and how it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// 0 if all is well, 1 if the case failed or is none, 2 if it was called wrongly.
    pub code: u8,
    /// For standard output.
    pub said: String,
    /// For standard error.
    pub complaint: String,
}

impl Outcome {
    fn refused(code: u8, complaint: impl ToString) -> Self {
        Self { code, said: String::new(), complaint: complaint.to_string() }
    }
}

/// Puts the fused network through the case in a file: `FILE [ISA]`.
pub fn program(arguments: &[String]) -> Outcome {
    let (path, isa) = match arguments {
        [path] => (path, Ok(Isa::best().precise())),
        [path, isa] => (path, isa.parse::<Isa>()),
        _ => return Outcome::refused(2, "usage: parity FILE [ISA]"),
    };
    let isa = match isa {
        Ok(isa) if isa.is_available() => isa,
        Ok(isa) => return Outcome::refused(2, format!("this machine does not have {isa}")),
        Err(unknown) => return Outcome::refused(2, unknown),
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::refused(1, format!("{path}: {error}")),
    };
    match run(&bytes, &Fast(isa)) {
        Err(error) => Outcome::refused(1, format!("{path}: {error}")),
        Ok(report) => {
            let (verdict, code) = if report.passed() { ("passed", 0) } else { ("FAILED", 1) };
            let said = format!("{report}{verdict}: largest error {:.2e}\n", report.worst());
            Outcome { code, said, complaint: String::new() }
        }
    }
}
