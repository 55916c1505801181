//! `radar solve`: options that do nothing, answers that cannot be written, plans that are given.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

/// A folder of its own for each test, removed afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-solve-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a fresh folder");
        Self(path)
    }

    fn file(&self, name: &str, content: &str) {
        std::fs::write(self.0.join(name), content).expect("written");
    }

    /// Runs a line: exit code, standard output, standard error.
    fn radar(&self, line: &str) -> (i32, String, String) {
        let run =
            Command::new(env!("CARGO_BIN_EXE_radar")).current_dir(&self.0).args(line.split(' ')).output();
        let Output { status, stdout, stderr } = run.expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (status.code().expect("not killed"), text(stdout), text(stderr))
    }

    /// Runs a line that must be refused with this code and these words.
    fn refused(&self, line: &str, code: &str, words: &[&str]) {
        let (exit, _, told) = self.radar(line);
        assert_eq!(exit, 2, "{line}: {told}");
        assert!(told.contains(&format!("[{code}]")), "{line}: {told}");
        assert!(words.iter().all(|words| told.contains(words)), "{line}: {told}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SMALL: &str = r#"{"version": 1, "kind": "vrp", "distance": [[0,4,4],[4,0,4],[4,4,0]], "demand": [0,3,4],
    "capacity": 5}"#;

/// Six stops of which few orders can be driven.
const SPARSE: &str = r#"{"version":1,"kind":"vrp","distance":[[0,null,null,21,28,null,42],[10,0,null,null,21,null,35],
    [17,10,0,null,14,null,null],[24,null,10,0,null,14,21],[31,24,17,10,0,7,14],[null,31,null,null,10,0,7],
    [45,38,null,24,null,10,0]],"demand":[0,1,7,2,8,7,3],"capacity":15,"limit":89}"#;

#[test]
fn a_few_stops_are_solved_whatever_the_seed() {
    let folder = Folder::new("sparse");
    folder.file("p.json", SPARSE);
    for seed in 0..3 {
        let (exit, told, complaints) = folder.radar(&format!("solve p.json --seed {seed} --json"));
        assert_eq!(exit, 0, "{complaints}");
        let answer: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(answer["optimal"], true);
        assert!(
            answer["method"].as_str().is_some_and(|method| method.contains("every plan weighed")),
            "{told}"
        );
    }
}

#[test]
fn options_that_do_nothing_are_refused() {
    let folder = Folder::new("unused");
    folder.file("p.json", SMALL);
    for (line, option) in [
        ("--starts 3", "--starts"),
        ("--method search --starts 3", "--starts"),
        ("--method construct --searches 2", "--searches"),
        ("--method neural --steps 9", "--steps"),
        ("--method neural --searches 2", "--searches"),
        ("--to sol", "--to"),
        ("--to sol -o a.sol", "--to"),
        ("--method construct --freeze p.json", "--freeze"),
    ] {
        folder.refused(&format!("solve p.json {line}"), "unused-option", &[option]);
    }
    assert_eq!(folder.radar("solve p.json --method construct --starts 0").0, 2);
    assert_eq!(folder.radar("solve p.json --method construct --starts 2 --steps 5").0, 0);
    assert_eq!(folder.radar("solve p.json --searches 2").0, 0);
}

#[test]
fn what_cannot_be_written_is_known_before_the_work() {
    let folder = Folder::new("unwritten");
    folder.file("p.json", SMALL);
    let (exit, told, complaints) = folder.radar("solve p.json --time 30s -o a.geojson");
    assert_eq!((exit, told.as_str()), (2, ""), "{complaints}");
    assert!(complaints.contains("without points"), "{complaints}");
    if cfg!(target_os = "linux") {
        folder.refused("solve p.json -o /proc/x.json", "cannot-write", &["/proc/x.json"]);
    }
    assert!(std::fs::read_dir(&folder.0).expect("a folder").count() == 1, "no trace of the attempts");
}

#[cfg(target_os = "linux")]
#[test]
fn a_plan_that_cannot_be_written_is_printed_all_the_same() {
    let folder = Folder::new("full");
    folder.file("p.json", SMALL);
    std::os::unix::fs::symlink("/dev/full", folder.0.join("full.json")).expect("a link");
    let (exit, told, complaints) = folder.radar("solve p.json -o full.json -o whole.json --json");
    assert_eq!(exit, 2, "{complaints}");
    assert!(complaints.contains("cannot-write"), "{complaints}");
    assert_eq!(serde_json::from_str::<Value>(&told).expect("the plan")["cost"], 16.0);
    assert!(folder.0.join("whole.json").exists(), "the other file is written");
    let (exit, told, _) = folder.radar("solve p.json -o full.json");
    assert!(exit == 2 && told.contains("cost 16"), "{told}");
}

#[test]
fn a_freeze_says_something_of_every_route() {
    let folder = Folder::new("freeze");
    folder.file("p.json", SMALL);
    folder.file("short.json", r#"{"routes": [[1], [2]], "freeze": [1]}"#);
    folder.refused(
        "solve p.json --freeze short.json",
        "wrong-length",
        &["short.json", "one number per route"],
    );
    folder.file("long.json", r#"{"routes": [[1], [2]], "freeze": [1, 2]}"#);
    folder.refused("solve p.json --freeze long.json", "frozen-refused", &["route #2"]);
    folder.file("all.json", r#"{"routes": [[1], [2]]}"#);
    assert_eq!(folder.radar("solve p.json --freeze all.json").0, 0);
}

#[test]
fn a_set_of_which_nothing_is_solved_has_no_mean_cost() {
    let folder = Folder::new("nothing");
    std::fs::create_dir(folder.0.join("in")).expect("a folder");
    folder.file("in/a.json", &SMALL.replace("\"capacity\": 5", "\"capacity\": 2"));
    let (exit, told, _) = folder.radar("solve in");
    assert_eq!(exit, 3);
    assert!(told.contains("0 of 1 solved, ") && !told.contains("mean cost"), "{told}");
}

#[test]
fn errors_in_stops_name_their_file_and_line() {
    let folder = Folder::new("stops");
    folder.file("m.csv", "0,4,4\n4,0,4\n4,4,0\n");
    folder.file("s.csv", "demand,open,close\n0,08:00,18:00\nmany,,\n1,,\n");
    let line = "solve m.csv --stops s.csv --capacity 5 --unit s";
    folder.refused(line, "not-a-number", &["s.csv:", "line 3 has `many` as demand"]);
    folder.file("s.csv", "demand,open,close\n0,08:00,18:00\n1,10:00,09:30\n1,,\n");
    folder.refused(line, "window-inverted", &["opens at 10:00 and closes at 9:30"]);
    folder.refused("solve m.csv --stops s.csv --capacity 5", "clock-without-unit", &["s.csv:", "--unit min"]);
}

#[test]
fn what_could_not_be_read_back_is_not_drawn() {
    let folder = Folder::new("large");
    folder.refused("generate tmat -n 20000 -o large.npz", "too-large", &["20000 nodes", "16384"]);
    folder.refused("generate flowshop", "bad-distribution", &["flow-shop"]);
}

#[test]
fn one_stop_is_one_stop_and_times_are_no_distances() {
    let folder = Folder::new("words");
    folder.file("t.json", r#"{"code": "Ok", "durations": [[0, 5], [7, null]]}"#);
    let (exit, told, complaints) = folder.radar("solve t.json --kind vrp");
    assert_eq!(exit, 0, "{complaints}");
    assert!(told.contains(", 1 stop\n") && told.contains("duration") && !told.contains("distance"), "{told}");
    folder.file(
        "t.json",
        r#"{"code": "Ok", "durations": [[0, 5], [7, 0]], "sources": [{"location": [1, 2]}]}"#,
    );
    folder.refused("solve t.json --kind vrp", "not-square", &["1 sources for a table of 2 rows"]);
    let far = r#"{"location": [1, 200]}"#;
    folder.file(
        "t.json",
        &format!(r#"{{"code": "Ok", "durations": [[0, 5], [7, 0]], "sources": [{far}, {far}]}}"#),
    );
    let (exit, _, complaints) = folder.radar("solve t.json --kind vrp");
    assert!(exit == 0 && complaints.contains("[points-outside]"), "{complaints}");
}
