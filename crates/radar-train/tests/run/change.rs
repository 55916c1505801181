//! What has changed around a run, or is missing, is noticed.

use std::path::Path;
use std::sync::Mutex;

use radar_sample::Distribution;
use radar_train::folder::Folder;
use radar_train::ranks::Alone;
use radar_train::{Config, Event, Outside, Summary, TrainError, resume, start};
use serde_json::Value;

use crate::harness::{Place, Still, begin, config, go_on, run};

fn refused(result: Result<Summary, TrainError>) -> TrainError {
    result.expect_err("refused")
}

fn begin_again(config: Config, place: &Place) -> Result<Summary, TrainError> {
    run(|outside| start(config, &place.0, None, outside), 1, &Still)
}

fn go_on_again(place: &Place) -> Result<Summary, TrainError> {
    run(|outside| resume(&place.0, None, outside), 1, &Still)
}

fn remove(place: &Place, names: &[&str]) {
    names.iter().for_each(|name| std::fs::remove_file(place.0.join(name)).expect("removed"));
}

#[test]
fn runs_are_not_overwritten_and_must_be_there_to_go_on() {
    let place = Place::new("twice");
    begin(config(&[]), &place, 1);
    assert_eq!(refused(begin_again(config(&[]), &place)).code, "run-exists");
    let nowhere = run(|outside| resume(Path::new("/nowhere"), None, outside), 1, &Still);
    assert_eq!(refused(nowhere).code, "no-run");
    let state = place.read(Folder::STATE);
    std::fs::write(place.0.join(Folder::STATE), &state[..state.len() / 2]).expect("written");
    assert_eq!(refused(go_on_again(&place)).code, "bad-state");
}

#[test]
fn what_a_run_has_left_without_its_state_is_not_written_over() {
    let place = Place::new("remains");
    begin(config(&[]), &place, 4);
    remove(&place, &[Folder::STATE]);
    let error = refused(go_on_again(&place));
    assert!(error.code == "no-state" && error.action.contains("--init RUN/last.safetensors"), "{error}");
    let set = [Folder::VALIDATION[0], Folder::REFERENCES, Folder::CURVE];
    for name in [Folder::LAST, Folder::BEST, Folder::METRICS].into_iter().chain(set) {
        let error = refused(begin_again(config(&[]), &place));
        assert!(error.code == "run-exists" && error.cause.contains(name), "{error}");
        remove(&place, &[name]);
    }
    let error = refused(go_on_again(&place));
    assert!(error.code == "no-state" && error.action.contains("without --resume"), "{error}");
    // As a start leaves it that is killed before its first state.
    std::fs::write(place.0.join(Folder::METRICS), b"").expect("written");
    assert_eq!(begin_again(config(&[]), &place).expect("a run").spent.steps, 1);
    let first = place.lines().into_iter().next();
    assert!(matches!(first, Some(radar_train::metrics::Line::Validation(one)) if one.step == 0));
}

fn references(place: &Place) -> Value {
    serde_json::from_slice(&place.read(Folder::REFERENCES)).expect("JSON")
}

#[test]
fn references_belong_to_their_set() {
    let (one, other) = (Place::new("set-one"), Place::new("set-other"));
    begin(config(&[]), &one, 1);
    let found = references(&one);
    // Other instances, or another search.
    for set in ["validation.seed=9", "validation.search_steps=101", "validation.references=none"] {
        begin(config(&[set]), &other, 1);
        let searched = references(&other);
        assert_eq!(searched["references"].as_array().map(Vec::len), Some(3));
        assert_ne!(searched["set"], found["set"], "{set}");
        std::fs::remove_dir_all(&other.0).expect("removed");
    }
    // The same run does not take those of another set for its own, nor fewer than there are instances, but those
    // without a name, or with a cost that was changed, it searches again.
    let changed = serde_json::json!({ "set": "another", "references": found["references"] });
    let mut fewer = found.clone();
    fewer["references"].as_array_mut().expect("a list").pop();
    fewer.as_object_mut().expect("a table").remove("sum");
    let mut costly = found.clone();
    costly["references"][0]["cost"] = serde_json::json!(1000.0);
    let nameless = found["references"].clone();
    for (content, is_refused) in [(changed, true), (fewer, true), (nameless, false), (costly, false)] {
        std::fs::write(one.0.join(Folder::REFERENCES), content.to_string()).expect("written");
        match is_refused {
            true => assert_eq!(refused(go_on_again(&one)).code, "other-validation"),
            false => assert_eq!(go_on(&one, 1).ending, radar_train::Ending::Stopped),
        }
    }
    assert_eq!(references(&one), found);
}

/// A run of before learns to say whose its references are.
#[test]
fn references_of_before_are_taken_and_named() {
    let place = Place::new("references-before");
    begin(config(&[]), &place, 1);
    let found = references(&place);
    assert_eq!(found["minimise"], "distance");
    let mut before = found.clone();
    for key in ["minimise", "file", "origin", "sum"] {
        assert!(before.as_object_mut().and_then(|map| map.remove(key)).is_some(), "{key}");
    }
    std::fs::write(place.0.join(Folder::REFERENCES), before.to_string()).expect("written");
    assert_eq!(go_on(&place, 1).spent.steps, 2);
    assert_eq!(references(&place), found);
}

#[test]
fn a_set_is_kept_without_references_too() {
    let place = Place::new("no-references");
    let summary = begin(config(&["validation.references=none"]), &place, u64::MAX);
    assert!(summary.best.is_some_and(|mark| mark.gap.is_none() && mark.cost > 0.0));
    assert_eq!(references(&place)["origin"], "none");
    let set = radar_format::read(
        Some(Folder::VALIDATION[0]),
        &place.read(Folder::VALIDATION[0]),
        &radar_format::Given::default(),
    );
    assert_eq!(set.expect("a set").problems.len(), 3);
}

/// Puts a road matrix into a folder.
fn lay_roads(folder: &Path, name: &str, seed: u64) {
    let city = Distribution::named("city", &[("n", "12")], None).expect("ours");
    let content = radar_format::write::problem("json", &city.sample(seed, 0).problem).expect("written");
    std::fs::create_dir_all(folder).expect("a folder");
    std::fs::write(folder.join(name), content).expect("written");
}

#[test]
fn roads_that_have_changed_are_named() {
    let (place, roads, examined) =
        (Place::new("roads-run"), Place::new("roads"), Place::new("roads-examined"));
    lay_roads(&roads.0, "a.json", 1);
    lay_roads(&examined.0, "b.json", 2);
    let set = [
        "data.distribution=roads".to_owned(),
        "data.variant=ATSP".to_owned(),
        format!("data.roads={:?}", roads.0),
        format!("validation.roads={:?}", examined.0),
    ];
    let config = config(&set.each_ref().map(String::as_str));
    begin(config, &place, 1);
    let assert_named = |name: &str, how: &str| {
        let error = refused(go_on_again(&place));
        assert!(
            error.code == "other-data" && error.cause.contains(name) && error.cause.contains(how),
            "{error}"
        );
    };
    lay_roads(&roads.0, "a.json", 3);
    assert_named("a.json", "is not the file");
    lay_roads(&roads.0, "a.json", 1);
    lay_roads(&roads.0, "c.json", 3);
    assert_named("c.json", "is new");
    std::fs::rename(roads.0.join("a.json"), roads.0.join("d.json")).expect("moved");
    assert_named("a.json", "is gone");
    std::fs::rename(roads.0.join("d.json"), roads.0.join("a.json")).expect("moved");
    std::fs::remove_file(roads.0.join("c.json")).expect("removed");
    lay_roads(&examined.0, "b.json", 3);
    assert_named("b.json", "is not the file");
    lay_roads(&examined.0, "b.json", 2);
    assert_eq!(go_on(&place, 1).spent.steps, 2);
}

#[test]
fn roads_without_durations_have_none_to_minimise() {
    let (place, roads) = (Place::new("slow-run"), Place::new("slow-roads"));
    let tmat = Distribution::named("tmat", &[("n", "12")], None).expect("ours");
    let content = radar_format::write::problem("json", &tmat.sample(1, 0).problem).expect("written");
    std::fs::create_dir_all(&roads.0).expect("a folder");
    std::fs::write(roads.0.join("a.json"), content).expect("written");
    let file = format!("data.roads={:?}", roads.0);
    let set = ["data.distribution=roads", "data.variant=ATSP", &file, "data.minimise=duration"];
    let error = refused(begin_again(config(&set), &place));
    assert!(error.cause.contains("`data.minimise`") && error.cause.contains("a.json"), "{error}");
}

#[test]
fn a_spent_budget_is_told_with_how_to_give_more() {
    let place = Place::new("spent");
    begin(config(&[]), &place, u64::MAX);
    let notes = Mutex::new(Vec::new());
    let hear = |event: &Event| {
        if let Event::Note(text) = event {
            notes.lock().expect("no panic").push(text.clone());
        }
    };
    let outside = Outside { clock: &Still, memory: None, ranks: &Alone, stop: &|| false, hear: &hear };
    assert_eq!(resume(&place.0, None, &outside).expect("a run").spent.steps, 8);
    let notes = notes.into_inner().expect("no panic");
    assert!(
        notes.iter().any(|text| text.contains("steps=8") && text.contains("--budget steps=16")),
        "{notes:?}"
    );
}
