//! Runs the readable cases of `scenarios/`; their format is described in its `README.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use radar_check::{Clause, check, explain_plan, explain_stop};
use radar_problem::{Instance, Kind, Problem, Routes, Table};

/// The lines of each key: what stands after the colon, and the indented lines below.
struct Scenario(BTreeMap<String, Vec<String>>);

const KEYS: [&str; 21] = [
    "kind",
    "distance",
    "duration",
    "demand",
    "backhaul",
    "capacity",
    "windows",
    "service",
    "limit",
    "max_duration",
    "open",
    "vehicles",
    "ids",
    "units",
    "routes",
    "verdict",
    "cost",
    "violations",
    "schedule",
    "remedy",
    "explain",
];

impl Scenario {
    fn parse(text: &str) -> Self {
        let block = text.split("```scenario\n").nth(1).expect("a block that begins with ```scenario");
        let block = block.split("```").next().expect("closed by ```");
        let mut keys: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut current = String::new();
        for line in block.lines().filter(|line| !line.trim().is_empty()) {
            if line.starts_with(' ') {
                keys.get_mut(&current).expect("a key above").push(line.trim().to_owned());
                continue;
            }
            let (key, rest) = line.split_once(':').expect("key: value");
            assert!(KEYS.contains(&key), "unknown key `{key}`");
            let inline = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
            let again = keys.insert(key.to_owned(), inline.into_iter().collect());
            assert!(again.is_none(), "`{key}` twice");
            current = key.to_owned();
        }
        Self(keys)
    }

    fn lines(&self, key: &str) -> Option<&[String]> {
        self.0.get(key).map(Vec::as_slice)
    }

    fn line(&self, key: &str) -> Option<&str> {
        self.lines(key).map(|lines| {
            assert_eq!(lines.len(), 1, "`{key}` has one line");
            lines[0].as_str()
        })
    }

    fn table(&self, key: &str) -> Option<Table> {
        let rows = |lines: &[String]| lines.iter().map(|line| numbers(line)).collect();
        self.lines(key).map(|lines| Table::from_rows(rows(lines)))
    }

    fn list(&self, key: &str) -> Option<Vec<f64>> {
        self.line(key).map(numbers)
    }

    fn one(&self, key: &str) -> Option<f64> {
        self.line(key).map(number)
    }

    fn instance(&self) -> Instance {
        let kind = match self.line("kind") {
            Some("atsp") => Kind::Atsp,
            None => Kind::Vrp,
            Some(other) => panic!("kind {other}"),
        };
        let mut problem = Problem::new(kind, self.table("distance").expect("a distance matrix"));
        problem.duration = self.table("duration");
        problem.demand = self.list("demand");
        problem.backhaul = self.list("backhaul");
        problem.capacity = self.one("capacity");
        let window = |text: &str| {
            let (open, close) = text.split_once("..").expect("open..close");
            [number(open), number(close)]
        };
        problem.windows = self.line("windows").map(|line| line.split_whitespace().map(window).collect());
        problem.service = self.list("service");
        problem.limit = self.one("limit");
        problem.max_duration = self.one("max_duration");
        problem.open = self.line("open").is_some_and(|line| line == "yes");
        problem.vehicles = self.one("vehicles").map(|vehicles| vehicles as usize);
        problem.ids = self.line("ids").map(|line| line.split_whitespace().map(str::to_owned).collect());
        if let Some(units) = self.line("units") {
            let (distance, duration) = units.split_once(' ').expect("two units");
            problem.units.distance = Some(distance.to_owned());
            problem.units.duration = Some(duration.to_owned());
        }
        let report = problem.validate();
        report.instance.unwrap_or_else(|| panic!("malformed: {:?}", report.findings))
    }

    /// One route per line; a dash is an empty one.
    fn routes(&self) -> Routes {
        let lines = self.lines("routes").expect("routes");
        let node = |text: &str| text.parse().expect("a node");
        let route = |line: &String| line.split_whitespace().filter(|text| *text != "-").map(node).collect();
        Routes(lines.iter().map(route).collect())
    }
}

fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().map(number).collect()
}

fn number(text: &str) -> f64 {
    match text {
        "-" | "never" => f64::INFINITY,
        _ => text.parse().expect("a number"),
    }
}

/// The schedule as the scenarios write it, in stated units.
fn schedule(instance: &Instance, routes: &Routes) -> Vec<String> {
    let time = |scaled: i64| instance.scales().duration.undo(scaled);
    let maybe = |scaled: Option<i64>| scaled.map_or("never".to_owned(), |scaled| time(scaled).to_string());
    let amount = |scaled: i64| instance.scales().amount.undo(scaled);
    let length = |scaled: i64| instance.scales().distance.undo(scaled);
    let mut lines = Vec::new();
    for report in check(instance, routes).routes {
        lines.push(format!(
            "leaves {}, at the latest {}, back {}, length {}, time {}, delivers {}, picks up {}",
            time(report.departure),
            maybe(report.latest_departure),
            maybe(report.returns),
            length(report.distance),
            time(report.duration),
            amount(report.delivered),
            amount(report.picked_up)
        ));
        for stop in report.stops {
            lines.push(format!(
                "{}: arrives {}, waits {}, starts {}, leaves {}, load {}",
                stop.node,
                time(stop.arrival),
                time(stop.wait),
                time(stop.start),
                time(stop.leave),
                amount(stop.load)
            ));
        }
    }
    lines
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let entries = std::fs::read_dir(folder).expect("the folder of scenarios");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "md") && !path.ends_with("README.md"));
    files.sort();
    files
}

#[test]
fn every_scenario_is_judged_as_written() {
    let mut clauses = BTreeSet::new();
    let files = files();
    assert!(files.len() >= 15);
    for path in files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let scenario = Scenario::parse(&std::fs::read_to_string(&path).expect("readable"));
        let (instance, routes) = (scenario.instance(), scenario.routes());
        let verdict = check(&instance, &routes);

        let expected = scenario.line("verdict").expect("a verdict");
        assert_eq!(expected, if verdict.feasible() { "accepted" } else { "refused" }, "{name}");
        if let Some(cost) = scenario.one("cost") {
            assert_eq!(verdict.cost.unwrap_or(f64::INFINITY), cost, "{name}");
        }
        let found: Vec<String> = verdict.violations.iter().map(|v| format!("{}: {v}", v.clause)).collect();
        assert_eq!(found, scenario.lines("violations").unwrap_or_default(), "{name}");
        clauses.extend(verdict.violations.iter().map(|violation| violation.clause));
        if let Some(lines) = scenario.lines("schedule") {
            assert_eq!(schedule(&instance, &routes), lines, "{name}");
        }
        if let Some(remedy) = scenario.line("remedy") {
            let explanation = explain_plan(&instance, &routes);
            let words = explanation.remedies.first().map_or("none".to_owned(), ToString::to_string);
            assert_eq!(words, remedy, "{name}");
        }
        if let Some([stop, lines @ ..]) = scenario.lines("explain") {
            let stop = stop.parse().expect("a stop");
            let words = explain_stop(&instance, stop, &routes).to_string();
            assert_eq!(words.lines().map(str::trim).collect::<Vec<_>>(), lines, "{name}");
        }
    }
    for clause in Clause::ALL {
        assert!(clauses.contains(&clause), "no scenario shows {clause}");
    }
}
