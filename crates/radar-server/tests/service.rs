//! What is answered: problems, plans, formats, refusals.

#[allow(dead_code)]
mod common;

use std::time::Duration;

use common::{Service, settings, town, with_limits};
use radar_server::Limits;
use serde_json::{Value, json};

/// What the library answers to the same request.
fn by_library(problem: &Value, seed: u64) -> Value {
    let loaded = radar_format::read(None, problem.to_string().as_bytes(), &Default::default()).expect("read");
    let wishes = radar_wire::Wishes { steps: Some(500), seed, ..Default::default() };
    let solver = radar::Solver::new(wishes.options().expect("options"));
    let solution = solver.solve(loaded.problems[0].clone(), &radar::Silent).expect("solved");
    let mut answer = json!(radar_wire::answer(&solution, &[]));
    answer["timings"] = json!(null);
    answer
}

#[test]
fn an_address_may_state_the_unit_of_a_table() {
    let service = Service::start(settings());
    let convert =
        |unit: &str| service.post(&format!("/v1/convert?to=json&name=m.csv&kind=atsp{unit}"), "0,2\n3,0\n");
    let minutes = convert("&unit=min");
    assert_eq!(minutes.status, 200, "{}", minutes.json());
    assert_eq!(minutes.json()["units"]["distance"], "min");
    assert_eq!(convert("").json()["units"]["distance"], Value::Null);
    assert_eq!(convert("&unit=furlong").status, 422);
}

#[test]
fn the_service_answers_as_the_library_does() {
    let service = Service::start(settings());
    let problem = town(25);
    let expected = by_library(&problem, 7);
    for answer in [
        service.post("/v1/solve?steps=500&seed=7", problem.to_string()),
        service
            .post("/v1/solve", json!({"problem": problem, "options": {"steps": 500, "seed": 7}}).to_string()),
        service.post(
            "/v1/solve",
            json!({"problem": problem.to_string(), "options": {"steps": 500, "seed": 7}}).to_string(),
        ),
    ] {
        assert_eq!(answer.status, 200, "{}", answer.text());
        let mut answer = answer.json();
        assert!(answer["timings"]["total"].as_f64().is_some_and(|seconds| seconds > 0.0));
        answer["timings"] = json!(null);
        assert_eq!(answer, expected);
    }
}

#[test]
fn other_formats_go_in_and_out() {
    let service = Service::start(settings());
    let problem = town(12);
    let vrplib = service.post("/v1/convert?to=vrplib", problem.to_string());
    assert_eq!(vrplib.status, 200, "{}", vrplib.text());
    assert!(vrplib.text().contains("CAPACITY"));
    let back = service.post("/v1/convert", &vrplib.body);
    assert_eq!(back.json()["distance"][1][2], problem["distance"][1][2]);
    for (to, kind) in [
        ("json", "application/json"),
        ("sol", "text/plain; charset=utf-8"),
        ("csv", "text/csv; charset=utf-8"),
        ("svg", "image/svg+xml"),
    ] {
        let answer = service.post(&format!("/v1/solve?steps=50&to={to}"), &vrplib.body);
        assert_eq!((answer.status, answer.header("content-type")), (200, kind), "{}", answer.text());
    }
    let matrix = "0,2,9\n4,0,1\n3,7,0\n";
    let undeclared = service.post("/v1/solve", matrix).refusal();
    assert_eq!(undeclared, (422, "kind-not-declared".to_owned()));
    let tour = service.post("/v1/solve?kind=atsp", matrix);
    assert_eq!(tour.json()["routes"], json!([[0, 1, 2]]));
    let stops = "id,demand\ndepot,0\na,3\nb,4\n";
    let request = json!({"problem": matrix, "given": {"stops": stops, "capacity": 9}});
    let routes = service.post("/v1/solve", request.to_string()).json();
    assert_eq!(routes["route_ids"], json!([["a", "b"]]));
}

#[test]
fn a_refusal_says_what_and_why() {
    let limits = Limits { nodes: 30, body: 100_000, solve_time: Duration::from_secs(2), ..Limits::default() };
    let service = Service::start(with_limits(limits));
    let town = town(5);
    let with = |key: &str, value: Value| {
        let mut problem = town.clone();
        problem[key] = value;
        problem.to_string()
    };
    let cases: Vec<(&str, String, u16, &str)> = vec![
        ("/v1/solve", String::new(), 422, "format-unknown"),
        ("/v1/solve", "{\"problem\": {}, \"colour\": 1}".to_owned(), 400, "bad-request"),
        ("/v1/solve", json!({"problem": town, "job": "x"}).to_string(), 400, "bad-request"),
        ("/v1/solve", json!({"job": "x"}).to_string(), 404, "unknown-job"),
        ("/v1/solve?colour=red", town.to_string(), 400, "bad-parameter"),
        ("/v1/solve?time=1", json!({"problem": town}).to_string(), 400, "bad-parameter"),
        (
            "/v1/solve",
            json!({"problem": town, "warm": vec![vec![1; 9]; 9]}).to_string(),
            422,
            "plan-too-long",
        ),
        (
            "/v1/check",
            json!({"problem": town, "plan": vec![vec![0; 0]; 99]}).to_string(),
            422,
            "plan-too-long",
        ),
        ("/v1/solve", coordinates(200), 422, "too-large"),
        ("/v1/solve", "{\"problem\": {\"version\": 1,}}".to_owned(), 400, "bad-request"),
        (
            "/v1/solve",
            json!({"problem": town, "warm": [[1]], "freeze": [[1]]}).to_string(),
            422,
            "bad-option",
        ),
        ("/v1/solve?augment=2", town.to_string(), 422, "bad-option"),
        ("/v1/solve?starts=2", town.to_string(), 422, "bad-option"),
        ("/v1/explain", json!({"problem": town, "stops": [0]}).to_string(), 422, "depot-is-no-stop"),
        ("/v1/explain", json!({"problem": town, "stops": [1.5]}).to_string(), 400, "bad-request"),
        ("/v1/solve?steps=0", town.to_string(), 422, "bad-option"),
        ("/v1/solve?time=-1", town.to_string(), 422, "bad-option"),
        ("/v1/solve?time=3", town.to_string(), 422, "budget-too-large"),
        ("/v1/solve?method=neural&model=nobody", town.to_string(), 422, "model"),
        ("/v1/solve?to=geojson", town.to_string(), 422, "cannot-express"),
        ("/v1/solve", common::town(30).to_string(), 422, "too-many-nodes"),
        ("/v1/solve", " ".repeat(100_001), 413, "body-too-large"),
        ("/v1/solve", with("demand", json!([0, 1, 1, 1, 1])), 422, "wrong-length"),
        ("/v1/solve", with("demand", json!([0, 1, 1, 1, 1, 99])), 422, "demand-above-capacity"),
        ("/v1/solve", with("distance", json!([[0, 1], [1, 0, 2]])), 422, "matrix-not-square"),
        ("/v1/check", town.to_string(), 400, "bad-request"),
        ("/v1/explain", json!({"problem": town, "stops": [99]}).to_string(), 422, "unknown-stop"),
        ("/v1/confidence?model=nobody", town.to_string(), 422, "model"),
        ("/v1/convert?to=gif", town.to_string(), 422, "format-unknown"),
        ("/v1/nothing", String::new(), 404, "unknown-address"),
        ("/v1/about", String::new(), 405, "unknown-method"),
    ];
    let mut wrong = Vec::new();
    for (path, body, status, code) in cases {
        let answer = service.post(path, &body);
        if answer.refusal() != (status, code.to_owned()) {
            wrong.push(format!("{path} {body:.60}: not {code} but {}", answer.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(service.get("/v1/jobs/nothing").refusal(), (404, "unknown-job".to_owned()));
    assert_eq!(service.get("/v1/jobs/nothing/events").refusal(), (404, "unknown-job".to_owned()));
    let many: Vec<usize> = (1..=29).cycle().take(100_000).collect();
    let repeated = json!({"problem": common::town(29), "stops": many});
    assert_eq!(service.post("/v1/explain", repeated.to_string()).refusal().0, 413);
    assert_eq!(service.get("/v1/jobs/%ff").refusal().0, 404);
    assert_eq!(service.get("/assets/..%2f..%2fCargo.toml").refusal().0, 404);
    assert_eq!(service.get("/v1/examples/../../etc/passwd").refusal().0, 404);
}

/// A short file that stands for a large matrix.
fn coordinates(nodes: usize) -> String {
    let points: String = (1..=nodes).map(|node| format!("{node} {node} 0\n")).collect();
    format!(
        "NAME: a\nTYPE: TSP\nDIMENSION: {nodes}\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{points}EOF\n"
    )
}

#[test]
fn plans_are_judged_and_explained() {
    let service = Service::start(settings());
    let problem = town(6);
    let id = service.accept(&json!({"problem": problem, "options": {"steps": 100}}));
    let plan = service.wait(&id, "done")["answer"]["routes"].clone();
    for request in [json!({"problem": problem, "plan": plan}), json!({"job": id, "plan": {"routes": plan}})] {
        let verdict = service.post("/v1/check", request.to_string()).json();
        assert_eq!(verdict["feasible"], true, "{verdict}");
        assert_eq!(verdict["schedule"].as_array().map(Vec::len), plan.as_array().map(Vec::len));
    }
    let all_on_one = json!({"job": id, "plan": [[1, 2, 3, 4, 5, 6]]});
    let verdict = service.post("/v1/check", all_on_one.to_string()).json();
    assert_eq!(
        (&verdict["feasible"], &verdict["violations"][0]["clause"]),
        (&json!(false), &json!("delivery-overload"))
    );
    let csv = service.post("/v1/check?to=csv", all_on_one.to_string());
    assert_eq!((csv.status, csv.header("content-type")), (200, "text/csv; charset=utf-8"));
    let explained = service.post("/v1/explain", all_on_one.to_string()).json();
    assert_eq!((&explained[0]["subject"], &explained[0]["fits"]), (&json!("plan"), &json!(false)));
    assert!(explained[0]["enough"].as_array().is_some_and(|list| !list.is_empty()), "{explained}");
    let sol = json!({"job": id, "plan": "Route #1: 1 2\nRoute #2: 3 4\nRoute #3: 5 6\nCost 1\n"});
    assert_eq!(service.post("/v1/check", sol.to_string()).json()["feasible"], true);
    let mut named = problem.clone();
    named["ids"] = json!(["0", "6", "5", "4", "3", "2", "1"]);
    let subject = |stop: Value| {
        let asked = json!({"problem": named, "stops": [stop], "plan": []});
        service.post("/v1/explain", asked.to_string()).json()[0]["subject"].clone()
    };
    assert_ne!(subject(json!(1)), subject(json!("1")), "a number is an index, a text an id");
    let missing = json!({"job": id, "plan": [[1, 2]], "stops": ["3"]});
    assert_eq!(service.post("/v1/explain", missing.to_string()).json()[0]["fits"], true);
}

#[test]
fn it_says_what_it_is() {
    let service = Service::start(settings());
    let about = service.get("/v1/about").json();
    assert_eq!(about["name"], "radar");
    for example in about["examples"].as_array().expect("a list") {
        let path = format!("/v1/examples/{}", example["id"].as_str().expect("an id"));
        let problem = service.get(&path).json();
        assert_eq!(problem["kind"], example["kind"]);
        let depots = usize::from(example["kind"] == "vrp");
        assert_eq!(
            problem["distance"].as_array().map(|rows| rows.len() - depots),
            example["stops"].as_u64().map(|stops| stops as usize)
        );
    }
    assert_eq!(service.get("/health").json()["status"], "up");
    assert_eq!(service.get("/ready").json()["status"], "ready");
    let cards = service.get("/v1/models").json();
    let names: Vec<_> = cards.as_array().expect("a list").iter().map(|card| card["name"].clone()).collect();
    assert_eq!((json!(names), &about["models"]), (json!(["atsp", "vrp"]), &json!(["atsp", "vrp"])));
    let page = service.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").contains("default-src 'self'"));
    assert!(!page.header("x-request-id").is_empty());
    let metrics = service.get("/metrics").text();
    assert!(
        metrics.contains("radar_requests_total{route=\"/health\",method=\"GET\",status=\"200\"} 1"),
        "{metrics}"
    );
    assert_eq!(service.get("/openapi.json").json()["openapi"], "3.1.0");
}

#[test]
fn a_vroom_client_is_answered() {
    let service = Service::start(settings());
    let request = json!({
        "vehicles": [
            {"id": 7, "start_index": 0, "end_index": 0, "capacity": [4], "time_window": [0, 1000]},
            {"id": 9, "start_index": 0, "end_index": 0, "capacity": [4], "time_window": [0, 1000]},
        ],
        "jobs": [
            {"id": 11, "location_index": 1, "delivery": [3], "service": 10},
            {"id": 12, "location_index": 2, "delivery": [3], "service": 20, "time_windows": [[300, 400]]},
            {"id": 13, "location_index": 2, "delivery": [4], "service": 20},
        ],
        "matrices": {"car": {
            "durations": [[0, 50, 60], [55, 0, 20], [70, 25, 0]],
            "distances": [[0, 500, 600], [550, 0, 200], [700, 250, 0]],
        }},
        "options": {"g": false},
    });
    let answer = service.post("/vroom", request.to_string());
    assert_eq!(answer.status, 200, "{}", answer.text());
    let answer = answer.json();
    assert_eq!((&answer["code"], &answer["summary"]["unassigned"]), (&json!(0), &json!(1)));
    assert_eq!(answer["summary"]["routes"], 2);
    let vehicles: Vec<_> =
        answer["routes"].as_array().expect("routes").iter().map(|it| &it["vehicle"]).collect();
    assert_eq!(vehicles, [&json!(7), &json!(9)]);
    for route in answer["routes"].as_array().expect("routes") {
        let steps = route["steps"].as_array().expect("steps");
        let kinds: Vec<_> = steps.iter().map(|step| step["type"].as_str().expect("a type")).collect();
        assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("start", "end"));
        // Time goes by travel, waiting and service alone.
        for pair in steps.windows(2) {
            let number =
                |step: &Value, key: &str| step[key].as_i64().unwrap_or_else(|| panic!("{key} of {step}"));
            let leave =
                number(&pair[0], "arrival") + number(&pair[0], "waiting_time") + number(&pair[0], "service");
            let travel = number(&pair[1], "duration") - number(&pair[0], "duration");
            assert_eq!(number(&pair[1], "arrival"), leave + travel);
        }
        assert_eq!(steps[steps.len() - 1]["duration"], route["duration"]);
        // Here every length is ten times the time.
        let number = |value: &Value| value.as_i64().expect("a whole number");
        assert_eq!(number(&route["distance"]), 10 * number(&route["duration"]));
        assert_eq!(steps[steps.len() - 1]["distance"], route["distance"]);
    }
    let idle = json!({"vehicles": request["vehicles"], "jobs": []});
    let idle = service.post("/vroom", idle.to_string()).json();
    assert_eq!((&idle["code"], &idle["routes"]), (&json!(0), &json!([])));
    let wrong = service.post("/vroom", json!({"vehicles": [], "jobs": [], "matrix": [[0]]}).to_string());
    assert_eq!((wrong.status, &wrong.json()["code"]), (400, &json!(2)));
    assert!(wrong.json()["error"].as_str().is_some_and(|text| text.contains("no-vehicles")));
}
