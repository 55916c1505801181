//! The real binary in a fresh folder: what people type and what they get.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// A folder of its own for each test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a fresh folder");
        Self(path)
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("written");
        path
    }

    fn radar(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_radar"))
            .current_dir(&self.0)
            .args(arguments)
            .output()
            .expect("it runs")
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).expect(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("not killed")
}

fn example(name: &str) -> String {
    Path::new(EXAMPLES).join(name).display().to_string()
}

const SMALL: &str = r#"{"version": 1, "kind": "vrp", "distance": [[0,4,4],[4,0,4],[4,4,0]], "demand": [0,3,4],
    "capacity": 5, "ids": ["depot", "ann", "bob"]}"#;

#[test]
fn the_example_is_solved_and_its_answer_passes_the_check() {
    let folder = Folder::new("example");
    let porto = example("porto.json");
    let solved =
        folder.radar(&["solve", &porto, "-o", "answer.json", "-o", "map.svg", "-o", "routes.geojson"]);
    assert_eq!(code(&solved), 0, "{}", err(&solved));
    assert!(out(&solved).contains("AVRPTW, 60 stops"), "{}", out(&solved));
    assert!(out(&solved).contains("checked"));
    let checked = folder.radar(&["check", &porto, "answer.json"]);
    assert_eq!(code(&checked), 0, "{}", out(&checked));
    assert!(out(&checked).contains("the plan is valid"));
    assert!(folder.read("map.svg").starts_with("<svg") || folder.read("map.svg").starts_with("<?xml"));
    let geo: Value = serde_json::from_str(&folder.read("routes.geojson")).expect("JSON");
    assert_eq!(geo["type"], "FeatureCollection");
}

#[test]
fn an_engine_table_with_stops_is_solved() {
    let folder = Folder::new("engine");
    let (table, stops) = (example("porto20-osrm.json"), example("porto20-stops.csv"));
    let solved = folder.radar(&["solve", &table, "--stops", &stops, "--capacity", "40", "--json"]);
    assert_eq!(code(&solved), 0, "{}", err(&solved));
    let answer: Value = serde_json::from_str(&out(&solved)).expect("one JSON document");
    let served: usize = answer["routes"]
        .as_array()
        .expect("routes")
        .iter()
        .map(|route| route.as_array().map_or(0, Vec::len))
        .sum();
    assert_eq!(served, 19);
    assert_eq!(answer["optimal"], false);
    assert!(answer["route_ids"][0][0].as_str().expect("an id").starts_with("order-"));
    for key in [
        "cost", "bound", "gap", "schedule", "unserved", "method", "model", "seed", "scale", "timings",
        "warnings",
    ] {
        assert!(answer.get(key).is_some(), "{key}");
    }
}

#[test]
fn a_table_alone_must_be_declared() {
    let folder = Folder::new("declared");
    let table = example("porto20-osrm.json");
    let refused = folder.radar(&["solve", &table]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("kind"), "{}", err(&refused));
    assert_eq!(code(&folder.radar(&["solve", &table, "--kind", "atsp"])), 0);
    assert_eq!(code(&folder.radar(&["solve", &table, "--kind", "vrp"])), 0);
}

#[test]
fn a_refused_plan_exits_with_one_and_is_explained() {
    let folder = Folder::new("refused");
    folder.file("p.json", SMALL);
    folder.file("plan.json", "[[1, 2]]");
    let refused = folder.radar(&["check", "p.json", "plan.json"]);
    assert_eq!(code(&refused), 1);
    assert!(out(&refused).contains("delivery-overload"), "{}", out(&refused));
    let verdict = folder.radar(&["check", "p.json", "plan.json", "--json"]);
    let verdict: Value = serde_json::from_str(&out(&verdict)).expect("JSON");
    assert_eq!(
        (&verdict["feasible"], &verdict["violations"][0]["excess"]),
        (&Value::from(false), &Value::from(2.0))
    );
    folder.radar(&["check", "p.json", "plan.json", "-o", "mine.svg", "-o", "mine.csv"]);
    assert!(folder.read("mine.svg").contains("<svg") && folder.read("mine.csv").contains("ann"));
    let explained = folder.radar(&["explain", "p.json", "--plan", "plan.json"]);
    assert_eq!(code(&explained), 1);
    assert!(out(&explained).contains("capacity"), "{}", out(&explained));
}

#[test]
fn a_stop_that_cannot_be_served_blocks_or_is_left_out() {
    let folder = Folder::new("blocked");
    folder.file("p.json", &SMALL.replace("[0,3,4]", "[0,3,9]"));
    let blocked = folder.radar(&["solve", "p.json"]);
    assert_eq!(code(&blocked), 3);
    assert!(
        err(&blocked).contains("demand-above-capacity") && err(&blocked).contains("bob"),
        "{}",
        err(&blocked)
    );
    let json = folder.radar(&["solve", "p.json", "--json"]);
    let json: Value = serde_json::from_str(&out(&json)).expect("JSON");
    assert_eq!(json["findings"][0]["code"], "demand-above-capacity");
    let rest = folder.radar(&["solve", "p.json", "--allow-unserved"]);
    assert_eq!(code(&rest), 0);
    assert!(out(&rest).contains("not served: stop 2 (`bob`)"), "{}", out(&rest));
    let explained = folder.radar(&["explain", "p.json", "--stop", "bob"]);
    assert_eq!(code(&explained), 3);
    assert!(out(&explained).contains('4'), "{}", out(&explained));
    assert_eq!(code(&folder.radar(&["info", "p.json"])), 3);
}

#[test]
fn bad_input_gets_code_cause_and_action() {
    let folder = Folder::new("bad");
    for (name, content, expected) in [
        ("empty.json", "", "error ["),
        ("cut.json", &SMALL[..60], "error ["),
        ("unknown.json", &SMALL.replace("demand", "demnad"), "demnad"),
        ("negative.json", &SMALL.replace("[4,0,4]", "[-4,0,4]"), "negative-value"),
        ("ragged.json", &SMALL.replace("[4,0,4]", "[4,0]"), "matrix-not-square"),
        ("short.json", &SMALL.replace("[0,3,4]", "[0,3]"), "wrong-length"),
        ("twice.json", &SMALL.replace("\"bob\"", "\"ann\""), "duplicate-id"),
        ("huge.json", &SMALL.replace("[4,0,4]", "[1e17,0,4]"), "magnitude-too-large"),
        ("noise.bin", "\u{1}\u{2}\u{3}", "format-unknown"),
    ] {
        folder.file(name, content);
        let refused = folder.radar(&["solve", name]);
        assert_eq!(code(&refused), 2, "{name}: {}{}", out(&refused), err(&refused));
        assert!(
            err(&refused).contains(expected) && err(&refused).contains("->"),
            "{name}: {}",
            err(&refused)
        );
    }
    let absent = folder.radar(&["solve", "nowhere.json"]);
    assert_eq!(code(&absent), 2);
    assert!(err(&absent).contains("cannot-read"));
    assert_eq!(code(&folder.radar(&["solve"])), 2);
    assert_eq!(code(&folder.radar(&["solve", "p.json", "--time", "soon"])), 2);
}

#[test]
fn inputs_are_never_overwritten() {
    let folder = Folder::new("overwrite");
    folder.file("p.json", SMALL);
    let refused = folder.radar(&["solve", "p.json", "-o", "./p.json"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("would-overwrite-input"));
    assert_eq!(folder.read("p.json"), SMALL);
    let refused = folder.radar(&["solve", "p.json", "-o", "answer.docx"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("ending-unknown"));
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new("threads");
    for distribution in ["tmat", "multitask", "city"] {
        let draw = |threads: &str| {
            let drawn = folder.radar(&[
                "generate",
                distribution,
                "-n",
                "12",
                "--count",
                "5",
                "--seed",
                "3",
                "--threads",
                threads,
            ]);
            assert_eq!(code(&drawn), 0, "{}", err(&drawn));
            out(&drawn)
        };
        let one = draw("1");
        assert_eq!(one.lines().count(), 5);
        assert_eq!(one, draw("4"));
    }
    folder.radar(&["generate", "tmat", "-n", "40", "--variant", "AVRPBLTW", "--seed", "5", "-o", "p.json"]);
    let solve = |threads: &str| {
        let solved = folder.radar(&["solve", "p.json", "--json", "--threads", threads]);
        let mut answer: Value = serde_json::from_str(&out(&solved)).expect("JSON");
        answer.as_object_mut().expect("an object").remove("timings");
        answer
    };
    assert_eq!(solve("1"), solve("3"));
}

#[test]
fn sets_and_folders_are_solved_one_by_one() {
    let folder = Folder::new("sets");
    let drawn = folder.radar(&["generate", "multitask", "-n", "8", "--count", "4", "-o", "set.npz"]);
    assert_eq!(code(&drawn), 0, "{}", err(&drawn));
    let solved = folder.radar(&["solve", "set.npz"]);
    assert_eq!(code(&solved), 0, "{}", err(&solved));
    assert_eq!(out(&solved).lines().count(), 6, "{}", out(&solved));
    assert!(out(&solved).contains("4 of 4 solved, mean cost"), "{}", out(&solved));
    assert_eq!(code(&folder.radar(&["convert", "set.npz", "each/"])), 0);
    folder.file("each/broken.json", "{");
    let solved = folder.radar(&["solve", "each", "-o", "answers"]);
    assert_eq!(code(&solved), 2, "the worst of all");
    assert!(out(&solved).contains("4 of 5 solved, mean cost"), "{}", out(&solved));
    assert_eq!(std::fs::read_dir(folder.0.join("answers")).expect("answers").count(), 4);
    let refused = folder.radar(&["solve", "set.npz", "-o", "all.sol"]);
    assert_eq!(code(&refused), 2, "many answers are no file");
    assert_eq!(code(&folder.radar(&["solve", "set.npz", "-o", "sols", "--to", "sol"])), 0);
    assert!(folder.0.join("sols/set-0.sol").exists());
}

#[test]
fn conversions_keep_the_problem() {
    let folder = Folder::new("convert");
    folder.radar(&["generate", "tmat", "-n", "6", "--variant", "AOVRPBLTW", "-o", "p.json"]);
    for target in ["p.vrp", "p.npz"] {
        let there = folder.radar(&["convert", "p.json", target]);
        assert_eq!(code(&there), 0, "{}", err(&there));
        assert_eq!(code(&folder.radar(&["convert", target, "back.json"])), 0);
        let mut read = ["p.json", "back.json"]
            .map(|name| serde_json::from_str::<Value>(&folder.read(name)).expect("JSON"));
        for problem in &mut read {
            // Benchmark files number their nodes; the numbers come back as ids.
            problem.as_object_mut().expect("an object").remove("ids");
            problem.as_object_mut().expect("an object").remove("units");
        }
        assert_eq!(read[0], read[1], "{target}");
    }
    // Apart: a matrix, the stops, and options that the command names.
    let parts = [("matrix", "m.csv"), ("stops", "s.csv")]
        .map(|(part, file)| folder.radar(&["convert", "p.json", file, "--to", part]));
    let options = err(&parts[1]);
    let options = options.lines().find(|line| line.contains("--capacity")).expect("options are named");
    let options = options.split_once("--").map(|(_, rest)| format!("--{rest}")).expect("options");
    let mut arguments = vec!["solve", "m.csv", "--stops", "s.csv", "--json"];
    arguments.extend(options.split_whitespace());
    let (apart, whole) = (folder.radar(&arguments), folder.radar(&["solve", "p.json", "--json"]));
    let costs = [apart, whole].map(|solved| {
        serde_json::from_str::<Value>(&out(&solved))
            .map(|answer| answer["cost"].clone())
            .map_err(|_| err(&solved))
    });
    assert_eq!(costs[0], costs[1]);
    let info = folder.radar(&["info", "p.vrp", "--json"]);
    let info: Value = serde_json::from_str(&out(&info)).expect("JSON");
    assert_eq!(info["variant"], "AOVRPBLTW");
    let lost = folder.radar(&["convert", "p.json", "p.atsp"]);
    assert_eq!(code(&lost), 2, "a tour file cannot hold routes");
}

#[test]
fn help_teaches_and_completions_complete() {
    let folder = Folder::new("help");
    for command in ["solve", "check", "explain", "info", "generate", "convert", "completions"] {
        let help = folder.radar(&[command, "--help"]);
        assert_eq!(code(&help), 0);
        assert!(out(&help).len() > 300, "{command}");
    }
    assert!(out(&folder.radar(&["generate", "--help"])).contains("multitask"));
    assert!(out(&folder.radar(&["completions", "bash"])).contains("radar"));
    assert!(out(&folder.radar(&["--help"])).contains("Exit codes"));
}

#[test]
fn a_warm_start_is_kept_or_improved() {
    let folder = Folder::new("warm");
    folder.radar(&["generate", "acvrp", "-n", "20", "--seed", "2", "-o", "p.json"]);
    folder.radar(&["solve", "p.json", "-o", "first.json"]);
    let cost = |name: &str| {
        serde_json::from_str::<Value>(&folder.read(name)).expect("JSON")["cost"].as_f64().expect("a cost")
    };
    let again =
        folder.radar(&["solve", "p.json", "--warm", "first.json", "--steps", "1", "-o", "again.json"]);
    assert_eq!(code(&again), 0, "{}", err(&again));
    assert!(cost("again.json") <= cost("first.json"));
}

#[test]
fn a_folder_is_never_answered_over_its_own_problems() {
    let folder = Folder::new("folder");
    std::fs::create_dir_all(folder.0.join("in")).expect("made");
    folder.file("in/a.json", SMALL);
    folder.file("in/b.json", SMALL);
    let refused = folder.radar(&["solve", "in", "-o", "in"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("would-overwrite-input"), "{}", err(&refused));
    assert_eq!(folder.read("in/a.json"), SMALL);
    // Two files of one stem are two problems with two answers.
    folder.file("in/a.csv", "0,1\n1,0\n");
    let solved = folder.radar(&["solve", "in", "-o", "out"]);
    assert!(out(&solved).contains("a.json") || code(&solved) == 2, "{}", out(&solved));
    folder.radar(&["generate", "tmat", "-n", "4", "-o", "in/a.atsp"]);
    folder.radar(&["solve", "in", "-o", "out"]);
    assert!(folder.0.join("out/a.json.json").exists() && folder.0.join("out/a.atsp.json").exists());
}

#[test]
fn generate_keeps_its_road_matrix_and_names_what_it_ignores() {
    let folder = Folder::new("roads");
    let porto = example("porto.json");
    std::fs::copy(&porto, folder.0.join("r.json")).expect("copied");
    let refused = folder.radar(&["generate", "roads", "--roads", "r.json", "-n", "5", "-o", "r.json"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("would-overwrite-input"), "{}", err(&refused));
    let drawn = folder.radar(&[
        "generate",
        "roads",
        "--roads",
        "r.json",
        "-n",
        "5",
        "--variant",
        "AVRPTW",
        "-o",
        "p.json",
    ]);
    assert_eq!(code(&drawn), 0, "{}", err(&drawn));
    assert_eq!(code(&folder.radar(&["solve", "p.json"])), 0);
    for wrong in [
        &["generate", "tmat", "-n", "3", "--roads", "r.json"][..],
        &["generate", "tmat", "-n", "3", "--set", "n=5"],
        &["generate", "tmat", "-n", "20000", "--count", "64"],
        &["generate", "flow-shop", "-o", "f.npz"],
        &["generate", "flow-shop", "--set", "jobs=0"],
        &["generate", "nothing"],
    ] {
        let refused = folder.radar(wrong);
        assert_eq!(code(&refused), 2, "{wrong:?}: {}", err(&refused));
    }
    assert_eq!(out(&folder.radar(&["generate", "flow-shop", "--count", "2"])).lines().count(), 2);
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work_and_links_are_followed() {
    let folder = Folder::new("write");
    folder.file("p.json", SMALL);
    let refused = folder.radar(&["solve", "p.json", "-o", "nowhere/a.json"]);
    assert_eq!(code(&refused), 2);
    assert!(err(&refused).contains("cannot-write") && out(&refused).is_empty());
    #[cfg(unix)]
    {
        folder.file("real.json", "old");
        std::os::unix::fs::symlink("real.json", folder.0.join("link.json")).expect("linked");
        assert_eq!(code(&folder.radar(&["solve", "p.json", "-o", "link.json"])), 0);
        assert!(folder.read("real.json").contains("route_ids"));
        assert!(std::fs::symlink_metadata(folder.0.join("link.json")).expect("there").is_symlink());
    }
    if Path::new("/dev/full").exists() {
        let full = std::fs::File::create("/dev/full").expect("opened");
        let status = Command::new(env!("CARGO_BIN_EXE_radar"))
            .current_dir(&folder.0)
            .args(["solve", "p.json", "--json"])
            .stdout(full)
            .stderr(std::process::Stdio::null())
            .status();
        assert_eq!(status.expect("it runs").code(), Some(2));
    }
}

#[test]
fn what_was_noted_while_reading_reaches_programs() {
    let folder = Folder::new("notes");
    let (table, stops) = (example("porto20-osrm.json"), example("porto20-stops.csv"));
    let solved = folder.radar(&["solve", &table, "--stops", &stops, "--capacity", "40", "--json"]);
    let answer: Value = serde_json::from_str(&out(&solved)).expect("JSON");
    let codes: Vec<&str> = answer["warnings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|warning| warning["code"].as_str())
        .collect();
    assert!(codes.contains(&"clock-times"), "{codes:?}");
}

#[test]
fn an_answer_comes_with_its_bound_and_several_searches_give_one_answer() {
    let folder = Folder::new("bound");
    let solve = |extra: &[&str]| {
        let porto = example("porto.json");
        let mut arguments = vec!["solve", &porto, "--steps", "300", "--seed", "1", "--json"];
        arguments.extend(extra);
        let output = folder.radar(&arguments);
        assert_eq!(code(&output), 0, "{}", err(&output));
        let answer: Value = serde_json::from_str(&out(&output)).expect("one line of JSON");
        answer
    };
    let answer = solve(&[]);
    let (cost, bound) =
        (answer["cost"].as_f64().expect("a cost"), answer["bound"].as_f64().expect("a bound"));
    assert!(bound > 0.0 && bound <= cost && answer["optimal"] == false);
    assert!((answer["gap"].as_f64().expect("a gap") - (cost - bound) / cost).abs() < 1e-12);
    assert!(answer["method"].as_str().is_some_and(|method| method.starts_with("search")));
    let by = |threads: &str| solve(&["--searches", "3", "--threads", threads])["routes"].clone();
    assert_eq!(by("1"), by("2"));
}

#[test]
fn what_is_under_way_stays() {
    let folder = Folder::new("freeze");
    folder.file("way.json", r#"{"routes": [["P51", "P15", "P16"], ["P10"]], "freeze": [2, 0]}"#);
    let porto = example("porto.json");
    let output = folder.radar(&["solve", &porto, "--freeze", "way.json", "--steps", "200", "--json"]);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let answer: Value = serde_json::from_str(&out(&output)).expect("one line of JSON");
    let routes = answer["route_ids"].as_array().expect("routes");
    assert!(routes.iter().any(|route| route[0] == "P51" && route[1] == "P15"), "{routes:?}");
    folder.file("twice.json", r#"{"routes": [["P51", "P51"]]}"#);
    let output = folder.radar(&["solve", &porto, "--freeze", "twice.json"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("frozen-refused"), "{}", err(&output));
}
