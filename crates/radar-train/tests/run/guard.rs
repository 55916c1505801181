//! What a run does not do: write over what is not its own, keep what is of no use, take more than there is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use radar_kernel::isa::Isa;
use radar_net::network::Use;
use radar_net::{Checkpoint, Decoding, Network};
use radar_train::data::Source;
use radar_train::folder::Folder;
use radar_train::ranks::Alone;
use radar_train::{Budget, Clock, Config, Ending, Event, Outside, Room, configuration, resume, start};
use serde_json::json;

use crate::harness::{FILES, Place, Still, assert_same, begin, config, go_on, run};

#[test]
fn a_run_that_does_not_fit_leaves_nothing_behind() {
    let place = Place::new("memory");
    let outside =
        Outside { clock: &Still, memory: Some(1_000_000), ranks: &Alone, stop: &|| false, hear: &|_| () };
    let error = start(config(&["batch=100000"]), &place.0, None, &outside).expect_err("refused");
    assert_eq!(error.code, "too-little-memory", "{error}");
    assert!(error.cause.contains("of a batch") && error.action.contains("`batch`"), "{error}");
    assert!(!place.0.exists());
    begin(config(&[]), &place, 1);
    let outside = Outside { memory: Some(1000), ..outside };
    assert_eq!(resume(&place.0, None, &outside).expect_err("refused").code, "too-little-memory");
}

#[test]
fn a_configuration_of_ones_own_is_not_written_over() {
    let place = Place::new("own-config");
    std::fs::create_dir_all(&place.0).expect("a folder");
    let own = "# my notes\nname = \"mine\"\n";
    std::fs::write(place.0.join(Folder::CONFIG), own).expect("written");
    let error = run(|outside| start(config(&[]), &place.0, None, outside), 1, &Still).expect_err("refused");
    assert!(error.code == "run-exists" && error.cause.contains(Folder::CONFIG), "{error}");
    assert_eq!(place.read(Folder::CONFIG), own.as_bytes());
    // A damaged one is named.
    std::fs::write(place.0.join(Folder::CONFIG), "name = 3").expect("written");
    let error = configuration(&place.0).expect_err("no name");
    assert!(error.cause.contains(Folder::CONFIG) && error.cause.contains("`name`"), "{error}");
}

#[test]
fn files_of_ones_own_are_not_written_over() {
    for name in [Folder::VALIDATION[0], Folder::VALIDATION[1], Folder::REFERENCES, Folder::CURVE] {
        let place = Place::new("own-files");
        std::fs::create_dir_all(&place.0).expect("a folder");
        std::fs::write(place.0.join(name), "mine").expect("written");
        let error =
            run(|outside| start(config(&[]), &place.0, None, outside), 1, &Still).expect_err("refused");
        assert!(error.code == "run-exists" && error.cause.contains(name), "{error}");
        assert_eq!(place.read(name), b"mine");
    }
}

/// The state has the configuration, too.
#[test]
fn a_configuration_that_is_gone_comes_back_and_a_changed_one_is_named() {
    let (place, whole) = (Place::new("config-gone"), Place::new("config-whole"));
    begin(config(&[]), &whole, u64::MAX);
    begin(config(&[]), &place, 3);
    let written = String::from_utf8(place.read(Folder::CONFIG)).expect("text");
    std::fs::write(place.0.join(Folder::CONFIG), written.replace("width = 16", "width = 32"))
        .expect("written");
    let error = run(|outside| resume(&place.0, None, outside), 1, &Still).expect_err("refused");
    assert!(error.code == "other-configuration" && error.cause.contains("`model.width`"), "{error}");
    std::fs::remove_file(place.0.join(Folder::CONFIG)).expect("removed");
    go_on(&place, u64::MAX);
    assert_same(&place, &whole, &FILES);
}

#[test]
fn weights_that_are_damaged_are_told() {
    let place = Place::new("damaged-best");
    begin(config(&[]), &place, 5);
    std::fs::write(place.0.join(Folder::BEST), "half").expect("written");
    let told = AtomicBool::new(false);
    let hear = |event: &Event| {
        let is_told = matches!(event, Event::Note(text) if text.contains("best.safetensors is damaged"));
        told.fetch_or(is_told, Ordering::Relaxed);
    };
    let outside = Outside { clock: &Still, memory: None, ranks: &Alone, stop: &|| true, hear: &hear };
    resume(&place.0, None, &outside).expect("a run");
    assert!(told.into_inner());
}

#[test]
fn half_a_file_is_not_left_where_there_is_no_room() {
    let place = Place::new("no-room");
    let folder = Folder::open(&place.0).expect("a folder");
    // Nothing can be moved to where a folder is.
    std::fs::create_dir_all(place.0.join("a/b")).expect("a folder");
    assert_eq!(folder.put("a", b"content").expect_err("no place").code, "unwritable");
    assert!(!place.0.join("a.part").exists());
}

#[test]
fn a_smaller_budget_than_was_spent_is_not_kept() {
    let (place, whole) = (Place::new("small-budget"), Place::new("small-budget-whole"));
    begin(config(&[]), &whole, u64::MAX);
    begin(config(&[]), &place, 5);
    // What a kill has left behind the state stays too.
    let mut metrics = place.read(Folder::METRICS);
    metrics.extend(b"{\"kind\": \"tra");
    std::fs::write(place.0.join(Folder::METRICS), &metrics).expect("written");
    let before = FILES.map(|name| place.read(name));
    let less = Budget { steps: Some(2), ..Budget::default() };
    let told = AtomicBool::new(false);
    let hear = |_: &Event| told.store(true, Ordering::Relaxed);
    let outside = Outside { clock: &Still, memory: None, ranks: &Alone, stop: &|| false, hear: &hear };
    let error = resume(&place.0, Some(less), &outside).expect_err("refused");
    assert_eq!(error.code, "budget-spent");
    assert_eq!(error.cause, "steps=2 is less than the 5 already used; the run keeps its budget of steps=8");
    assert!(error.action.contains("--resume goes on with it") && !told.into_inner());
    assert_eq!(FILES.map(|name| place.read(name)), before);
    assert_eq!(go_on(&place, u64::MAX).spent.steps, 8);
    assert_same(&place, &whole, &FILES);
}

/// What is just spent is a budget like any other: the run ends as if it had had it from the beginning.
#[test]
fn a_budget_that_is_just_spent_ends_the_run() {
    let (place, whole) = (Place::new("just-spent"), Place::new("just-spent-whole"));
    let constant = |steps: &str| config(&["schedule.kind=constant", steps]);
    begin(constant("budget.steps=5"), &whole, u64::MAX);
    begin(constant("budget.steps=8"), &place, 5);
    let just = Budget { steps: Some(5), ..Budget::default() };
    let summary = run(|outside| resume(&place.0, Some(just), outside), u64::MAX, &Still).expect("a run");
    assert_eq!((summary.ending, summary.spent.steps), (Ending::Done, 5));
    assert_same(&place, &whole, &FILES);
}

/// Time flies while the run is prepared.
#[derive(Default)]
struct Late(AtomicBool);

impl Clock for Late {
    fn wall(&self) -> Duration {
        Duration::from_secs(if self.0.load(Ordering::Relaxed) { 100 } else { 0 })
    }
    fn cpu(&self) -> Duration {
        self.wall()
    }
}

#[test]
fn time_to_prepare_is_not_of_the_budget() {
    for budget in ["budget.time=50s", "budget.cpu=50s"] {
        let (place, clock) = (Place::new("prepared"), Late::default());
        let hear = |event: &Event| {
            if matches!(event, Event::Prepared) {
                clock.0.store(true, Ordering::Relaxed);
            }
        };
        let steps = std::sync::atomic::AtomicU64::new(0);
        let stop = || steps.load(Ordering::Relaxed) >= 3;
        let hear = |event: &Event| {
            hear(event);
            steps.fetch_add(u64::from(matches!(event, Event::Step(_))), Ordering::Relaxed);
        };
        let outside = Outside { clock: &clock, memory: None, ranks: &Alone, stop: &stop, hear: &hear };
        let timed = config(&[budget, "schedule.kind=constant"]);
        let summary = start(timed, &place.0, None, &outside).expect("a run");
        assert_eq!((summary.ending, summary.spent.steps), (Ending::Stopped, 3), "{budget}");
        assert_eq!((summary.spent.time, summary.references), (Duration::ZERO, (3, 3)));
    }
}

/// What is left of a run that ran away can be begun with.
#[test]
fn weights_that_overflow_are_not_kept() {
    let place = Place::new("overflow");
    let wild = config(&[
        "optimiser.kind=adamw",
        "optimiser.lr=10",
        "optimiser.weight_decay=1",
        "budget.steps=200",
        "schedule.kind=constant",
        "schedule.warmup=0",
        "save_every=1",
        "validation.count=0",
    ]);
    let data = Source::training(&wild.data, 1, &Room::default()).expect("sound");
    let ended = run(|outside| start(wild, &place.0, None, outside), 200, &Still);
    let error = ended.expect_err("no numbers");
    assert!(error.code == "diverged" && error.cause.contains("step "), "{error}");
    let Checkpoint { weights, .. } = Checkpoint::from_bytes(&place.read(Folder::LAST)).expect("a checkpoint");
    let network = Network::new(weights, Isa::best().precise(), Use::Inference);
    for instance in data.instances(7, 0, 8, &|| false).expect("sound").into_iter().flatten() {
        assert!(network.decode(&instance, &Decoding::default(), &|| false).is_ok());
    }
    // Nor does a run begin with such weights.
    let mut init = Checkpoint::from_bytes(&place.read(Folder::LAST)).expect("a checkpoint");
    init.weights.values_mut().fill(1e30);
    let other = Place::new("overflow-init");
    let ended = run(|outside| start(config(&[]), &other.0, Some(&init), outside), 1, &Still);
    let error = ended.expect_err("no numbers");
    assert!(error.code == "diverged" && error.action.contains("--init"), "{error}");
    assert!(!other.0.join(Folder::LAST).exists());
}

#[test]
fn a_validation_set_that_is_gone_comes_back() {
    let place = Place::new("set-gone");
    begin(config(&[]), &place, 1);
    let (name, set) = (Folder::VALIDATION[0], place.read(Folder::VALIDATION[0]));
    for damage in [None, Some(&b"garbage"[..])] {
        std::fs::remove_file(place.0.join(name)).expect("removed");
        damage.iter().for_each(|bytes| std::fs::write(place.0.join(name), bytes).expect("written"));
        go_on(&place, 1);
        assert_eq!(place.read(name), set);
    }
}

/// Costs go on to decide what is best.
#[test]
fn references_that_are_gone_do_not_freeze_the_best() {
    let place = Place::new("all-null");
    begin(config(&["budget.steps=60", "schedule.kind=constant"]), &place, 1);
    let mut kept: serde_json::Value = serde_json::from_slice(&place.read(Folder::REFERENCES)).expect("JSON");
    kept["references"] = json!([null, null, null]);
    kept.as_object_mut().expect("a table").remove("sum");
    std::fs::write(place.0.join(Folder::REFERENCES), kept.to_string()).expect("written");
    let before = place.read(Folder::BEST);
    let best = go_on(&place, u64::MAX).best.expect("validated");
    assert!(best.gap.is_none() && before != place.read(Folder::BEST), "{best:?}");
}

/// Every example of the documentation, small and short.
#[test]
fn documented_examples_run() {
    let text = include_str!("../../../../docs/training.md");
    let examples: Vec<&str> =
        text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!examples.is_empty());
    let small = [
        "model.width=16",
        "model.heads=2",
        "model.hidden=16",
        "model.layers=1",
        "model.rank=3",
        "batch=4",
        "validation.count=2",
        "validation.search_steps=10",
        "validation.nodes=5",
        "budget.steps=2",
    ];
    for example in examples {
        let place = Place::new("documented");
        let mut config = Config::from_toml(example, &small.map(str::to_owned)).expect(example);
        config.data.curriculum.iter_mut().for_each(|stage| stage.nodes = vec![5]);
        assert_eq!(begin(config, &place, u64::MAX).spent.steps, 2, "{example}");
    }
}
