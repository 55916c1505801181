//! The arrows between crates point downward, and each crate knows only what it may.

use std::collections::BTreeSet;
use std::path::Path;

/// What each crate may depend on within the workspace, and which outside crates it alone may use.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("radar-problem", &[]),
    ("radar-kernel", &[]),
    ("radar-check", &["radar-problem"]),
    ("radar-bound", &["radar-kernel", "radar-problem"]),
    ("radar-search", &["radar-bound", "radar-kernel", "radar-problem"]),
    ("radar-sample", &["radar-kernel", "radar-problem"]),
    ("radar-rollout", &["radar-kernel", "radar-problem"]),
    ("radar-format", &["radar-check", "radar-problem"]),
    ("radar-net", &["radar-kernel", "radar-problem", "radar-rollout"]),
    (
        "radar-train",
        &[
            "radar-format",
            "radar-kernel",
            "radar-net",
            "radar-problem",
            "radar-rollout",
            "radar-sample",
            "radar-search",
        ],
    ),
    ("radar", &["radar-bound", "radar-check", "radar-net", "radar-problem", "radar-rollout", "radar-search"]),
    ("radar-machine", &[]),
    ("radar-wire", &["radar", "radar-check", "radar-format", "radar-problem", "radar-sample"]),
    ("radar-server", &["radar", "radar-check", "radar-format", "radar-net", "radar-problem", "radar-wire"]),
    (
        "radar-python",
        &[
            "radar",
            "radar-check",
            "radar-format",
            "radar-machine",
            "radar-net",
            "radar-sample",
            "radar-train",
            "radar-wire",
        ],
    ),
    (
        "radar-cli",
        &[
            "radar",
            "radar-check",
            "radar-format",
            "radar-kernel",
            "radar-machine",
            "radar-net",
            "radar-problem",
            "radar-rollout",
            "radar-sample",
            "radar-server",
            "radar-train",
            "radar-wire",
        ],
    ),
];

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The names under `[dependencies]` of a manifest.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| line.split(['.', ' ', '=']).next());
    names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[test]
fn arrows_point_downward() {
    for (name, allowed) in MAY_KNOW {
        let manifest =
            std::fs::read_to_string(workspace().join(name).join("Cargo.toml")).expect("a manifest");
        let known = dependencies(&manifest);
        for other in known.iter().filter(|other| other.starts_with("radar")) {
            assert!(allowed.contains(&other.as_str()), "{name} must not know {other}");
        }
        let json = known.contains("serde_json");
        // A model's card, and the metrics of a run, are JSON inside files of their own making.
        let may = ["radar-format", "radar-net", "radar-train"];
        let speaks = ["radar-wire", "radar-server", "radar-python", "radar-cli"];
        assert!(!json || may.contains(name) || speaks.contains(name), "{name} must not know JSON");
        let terminal = known.contains("clap") || known.contains("indicatif");
        assert!(!terminal || *name == "radar-cli", "{name} must not know terminals");
    }
}

#[test]
fn every_crate_is_listed() {
    let listed: BTreeSet<&str> = MAY_KNOW.iter().map(|(name, _)| *name).collect();
    for entry in std::fs::read_dir(workspace()).expect("the crates") {
        let name = entry.expect("a folder").file_name().to_string_lossy().into_owned();
        assert!(listed.contains(name.as_str()), "{name} has no rule here");
    }
}

/// Whether any source file of a crate mentions `word` outside comments.
fn mentions(name: &str, word: &str) -> Option<String> {
    let mut folders = vec![workspace().join(name).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a source folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            if code.into_iter().any(|line| line.contains(word)) {
                return Some(path.display().to_string());
            }
        }
    }
    None
}

/// The library and what stands above it.
const ABOVE: [&str; 4] = ["radar", "radar-server", "radar-python", "radar-cli"];

#[test]
fn no_clock_and_no_environment_below_the_library() {
    for (name, _) in MAY_KNOW.iter().filter(|(name, _)| !ABOVE.contains(name)) {
        for word in ["Instant::now", "SystemTime", "std::env::", "println!", "eprintln!"] {
            assert_eq!(mentions(name, word), None, "{name} uses {word}");
        }
    }
}

#[test]
fn unsafe_lives_in_the_kernel_alone() {
    for (name, _) in MAY_KNOW.iter().filter(|(name, _)| *name != "radar-kernel") {
        assert_eq!(mentions(name, "unsafe "), None, "{name}");
    }
}
