//! `radar eval`: every task, threads, refusals.

use serde_json::Value;

use crate::{Folder, Run};

/// The report without what depends on the machine.
fn lasting(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("timings");
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}

/// A set of a task, in a file.
fn set(folder: &Folder, task: &str) -> &'static str {
    match task {
        "atsp" => folder.done("generate tmat -n 15 --count 5 --seed 1 -o set.npz"),
        "acvrp" => folder.done("generate multitask -n 15 --variant ACVRP --count 5 --seed 1 -o set.npz"),
        _ => folder.done("generate multitask -n 12 --variant mix --count 9 --seed 1 -o set.jsonl"),
    };
    if task == "vrp" { "set.jsonl" } else { "set.npz" }
}

#[test]
fn every_task_is_measured_and_threads_change_nothing() {
    for task in ["atsp", "acvrp", "vrp"] {
        let folder = Folder::new(&format!("task-{task}"));
        let (model, set) = (folder.network(task), set(&folder, task));
        let line = format!(
            "eval {set} --model {model} --decode sample --temperature 0.7 --augment 2 --starts 4 --json"
        );
        let [one, two] = [1, 2].map(|threads| folder.done(&format!("{line} --threads {threads}")).json());
        assert_eq!(one["timings"]["threads"], 1);
        assert_eq!(lasting(one.clone()).to_string(), lasting(two).to_string(), "{task}");
        let results = one["results"].as_array().expect("results");
        assert_eq!(
            (one["instances"].as_u64(), one["decoded"].as_u64()),
            (Some(results.len() as u64), Some(results.len() as u64))
        );
        assert!(results.iter().all(|one| one["trajectories"] == 8), "{task}");
        let mean = results.iter().filter_map(|one| one["cost"].as_f64()).sum::<f64>() / results.len() as f64;
        assert!((one["mean_cost"].as_f64().expect("a mean") - mean).abs() < 1e-9 * mean);
        let shares = one["timings"]["shares"].as_object().expect("shares");
        assert!(
            (shares.values().filter_map(Value::as_f64).sum::<f64>() - 1.0).abs() < 1e-9 && shares.len() == 4
        );
    }
}

#[test]
fn plans_are_what_the_checker_says_they_cost() {
    let folder = Folder::new("checked");
    let model = folder.network("vrp");
    folder.done("generate multitask -n 12 --variant AVRPTW --seed 4 -o one.json");
    let report = folder.done(&format!("eval one.json --model {model} --json")).json();
    let result = &report["results"][0];
    folder.write("plan.json", result["routes"].to_string());
    let verdict = folder.done("check one.json plan.json --json").json();
    assert_eq!(verdict["cost"], result["cost"]);
}

#[test]
fn people_get_the_summary_and_files_get_everything() {
    let folder = Folder::new("summary");
    let model = folder.network("vrp");
    folder.done("generate multitask -n 10 --variant mix --count 8 --seed 2 -o set.jsonl");
    let run = folder.done(&format!("eval set.jsonl --model {model} -o out.json -o out.csv --isa portable"));
    for words in [
        "8 instances",
        "`vrp`",
        "portable, greedy, all starts",
        "mean cost",
        "no references",
        "CPU per instance",
        "encoder",
        "rollout",
        "variant",
    ] {
        assert!(run.out().contains(words), "{words}: {}", run.out());
    }
    assert!(
        run.err().contains("8 instances, set#0 among them: nothing is known about what the weights"),
        "{}",
        run.err()
    );
    let json: Value = serde_json::from_slice(&folder.read("out.json")).expect("JSON");
    assert_eq!((&json["isa"], &json["seed"]), (&Value::from("portable"), &Value::from(0)));
    let csv = String::from_utf8(folder.read("out.csv")).expect("text");
    assert_eq!(csv.lines().count(), 9);
    assert!(
        csv.starts_with("name,variant,nodes,cost,reference,optimal,gap,") && csv.contains("\nset#7,"),
        "{csv}"
    );
    let cost =
        csv.lines().nth(1).and_then(|line| line.split(',').nth(3)).and_then(|cell| cell.parse::<f64>().ok());
    assert_eq!(cost, json["results"][0]["cost"].as_f64());
}

#[test]
fn every_way_to_decode_is_heard() {
    let folder = Folder::new("ways");
    let model = folder.network("atsp");
    folder.done("generate tmat -n 20 --variant ATSP --seed 2 -o one.json");
    let routes = |way: &str| {
        let report = folder.done(&format!("eval one.json --model {model} --starts 3 --json {way}")).json();
        report["results"][0]["routes"].to_string()
    };
    let ways = ["", "--decode sample", "--decode sample --seed 1", "--decode sample --temperature 0.2"];
    let mut all: Vec<String> = ways.into_iter().map(routes).collect();
    assert_eq!(routes("--decode sample"), all[1]);
    // A clip changes how sure the network is, not what it likes best; one that is certain draws what it likes best.
    assert_eq!(routes("--clip 50"), all[0]);
    assert_eq!(routes("--decode sample --clip 200000"), all[0]);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4, "{all:?}");
}

#[test]
fn distinct_plans_are_kept_the_best_first() {
    let folder = Folder::new("keep");
    for (task, variant) in [("atsp", "ATSP"), ("vrp", "AVRPTW")] {
        let model = folder.network(task);
        folder.done(&format!("generate multitask -n 12 --variant {variant} --seed 4 -o {task}.json"));
        let line = format!("eval {task}.json --model {model} --decode sample --temperature 2");
        let report = folder.done(&format!("{line} --keep 4 --json")).json();
        let (result, keep) = (&report["results"][0], &report["keep"]);
        let plans = result["plans"].as_array().expect("plans");
        assert_eq!((keep, plans.len()), (&Value::from(4), 4));
        assert_eq!((&plans[0]["cost"], &plans[0]["routes"]), (&result["cost"], &result["routes"]));
        assert!(plans.is_sorted_by_key(|plan| plan["cost"].as_f64()), "{plans:?}");
        for (at, plan) in plans.iter().enumerate() {
            assert!(plans[..at].iter().all(|other| other["routes"] != plan["routes"]), "{plans:?}");
            folder.write("plan.json", plan["routes"].to_string());
            assert_eq!(
                folder.done(&format!("check {task}.json plan.json --json")).json()["cost"],
                plan["cost"]
            );
        }
        // No more than there are, and none when nobody asks.
        let all = folder.done(&format!("{line} --keep 1000 --json")).json();
        assert!((4..=12).contains(&all["results"][0]["plans"].as_array().expect("plans").len()));
        assert!(folder.done(&format!("{line} --json")).json()["results"][0].get("plans").is_none());
        folder.radar(&format!("{line} --keep 2 -o out.csv")).refused(2, "unused-option", &["-o report.json"]);
    }
}

#[test]
fn how_sure_the_network_was_is_written_by_arc() {
    let folder = Folder::new("sure");
    let (model, set) = (folder.network("acvrp"), set(&folder, "acvrp"));
    let line = format!("eval {set} --model {model}");
    folder.done(&format!("{line} --confidence arcs/one --threads 1"));
    folder.done(&format!("{line} --confidence arcs/two --threads 2"));
    assert_eq!(std::fs::read_dir(folder.0.join("arcs/one")).expect("a folder").count(), 5);
    for at in 0..5 {
        let table = folder.read(&format!("arcs/one/set#{at}.csv"));
        assert_eq!(table, folder.read(&format!("arcs/two/set#{at}.csv")));
        let table = String::from_utf8(table).expect("text");
        let mut lines = table.lines();
        assert_eq!(lines.next(), Some("from,to,probability"));
        let arcs: Vec<(usize, f64)> = lines
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                assert_ne!(cells[0], cells[1], "{line}");
                (cells[0].parse().expect("a node"), cells[2].parse().expect("a number"))
            })
            .collect();
        assert!(arcs.is_sorted_by(|one, next| (one.0, -one.1) <= (next.0, -next.1)), "{table}");
        assert!(arcs.iter().all(|arc| arc.1 >= 0.001));
        for node in 0..=15 {
            let sum: f64 = arcs.iter().filter(|arc| arc.0 == node).map(|arc| arc.1).sum();
            assert!((0.98..1.001).contains(&sum), "{node}: {sum}");
        }
    }
    // A table must not take the place of a problem, nor stand among them.
    std::fs::create_dir(folder.0.join("tours")).expect("a folder");
    folder.write("tours/a.csv", "0,1\n2,0\n");
    for wrong in ["eval tours", "eval tours/a.csv"] {
        let run = folder.radar(&format!("{wrong} --kind atsp --model {model} --confidence tours"));
        run.refused(2, "would-overwrite-input", &["tours", "folder of its own"]);
    }
    assert_eq!(folder.read("tours/a.csv"), b"0,1\n2,0\n");
    folder.radar(&format!("{line} --confidence {model}")).refused(2, "cannot-write", &[]);
}

#[test]
fn small_problems_are_measured() {
    let folder = Folder::new("tiny");
    let model = folder.network("atsp");
    std::fs::create_dir(folder.0.join("set")).expect("a folder");
    for nodes in 1..4 {
        folder.write(&format!("set/{nodes}.csv"), vec![vec!["1"; nodes].join(","); nodes].join("\n"));
    }
    folder.write("set/notes.md", "no problem");
    let report = folder.done(&format!("eval set --kind atsp --model {model} --json")).json();
    let costs: Vec<Option<f64>> = (0..3).map(|at| report["results"][at]["cost"].as_f64()).collect();
    assert_eq!(costs, [Some(0.0), Some(2.0), Some(3.0)]);
}

fn refuse(folder: &Folder, rest: &str) -> Run {
    folder.radar(&format!("eval set.npz --model atsp.safetensors {rest}"))
}

#[test]
fn what_cannot_be_measured_is_refused_with_its_reason() {
    let folder = Folder::new("refusals");
    folder.network("atsp");
    set(&folder, "atsp");
    refuse(&folder, "--temperature 2").refused(2, "unused-option", &["--decode sample"]);
    refuse(&folder, "-o out.txt").refused(2, "ending-unknown", &[".json or .csv"]);
    refuse(&folder, "-o atsp.safetensors.json/x.csv").refused(2, "cannot-write", &[]);
    refuse(&folder, "--memory 1K").refused(2, "too-little-memory", &["15 nodes", "--starts", "and 2 more"]);
    for wrong in [
        "--starts 0",
        "--augment 0",
        "--keep 0 --json",
        "--clip -1",
        "--temperature nan",
        "--isa sse9",
        "--memory much",
        "--solve-references 0",
    ] {
        assert_eq!(refuse(&folder, wrong).code(), 2, "{wrong}");
    }
    folder.radar("eval none.npz --model atsp.safetensors").refused(2, "cannot-read", &["none.npz"]);
    folder.radar("eval set.npz --model set.npz").refused(2, "not-safetensors", &["set.npz"]);
    folder.radar("eval set.npz --model none").refused(2, "unreadable", &["none"]);
    let failure = folder.radar("eval set.npz --model none --json");
    assert_eq!((failure.code(), &failure.json()["findings"][0]["code"]), (2, &Value::from("unreadable")));
}

#[test]
fn refused_instances_do_not_hide_the_others() {
    let folder = Folder::new("mixed");
    folder.network("atsp");
    std::fs::create_dir(folder.0.join("set")).expect("a folder");
    folder.write("set/a.json", r#"{"version": 1, "kind": "atsp", "distance": [[0,1,2],[3,0,4],[5,6,0]]}"#);
    folder.write("set/b.json", r#"{"version": 1, "kind": "vrp", "distance": [[0,1],[3,0]]}"#);
    folder.write("set/c.json", r#"{"version": 1, "kind": "atsp", "distance": [[0,-1],[3,0]]}"#);
    folder.write("set/d.json", "no problem at all");
    folder.write(
        "set/e.json",
        r#"{"version": 1, "kind": "atsp", "distance": [[0,1,null],[3,0,null],[5,6,0]]}"#,
    );
    let run = folder.radar("eval set --model atsp.safetensors -o out.csv");
    assert_eq!(run.code(), 3, "{}{}", run.out(), run.err());
    assert!(run.out().contains("of 1 instance, 4 refused"), "{}", run.out());
    let csv = String::from_utf8(folder.read("out.csv")).expect("text");
    assert!(csv.contains("\na,ATSP,3,") && csv.lines().count() == 6, "{csv}");
    let json = folder.radar("eval set --model atsp.safetensors --json").json();
    let exits: Vec<Option<u64>> = (0..5).map(|at| json["results"][at]["failure"]["exit"].as_u64()).collect();
    assert_eq!(exits, [None, Some(2), Some(2), Some(2), Some(3)]);
    assert_eq!((json["instances"].as_u64(), json["decoded"].as_u64()), (Some(5), Some(1)));
}
