//! `radar solve --method neural`.

use super::Folder;

#[test]
fn a_network_solves_and_its_answer_says_so() {
    let folder = Folder::new("solve");
    for (task, variant) in [("atsp", "ATSP"), ("vrp", "AVRPTW")] {
        let model = folder.network(task);
        folder.done(&format!("generate tmat -n 15 --variant {variant} --seed 4 -o {task}.json"));
        let line = format!("solve {task}.json --method neural --model {model} --augment 2 --isa portable");
        let answer = folder.done(&format!("{line} --json -o {task}-plan.json")).json();
        let method = answer["method"].as_str().expect("a method");
        assert!(
            method.starts_with("network `") && method.contains("of 30 trajectories, portable"),
            "{method}"
        );
        assert!(answer["bound"].as_f64() <= answer["cost"].as_f64());
        folder.done(&format!("check {task}.json {task}-plan.json"));
    }
}

#[test]
fn what_no_network_would_use_is_refused() {
    let folder = Folder::new("unused");
    let model = folder.network("atsp");
    folder.done("generate tmat -n 9 --variant ATSP --seed 4 -o tour.json");
    let given = format!("--model {model}");
    for method in ["search", "construct"] {
        for unused in [given.as_str(), "--augment 2", "--isa portable"] {
            let option = unused.split(' ').next().expect("an option");
            let run = folder.radar(&format!("solve tour.json --method {method} {unused}"));
            run.refused(2, "unused-option", &[option]);
        }
    }
    for unused in ["--augment 2", "--isa portable", "--starts 3"] {
        let option = unused.split(' ').next().expect("an option");
        folder.radar(&format!("solve tour.json {unused}")).refused(2, "unused-option", &[option]);
    }
    folder.write("frozen.json", r#"{"routes": [[0, 1]], "freeze": [2]}"#);
    let run = folder.radar(&format!("solve tour.json {given} --freeze frozen.json"));
    run.refused(2, "unused-option", &["--model", "frozen"]);
}

#[test]
fn networks_come_along() {
    let folder = Folder::new("shipped");
    for (variant, model) in [("ATSP", "atsp"), ("ACVRP", "vrp"), ("AOVRPBLTW", "vrp")] {
        folder.done(&format!("generate multitask -n 30 --variant {variant} --seed 4 -o {variant}.json"));
        for isa in ["", "--isa portable"] {
            let answer = folder.done(&format!("solve {variant}.json --method neural {isa} --json")).json();
            assert_eq!(answer["model"], model);
        }
    }
}

#[test]
fn a_network_goes_before_a_search_and_the_answer_says_what_each_did() {
    let folder = Folder::new("guided");
    for (task, variant) in [("atsp", "ATSP"), ("vrp", "AVRPTW")] {
        let model = folder.network(task);
        folder.done(&format!("generate tmat -n 20 --variant {variant} --seed 4 -o {task}.json"));
        let line = format!("solve {task}.json --model {model} --steps 200 --starts 5 --augment 2");
        let answer = folder.done(&format!("{line} --json")).json();
        let method = answer["method"].as_str().expect("a method");
        assert!(
            method.starts_with("network `") && method.contains("best of 10 trajectories; then search"),
            "{method}"
        );
        assert!(answer["model"].is_string() && answer["timings"]["network"].as_f64() > Some(0.0));
    }
}
