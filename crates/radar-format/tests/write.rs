//! Answers in every format, plans read back, and problems in the formats of others.

mod problems;

use std::collections::BTreeMap;

use problems::{damage, full, routes, tours};
use proptest::prelude::*;
use radar_check::check;
use radar_format::read::plan;
use radar_format::write::{About, Answer, Warning};
use radar_format::{Given, read, write};
use radar_problem::{Problem, Routes, Table};

fn answered(problem: &Problem, routes: &[&[usize]]) -> Answer {
    let routes = Routes(routes.iter().map(|route| route.to_vec()).collect());
    let instance = problem.clone().validate().instance.expect("a sound problem");
    let verdict = check(&instance, &routes);
    let about = About {
        method: "by hand".to_owned(),
        seed: 7,
        bound: Some(5.0),
        timings: BTreeMap::from([("search".to_owned(), 0.25)]),
        warnings: vec![Warning { code: "time-budget".to_owned(), text: "not repeatable".to_owned() }],
        reasons: BTreeMap::from([(3, vec!["window-unreachable".to_owned()])]),
        ..About::default()
    };
    Answer::new(&instance, &routes, &verdict, about)
}

fn text(format: &str, problem: &Problem, answer: &Answer) -> String {
    String::from_utf8(write::answer(format, problem, answer).expect(format)).expect("text")
}

fn tour() -> Problem {
    Problem::atsp(Table::from_rows(vec![vec![0.0, 1.0, 5.0], vec![5.0, 0.0, 1.0], vec![1.0, 5.0, 0.0]]))
}

fn example() -> (Problem, Answer) {
    let problem = full();
    let answer = answered(&problem, &[&[2, 1], &[3]]);
    (problem, answer)
}

#[test]
fn an_answer_says_everything() {
    let (problem, answer) = example();
    assert_eq!(answer.cost, Some(18.5));
    assert_eq!((answer.bound, answer.gap, answer.optimal), (Some(5.0), Some(13.5 / 18.5), false));
    assert_eq!(answer.route_ids, [vec!["naïve, café", "a<b>&\"c\""], vec!["d"]]);
    let first = &answer.schedule[0];
    assert_eq!((first.departure, first.returns, first.end), (0.0, Some(48.0), 48.0));
    assert_eq!((first.distance, first.duration, first.delivered, first.picked_up), (5.0, 48.0, 7.0, 0.0));
    let visits: Vec<_> =
        first.stops.iter().map(|stop| (stop.arrival, stop.wait, stop.start, stop.leave)).collect();
    assert_eq!(visits, [(20.0, 0.0, 20.0, 25.0), (32.0, 0.0, 32.0, 37.0)]);
    assert_eq!(answer.schedule[1].picked_up, 2.5);
    let again: Answer = serde_json::from_str(&text("json", &problem, &answer)).expect("our own answer");
    assert_eq!(again, answer);
}

#[test]
fn the_keys_are_the_wires() {
    let (problem, answer) = example();
    let value: serde_json::Value = serde_json::from_str(&text("json", &problem, &answer)).expect("JSON");
    let mut keys: Vec<&str> = value.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut wanted: Vec<&str> =
        "cost bound gap optimal routes route_ids schedule unserved method model seed scale timings warnings"
            .split(' ')
            .collect();
    keys.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
}

#[test]
fn with_unserved_stops_nothing_is_bounded() {
    let answer = answered(&full(), &[&[2, 1]]);
    assert_eq!((answer.bound, answer.gap, answer.optimal), (None, None, false));
    assert_eq!(answer.unserved.len(), 1);
    assert_eq!((answer.unserved[0].node, answer.unserved[0].id.as_str()), (3, "d"));
    assert_eq!(answer.unserved[0].reasons, ["window-unreachable"]);
}

#[test]
fn the_schema_knows_answers() {
    let schema: serde_json::Value = serde_json::from_str(radar_format::answer_schema()).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of draft 2020-12");
    let schema = jsonschema::draft202012::new(&schema).expect("a schema");
    let (problem, answer) = example();
    let cases = [
        (problem.clone(), answer),
        (tour(), answered(&tour(), &[&[0, 1, 2]])),
        (problem.clone(), answered(&problem, &[])),
    ];
    for (problem, answer) in &cases {
        let value: serde_json::Value = serde_json::from_str(&text("json", problem, answer)).expect("JSON");
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        for key in value.as_object().expect("an object").keys() {
            let mut less = value.clone();
            less.as_object_mut().expect("an object").remove(key);
            assert!(!schema.is_valid(&less), "without {key}");
        }
        let mut more = value.clone();
        more["colour"] = 1.into();
        assert!(!schema.is_valid(&more));
        let mut wrong = value.clone();
        wrong["routes"] = serde_json::json!([[-1]]);
        assert!(!schema.is_valid(&wrong));
    }
}

#[test]
fn plans_come_back() {
    let (problem, answer) = example();
    for format in ["json", "sol"] {
        let bytes = write::answer(format, &problem, &answer).expect(format);
        assert_eq!(plan(&bytes, &problem).expect(format).0, answer.routes, "{format}");
    }
    let answer = answered(&tour(), &[&[0, 1, 2]]);
    for format in ["json", "sol"] {
        let bytes = write::answer(format, &tour(), &answer).expect(format);
        assert_eq!(plan(&bytes, &tour()).expect(format).0, [[0, 1, 2]], "{format}");
    }
}

#[test]
fn plans_by_index_and_by_id() {
    let problem = full();
    for text in [
        "[[2, 1], [3]]",
        r#"[["naïve, café", 1], ["d"]]"#,
        r#"{"routes": [[2, 1], [3]]}"#,
        r#"{"route_ids": [["naïve, café", "a<b>&\"c\""], ["d"]], "note": "foreign keys are no plan's business"}"#,
        "Route #1: 2 1\nRoute #2: 3\nCost 18.5\n",
        "route 1 : 2 1\r\nRoute 2: d\r\n",
    ] {
        assert_eq!(plan(text.as_bytes(), &problem).expect(text).0, [vec![2, 1], vec![3]], "{text}");
    }
    assert_eq!(plan(b"[]", &problem).expect("no routes").0.len(), 0);
}

#[test]
fn wrong_plans_are_named() {
    for (text, code, words) in [
        ("[[4]]", "unknown-node", "routes[0][0] is 4, but nodes are numbered 0 to 3"),
        (r#"[[1], ["nobody"]]"#, "unknown-node", "routes[1][0] is `nobody`"),
        (r#"{"route_ids": [["nobody"]]}"#, "unknown-node", "route_ids[0][0]"),
        (r#"{"routes": [[1]], "route_ids": [["d"]]}"#, "plan-contradicts-itself", "different nodes"),
        ("[1]", "wrong-type", "routes[0] is no list"),
        ("[[1.5]]", "wrong-type", "routes[0][0] is 1.5"),
        ("[[-1]]", "wrong-type", "routes[0][0] is -1"),
        (r#"{"routes": [[1]], "cost": 1, "routes": [[2]]}"#, "duplicate-key", "duplicate field `routes`"),
        (r#"{"routes": null}"#, "wrong-type", "routes is no list"),
        ("{}", "missing-key", "neither routes nor route_ids"),
        ("[[1]", "json-syntax", "no JSON"),
        ("Route #1: 9\n", "unknown-node", "stop 0 on line 1 is 9"),
        ("hello\n", "plan-unknown", "line 1"),
        ("", "plan-unknown", "empty"),
    ] {
        let error = plan(text.as_bytes(), &full()).expect_err(text);
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_solution_is_what_vrplib_writes() {
    let (problem, answer) = example();
    assert_eq!(text("sol", &problem, &answer), "Route #1: 2 1\nRoute #2: 3\nCost 18.5\n");
}

#[test]
fn a_schedule_has_a_row_per_visit() {
    let (problem, answer) = example();
    let sheet = text("csv", &problem, &answer);
    let lines: Vec<&str> = sheet.lines().collect();
    let header = r#""route","position","node","id","arrival","wait","start","leave","load""#;
    assert_eq!(lines[0], header);
    assert_eq!(lines[1], r#"1,0,0,"depot",0,0,0,0,7"#);
    assert_eq!(lines[2], "1,1,2,\"naïve, café\",20,0,20,25,3");
    assert_eq!(lines[3], "1,2,1,\"a<b>&\"\"c\"\"\",32,0,32,37,0");
    assert_eq!(lines[4], r#"1,3,0,"depot",48,0,48,48,0"#);
    assert_eq!(lines.len(), 1 + 4 + 3);
    let tour_lines = text("csv", &tour(), &answered(&tour(), &[&[0, 1, 2]]));
    assert_eq!(tour_lines.lines().count(), 1 + 3 + 1);
}

#[test]
fn geojson_is_longitude_first() {
    let (problem, answer) = example();
    let value: serde_json::Value = serde_json::from_str(&text("geojson", &problem, &answer)).expect("JSON");
    assert_eq!(value["type"], "FeatureCollection");
    let features = value["features"].as_array().expect("features");
    let lines: Vec<_> =
        features.iter().filter(|feature| feature["geometry"]["type"] == "LineString").collect();
    let points = features.iter().filter(|feature| feature["geometry"]["type"] == "Point").count();
    assert_eq!((lines.len(), points), (2, 4));
    let way = serde_json::json!([[-8.61, 41.15], [-8.6, 41.17], [-8.62, 41.16], [-8.61, 41.15]]);
    assert_eq!(lines[0]["geometry"]["coordinates"], way);
    assert_eq!(lines[0]["properties"]["distance"], 5.0);
    let open = Problem { open: true, limit: None, ..problem.clone() };
    let value: serde_json::Value =
        serde_json::from_str(&text("geojson", &open, &answered(&open, &[&[2, 1], &[3]]))).expect("JSON");
    assert_eq!(value["features"][0]["geometry"]["coordinates"].as_array().map(Vec::len), Some(3));
}

#[test]
fn geojson_needs_points_on_earth() {
    let (mut problem, answer) = example();
    problem.points = Some(vec![[100.0, 0.0]; 4]);
    assert_eq!(write::answer("geojson", &problem, &answer).expect_err("a plane").code, "cannot-express");
    problem.points = None;
    assert_eq!(write::answer("geojson", &problem, &answer).expect_err("no points").code, "cannot-express");
}

/// Whether tags are balanced and nothing is unescaped.
fn well_formed(svg: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let between = &rest[..start];
        assert!(!between.contains('>'), "{between}");
        for (at, _) in between.match_indices('&') {
            let entity = &between[at..];
            assert!(
                ["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|known| entity.starts_with(known)),
                "{entity}"
            );
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().expect("a name");
        match (tag.starts_with('/'), tag.ends_with('/'), tag.starts_with('?')) {
            (_, _, true) | (_, true, _) => {}
            (true, _, _) => assert_eq!(open.pop(), Some(name)),
            (false, _, _) => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn a_map_needs_points() {
    let (problem, answer) = example();
    let blind = Problem { points: None, ..problem };
    let error = write::answer("geojson", &blind, &answer).expect_err("no points");
    assert_eq!(error.code, "cannot-express");
    // Only formats in which an answer is written are advised.
    assert!(error.action.contains("svg") && !error.action.contains("npz"), "{error}");
}

#[test]
fn pictures_are_whole_and_escaped() {
    let (problem, answer) = example();
    let map = text("svg", &problem, &answer);
    well_formed(&map);
    assert_eq!(map.matches("<polyline").count(), 2);
    assert!(map.contains("a&lt;b&gt;&amp;&quot;c&quot;") && map.contains("Route 2"));
    let blind = Problem { points: None, ..problem.clone() };
    let bars = text("svg", &blind, &answer);
    well_formed(&bars);
    assert!(bars.contains("a&lt;b&gt;&amp;&quot;c&quot;") && bars.contains("waiting"));
    assert!(!bars.contains("<polyline"));
    let partial = answered(&blind, &[&[2, 1]]);
    assert!(text("svg", &blind, &partial).contains("not served: d"));
    assert!(text("svg", &problem, &partial).contains("d · not served"));
    for (problem, routes) in
        [(tour(), vec![vec![0, 1, 2]]), (problem.clone(), vec![]), (problem, vec![vec![]])]
    {
        let routes: Vec<&[usize]> = routes.iter().map(Vec::as_slice).collect();
        well_formed(&text("svg", &problem, &answered(&problem, &routes)));
    }
}

#[test]
fn pictures_survive_one_place_for_all() {
    let mut problem = full();
    problem.points = Some(vec![[41.0, -8.0]; 4]);
    let map = text("svg", &problem, &answered(&problem, &[&[2, 1], &[3]]));
    assert!(!map.contains("NaN") && !map.contains("inf"));
    well_formed(&map);
}

#[test]
fn unknown_formats_name_the_known() {
    let (problem, answer) = example();
    for error in [
        write::problem("xml", &problem).expect_err("xml"),
        write::problems("xml", &[]).expect_err("xml"),
        write::answer("xml", &problem, &answer).expect_err("xml"),
    ] {
        assert_eq!(error.code, "format-unknown");
        assert!(error.action.contains("json"), "{error}");
    }
}

/// Lists that only say nothing, as the formats without absent lists read them.
fn filled(mut problem: Problem) -> Problem {
    let nodes = problem.nodes();
    if problem.backhaul.is_some() || problem.capacity.is_some() {
        problem.demand.get_or_insert_with(|| vec![0.0; nodes]);
    }
    problem
}

fn reread(format: &str, problem: &Problem) -> Problem {
    let bytes = write::problem(format, problem).expect(format);
    let loaded = read(None, &bytes, &Given::default()).unwrap_or_else(|error| {
        panic!("{error}\n{}", String::from_utf8_lossy(&bytes));
    });
    loaded.problems.into_iter().next().expect("one problem")
}

proptest! {
    #[test]
    fn vrplib_comes_back(problem in routes()) {
        prop_assert_eq!(reread("vrplib", &problem), filled(problem));
    }

    #[test]
    fn tsplib_comes_back(problem in tours()) {
        prop_assert_eq!(reread("tsplib", &problem), problem);
    }

    #[test]
    fn solomon_comes_back(
        places in proptest::collection::vec((0_u32..100, 0_u32..100, 1_u32..50, 0_u32..500), 2..8),
        vehicles in 1_usize..30,
    ) {
        let mut problem = solomon(&places);
        problem.vehicles = Some(vehicles);
        prop_assert_eq!(reread("solomon", &problem), problem);
    }
}

fn solomon(places: &[(u32, u32, u32, u32)]) -> Problem {
    let points: Vec<[f64; 2]> = places.iter().map(|&(x, y, _, _)| [f64::from(y), f64::from(x)]).collect();
    let length = |a: [f64; 2], b: [f64; 2]| ((a[0] - b[0]).hypot(a[1] - b[1]) * 1e4).round() / 1e4;
    let rows = points.iter().map(|&a| points.iter().map(|&b| length(a, b)).collect()).collect();
    Problem {
        name: Some("R1".to_owned()),
        demand: Some(
            places
                .iter()
                .enumerate()
                .map(|(node, place)| if node == 0 { 0.0 } else { f64::from(place.2) })
                .collect(),
        ),
        capacity: Some(200.0),
        windows: Some(places.iter().map(|place| [f64::from(place.3), f64::from(place.3 + 30)]).collect()),
        service: Some(vec![0.0; places.len()]),
        points: Some(points),
        ..Problem::vrp(Table::from_rows(rows))
    }
}

#[test]
fn what_others_cannot_say_is_named() {
    let error =
        |format: &str, problem: &Problem| write::problem(format, problem).expect_err(format).to_string();
    assert!(error("tsplib", &full()).contains("the kind vrp"));
    assert!(error("vrplib", &tour()).contains("the kind atsp"));
    let timed = Problem { duration: Some(tour().distance), ..tour() };
    assert!(error("tsplib", &timed).contains("duration"));
    let both = Problem { backhaul: Some(vec![0.0, 1.0, 0.0, 0.0]), ..full() };
    assert!(error("vrplib", &both).contains("both a delivery and a pickup at node 1"));
    let places = [(0, 0, 0, 0), (3, 4, 1, 0)];
    assert!(error("solomon", &full()).contains("duration, backhaul, limit, max_duration, priority"));
    let far =
        Problem { distance: Table::from_rows(vec![vec![0.0, 5.0], vec![6.0, 0.0]]), ..solomon(&places) };
    assert!(error("solomon", &far).contains("the distance from 1 to 0"));
    let endless = Problem { windows: Some(vec![[0.0, 9.0], [0.0, f64::INFINITY]]), ..solomon(&places) };
    assert!(error("solomon", &endless).contains("the window of node 1 never closes"));
    let named = Problem { ids: Some(vec!["0".to_owned(), "shop".to_owned()]), ..solomon(&places) };
    assert!(error("solomon", &named).contains("`shop`"));
    let short = Problem { demand: Some(vec![0.0]), ..full() };
    assert!(error("vrplib", &short).contains("demand has 1 entries for 4 nodes"));
}

#[test]
fn vrplib_uses_the_names_of_lkh() {
    let base = Problem { duration: None, windows: None, backhaul: None, limit: None, ..full() };
    let windows = full().windows;
    for (problem, name) in [
        (base.clone(), "ACVRP"),
        (Problem { windows: windows.clone(), ..base.clone() }, "CVRPTW"),
        (Problem { open: true, ..base.clone() }, "OVRP"),
        (Problem { backhaul: full().backhaul, ..base.clone() }, "VRPB"),
        (Problem { backhaul: full().backhaul, windows: windows.clone(), ..base.clone() }, "VRPBTW"),
        (Problem { limit: Some(9.0), ..base.clone() }, "AVRPL"),
        (Problem { open: true, windows, ..base }, "AOVRPTW"),
    ] {
        let bytes = write::problem("vrplib", &problem).expect("vrplib");
        assert!(String::from_utf8_lossy(&bytes).contains(&format!("TYPE : {name}\n")), "{name}");
    }
}

#[test]
fn damage_is_survived() {
    let (problem, answer) = example();
    for format in ["json", "sol"] {
        let bytes = write::answer(format, &problem, &answer).expect(format);
        damage(&bytes, |damaged| drop(plan(damaged, &problem)));
    }
    let vrplib = write::problem("vrplib", &problem).expect("vrplib");
    damage(&vrplib, |damaged| drop(read(Some("x.vrp"), damaged, &Given::default())));
}
