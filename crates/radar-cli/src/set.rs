//! The problems of a file, a set, or a folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::input::{Input, Named};

/// Every problem, or why there is none.
pub type Set = Vec<Result<Named, Failure>>;

/// Reads the set. Files of a folder whose names end in one of `beside` are passed over.
pub fn load(input: &Input, beside: &[&str]) -> Result<Set, Failure> {
    if !input.file.is_dir() {
        return Ok(input.load()?.into_iter().map(Ok).collect());
    }
    let mut set = Vec::new();
    for file in files(&input.file, beside)? {
        match input.stated.load(&file) {
            Ok(loaded) => set.extend(loaded.into_iter().map(Ok)),
            Err(failure) => set.push(Err(failure)),
        }
    }
    if set.is_empty() {
        let cause = format!("{} holds no problem", input.file.display());
        return Err(Failure::input("empty-folder", cause, "check the path"));
    }
    tell_apart(&mut set);
    Ok(set)
}

/// The files of a folder that may hold problems, in the order of their names.
fn files(folder: &Path, beside: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |error: std::io::Error| {
        let cause = format!("{}: {error}", folder.display());
        Failure::input("cannot-read", cause, "check the path and its permissions")
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_beside = beside.iter().any(|ending| name.ends_with(&format!(".{ending}")));
        if path.is_file() && !name.starts_with('.') && !is_beside {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Files that differ in their ending alone go by their whole name.
fn tell_apart(set: &mut Set) {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for named in set.iter().flatten() {
        *counts.entry(named.name.clone()).or_default() += 1;
    }
    for named in set.iter_mut().flatten().filter(|named| counts[&named.name] > 1) {
        let number = named.name.split_once('#').map(|(_, number)| format!("#{number}")).unwrap_or_default();
        let file = named.file.file_name().unwrap_or_default().to_string_lossy();
        named.name = format!("{file}{number}");
    }
}
