//! Every code that programs may meet is in the documentation, and nothing there is made up.

use std::collections::BTreeSet;
use std::path::Path;

const DOCUMENT: &str = include_str!("../../../docs/formats.md");

/// The code of every source file, tests and comments left out.
fn sources() -> Vec<String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source file");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            texts.push(code.lines().filter(|line| !line.trim_start().starts_with("//")).collect());
        }
    }
    texts
}

/// The texts that are the first argument of `call`.
fn first_arguments(call: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in sources() {
        for rest in text.split(call).skip(1) {
            let literal = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
            found.extend(literal.map(str::to_owned));
        }
    }
    found
}

/// What the first column of the table below `title` names.
fn documented(title: &str) -> BTreeSet<String> {
    let section = DOCUMENT.split(&format!("## {title}\n")).nth(1).expect(title);
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    rows.map(str::to_owned).collect()
}

#[test]
fn every_error_is_documented() {
    let mut codes = first_arguments("FormatError::new(");
    codes.extend(first_arguments("Self::new("));
    assert!(codes.len() > 40, "the scan finds too little: {codes:?}");
    assert_eq!(codes, documented("Errors"));
}

#[test]
fn every_note_is_documented() {
    let codes = first_arguments("Note::new(");
    assert!(codes.len() > 20, "the scan finds too little: {codes:?}");
    assert_eq!(codes, documented("Notes"));
}

#[test]
fn codes_that_are_chosen_elsewhere_are_documented_too() {
    // Where a code is no literal at the call, it is still a text of the source: words joined by hyphens.
    let known: BTreeSet<String> = documented("Errors").into_iter().chain(documented("Notes")).collect();
    let others = ["json-lines", "npz-paper", "npz-rrnco", "npz-city", "marker-color", "max-duration"];
    for text in sources() {
        for literal in text.split('"') {
            let hyphenated = literal.contains('-') && literal.split('-').all(|word| !word.is_empty());
            let plain = literal.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if hyphenated && plain && !others.contains(&literal) {
                assert!(known.contains(literal), "`{literal}` is not in docs/formats.md");
            }
        }
    }
}
