//! Road matrices of one's own: spread over batches, and what is said of files that do not fit.

use std::path::Path;
use std::sync::Mutex;

use radar_problem::{Instance, Problem, Table};
use radar_train::config::Validation;
use radar_train::data::Source;
use radar_train::folder::Folder;
use radar_train::ranks::Alone;
use radar_train::{Config, Event, Outside, Room, Summary, TrainError, start};

use crate::harness::{Place, Still, begin, config};

/// A city in which every way is as long, but for those from and to the last `lost` points, of which there are none.
fn city(points: usize, length: f64, lost: usize) -> Problem {
    let reached = points - lost;
    let way = |from: usize, to: usize| match from.max(to) < reached || from == to {
        true => f64::from(u8::from(from != to)) * length,
        false => f64::INFINITY,
    };
    let rows = (0..points).map(|from| (0..points).map(|to| way(from, to)).collect()).collect();
    Problem::atsp(Table::from_rows(rows))
}

fn lay(folder: &Path, name: &str, cities: &[Problem]) {
    let content = match cities {
        [one] => radar_format::write::problem("json", one),
        several => radar_format::write::problems("json-lines", several),
    };
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join(name), content.expect("written")).expect("written");
}

fn on(roads: &Path, set: &[&str]) -> Config {
    let roads = format!("data.roads={:?}", roads);
    config(&[&["data.distribution=roads", "data.variant=ATSP", &roads], set].concat())
}

fn try_to(config: Config, place: &Place) -> (Result<Summary, TrainError>, Vec<String>) {
    let notes = Mutex::new(Vec::new());
    let hear = |event: &Event| {
        if let Event::Note(text) = event {
            notes.lock().expect("no panic").push(text.clone());
        }
    };
    let outside = Outside { clock: &Still, memory: None, ranks: &Alone, stop: &|| false, hear: &hear };
    (start(config, &place.0, None, &outside), notes.into_inner().expect("no panic"))
}

/// How many instances have ways of each length.
fn counts(instances: &[Instance]) -> [usize; 4] {
    let mut counts = [0; 4];
    instances.iter().for_each(|one| counts[one.stated_cost(0, 1) as usize - 1] += 1);
    counts
}

#[test]
fn batches_and_the_validation_set_are_of_all_cities() {
    let (place, roads) = (Place::new("spread-run"), Place::new("spread"));
    lay(&roads.0, "a.json", &[city(9, 1.0, 0)]);
    lay(&roads.0, "b.json", &[city(8, 2.0, 0)]);
    // A file may hold several.
    lay(&roads.0, "c.jsonl", &[city(7, 3.0, 0), city(10, 4.0, 0)]);
    let config = on(&roads.0, &["validation.count=8", "budget.steps=1"]);
    let drawn = |source: &Source, first| {
        source.instances(7, first, 8, &|| false).expect("sound").expect("nobody stopped it")
    };
    let source = Source::training(&config.data, config.seed, &Room::default()).expect("sound");
    for first in [0, 8, 400] {
        assert_eq!(counts(&drawn(&source, first)), [2; 4]);
    }
    let examined = source.validation(&config.data, &config.validation, &Room::default()).expect("sound");
    assert_eq!(counts(&drawn(&examined, 0)), [2; 4]);
    begin(config, &place, u64::MAX);
    let name = Folder::VALIDATION[0];
    let set =
        radar_format::read(Some(name), &place.read(name), &radar_format::Given::default()).expect("a set");
    let set: Vec<Instance> =
        set.problems.into_iter().map(|one| one.validate().instance.expect("sound")).collect();
    assert_eq!(counts(&set), [2; 4]);
}

#[test]
fn what_is_too_small_is_named() {
    let (place, roads) = (Place::new("small-run"), Place::new("small-roads"));
    lay(&roads.0, "a.json", &[city(9, 1.0, 0)]);
    lay(&roads.0, "b.json", &[city(8, 1.0, 2)]);
    let refused = |set: &[&str]| try_to(on(&roads.0, set), &place).0.expect_err("refused").to_string();
    let text = refused(&["data.nodes=8"]);
    for part in ["`data.nodes` is 8", "b.json has 6 points", "2 more are not", "above 1e8", "give at most 6"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let text = refused(&["data.nodes=5", "validation.nodes=7"]);
    assert!(text.contains("`validation.nodes` is 7, but"), "{text}");
    let text = refused(&["data.nodes=5", "data.parameters.pick=cluster"]);
    assert!(text.contains("`data.parameters.pick`") && text.contains("coordinates"), "{text}");
    lay(&roads.0, "b.json", &[city(8, 1e9, 0)]);
    let text = refused(&["data.nodes=2"]);
    for part in
        ["b.json has 1 point from", "above 1e8", "nothing can be drawn", "leave that file out", "unit"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("at most"), "{text}");
    // Of two points one is the depot of routes, and one is left.
    lay(&roads.0, "b.json", &[city(2, 1.0, 0)]);
    let text = refused(&["data.nodes=2", "model.task=acvrp", "data.variant=ACVRP"]);
    assert!(text.contains("b.json has 2 points") && text.contains("nothing can be drawn"), "{text}");
}

/// What is drawn for validation needs no file any more, unless it has its own.
#[test]
fn matrices_are_read_once() {
    let (roads, others) = (Place::new("once"), Place::new("once-others"));
    lay(&roads.0, "a.json", &[city(9, 1.0, 0)]);
    lay(&roads.0, "b.json", &[city(8, 2.0, 0)]);
    lay(&others.0, "c.json", &[city(9, 3.0, 0)]);
    let Config { data, validation, .. } = on(&roads.0, &[]);
    let training = Source::training(&data, 1, &Room::default()).expect("sound");
    std::fs::remove_dir_all(&roads.0).expect("removed");
    let examined = |paths: &[String]| {
        let validation = Validation { roads: paths.to_vec(), ..validation.clone() };
        training.validation(&data, &validation, &Room::default())
    };
    for same in [&[][..], &data.roads] {
        assert_eq!(examined(same).expect("the same matrices").prints(), training.prints());
    }
    assert_eq!(examined(&[others.0.display().to_string()]).expect("others").prints().len(), 1);
    std::fs::remove_dir_all(&others.0).expect("removed");
    assert!(examined(&[others.0.display().to_string()]).is_err_and(|error| error.code == "unreadable"));
}

/// Starts a run on road matrices with so many megabytes, and stops it at once.
fn try_within(megabytes: u64, config: Config) -> Result<(), TrainError> {
    let place = Place::new("room-run");
    let memory = Some(megabytes * 1_000_000);
    let outside = Outside { clock: &Still, memory, ranks: &Alone, stop: &|| true, hear: &|_| () };
    let ended = start(config, &place.0, None, &outside).map(|_| ());
    assert_eq!(place.0.join(Folder::STATE).exists(), ended.is_ok());
    ended
}

#[test]
fn matrices_must_find_room() {
    assert_eq!(try_within(19, config(&[])), Ok(()));
    // Two letters for each number, of which 360 000 take 3 MB when they are kept.
    let (roads, examined) = (Place::new("room"), Place::new("room-examined"));
    lay(&roads.0, "a.json", &[city(600, 1.0, 0)]);
    lay(&examined.0, "b.json", &[city(600, 1.0, 0)]);
    let others = format!("validation.roads={:?}", examined.0);
    for (set, least) in [(&[][..], 36), (&[others.as_str()], 40)] {
        let error = try_within(least - 4, on(&roads.0, set)).expect_err("too little");
        assert_eq!(error.code, "too-little-memory", "{error}");
        assert_eq!(try_within(least, on(&roads.0, set)), Ok(()), "{set:?}");
    }
    lay(&roads.0, "a.json", &[city(900, 1.0, 0)]);
    let error = try_within(36, on(&roads.0, &[])).expect_err("too little");
    assert!(
        error.cause.contains("for road matrices") && error.action.contains("`data.roads` (--data)"),
        "{error}"
    );
}

/// The distances between places are not in the file.
#[test]
fn a_short_file_may_hold_too_much() {
    let roads = Place::new("short");
    let places: String = (1..=600).map(|at| format!("{at} {at} 0\n")).collect();
    let text = format!(
        "NAME: a\nTYPE: TSP\nDIMENSION: 600\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{places}EOF\n"
    );
    std::fs::create_dir_all(&roads.0).expect("a folder");
    std::fs::write(roads.0.join("a.tsp"), text).expect("written");
    let error = try_within(20, on(&roads.0, &[])).expect_err("too little");
    assert!(error.code == "too-little-memory" && error.cause.contains("a.tsp"), "{error}");
    assert_eq!(try_within(40, on(&roads.0, &[])), Ok(()));
}

#[test]
fn a_folder_may_hold_other_files() {
    let (place, roads) = (Place::new("beside-run"), Place::new("beside-roads"));
    lay(&roads.0, "a.json", &[city(9, 1.0, 0)]);
    std::fs::write(roads.0.join("README.txt"), "These are roads").expect("written");
    std::fs::write(roads.0.join("notes.md"), "from, to").expect("written");
    std::fs::write(roads.0.join("make.py"), "print(1, 2)\n").expect("written");
    let one_step = |roads: &Path| on(roads, &["budget.steps=1"]);
    let (ended, notes) = try_to(one_step(&roads.0), &place);
    assert_eq!(ended.expect("a run").spent.steps, 1);
    assert!(
        notes.iter().any(|note| note.contains("README.txt") && note.contains("passed over")),
        "{notes:?}"
    );
    // Files that are given by name are wanted.
    let error =
        try_to(one_step(&roads.0.join("README.txt")), &Place::new("beside-other")).0.expect_err("refused");
    assert!(error.cause.contains("README.txt") && error.action.contains("docs/formats.md"), "{error}");
    std::fs::remove_file(roads.0.join("a.json")).expect("removed");
    let error = try_to(one_step(&roads.0), &Place::new("beside-other")).0.expect_err("refused");
    assert!(error.code == "no-roads" && error.cause.contains("beside-roads"), "{error}");
}

#[test]
fn what_would_be_rounded_away_is_refused() {
    let (place, roads) = (Place::new("tiny-run"), Place::new("tiny-roads"));
    lay(&roads.0, "a.json", &[city(9, 1e-5, 0)]);
    let error = try_to(on(&roads.0, &[]), &place).0.expect_err("refused");
    assert!(error.code == "bad-roads" && error.cause.contains("six decimals"), "{error}");
}

#[test]
fn a_run_does_not_learn_from_its_own_folder() {
    let roads = Place::new("own-roads");
    lay(&roads.0, "a.json", &[city(9, 1.0, 0)]);
    let error = try_to(on(&roads.0, &[]), &roads).0.expect_err("refused");
    assert!(error.code == "config" && error.action.contains("--out"), "{error}");
}
