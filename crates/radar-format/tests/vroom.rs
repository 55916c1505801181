//! VROOM problems: what their keys become, and what is refused.

use radar_format::read::{self, Given};
use radar_format::{FormatError, Loaded};
use radar_problem::{Kind, Problem};

const PORTO: &str = include_str!("fixtures/porto/vroom_porto20.json");
const FULL: &str = include_str!("fixtures/vroom/full.json");
const TINY: &str = r#"{"vehicles":[{"id":1,"start_index":0,"end_index":0,"capacity":[5]}],
    "jobs":[{"id":1,"location_index":1,"delivery":[2]}],"matrix":[[0,3],[4,0]]}"#;

fn open(text: &str) -> Result<Loaded, FormatError> {
    read::read(None, text.as_bytes(), &Given::default())
}

fn problem(text: &str) -> Problem {
    open(text).expect(text).problems.remove(0)
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.notes.iter().map(|note| note.code).collect()
}

#[test]
fn a_genuine_problem() {
    let loaded = open(PORTO).expect("a genuine file");
    let problem = &loaded.problems[0];
    assert_eq!((loaded.format, problem.kind, problem.nodes()), ("vroom", Kind::Vrp, 20));
    assert_eq!((problem.distance.at(0, 1), problem.distance.at(1, 0)), (305.0, 222.0));
    assert_eq!((problem.duration.is_none(), problem.vehicles, problem.capacity), (true, Some(3), Some(40.0)));
    assert_eq!(
        problem.demand.as_ref().map(|demand| (demand[0], demand[1], demand[19])),
        Some((0.0, 9.0, 2.0))
    );
    assert_eq!((problem.id(0), problem.id(19), problem.open), ("depot".to_owned(), "19".to_owned(), false));
    assert_eq!(codes(&loaded), ["distances-unused"]);
}

#[test]
fn every_key_that_is_known() {
    let loaded = open(FULL).expect("all of it");
    let problem = &loaded.problems[0];
    assert_eq!(codes(&loaded), ["distances-unused", "pickups-last"]);
    assert_eq!(problem.ids.as_ref().map(|ids| ids.join(" ")), Some("depot 14 11 12".to_owned()));
    // The depot is row 2; two jobs share row 0, and the 9 on its diagonal is no way between them.
    let cost = [0.0, 50.0, 60.0, 50.0, 20.0, 0.0, 10.0, 0.0, 40.0, 30.0, 0.0, 30.0, 20.0, 0.0, 10.0, 0.0];
    assert_eq!(*problem.distance.values(), cost);
    let duration = problem.duration.as_ref().expect("costs are not durations");
    assert_eq!((duration.at(0, 1), duration.at(1, 0), duration.at(1, 3)), (5.0, 2.0, 0.0));
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 4.0, 0.0, 1.0][..]));
    assert_eq!(problem.backhaul.as_deref(), Some(&[0.0, 0.0, 5.0, 0.0][..]));
    assert_eq!(problem.service.as_deref(), Some(&[0.0, 30.0, 0.0, 0.0][..]));
    assert_eq!(problem.priority.as_deref(), Some(&[1.0, 1.0, 41.0, 1.0][..]));
    let never = [0.0, f64::INFINITY];
    assert_eq!(problem.windows.as_deref(), Some(&[[100.0, 900.0], [200.0, 300.0], never, never][..]));
    assert_eq!(
        problem.points.as_ref().map(|points| (points[0], points[1])),
        Some(([49.1, 8.1], [49.2, 8.2]))
    );
    assert_eq!((problem.vehicles, problem.max_duration, problem.limit), (Some(2), None, None));
    assert_eq!((problem.units.distance.as_deref(), problem.units.duration.as_deref()), (None, Some("s")));
    assert!(problem.clone().validate().instance.is_some());
}

#[test]
fn routes_without_an_end_are_open() {
    let open_ended = TINY.replace(",\"end_index\":0", "");
    assert!(problem(&open_ended).open);
    // The end of a shift binds an open route, which never comes back to the depot.
    let shift = problem(&open_ended.replace("\"id\":1,\"start", "\"id\":1,\"time_window\":[10,70],\"start"));
    assert_eq!(
        (shift.max_duration, shift.windows.map(|windows| windows[0])),
        (Some(60.0), Some([10.0, 70.0]))
    );
}

#[test]
fn limits_are_kept_on_the_matrix_that_is_minimised() {
    let with = |limit: &str, tables: &str| {
        TINY.replace("\"capacity\"", &format!("{limit},\"capacity\"")).replace(
            "\"matrix\":[[0,3],[4,0]]",
            &format!("\"matrices\":{{\"car\":{{\"durations\":[[0,3],[4,0]]{tables}}}}}"),
        )
    };
    assert_eq!(problem(&with("\"max_travel_time\":9", "")).limit, Some(9.0));
    assert_eq!(problem(&with("\"max_travel_time\":9", ",\"distances\":[[0,5],[5,0]]")).limit, Some(9.0));
    let same = ",\"costs\":[[0,5],[5,0]],\"distances\":[[0,5],[5,0]]";
    assert_eq!(problem(&with("\"max_distance\":8", same)).limit, Some(8.0));
    for (limit, tables) in [
        ("\"max_distance\":8", ",\"distances\":[[0,5],[5,0]]"),
        ("\"max_travel_time\":9", same),
        ("\"max_travel_time\":9,\"max_distance\":8", ""),
    ] {
        assert_eq!(open(&with(limit, tables)).expect_err(limit).code, "unsupported");
    }
}

#[test]
fn unreachable_pairs() {
    let problem = problem(&TINY.replace("[0,3]", "[0,null]"));
    assert_eq!(*problem.distance.values(), [0.0, f64::INFINITY, 4.0, 0.0]);
}

#[test]
fn refusals_say_what_and_where() {
    for (from, to, code, place) in [
        ("\"id\":1,\"location_index\"", "\"id\":1,\"colour\":3,\"location_index\"", "unknown-key", "colour"),
        ("\"vehicles\"", "\"depots\":[],\"vehicles\"", "unknown-key", "depots"),
        ("\"capacity\"", "\"fuel\":1,\"capacity\"", "unknown-key", "fuel"),
        ("\"matrix\":[[0,3],[4,0]]", "\"matrices\":{\"car\":{\"speeds\":[]}}", "unknown-key", "speeds"),
        ("\"capacity\"", "\"breaks\":[{\"id\":1}],\"capacity\"", "unsupported", "vehicles[0].breaks"),
        ("\"capacity\"", "\"skills\":[1],\"capacity\"", "unsupported", "vehicles[0].skills"),
        ("\"capacity\"", "\"max_tasks\":4,\"capacity\"", "unsupported", "vehicles[0].max_tasks"),
        ("\"capacity\"", "\"speed_factor\":1.5,\"capacity\"", "unsupported", "vehicles[0].speed_factor"),
        ("\"capacity\"", "\"costs\":{\"fixed\":7},\"capacity\"", "unsupported", "vehicles[0].costs"),
        ("\"capacity\"", "\"steps\":[{}],\"capacity\"", "unsupported", "vehicles[0].steps"),
        ("\"delivery\"", "\"skills\":[1],\"delivery\"", "unsupported", "jobs[0].skills"),
        ("\"delivery\"", "\"setup\":60,\"delivery\"", "unsupported", "jobs[0].setup"),
        ("\"jobs\"", "\"shipments\":[{}],\"jobs\"", "unsupported", "shipments"),
        ("\"end_index\":0", "\"end_index\":1", "unsupported", "end_index"),
        ("\"start_index\":0,", "", "missing-key", "start_index"),
        ("\"location_index\":1,", "", "missing-key", "jobs[0]"),
        ("\"location_index\":1,", "\"location_index\":2,", "bad-index", "jobs[0].location_index is 2"),
        ("\"delivery\":[2]", "\"delivery\":[2,3]", "several-amounts", "jobs[0].delivery"),
        ("\"capacity\":[5]", "\"capacity\":[5,6]", "several-amounts", "vehicles[0].capacity"),
        (
            "\"delivery\"",
            "\"time_windows\":[[0,1],[2,3]],\"delivery\"",
            "several-windows",
            "jobs[0].time_windows",
        ),
        ("\"delivery\":[2]", "\"delivery\":[2.5]", "wrong-type", "line 2"),
        ("\"delivery\":[2]", "\"delivery\":[-2]", "wrong-type", "line 2"),
        ("[[0,3],[4,0]]", "[[0,3.5],[4,0]]", "not-whole", "3.5"),
        ("[[0,3],[4,0]]", "[[0,-3],[4,0]]", "not-whole", "-3"),
        ("[[0,3],[4,0]]", "[[0,3],[4]]", "not-square", "[1]"),
        (",\"matrix\":[[0,3],[4,0]]", "", "table-missing", "matrices"),
        ("\"matrix\":", "\"matrices\":{},\"matrix\":", "duplicate-key", "matrix"),
        ("\"matrix\":[[0,3],[4,0]]", "\"matrices\":{\"bike\":{}}", "missing-key", "car"),
        ("\"matrix\":[[0,3],[4,0]]", "\"matrices\":{\"car\":{}}", "missing-key", "durations"),
    ] {
        let text = TINY.replace(from, to);
        let error = open(&text).expect_err(&text);
        assert_eq!(error.code, code, "{error}\n{text}");
        assert!(error.cause.contains(place), "{error}\n{text}");
    }
}

#[test]
fn vehicles_that_differ_are_named() {
    let text = PORTO.replacen("\"capacity\": [40]}]", "\"capacity\": [41], \"time_window\": [0, 9]}]", 1);
    let error = open(&text).expect_err("one is larger");
    assert_eq!(error.code, "vehicles-differ");
    assert!(error.cause.contains("vehicles[2] differs from vehicles[0] in capacity, time_window"), "{error}");
    assert_eq!(
        open(&TINY.replace("{\"id\":1,\"start_index\":0,\"end_index\":0,\"capacity\":[5]}", ""))
            .expect_err("none")
            .code,
        "no-vehicles"
    );
}
