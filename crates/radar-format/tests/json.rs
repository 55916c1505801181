//! Our own JSON, there and back, and what it says about mistakes.

mod problems;

use problems::{damage, full, routes, tours};
use proptest::prelude::*;
use radar_format::read::read_as;
use radar_format::{FormatError, Given, read, write};
use radar_problem::{Kind, Problem, Table};

fn load(text: &str) -> Result<Problem, FormatError> {
    Ok(read(None, text.as_bytes(), &Given::default())?.problems.remove(0))
}

fn there_and_back(problem: &Problem) -> Problem {
    let bytes = write::problem("json", problem).expect("json can say everything");
    let loaded = read(Some("x.json"), &bytes, &Given::default()).expect("our own file");
    assert_eq!(loaded.format, "json");
    loaded.problems.into_iter().next().expect("one problem")
}

proptest! {
    #[test]
    fn routes_come_back(problem in routes()) {
        prop_assert_eq!(there_and_back(&problem), problem);
    }

    #[test]
    fn tours_come_back(problem in tours()) {
        prop_assert_eq!(there_and_back(&problem), problem);
    }

    #[test]
    fn sets_come_back(problems in proptest::collection::vec(routes(), 2..5)) {
        let bytes = write::problems("json-lines", &problems).expect("json can say everything");
        let loaded = read(None, &bytes, &Given::default()).expect("our own file");
        prop_assert_eq!(loaded.format, "json-lines");
        prop_assert_eq!(loaded.problems, problems);
    }
}

#[test]
fn ragged_tables_are_kept_for_validation() {
    let ragged = Problem::atsp(Table::from_rows(vec![vec![0.0, 1.0], vec![2.0]]));
    assert_eq!(there_and_back(&ragged), ragged);
    assert_eq!(there_and_back(&Problem::atsp(Table::default())), Problem::atsp(Table::default()));
}

#[test]
fn single_precision_is_written_as_the_decimal_it_means() {
    let table = Table::from_rows(vec![vec![0.0, f64::from(304.8_f32)], vec![1.5, 0.0]]).single();
    assert_eq!(there_and_back(&Problem::atsp(table)).distance.at(0, 1), 304.8);
}

#[test]
fn endless_values() {
    let text = r#"{"version": 1, "kind": "vrp", "distance": [[0, null, 1e999], [Infinity, 0, inf], [1, 2, 0]],
        "windows": [[0, null], [1, 2], [3, 1e999]], "demand": null, "open": null}"#;
    let problem = load(text).expect("a problem");
    assert_eq!(problem.kind, Kind::Vrp);
    for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2)] {
        assert_eq!(problem.distance.at(from, to), f64::INFINITY, "{from} {to}");
    }
    assert_eq!(problem.windows, Some(vec![[0.0, f64::INFINITY], [1.0, 2.0], [3.0, f64::INFINITY]]));
    assert_eq!((problem.demand, problem.open), (None, false));
}

#[test]
fn mistakes_are_named() {
    let valid =
        |more: &str| format!(r#"{{"version": 1, "kind": "vrp", "distance": [[0, 1], [2, 0]]{more}}}"#);
    for (text, code, words) in [
        (
            valid(r#", "demnd": [0, 1]"#),
            "unknown-key",
            "`demnd` is no key of a problem; did you mean `demand`?",
        ),
        (valid(r#", "units": {"length": "m"}"#), "unknown-key", "`length` is no key of units"),
        (valid(r#", "windows": [[0, 1], [2, "x"]]"#), "wrong-type", "windows[1][1] is a string"),
        (valid(r#", "windows": [[0, 1], [null, 3]]"#), "wrong-type", "windows[1][0] is null"),
        (valid(r#", "windows": [[0, 1], [2]]"#), "wrong-type", "windows[1] has 1 values"),
        (valid(r#", "demand": [0, NaN]"#), "wrong-type", "demand[1] is NaN"),
        (valid(r#", "demand": [0, "NaN"]"#), "wrong-type", "demand[1] is a string"),
        (valid(r#", "demand": [0, null]"#), "wrong-type", "demand[1] is null"),
        (valid(r#", "demand": 3"#), "wrong-type", "demand is the number 3"),
        (valid(r#", "vehicles": 2.5"#), "wrong-type", "vehicles is the number 2.5"),
        (valid(r#", "open": 1"#), "wrong-type", "open is the number 1"),
        (valid(r#", "ids": ["a", 2]"#), "wrong-type", "ids[1] is the number 2"),
        (valid(r#", "kind": "atsp""#), "duplicate-key", "`kind`"),
        (valid("") + " x", "json-syntax", "follows the end"),
        (valid("") + "{}", "json-syntax", "follows the end"),
        (valid(", \"limit\": 01"), "wrong-type", "limit is `01`, which begins with a 0 too many"),
        (valid(", \"limit\": 1."), "wrong-type", "limit is `1.`, which has no digit behind its point"),
        (valid(", \"limit\": 0x10"), "wrong-type", "limit is `0x10`, which is not decimal"),
        (
            valid(", \"limit\": -Infinity"),
            "wrong-type",
            "limit is `-Infinity`, which is less than every number",
        ),
        (valid(", \"limit\": 1e"), "wrong-type", "limit is `1e`, which is no number"),
        (valid(","), "json-syntax", "line 1, column"),
        (r#"{"version": 2, "kind": "vrp", "distance": []}"#.to_owned(), "version-unknown", "version 2"),
        (r#"{"kind": "vrp", "distance": []}"#.to_owned(), "missing-key", "`version`"),
        (r#"{"version": 1, "distance": []}"#.to_owned(), "missing-key", "`kind`"),
        (r#"{"version": 1, "kind": "tsp", "distance": []}"#.to_owned(), "unknown-kind", "`tsp`"),
        (r#"{"version": 1, "kind": "vrp"}"#.to_owned(), "missing-key", "`distance`"),
        (
            r#"{"version": 1, "kind": "vrp", "distance": [[0, [1]]]}"#.to_owned(),
            "wrong-type",
            "distance[0][1] is a list",
        ),
        ("{".to_owned(), "json-syntax", "ends too early"),
        ("[[0, 1], [2, 0]]".to_owned(), "wrong-type", "the top level is a list"),
        (format!("{}{}", "{\"distance\":", "[".repeat(100_000)), "wrong-type", "distance[0][0] is a list"),
    ] {
        let error = load(&text).expect_err(&text[..text.len().min(200)]);
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(words), "{error} lacks {words}");
    }
}

#[test]
fn a_line_of_a_set_is_named() {
    let good = r#"{"version":1,"kind":"atsp","distance":[[0]]}"#;
    let text = format!("{good}\n\n{good}\n{{\"version\":1}}\n");
    let error = read_as("json-lines", text.as_bytes(), &Given::default()).expect_err("the last line");
    assert!(error.cause.starts_with("line 4: "), "{error}");
}

#[test]
fn a_set_of_nothing_is_refused() {
    for text in ["", "\n\n", " \r\n\t\n"] {
        let error = read_as("json-lines", text.as_bytes(), &Given::default()).expect_err("nothing");
        assert_eq!(error.code, "no-problem", "{error}");
        let error = read(Some("set.jsonl"), text.as_bytes(), &Given::default()).expect_err("nothing");
        assert_eq!(error.code, "no-problem", "{error}");
    }
    assert_eq!(write::problems("json-lines", &[]).expect_err("nothing").code, "cannot-express");
}

#[test]
fn a_stated_kind_must_agree() {
    let given = Given { kind: Some(Kind::Vrp), ..Given::default() };
    let text = br#"{"version":1,"kind":"atsp","distance":[[0]]}"#;
    let error = read(None, text, &given).expect_err("another kind");
    assert_eq!(error.code, "kind-contradicted");
    // The caller may never have said --kind: --capacity speaks for routes too.
    assert!(error.action.contains("options that only routes have"), "{error}");
    let archive = write::problem("npz", &load(std::str::from_utf8(text).expect("text")).expect("a tour"))
        .expect("npz can say everything");
    assert_eq!(read(None, &archive, &given).expect_err("another kind"), error);
}

#[test]
fn what_is_accepted_is_json() {
    // Whatever a strict parser refuses is refused here too, but for the words for infinity.
    let bytes = write::problem("json", &full()).expect("json can say everything");
    damage(&bytes, |damaged| {
        let strict = serde_json::from_slice::<serde_json::Value>(damaged);
        let lenient = read_as("json", damaged, &Given::default());
        let endless = |word: &str| String::from_utf8_lossy(damaged).contains(word);
        if let (Err(error), Ok(_)) = (strict, lenient) {
            let range = error.to_string().contains("out of range");
            assert!(range || endless("inf"), "{error}: {}", String::from_utf8_lossy(damaged));
        }
    });
}

#[test]
fn what_cannot_be_said_is_refused() {
    let mut problem = full();
    problem.demand = Some(vec![0.0, f64::NAN, 1.0, 1.0]);
    assert_eq!(write::problem("json", &problem).expect_err("NaN").code, "cannot-express");
    problem.demand = Some(vec![0.0, f64::INFINITY, 1.0, 1.0]);
    assert_eq!(write::problem("json", &problem).expect_err("infinity").code, "cannot-express");
}

fn schema(text: &str) -> jsonschema::Validator {
    let schema: serde_json::Value = serde_json::from_str(text).expect("a schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

#[test]
fn the_schema_accepts_what_is_written() {
    let schema = schema(radar_format::problem_schema());
    let tour = Problem::atsp(Table::from_rows(vec![vec![0.0, f64::INFINITY], vec![2.0, 0.0]]));
    for problem in [full(), tour] {
        let bytes = write::problem("json", &problem).expect("json can say everything");
        let value = serde_json::from_slice(&bytes).expect("JSON");
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn the_schema_refuses_what_is_refused() {
    let schema = schema(radar_format::problem_schema());
    for more in [
        r#""demnd": [0, 1]"#,
        r#""windows": [[0]]"#,
        r#""windows": [[null, 1]]"#,
        r#""open": 1"#,
        r#""vehicles": 1.5"#,
        r#""demand": [0, null]"#,
        r#""demand": [0, -1]"#,
        r#""units": {"length": "m"}"#,
        r#""kind": "tsp""#,
        r#""version": 2"#,
        r#""distance": [["x"]]"#,
    ] {
        let mut value = serde_json::json!({"version": 1, "kind": "vrp", "distance": [[0, 1], [2, 0]]});
        assert!(schema.is_valid(&value));
        let extra: serde_json::Value = serde_json::from_str(&format!("{{{more}}}")).expect("JSON");
        for (key, entry) in extra.as_object().expect("an object") {
            value[key] = entry.clone();
        }
        assert!(!schema.is_valid(&value), "{more}");
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": 1, "kind": "vrp"})));
}

#[test]
fn the_documented_example_is_true() {
    let document = include_str!("../../../docs/formats.md");
    let example =
        document.split("```json").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let problem = load(example).expect("the example");
    assert_eq!(there_and_back(&problem), problem);
    let value: serde_json::Value = serde_json::from_str(example).expect("JSON");
    let schema = schema(radar_format::problem_schema());
    assert!(schema.is_valid(&value));
    // Every key is in the example, in the table and in the schema.
    let stated: serde_json::Value = serde_json::from_str(radar_format::problem_schema()).expect("JSON");
    for key in stated["properties"].as_object().expect("keys").keys() {
        assert!(value.get(key).is_some(), "{key} is not in the example");
        assert!(document.contains(&format!("| `{key}` |")), "{key} is not in the table");
    }
}
