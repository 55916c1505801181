//! What a run is told: files, presets, single keys, budgets.

use crate::{Folder, SMALL, said};

#[test]
fn a_budget_may_grow_in_any_way() {
    let folder = Folder::new("train-budget");
    assert_eq!(folder.radar(&["train", "small.toml", "--out", "run", "--budget", "steps=2"]).0, 0);
    std::fs::write(folder.0.join("four.toml"), SMALL.replace("steps = 1000000", "steps = 4"))
        .expect("written");
    for (given, steps) in [
        (&["--set", "budget.steps=3"][..], 3),
        (&["four.toml"], 4),
        (&["four.toml", "--set", "budget.steps=9", "--budget", "steps=5"], 5),
    ] {
        let (code, text) = folder.radar(&[&["train", "--out", "run", "--resume"][..], given].concat());
        assert!(code == 0 && text.contains(&format!("in {steps} steps")), "{given:?}: {text}");
        assert!(!text.contains("is spent"), "{text}");
    }
    let (code, text) = folder.radar(&["train", "--out", "run", "--resume"]);
    assert!(code == 0 && text.contains("is spent (steps=5)") && text.contains("--budget steps=10"), "{text}");
}

#[test]
fn a_preset_does_not_change_the_budget_of_a_run() {
    let folder = Folder::new("train-preset-budget");
    let quick = ["train", "quick", "--out", "run", "--set", "validation.count=0", "--set", "batch=2"];
    assert_eq!(folder.radar(&[&quick[..], &["--budget", "steps=2"]].concat()).0, 0);
    let (code, text) = folder.radar(&[&quick[..], &["--resume"]].concat());
    assert!(code == 0 && text.contains("is spent (steps=2)"), "{text}");
}

#[test]
fn a_network_of_routes_brings_its_task() {
    let folder = Folder::new("train-routes");
    let routes = SMALL.replace("nodes = 7", "nodes = 7\ndistribution = \"acvrp\"");
    let model = &SMALL[SMALL.find("[model]").expect("there")..SMALL.find("[data]").expect("there")];
    std::fs::write(folder.0.join("bare.toml"), routes.replace(model, "")).expect("written");
    std::fs::write(folder.0.join("routes.toml"), routes.replace("[model]", "[model]\ntask = \"acvrp\""))
        .expect("written");
    let first = ["train", "routes.toml", "--out", "run", "--budget", "steps=1"];
    assert_eq!(folder.radar(&first).0, 0);
    let next =
        ["train", "bare.toml", "--out", "next", "--init", "run/last.safetensors", "--budget", "steps=1"];
    let (code, text) = folder.radar(&next);
    assert!(code == 0 && text.contains("4 instances in 1 step,"), "{text}");
}

#[test]
fn limits_that_are_given_together_hold_together() {
    let folder = Folder::new("train-both");
    let both = ["--set", "budget.steps=2", "--set", "budget.time=1h"];
    let (code, text) = folder.radar(&[&["train", "small.toml", "--out", "run"][..], &both].concat());
    assert!(code == 0 && text.contains("8 instances in 2 steps"), "{text}");
    let config = std::fs::read_to_string(folder.0.join("run/config.toml")).expect("a configuration");
    assert!(config.contains("steps = 2\n") && config.contains("time = \"3600s\""), "{config}");
    // One that is spent already is refused, and changes nothing.
    let files = ["config.toml", "metrics.jsonl", "state.safetensors"];
    let read = || files.map(|name| std::fs::read(folder.0.join("run").join(name)).expect("a file"));
    let before = read();
    let (code, text) = folder.radar(&["train", "--out", "run", "--resume", "--budget", "steps=1"]);
    assert!(code == 2 && text.contains("[budget-spent]"), "{text}");
    assert!(
        text.contains("steps=1 is less than the 2 already used") && text.contains("3600s and steps=2"),
        "{text}"
    );
    assert_eq!(read(), before);
    // So do those that are given in two ways.
    let both = ["--set", "budget.steps=3", "--budget", "2h"];
    for out in [&["small.toml", "--out", "next"][..], &["--resume", "--out", "run"]] {
        let (code, text) = folder.radar(&[&["train"][..], out, &both].concat());
        assert!(code == 0 && text.contains("12 instances in 3 steps"), "{text}");
        let config =
            std::fs::read_to_string(folder.0.join(out[2]).join("config.toml")).expect("a configuration");
        assert!(config.contains("steps = 3\n") && config.contains("time = \"7200s\""), "{config}");
    }
}

#[test]
fn a_run_goes_on_with_the_file_that_it_began_with() {
    let folder = Folder::new("train-again");
    let city = ["generate", "city", "-n", "30", "--seed", "1", "--to", "npz-city", "-o", "city.npz"];
    assert_eq!(folder.radar(&city).0, 0);
    let wide = SMALL.replace("width = 16", "width = 32");
    std::fs::write(folder.0.join("wide.toml"), &wide).expect("written");
    let steps = ["--budget", "steps=2"];
    let begin = |file: &str, out: &str, rest: &[&str]| {
        let (code, text) = folder.radar(&[&["train", file, "--out", out], rest, &steps].concat());
        assert_eq!(code, 0, "{text}");
    };
    begin("small.toml", "run", &[]);
    begin("wide.toml", "init", &["--init", "run/last.safetensors"]);
    begin("small.toml", "data", &["--data", "city.npz"]);
    let go_on = |file: &str, out: &str| {
        folder.radar(&["train", file, "--out", out, "--resume", "--budget", "steps=3"])
    };
    for (file, out) in [("small.toml", "run"), ("wide.toml", "init"), ("small.toml", "data")] {
        let (code, text) = go_on(file, out);
        assert!(code == 0 && text.contains("in 3 steps"), "{out}: {text}");
    }
    // What is another run is still another.
    let (code, text) = go_on("wide.toml", "run");
    assert!(code == 2 && text.contains("[other-configuration]") && text.contains("`model.width`"), "{text}");
    for change in [("seed = 2\n", ""), ("", "distribution = \"roads\"\nroads = \"run\"")] {
        let other =
            format!("{}{}", change.0, SMALL.replace("nodes = 7", &format!("nodes = 7\n{}", change.1)));
        std::fs::write(folder.0.join("other.toml"), other).expect("written");
        let (code, text) = go_on("other.toml", "data");
        assert!(code == 2 && text.contains("[other-configuration]"), "{text}");
    }
}

/// Only what a file itself says is headed by its name.
#[test]
fn refusals_blame_the_right_place() {
    let folder = Folder::new("train-blame");
    std::fs::write(folder.0.join("wrong.toml"), format!("bach = 3\n{SMALL}")).expect("written");
    let (_, text) = folder.radar(&["train", "wrong.toml", "--out", "run"]);
    assert!(text.starts_with("wrong.toml:") && text.contains("`bach`"), "{text}");
    for wrong in ["optimizer.lr=1", "batch=0", "budget.time=soon"] {
        let (_, text) = folder.radar(&["train", "quick", "--out", "run", "--set", wrong]);
        assert!(text.starts_with("error [config]"), "{text}");
    }
    let (_, text) = folder.radar(&["train", "wrong.toml", "--out", "run", "--set", "optimizer.lr=1"]);
    assert!(text.starts_with("wrong.toml:") && text.contains("`bach`"), "{text}");
}

#[test]
fn a_configuration_is_shown_and_not_written_over() {
    let folder = Folder::new("train-show");
    let (code, text) = folder.radar(&["train", "quick", "--show", "--set", "batch=5"]);
    let lines = [
        "batch = 5",
        "starts = \"all\"",
        "first_nodes = \"any\"",
        "width = 64",
        "distribution = \"tmat\"",
        "variant = \"ATSP\"",
        "nodes = 20",
        "nodes = \"data\"",
        "roads = []",
        "time = \"110s\"",
        "steps = \"none\"",
    ];
    assert!(code == 0 && lines.iter().all(|line| text.lines().any(|known| known == *line)), "{text}");
    // Single keys go over what is shown.
    std::fs::write(folder.0.join("shown.toml"), &text).expect("written");
    let set = ["--set", "model.task=vrp", "--set", "data.variant=AVRPTW", "--set", "data.nodes=[5, 9]"];
    let (code, over) = folder.radar(&[&["train", "shown.toml", "--show"][..], &set].concat());
    assert!(code == 0 && over.contains("variant = \"AVRPTW\"") && over.contains("nodes = [5, 9]"), "{over}");
    let (code, routes) = folder.radar(&["train", "multi", "--show"]);
    assert!(
        code == 0 && routes.contains("warmup = \"auto\"") && routes.contains("variant = \"mix\""),
        "{routes}"
    );
    std::fs::create_dir(folder.0.join("run")).expect("a folder");
    std::fs::write(folder.0.join("run/config.toml"), &text).expect("written");
    // It reads back as the same.
    assert_eq!(folder.radar(&["train", "run/config.toml", "--show"]), (0, text.clone()));
    std::fs::write(folder.0.join("run/config.toml"), format!("# mine\n{text}")).expect("written");
    let (code, said) = folder.radar(&["train", "run/config.toml", "--out", "run", "--budget", "steps=1"]);
    assert!(code == 2 && said.contains("[run-exists]") && said.contains("config.toml"), "{said}");
    let kept = std::fs::read_to_string(folder.0.join("run/config.toml")).expect("a configuration");
    assert_eq!(kept, format!("# mine\n{text}"));
}

#[test]
fn help_fits_and_points_further() {
    let folder = Folder::new("train-help");
    for (columns, most) in [("200", 100), ("80", 80)] {
        let output = folder.command(&["train", "--help"]).env("COLUMNS", columns).output().expect("it runs");
        let text = said(&output);
        assert!(
            output.status.success() && text.contains("docs/training.md") && text.contains("--show"),
            "{text}"
        );
        assert!(text.lines().all(|line| line.chars().count() <= most), "{text}");
        let presets = text.split("Presets:").nth(1).expect("a list");
        for name in ["paper-atsp", "paper-acvrp", "multi", "quick", "imitate-atsp"] {
            assert!(presets.contains(&format!("  {name}\n      ")), "{presets}");
        }
        // The last paragraph is broken where lines are full, and nowhere else.
        let (_, last) = presets.trim_end().rsplit_once("\n\n").expect("paragraphs");
        let lines: Vec<&str> = last.lines().collect();
        for pair in lines.windows(2) {
            let next = pair[1].split(' ').next().unwrap_or_default();
            assert!(pair[0].len() + 1 + next.len() > 80, "{columns}: {last}");
        }
    }
}

#[test]
fn refusals_say_what_is_valid() {
    let folder = Folder::new("train-refuse");
    for (arguments, part) in [
        (&["train", "quik", "--out", "run"][..], "did you mean `quick`?"),
        (&["train", "none.toml", "--out", "run"], "none.toml"),
        (&["train", "quick", "--out", "run", "--set", "optimizer.lr=1"], "did you mean `optimiser`?"),
        (&["train", "quick", "--out", "run", "--budget", "soon"], "steps=500"),
        (&["train", "--out", "run", "--resume"], "config.toml"),
        (&["train", "--out", "run"], "[no-configuration]"),
        (&["train", "--out", "run", "--resume", "--init", "none.safetensors"], "--init"),
        (&["train", "--out", "run", "--resume", "--data", "nowhere"], "--data"),
        (&["train", "quick", "--out", "run", "--data", "nowhere"], "nowhere"),
        (&["train", "quick", "--out", "run", "--set", "data.preset=tight"], "neither limits nor windows"),
        (&["train", "quick"], "--out"),
    ] {
        let (code, text) = folder.radar(arguments);
        assert!(code == 2 && text.contains(part), "{arguments:?}: {text}");
        assert!(!folder.0.join("run/config.toml").exists());
    }
}
