//! References of `radar eval`: given, kept, solved, stale.

use serde_json::Value;

use crate::Folder;

fn fresh(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let model = folder.network("atsp");
    folder.done("generate tmat -n 8 --count 4 --seed 1 -o set.npz");
    let line = format!("eval set.npz --model {model} --json");
    (folder, line)
}

#[test]
fn references_are_solved_once_and_kept_with_their_origin() {
    let (folder, line) = fresh("solved");
    let first = folder.done(&format!("{line} --solve-references 3000"));
    assert!(first.err().contains("4 references are kept in set.npz.references.json"), "{}", first.err());
    let report = first.json();
    assert_eq!(report["references"]["count"], 4);
    // Tours of eight nodes are proved.
    assert_eq!(report["references"]["optimal"], 4);
    assert!(report["references"]["origin"].as_str().is_some_and(|origin| origin.contains("3000 steps")));
    for result in report["results"].as_array().expect("results") {
        let (cost, reference) =
            (result["cost"].as_f64().expect("a cost"), result["reference"].as_f64().expect("one"));
        assert!((result["gap"].as_f64().expect("a gap") - (cost - reference) / reference).abs() < 1e-12);
        assert!(cost >= reference * (1.0 - 1e-9));
    }
    let kept = folder.read("set.npz.references.json");
    let again = folder.done(&format!("{line} --solve-references 9000"));
    assert!(!again.err().contains("kept"), "{}", again.err());
    assert_eq!(kept, folder.read("set.npz.references.json"));
    assert_eq!(folder.done(&line).json()["mean_gap"], report["mean_gap"]);

    // Another set by the same name: nothing of the old is used, and solving replaces it.
    folder.done("generate tmat -n 8 --count 4 --seed 2 -o set.npz");
    let stale = folder.done(&line).json();
    assert_eq!(stale["references"]["count"], 0);
    assert!(stale["warnings"].to_string().contains("another instance of that name"), "{}", stale["warnings"]);
    assert_eq!(folder.done(&format!("{line} --solve-references 3000")).json()["references"]["count"], 4);
}

#[test]
fn references_are_given_in_every_form() {
    let (folder, line) = fresh("given");
    let costs: Vec<f64> = folder.done(&line).json()["results"]
        .as_array()
        .expect("results")
        .iter()
        .filter_map(|one| one["cost"].as_f64())
        .collect();
    folder.write("list.json", format!("{:?}", costs.iter().map(|cost| cost / 2.0).collect::<Vec<f64>>()));
    let report = folder.done(&format!("{line} --references list.json")).json();
    assert!((report["mean_gap"].as_f64().expect("a gap") - 1.0).abs() < 1e-12);
    folder.write(
        "some.csv",
        format!("name,cost,optimal\nset#1,{},true\nset#2,{},\n", costs[1], 2.0 * costs[2]),
    );
    let report = folder.done(&format!("{line} --references some.csv")).json();
    assert_eq!(
        (&report["references"]["count"], &report["references"]["optimal"]),
        (&Value::from(2), &Value::from(1))
    );
    assert_eq!(
        (&report["results"][1]["gap"], &report["results"][2]["gap"]),
        (&Value::from(0.0), &Value::from(-0.5))
    );
    folder.write("map.json", format!(r#"{{"set#0": {}}}"#, costs[0] / 4.0));
    assert_eq!(folder.done(&format!("{line} --references map.json")).json()["mean_gap"], 3.0);
    folder.write("proof.json", format!(r#"{{"set#0": {{"cost": {}, "optimal": true}}}}"#, costs[0] * 2.0));
    let doubtful = folder.done(&format!("{line} --references proof.json")).json();
    assert!(doubtful["warnings"].to_string().contains("called optimal"));

    let line = line.replace(" --json", "");
    folder.write("short.json", "[1, 2]");
    folder.radar(&format!("{line} --references short.json")).refused(
        2,
        "bad-references",
        &["2 costs", "4 instances"],
    );
    folder.radar(&format!("{line} --references none.json")).refused(2, "cannot-read", &["none.json"]);
    let nowhere = format!("{line} --references some.csv --solve-references 100");
    folder.radar(&nowhere).refused(2, "no-place", &["FILE.json"]);
}

#[test]
fn references_of_other_instances_are_refused_and_missing_ones_counted() {
    let (folder, line) = fresh("strangers");
    let line = line.replace(" --json", "");
    folder.write("other.json", r#"{"tour-1": 3, "tour-2": 4}"#);
    let words = ["other.json", "2 references (`tour-1`, ...)", "4 instances (`set#0`, ...)", "#0, #1"];
    folder.radar(&format!("{line} --references other.json")).refused(2, "unmatched-references", &words);
    folder.write("none.json", "{}");
    folder.radar(&format!("{line} --references none.json")).refused(
        2,
        "unmatched-references",
        &["no reference", "4 instances"],
    );
    // What is missing may be solved and goes to the same file.
    let solved = folder.done(&format!("{line} --references other.json --solve-references 2000"));
    assert!(solved.out().contains("against 4 references"), "{}", solved.out());

    folder.write("some.json", r#"{"set#1": 3, "set#9": 4}"#);
    let some = folder.done(&format!("{line} --references some.json"));
    assert!(some.err().contains("warning: 3 instances, set#0 among them: no reference"), "{}", some.err());
    assert!(some.out().contains("against 1 reference ("), "{}", some.out());
    assert!(!folder.done(&line).err().contains("no reference"));
}

#[test]
fn doubtful_references_are_refused() {
    let (folder, line) = fresh("doubtful");
    let line = line.replace(" --json", "");
    let cases = [
        ("twice.csv", "name,cost\nset#0,1\nset#1,2\nset#0,3\n", "duplicate-name", "`set#0` stands in line 2"),
        ("twice.json", r#"{"set#0": 1, "set#1": 1, "set#0": 2}"#, "duplicate-name", "`set#0`"),
        ("maybe.csv", "name,cost,optimal\nset#0,1,maybe\n", "bad-references", "line 2, column `optimal`"),
        (
            "above.json",
            r#"{"set#0": {"cost": 1, "bound": 2}}"#,
            "bad-references",
            "bound 2, above its cost 1",
        ),
    ];
    for (file, content, code, words) in cases {
        folder.write(file, content);
        folder.radar(&format!("{line} --references {file}")).refused(2, code, &[file, words]);
    }
}

#[test]
fn instances_of_one_name_are_refused() {
    let folder = Folder::new("namesakes");
    folder.network("atsp");
    std::fs::create_dir(folder.0.join("set")).expect("a folder");
    // The first two are told apart by their endings, and one of them then bears the name of the third.
    for file in ["a.csv", "a.tsv", "a.csv.csv"] {
        folder.write(&format!("set/{file}"), "0,1\n2,0\n");
    }
    let run = folder.radar("eval set --kind atsp --from csv --model atsp.safetensors");
    run.refused(2, "duplicate-name", &["`a.csv`", "a.csv.csv", "rename"]);
}

#[test]
fn a_plan_beside_a_problem_is_its_reference() {
    let folder = Folder::new("beside");
    let model = folder.network("acvrp");
    std::fs::create_dir(folder.0.join("set")).expect("a folder");
    folder.done("generate multitask -n 8 --variant ACVRP --seed 1 -o set/a.json");
    folder.done("generate multitask -n 8 --variant ACVRP --seed 2 -o set/b.json");
    folder.done("solve set/a.json -o set/a.sol");
    folder.write("set/b.sol", "Route #1: 1 2\nCost 1\n");
    let report = folder.done(&format!("eval set --model {model} --json")).json();
    assert_eq!(report["references"]["count"], 1);
    assert!(report["results"][0]["gap"].as_f64().is_some_and(|gap| gap >= 0.0));
    assert!(report["warnings"].to_string().contains("b.sol breaks a constraint"), "{}", report["warnings"]);
}
