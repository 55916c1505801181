//! Standard output, standard error and files.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use radar::Finding;

use crate::failure::{Exit, Failure};

/// Writes a line to standard output.
pub fn line(text: &str) {
    bytes(format!("{text}\n").as_bytes());
}

/// Writes bytes to standard output. A reader that went away ends the program quietly, as it should; a
/// full disk does not.
pub fn bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            std::process::exit(Exit::Done as i32);
        }
        complain(&format!("error [cannot-write]: standard output: {error}"));
        std::process::exit(Exit::BadInput as i32);
    }
}

/// Writes a line to standard error.
pub fn complain(text: &str) {
    // Nobody is left to tell when this fails.
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says findings on standard error: the first few of each kind.
pub fn findings<'a>(source: &str, findings: impl Iterator<Item = &'a Finding>) {
    const SHOWN: usize = 5;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        let count = counts.entry(finding.code.as_str()).or_default();
        *count += 1;
        if *count <= SHOWN {
            complain(&format!("{source}: {finding}"));
        }
    }
    for (code, count) in counts.into_iter().filter(|(_, count)| *count > SHOWN) {
        complain(&format!("{source}: and {} more [{code}]; `radar info` lists all", count - SHOWN));
    }
}

/// Refuses an output that is also an input, or whose folder does not exist: better before the work.
pub fn allowed(path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if let Ok(target) = path.canonicalize()
        && inputs.iter().any(|input| input.canonicalize().is_ok_and(|input| input == target))
    {
        return Err(Failure::input(
            "would-overwrite-input",
            format!("{} is an input of this command", path.display()),
            "choose another output file",
        ));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let missing = folder.is_some_and(|folder| !folder.is_dir());
    if missing || path.is_dir() {
        let cause = if missing { "its folder does not exist" } else { "it is a folder" };
        return Err(cannot_write(path, cause));
    }
    Ok(())
}

/// The same, and that something can be written there, by trying.
pub fn writable(path: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    allowed(path, inputs)?;
    let target = target(path);
    if std::fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return Ok(());
    }
    let partial = partial(&target);
    let tried = std::fs::write(&partial, []).and_then(|()| std::fs::remove_file(&partial));
    tried.map_err(|error| cannot_write(path, error))
}

/// Where a link leads.
fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Where the content of a file stands until it is whole.
fn partial(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

fn cannot_write(path: &Path, cause: impl std::fmt::Display) -> Failure {
    Failure::input(
        "cannot-write",
        format!("{}: {cause}", path.display()),
        "choose a place that can be written",
    )
}

/// Makes a folder for outputs.
pub fn folder(path: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(path).map_err(|error| cannot_write(path, error))
}

/// Writes a file in one piece: whatever stood there is whole until the new content is. A link is
/// followed, and permissions stay.
pub fn file(path: &Path, content: &[u8], inputs: &[PathBuf]) -> Result<(), Failure> {
    allowed(path, inputs)?;
    let target = target(path);
    if std::fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        // A device or a pipe is written to, not replaced.
        return std::fs::write(&target, content).map_err(|error| cannot_write(path, error));
    }
    let partial = partial(&target);
    let written = std::fs::write(&partial, content)
        .and_then(|()| match std::fs::metadata(&target) {
            Ok(old) => std::fs::set_permissions(&partial, old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| std::fs::rename(&partial, &target));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&partial);
        cannot_write(path, error)
    })
}
