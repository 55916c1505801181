//! Tables of routing engines: what their numbers become, and what is refused.

use radar_format::read::{self, Given};
use radar_format::{FormatError, Loaded};
use radar_problem::{Kind, Problem};

const OSRM: &str = include_str!("fixtures/porto/osrm_table_20.json");
const OSRM_DURATIONS: &str = include_str!("fixtures/porto/osrm_table_20_duration_only.json");
const VALHALLA_COMPACT: &str = include_str!("fixtures/porto/valhalla_matrix_compact_20.json");
const VALHALLA_VERBOSE: &str = include_str!("fixtures/porto/valhalla_matrix_verbose_20.json");
const GOOGLE: &str = include_str!("fixtures/engines/google.json");
const OPENROUTESERVICE: &str = include_str!("fixtures/engines/openrouteservice.json");
const GRAPHHOPPER: &str = include_str!("fixtures/engines/graphhopper.json");
const FAR: f64 = f64::INFINITY;

fn tour() -> Given {
    Given { kind: Some(Kind::Atsp), ..Given::default() }
}

fn open(text: &str) -> Result<Loaded, FormatError> {
    read::read(None, text.as_bytes(), &tour())
}

fn problem(format: &str, text: &str) -> Problem {
    let loaded = open(text).expect(format);
    assert_eq!(loaded.format, format);
    loaded.problems.into_iter().next().expect("one problem")
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.notes.iter().map(|note| note.code).collect()
}

fn units(problem: &Problem) -> (Option<&str>, Option<&str>) {
    (problem.units.distance.as_deref(), problem.units.duration.as_deref())
}

#[test]
fn osrm_with_both_tables() {
    let problem = problem("osrm", OSRM);
    assert_eq!((problem.nodes(), units(&problem)), (20, (Some("m"), Some("s"))));
    assert_eq!((problem.distance.at(0, 1), problem.distance.at(1, 0)), (2695.6, 2684.4));
    let duration = problem.duration.as_ref().expect("durations");
    assert_eq!((duration.at(0, 1), duration.at(1, 0)), (304.9, 222.3));
    assert_eq!(problem.points.as_ref().map(|points| points[0]), Some([41.147638, -8.61376]));
    assert!(problem.validate().findings.is_empty());
}

#[test]
fn osrm_with_durations_alone_is_the_single_matrix() {
    let problem = problem("osrm", OSRM_DURATIONS);
    assert_eq!((problem.duration.is_none(), units(&problem)), (true, (Some("s"), Some("s"))));
    assert_eq!((problem.distance.at(0, 1), problem.distance.at(1, 0)), (304.9, 222.3));
}

#[test]
fn osrm_pairs_without_a_way() {
    let text = r#"{"durations":[[null,2,null],[3,0,214748364.7],[5,6,0]],"distances":[[0,20,null],[30,0,2147483647],[50,60,0]],
        "fallback_speed_cells":[[0,1]],"code":"Ok"}"#;
    let loaded = open(text).expect("nulls");
    assert_eq!(codes(&loaded), ["sentinels-unreachable", "pairs-estimated", "pairs-unreachable"]);
    assert!(loaded.notes[2].text.contains("2 pairs"), "{:?}", loaded.notes);
    let problem = &loaded.problems[0];
    assert_eq!(*problem.distance.values(), [0.0, 20.0, FAR, 30.0, 0.0, FAR, 50.0, 60.0, 0.0]);
    let duration = problem.duration.as_ref().expect("durations");
    assert_eq!(*duration.values(), [0.0, 2.0, FAR, 3.0, 0.0, FAR, 5.0, 6.0, 0.0]);
}

#[test]
fn both_shapes_of_valhalla_hold_the_same() {
    let compact = problem("valhalla", VALHALLA_COMPACT);
    let verbose = problem("valhalla", VALHALLA_VERBOSE);
    assert_eq!((compact.nodes(), units(&compact)), (20, (Some("km"), Some("s"))));
    let duration = compact.duration.as_ref().expect("durations");
    assert_eq!((duration.at(0, 1), duration.at(1, 0), compact.distance.at(19, 18)), (269.0, 240.0, 0.508));
    assert_eq!(verbose.points.as_ref().map(|points| points[0]), Some([41.147634, -8.613748]));
    assert_eq!((&verbose.distance, &verbose.duration), (&compact.distance, &compact.duration));
}

#[test]
fn valhalla_units_nulls_and_old_places() {
    let text = r#"{"sources_to_targets":[[{"from_index":0,"to_index":0,"time":0,"distance":0},{"from_index":0,"to_index":1,"time":null,"distance":null}],
        [{"from_index":1,"to_index":0,"time":60,"distance":1.5},{"time":0,"distance":0}]],"units":"miles",
        "sources":[[{"lat":1.0,"lon":2.0},{"lat":3.0,"lon":4.0}]],"targets":[[{"lat":1.0,"lon":2.0},{"lat":3.5,"lon":4.0}]]}"#;
    let loaded = open(text).expect("miles");
    assert_eq!(codes(&loaded), ["pairs-unreachable", "points-differ"]);
    let problem = &loaded.problems[0];
    assert_eq!(units(problem), (Some("mi"), Some("s")));
    assert_eq!(*problem.distance.values(), [0.0, FAR, 1.5, 0.0]);
    assert_eq!(problem.points.as_deref(), Some(&[[1.0, 2.0], [3.0, 4.0]][..]));
    let error = open(&text.replace("\"from_index\":1", "\"from_index\":0")).expect_err("out of place");
    assert_eq!(error.code, "bad-index");
    assert!(error.cause.contains("sources_to_targets[1][0]"), "{error}");
}

#[test]
fn google_looks_at_every_status() {
    let loaded = open(GOOGLE).expect("a matrix");
    assert_eq!(codes(&loaded), ["element-status", "element-status", "traffic-ignored", "pairs-unreachable"]);
    assert!(loaded.notes[0].text.contains("2 elements have status NOT_FOUND"), "{:?}", loaded.notes);
    let problem = &loaded.problems[0];
    assert_eq!((loaded.format, units(problem)), ("google", (Some("m"), Some("s"))));
    assert_eq!(*problem.distance.values(), [0.0, 1200.0, FAR, 1300.0, 0.0, 4000.0, FAR, 4100.0, 0.0]);
    let duration = problem.duration.as_ref().expect("durations");
    assert_eq!(*duration.values(), [0.0, 120.0, FAR, 150.0, 0.0, 360.0, FAR, 361.0, 0.0]);
}

#[test]
fn openrouteservice_honours_its_unit() {
    let loaded = open(OPENROUTESERVICE).expect("a matrix");
    assert_eq!((loaded.format, codes(&loaded)), ("openrouteservice", vec!["pairs-unreachable"]));
    let problem = &loaded.problems[0];
    assert_eq!(units(problem), (Some("km"), Some("s")));
    assert_eq!(
        (problem.distance.at(0, 1), problem.distance.at(1, 0), problem.distance.at(2, 0)),
        (0.2, 0.21, FAR)
    );
    assert_eq!(problem.points.as_ref().map(|points| points[1]), Some([49.42, 8.687]));
    // A point that was not placed leaves all points out.
    let text = OPENROUTESERVICE
        .replace("\"sources\":[{\"location\":[8.681,49.414],\"snapped_distance\":1.0}", "\"sources\":[null");
    assert_eq!(self::problem("openrouteservice", &text).points, None);
    let metres = self::problem("openrouteservice", r#"{"distances":[[0,1],[2,0]]}"#);
    assert_eq!((metres.distance.at(1, 0), units(&metres)), (2.0, (Some("m"), Some("m"))));
}

#[test]
fn graphhopper_states_times_and_hints() {
    let loaded = open(GRAPHHOPPER).expect("a matrix");
    assert_eq!((loaded.format, codes(&loaded)), ("graphhopper", vec!["engine-hint", "pairs-unreachable"]));
    let problem = &loaded.problems[0];
    let duration = problem.duration.as_ref().expect("times");
    assert_eq!((problem.distance.at(0, 2), duration.at(2, 0), duration.at(1, 2)), (3400.0, 351.0, FAR));
}

#[test]
fn stops_go_with_a_table() {
    let stops = b"id,demand,open,close\nd,0,0,900\na,3,0,400\nb,4,100,500\n".to_vec();
    let given = Given { stops: Some(stops), capacity: Some(7.0), ..Given::default() };
    let problem = read::read(None, GRAPHHOPPER.as_bytes(), &given).expect("with stops").problems.remove(0);
    assert_eq!(problem.kind, Kind::Vrp);
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 3.0, 4.0][..]));
    assert_eq!(problem.windows.as_ref().map(|windows| windows[2]), Some([100.0, 500.0]));
    assert_eq!(problem.id(1), "a");
    let error = read::read(None, GRAPHHOPPER.as_bytes(), &Given::default()).expect_err("no kind");
    assert_eq!(error.code, "kind-not-declared");
}

#[test]
fn refusals_say_what_and_where() {
    for (text, code, place) in [
        (
            r#"{"code":"InvalidQuery","message":"Query string malformed"}"#,
            "engine-refused",
            "Query string malformed",
        ),
        (r#"{"code":"Ok"}"#, "table-missing", "neither"),
        (r#"{"code":"Ok","durations":[[0,1]]}"#, "not-square", "durations[0]"),
        (r#"{"code":"Ok","durations":[[0,1],[0]]}"#, "not-square", "durations[1]"),
        (r#"{"code":"Ok","durations":[[0,"1"],[0,1]]}"#, "wrong-type", "line 1 column"),
        (r#"{"code":"Ok","durations":[[0,1e999],[0,1]]}"#, "json-syntax", "line 1 column"),
        (r#"{"code":"Ok","durations":[[0,NaN],[0,1]]}"#, "json-syntax", "line 1 column"),
        (r#"{"code":"Ok","code":"Ok"}"#, "duplicate-key", "code"),
        (r#"{"code":"Ok","durations":[[0,1],"#, "json-syntax", "line 1 column"),
        (r#"{"error":"No path","error_code":442,"status_code":400}"#, "engine-refused", "No path"),
        (r#"{"sources_to_targets":7}"#, "wrong-type", "line 1 column"),
        (r#"{"sources_to_targets":{"distances":[[0,1]]}}"#, "not-square", "distances[0]"),
        (r#"{"status":"REQUEST_DENIED","error_message":"no key","rows":[]}"#, "engine-refused", "no key"),
        (r#"{"status":"OK","rows":[]}"#, "table-missing", "neither"),
        (
            r#"{"status":"OK","rows":[{"elements":[{"status":"OK"}]}]}"#,
            "table-missing",
            "rows[0].elements[0]",
        ),
        (
            r#"{"status":"OK","rows":[{"elements":[{"status":"OVER_DAILY_LIMIT"}]}]}"#,
            "engine-refused",
            "rows[0].elements[0]",
        ),
        (r#"{"error":{"code":6004,"message":"too many"},"info":{}}"#, "engine-refused", "too many"),
        (r#"{"durations":[[0,1],[1]]}"#, "not-square", "durations[1]"),
        (r#"{"message":"Bad Request","hints":[{"message":"no point 1"}]}"#, "engine-refused", "no point 1"),
        (r#"{"times":[[0,1],[1]]}"#, "not-square", "durations[1]"),
    ] {
        let error = open(text).expect_err(text);
        assert_eq!(error.code, code, "{error}\n{text}");
        assert!(error.cause.contains(place), "{error}\n{text}");
    }
}
