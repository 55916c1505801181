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
    let model = format!("--model {model}");
    for unused in [model.as_str(), "--augment 2", "--isa portable"] {
        let option = unused.split(' ').next().expect("an option");
        for method in ["", "--method search", "--method construct"] {
            let run = folder.radar(&format!("solve tour.json {method} {unused}"));
            run.refused(2, "unused-option", &[option, "--method neural"]);
        }
    }
    folder.radar("solve tour.json --method neural").refused(2, "model", &["no model was given"]);
}
