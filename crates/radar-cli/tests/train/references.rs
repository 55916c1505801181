//! The validation set of a run and its references, in the hands of `radar eval`.

use crate::Folder;

#[test]
fn a_validation_set_brings_its_references() {
    let folder = Folder::new("train-eval");
    let (code, text) = folder.radar(&["train", "small.toml", "--out", "run", "--budget", "steps=1"]);
    assert!(code == 0 && text.contains("against 3 references, 3 proved optimal"), "{text}");
    let set = ["eval", "run/validation.npz", "--model"];
    let (code, text) = folder.radar(&[&set[..], &["run/best.safetensors"]].concat());
    assert!(code == 0 && text.contains("against 3 references (3 proved optimal), from search"), "{text}");
    // Other sets are not taken for it.
    std::fs::copy(folder.0.join("run/validation.npz"), folder.0.join("run/other.npz")).expect("copied");
    let (code, text) =
        folder.radar(&["eval", "run/other.npz", "--model", "run/best.safetensors", "--augment", "1"]);
    assert!(code == 0 && text.contains("no references"), "{text}");
    let (code, text) = folder.radar(&[&set[..], &["run/best.safetensors", "--augment", "1025"]].concat());
    assert!(code == 2 && text.contains("1024"), "{text}");
    // The state is no model.
    let state = "run/state.safetensors";
    assert_eq!(folder.radar(&["generate", "tmat", "-n", "5", "-o", "tour.json"]).0, 0);
    for arguments in [
        &[&set[..], &[state]].concat()[..],
        &["train", "small.toml", "--out", "next", "--init", state],
        &["solve", "tour.json", "--method", "neural", "--model", state],
        &["model", "show", state],
        &["model", "import", state, "-o", "other.safetensors"],
    ] {
        let (code, text) = folder.radar(arguments);
        assert!(code == 2 && text.contains("state of a run") && text.contains("last.safetensors"), "{text}");
        assert!(!text.contains("model import"), "{text}");
    }
    let other =
        ["train", "small.toml", "--out", "next", "--init", "run/last.safetensors", "--set", "model.width=8"];
    let (code, text) = folder.radar(&other);
    assert!(code == 2 && text.contains("`model.width`") && text.contains("of the weights"), "{text}");
}

/// A gap against what it does not belong to would be a lie.
#[test]
fn references_are_of_their_set_and_of_what_is_minimised() {
    let folder = Folder::new("train-gap");
    let steps = ["--budget", "steps=1"];
    let set = ["--set", "data.distribution=city", "--set", "data.minimise=duration"];
    let (code, text) = folder.radar(&[&["train", "small.toml", "--out", "run"][..], &set, &steps].concat());
    assert_eq!(code, 0, "{text}");
    assert_eq!(folder.radar(&[&["train", "small.toml", "--out", "other"][..], &steps].concat()).0, 0);
    let eval = |rest: &[&str]| {
        folder.radar(&[&["eval", "run/validation.npz", "--model", "run/best.safetensors"][..], rest].concat())
    };
    let (code, text) = eval(&[]);
    assert!(
        code == 2 && text.contains("[other-references]") && text.contains("--minimise duration"),
        "{text}"
    );
    let (code, text) = eval(&["--minimise", "duration"]);
    assert!(code == 0 && text.contains("of the least duration") && text.contains("mean gap"), "{text}");
    assert!(!text.contains("mean gap -"), "{text}");
    let set = ["--set", "model.task=acvrp", "--set", "data.distribution=acvrp"];
    let (code, text) =
        folder.radar(&[&["train", "small.toml", "--out", "routes"][..], &set, &steps].concat());
    assert_eq!(code, 0, "{text}");
    let routes = ["eval", "routes/validation.npz", "--model", "routes/best.safetensors"];
    assert!(folder.radar(&routes).1.contains("against 3 references"));
    let (code, text) = folder.radar(&[&routes[..], &["--capacity", "1000"]].concat());
    assert!(code == 2 && text.contains("[other-references]") && text.contains("command line"), "{text}");
    // References of one's own are one's own affair.
    std::fs::write(folder.0.join("own.json"), "[1, 2, 3]").expect("written");
    let (code, text) = eval(&["--references", "own.json"]);
    assert!(code == 0 && text.contains("from own.json"), "{text}");
    std::fs::copy(folder.0.join("other/validation.npz"), folder.0.join("run/validation.npz"))
        .expect("copied");
    let (code, text) = eval(&["--minimise", "duration"]);
    assert!(code == 2 && text.contains("[other-references]") && text.contains("another set"), "{text}");
    // Those of before do not say whose they are.
    let path = folder.0.join("other/references.json");
    let content = std::fs::read_to_string(&path).expect("a file");
    let mut kept: serde_json::Value = serde_json::from_str(&content).expect("JSON");
    for key in ["minimise", "file"] {
        assert!(kept.as_object_mut().and_then(|map| map.remove(key)).is_some(), "{key}");
    }
    std::fs::write(&path, kept.to_string()).expect("written");
    let (code, text) = folder.radar(&["eval", "other/validation.npz", "--model", "other/best.safetensors"]);
    assert!(code == 0 && text.contains("against 3 references"), "{text}");
}

#[test]
fn a_gap_without_references_is_against_nothing() {
    let folder = Folder::new("train-gone");
    assert_eq!(folder.radar(&["train", "small.toml", "--out", "run", "--budget", "steps=1"]).0, 0);
    let path = folder.0.join("run/references.json");
    let content = std::fs::read_to_string(&path).expect("a file");
    let mut kept: serde_json::Value = serde_json::from_str(&content).expect("JSON");
    kept["references"] = serde_json::json!([null, null, null]);
    // As a file of before there was a sum, which would tell.
    kept.as_object_mut().map(|map| map.remove("sum"));
    std::fs::write(&path, kept.to_string()).expect("written");
    let (code, text) = folder.radar(&["train", "--out", "run", "--resume"]);
    let line = text.lines().find(|line| line.contains("best validation")).unwrap_or_default();
    assert!(code == 0 && line.contains("gap") && !line.contains("against"), "{text}");
}
