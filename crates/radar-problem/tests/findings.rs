//! Bad input and what it gets: every code, by the smallest problem that provokes it.

use radar_problem::{Code, Finding, Problem, Report, Severity, Table};

const INF: f64 = f64::INFINITY;

fn table(rows: &[&[f64]]) -> Table {
    Table::from_rows(rows.iter().map(|row| row.to_vec()).collect())
}

/// A depot and two stops, ten apart, fine as it is.
fn good() -> Problem {
    Problem {
        demand: Some(vec![0.0, 3.0, 4.0]),
        capacity: Some(5.0),
        ..Problem::vrp(table(&[&[0.0, 10.0, 10.0], &[10.0, 0.0, 10.0], &[10.0, 10.0, 0.0]]))
    }
}

fn codes(report: &Report) -> Vec<Code> {
    report.findings.iter().map(|finding| finding.code).collect()
}

fn with(change: impl FnOnce(&mut Problem)) -> Problem {
    let mut problem = good();
    change(&mut problem);
    problem
}

/// Sets one distance.
fn arc(problem: &mut Problem, from: usize, to: usize, value: f64) {
    let nodes = problem.nodes();
    let mut at = 0;
    problem.distance = std::mem::take(&mut problem.distance).map(|old| {
        at += 1;
        if at - 1 == from * nodes + to { value } else { old }
    });
}

fn cases() -> Vec<(Code, Problem, &'static str)> {
    let windows = |close: f64| Some(vec![[0.0, 100.0], [0.0, close], [0.0, 100.0]]);
    vec![
        (Code::EmptyProblem, Problem::atsp(Table::default()), "no rows"),
        (Code::EmptyProblem, Problem::vrp(table(&[&[0.0]])), "no stop"),
        (Code::NotSquare, Problem::atsp(table(&[&[0.0, 1.0], &[1.0]])), "row 1 has 1"),
        (Code::NotSquare, Problem::atsp(Table::from_values(2, 2, vec![0.0; 5])), "2 rows and 5 values"),
        (Code::SizeMismatch, with(|p| p.duration = Some(table(&[&[0.0]]))), "duration has 1 rows"),
        (Code::WrongLength, with(|p| p.demand = Some(vec![0.0, 1.0])), "demand has 2 entries for 3 nodes"),
        (Code::WrongLength, with(|p| p.windows = Some(vec![])), "windows has 0 entries"),
        (Code::WrongLength, with(|p| p.ids = Some(vec!["a".into()])), "ids has 1"),
        (Code::NotANumber, with(|p| arc(p, 1, 2, f64::NAN)), "distance[1][2] is NaN"),
        (Code::NotANumber, with(|p| p.limit = Some(f64::NAN)), "limit is NaN"),
        (Code::Negative, with(|p| arc(p, 2, 1, -3.5)), "distance[2][1] is -3.5"),
        (Code::Negative, with(|p| arc(p, 2, 1, -INF)), "distance[2][1] is -inf"),
        (Code::Negative, with(|p| p.demand = Some(vec![0.0, -1.0, 1.0])), "demand[1] is -1"),
        (Code::Negative, with(|p| p.capacity = Some(-5.0)), "capacity is -5"),
        (Code::Negative, with(|p| p.service = Some(vec![0.0, -1.0, 0.0])), "service[1] is -1"),
        (Code::Infinite, with(|p| p.demand = Some(vec![0.0, INF, 1.0])), "demand[1] is inf"),
        (Code::Infinite, with(|p| p.capacity = Some(INF)), "capacity is inf"),
        (
            Code::Infinite,
            with(|p| p.windows = Some(vec![[0.0, INF], [INF, INF], [0.0, INF]])),
            "windows[1] opening",
        ),
        (Code::TooLarge, with(|p| arc(p, 0, 1, 1e16)), "1e16"),
        (
            Code::TooLarge,
            with(|p| p.windows = Some(vec![[0.0, 1e300], [1e300, 1e300], [0.0, 1e300]])),
            "duration",
        ),
        (Code::TooSmall, Problem::atsp(table(&[&[0.0, 1e-12], &[1e-13, 0.0]])), "1e-12"),
        (
            Code::BothAmounts,
            with(|p| p.backhaul = Some(vec![0.0, 0.0, 1.0])),
            "stop 2 receives 4 and hands over 1",
        ),
        (Code::CapacityMissing, with(|p| p.capacity = None), "no capacity"),
        (
            Code::WindowInverted,
            with(|p| p.windows = Some(vec![[0.0, 9.0], [8.0, 7.0], [0.0, 9.0]])),
            "opens at 8",
        ),
        (Code::DepotNotZero, with(|p| p.demand = Some(vec![1.0, 1.0, 1.0])), "demand[0] is 1"),
        (Code::NoVehicles, with(|p| p.vehicles = Some(0)), "vehicles is 0"),
        (
            Code::DuplicateId,
            with(|p| p.ids = Some(["d", "x", "x"].map(String::from).into())),
            "`x` belongs to nodes 1, 2",
        ),
        (
            Code::BadPoint,
            with(|p| p.points = Some(vec![[0.0, 0.0], [f64::NAN, 1.0], [0.0, 0.0]])),
            "points[1]",
        ),
        (Code::TourWithRouteFeature, with(|p| p.kind = radar_problem::Kind::Atsp), "demand, capacity"),
        (
            Code::AboveCapacity,
            with(|p| p.demand = Some(vec![0.0, 3.0, 6.0])),
            "stop 2 receives 6, a vehicle holds 5",
        ),
        (
            Code::AboveCapacity,
            with(|p| {
                p.demand = None;
                p.backhaul = Some(vec![0.0, 5.5, 0.0]);
            }),
            "hands over 5.5",
        ),
        (
            Code::Unreachable,
            with(|p| {
                arc(p, 0, 1, INF);
                arc(p, 2, 1, INF);
            }),
            "from the depot to stop 1",
        ),
        (
            Code::NoReturn,
            with(|p| {
                arc(p, 2, 0, INF);
                arc(p, 2, 1, INF);
            }),
            "from stop 2 back",
        ),
        (
            Code::WindowUnreachable,
            with(|p| p.windows = windows(9.5)),
            "closes at 9.5, nobody who leaves the depot at 0 is there before 10",
        ),
        (
            Code::ReturnTooLate,
            with(|p| {
                p.windows = Some(vec![[0.0, 19.0], [0.0, 19.0], [0.0, 19.0]]);
            }),
            "back at the depot before 20, it closes at 19",
        ),
        (Code::LimitTooShort, with(|p| p.limit = Some(19.9)), "is 20, the limit is 19.9"),
        (
            Code::ShiftTooShort,
            with(|p| {
                p.service = Some(vec![0.0, 5.0, 0.0]);
                p.max_duration = Some(24.0);
            }),
            "before 25, a shift ends at 24",
        ),
        (Code::FleetTooSmall, with(|p| p.vehicles = Some(1)), "all stops receive 7, 1 vehicle holds 5"),
        (Code::Diagonal, with(|p| arc(p, 1, 1, 9999.0)), "distance[1][1] = 9999"),
        (Code::Diagonal, with(|p| arc(p, 1, 1, f64::NAN)), "distance[1][1] = NaN"),
        (Code::DirectMissing, with(|p| arc(p, 0, 1, INF)), "stop 1 has no direct arc"),
        (
            Code::DirectLate,
            with(|p| {
                arc(p, 0, 1, 50.0);
                p.windows = windows(30.0);
            }),
            "stop 1 is reached at 50",
        ),
        (
            Code::DirectLong,
            with(|p| {
                arc(p, 0, 1, 50.0);
                p.limit = Some(40.0);
            }),
            "is 60 driven directly, the limit is 40",
        ),
        (Code::Rounded, with(|p| arc(p, 0, 1, 1.0 / 3.0)), "rounded to 14 decimals"),
    ]
}

#[test]
fn the_good_one_is_fine() {
    let report = good().validate();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert!(report.instance.is_some() && !report.is_blocked());
}

#[test]
fn every_bad_input_gets_its_code_and_cause() {
    for (code, problem, cause) in cases() {
        let report = problem.validate();
        let found: Vec<&Finding> = report.findings.iter().filter(|finding| finding.code == code).collect();
        assert!(!found.is_empty(), "{code}: {:?}", report.findings);
        assert!(found.iter().any(|finding| finding.cause.contains(cause)), "{cause}: {found:?}");
        assert!(found.iter().all(|finding| !finding.action.is_empty()));
        let malformed = report.of(Severity::Error).next().is_some();
        assert_eq!(report.instance.is_none(), malformed, "{code}");
        assert_eq!(
            report.is_blocked(),
            codes(&report).iter().any(|code| code.severity() == Severity::Blocker)
        );
    }
}

#[test]
fn every_code_is_provoked_and_documented() {
    let document = include_str!("../../../docs/findings.md");
    for code in Code::ALL {
        assert!(cases().iter().any(|(provoked, ..)| provoked == code), "nothing provokes {code}");
        let row = format!("| `{code}` | {} | {} |", code.severity(), code.meaning().trim());
        assert!(document.contains(&row), "docs/findings.md lacks: {row}");
    }
}

/// What the provoked findings say, as rows of the table of bad input in the docs.
fn rows() -> String {
    let mut rows = String::new();
    for (code, problem, cause) in cases() {
        let report = problem.validate();
        let said =
            report.findings.iter().find(|finding| finding.code == code && finding.cause.contains(cause));
        let said = said.expect("provoked");
        rows.push_str(&format!("| `{code}` | {} | {} |\n", said.cause, said.action));
    }
    rows
}

#[test]
fn the_table_of_bad_input_is_current() {
    let document = include_str!("../../../docs/findings.md");
    let rows = rows();
    assert!(document.contains(&rows), "the table in docs/findings.md should be:\n{rows}");
}

#[test]
fn everything_is_said_at_once() {
    let report = with(|p| {
        arc(p, 0, 1, f64::NAN);
        p.demand = Some(vec![0.0, -1.0]);
        p.vehicles = Some(0);
        p.ids = Some(vec!["x".into(), "x".into()]);
    })
    .validate();
    let codes = codes(&report);
    for code in [Code::NotANumber, Code::Negative, Code::WrongLength, Code::NoVehicles, Code::DuplicateId] {
        assert!(codes.contains(&code), "{codes:?}");
    }
}

#[test]
fn many_of_a_kind_are_one_finding() {
    let report = Problem::atsp(Table::from_values(20, 20, vec![f64::NAN; 400])).validate();
    assert_eq!(codes(&report), [Code::NotANumber, Code::Diagonal]);
    assert!(report.findings[0].cause.contains("and 375 more"), "{}", report.findings[0].cause);
}

#[test]
fn every_blocker_of_a_stop_is_said_and_blocked_stops_need_no_fleet() {
    let report = with(|p| {
        p.demand = Some(vec![0.0, 9.0, 4.0]);
        p.limit = Some(15.0);
        p.windows = Some(vec![[0.0, 12.0], [0.0, 5.0], [0.0, 5.0]]);
        p.vehicles = Some(1);
    })
    .validate();
    let codes = codes(&report);
    let expected = [Code::AboveCapacity, Code::LimitTooShort, Code::WindowUnreachable, Code::ReturnTooLate];
    for code in expected {
        assert!(codes.contains(&code), "{code}: {codes:?}");
    }
    assert!(!codes.contains(&Code::FleetTooSmall), "nobody can be served anyway");
}

#[test]
fn one_and_two_stops_are_problems() {
    for problem in [
        Problem::atsp(table(&[&[0.0]])),
        Problem::atsp(table(&[&[0.0, 1.0], &[2.0, 0.0]])),
        Problem::vrp(table(&[&[0.0, 1.0], &[2.0, 0.0]])),
    ] {
        let report = problem.validate();
        assert!(report.findings.is_empty() && report.instance.is_some());
    }
}

#[test]
fn bounds_that_nothing_reaches_cost_no_digits() {
    let stated = |close: f64, bound: Option<f64>| {
        let report = with(|p| {
            arc(p, 0, 1, 0.4);
            p.windows = Some(vec![[0.0, close], [0.0, 0.2], [0.0, close]]);
            p.limit = bound;
            p.max_duration = bound;
            p.capacity = bound.or(Some(1e9));
        })
        .validate();
        let scales = *report.instance.as_ref().expect("well formed").scales();
        (codes(&report), scales)
    };
    let (plain, fine) = stated(INF, None);
    assert_eq!(plain, [Code::WindowUnreachable]);
    for huge in [1e6, 1e12, 1e15, 1e18, 1e300] {
        assert_eq!(stated(huge, Some(huge)), (plain.clone(), fine), "{huge}");
    }
}

#[test]
fn severities_come_worst_first() {
    let report = with(|p| {
        arc(p, 1, 1, 5.0);
        p.limit = Some(5.0);
        p.vehicles = Some(1);
    })
    .validate();
    let severities: Vec<Severity> = report.findings.iter().map(Finding::severity).collect();
    assert!(severities.is_sorted_by(|a, b| a >= b), "{severities:?}");
    assert!(report.instance.is_some());
}

#[test]
fn closed_intervals_and_exact_limits_are_legal() {
    let report = with(|p| {
        p.windows = Some(vec![[0.0, 20.0], [10.0, 10.0], [0.0, 10.0]]);
        p.limit = Some(20.0);
        p.max_duration = Some(20.0);
        p.vehicles = Some(2);
    })
    .validate();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn open_routes_need_no_return() {
    let report = with(|p| {
        p.open = true;
        arc(p, 1, 0, INF);
        arc(p, 2, 0, INF);
        p.limit = Some(10.0);
        p.windows = Some(vec![[0.0, 0.0], [0.0, 10.0], [0.0, 10.0]]);
        p.max_duration = Some(10.0);
    })
    .validate();
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    assert_eq!(report.instance.expect("valid").variant().to_string(), "AOVRPLTW");
}

#[test]
fn a_single_matrix_plays_both_roles_on_each_ones_scale() {
    let instance = with(|p| p.windows = Some(vec![[0.0, 99.5], [0.25, 99.0], [0.0, 99.0]]));
    let instance = instance.validate().instance.expect("valid");
    assert_eq!((instance.distance().at(0, 1), instance.duration().at(0, 1)), (10, 1000));
    assert_eq!((instance.opens(1), instance.closes(0)), (25, 9950));
    assert_eq!(instance.scales().duration.digits(), 2);
}
