//! Standard output, standard error and files.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Writes a line to standard output. A reader that went away ends the program quietly, as it should.
pub fn line(text: &str) {
    bytes(format!("{text}\n").as_bytes());
}

/// Writes bytes to standard output.
pub fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush())
        && error.kind() == ErrorKind::BrokenPipe
    {
        std::process::exit(0);
    }
}

/// Writes a line to standard error.
pub fn complain(text: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Writes a file in one piece: whatever stood there is whole until the new content is.
pub fn file(path: &Path, content: &[u8], inputs: &[&Path]) -> Result<(), Failure> {
    let refuse = |error: std::io::Error| {
        Failure::input(
            "cannot-write",
            format!("{}: {error}", path.display()),
            "choose a place that can be written",
        )
    };
    if let Ok(target) = path.canonicalize()
        && inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == target))
    {
        return Err(Failure::input(
            "would-overwrite-input",
            format!("{} is an input of this command", path.display()),
            "choose another output file",
        ));
    }
    let mut partial = PathBuf::from(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    partial.set_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = std::fs::write(&partial, content).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        refuse(error)
    })
}
