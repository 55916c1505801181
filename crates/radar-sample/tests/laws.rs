//! The stated laws, measured on what is generated.

mod common;

use radar_problem::{Problem, Table};

fn many(name: &str, parameters: &[(&str, &str)]) -> Vec<Problem> {
    let samples = common::named(name, parameters).sample_many(21, 0..60);
    samples.into_iter().map(|sample| sample.problem).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, total) = values.fold((0.0, 0.0), |(count, total), value| (count + 1.0, total + value));
    total / count
}

fn largest(table: &Table) -> f64 {
    table.values().iter().fold(0.0, |largest, &value| value.max(largest))
}

fn longest_round_trip(table: &Table) -> f64 {
    (1..table.rows()).map(|stop| table.at(0, stop) + table.at(stop, 0)).fold(0.0, f64::max)
}

/// Day, service times and window lengths of stops, all divided by `unit`; checks that openings lie
/// where the stop alone can be served.
fn times(problem: &Problem, unit: f64) -> (f64, Vec<f64>, Vec<f64>) {
    let table = problem.duration.as_ref().unwrap_or(&problem.distance);
    let windows = problem.windows.as_ref().expect("windows");
    let service = problem.service.as_ref().expect("service");
    let day = windows[0][1];
    assert_eq!((windows[0][0], service[0]), (0.0, 0.0));
    for stop in 1..problem.nodes() {
        let [open, close] = windows[stop];
        assert!(open >= table.at(0, stop) - 1e-9);
        assert!(close + service[stop] + table.at(stop, 0) <= day + 1e-9);
    }
    let lengths = windows[1..].iter().map(|[open, close]| (close - open) / unit).collect();
    (day / unit, service[1..].iter().map(|service| service / unit).collect(), lengths)
}

/// The values are uniform on a range: all inside, ends approached, mean in the middle.
fn assert_uniform(values: &[f64], low: f64, high: f64, step: f64) {
    let (least, most) =
        values.iter().fold((f64::MAX, 0.0_f64), |(a, b), &value| (a.min(value), b.max(value)));
    let width = high - low;
    assert!(least >= low - step && least < low + 0.02 * width, "{least} for {low}");
    assert!(most <= high + step && most > high - 0.02 * width, "{most} for {high}");
    let middle = mean(values.iter().copied());
    assert!((middle - (low + high) / 2.0).abs() < 0.02 * width, "{middle} for {low}..{high}");
}

#[test]
fn windows_of_the_multitask_set() {
    let (mut services, mut lengths, mut room) = (Vec::new(), Vec::new(), Vec::new());
    for problem in many("multitask", &[("variant", "AVRPTW")]) {
        let (day, service, length) = times(&problem, 1.0);
        assert_eq!(day, 4.6);
        let windows = problem.windows.as_ref().expect("windows");
        for stop in 1..problem.nodes() {
            let (out, back) = (problem.distance.at(0, stop), problem.distance.at(stop, 0));
            let most = day - service[stop - 1] - length[stop - 1] - 2.0 * out.max(back);
            room.push((windows[stop][0] - out) / most);
        }
        services.extend(service);
        lengths.extend(length);
    }
    assert_uniform(&services, 0.12, 0.15, 1e-9);
    assert_uniform(&lengths, 0.15, 0.30, 1e-9);
    assert_uniform(&room, 0.0, 1.0, 1e-9);
}

#[test]
fn windows_on_roads_are_measured_in_the_largest_duration() {
    let (mut services, mut lengths) = (Vec::new(), Vec::new());
    for problem in many("roads", &[("n", "60"), ("variant", "AVRPTW")]) {
        let unit = largest(problem.duration.as_ref().expect("durations"));
        let (day, service, length) = times(&problem, unit);
        assert!((day - 4.6).abs() < 1e-3, "{day}");
        services.extend(service);
        lengths.extend(length);
    }
    // Stated to a tenth of a second, of a largest duration of some 200 seconds.
    assert_uniform(&services, 0.15, 0.18, 1e-3);
    assert_uniform(&lengths, 0.18, 0.20, 1e-3);
}

#[test]
fn days_are_of_many_kinds() {
    let (mut days, mut services, mut any_time, mut capacities, mut limits) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for problem in many("roads", &[("n", "60"), ("variant", "AVRPLTW"), ("preset", "day")]) {
        let durations = problem.duration.as_ref().expect("durations");
        let (windows, service) = (problem.windows.expect("windows"), problem.service.expect("service"));
        let day = windows[0][1];
        let is_free = |window: &[f64; 2]| *window == [0.0, day];
        for stop in (1..windows.len()).filter(|&stop| !is_free(&windows[stop])) {
            let [opens, closes] = windows[stop];
            let (first, last) = (durations.at(0, stop), day - service[stop] - durations.at(stop, 0));
            assert!(opens <= last + 1e-9 && closes >= first - 1e-9, "nobody gets there in time");
            let parts = [opens, closes].map(|moment| moment / day * 20.0);
            let is_part = |part: f64| (part - part.round()).abs() < 0.01;
            assert!(is_part(parts[0]) || opens >= last - 1e-9, "{parts:?}");
            assert!(is_part(parts[1]) || closes <= first + 1e-9, "{parts:?}");
        }
        let drive = mean(durations.off_diagonal());
        days.push(day / drive);
        services.push(mean(service[1..].iter().copied()) / drive);
        any_time.push(windows[1..].iter().filter(|window| is_free(window)).count() as f64 / 60.0);
        capacities.push(problem.capacity.expect("capacity"));
        limits.push(problem.limit.expect("limit") / longest_round_trip(&problem.distance));
    }
    for (values, low, high) in [
        (days, 30.0, 90.0),
        (services, 0.1, 1.2),
        (any_time, 0.0, 0.6),
        (capacities, 40.0, 120.0),
        (limits, 1.2, 3.0),
    ] {
        let (width, middle) = (high - low, mean(values.iter().copied()));
        let spread = values.iter().map(|value| (value - middle).powi(2)).sum::<f64>() / values.len() as f64;
        assert!((middle - (low + high) / 2.0).abs() < 0.12 * width, "{middle} for {low}..{high}");
        assert!((0.2..0.4).contains(&(spread.sqrt() / width)), "{spread} for {low}..{high}");
        let inside = low - 0.2 * width..=high + 0.2 * width;
        assert!(values.iter().all(|value| inside.contains(value)), "{values:?}");
    }
}

#[test]
fn limits_hold_the_longest_round_trip() {
    let limits = |name: &str, preset: &str| -> Vec<(f64, Problem)> {
        let parameters = [("n", "60"), ("variant", "AVRPL"), ("preset", preset)];
        many(name, &parameters).into_iter().map(|problem| (problem.limit.expect("limit"), problem)).collect()
    };
    let mut shares = Vec::new();
    for (limit, problem) in limits("multitask", "paper") {
        let longest = longest_round_trip(&problem.distance);
        assert!(limit > longest && limit <= 2.8);
        shares.push((limit - longest) / (2.8 - longest));
    }
    assert!((mean(shares.into_iter()) - 0.5).abs() < 0.15);
    for (limit, problem) in limits("roads", "paper") {
        assert!(
            limit > longest_round_trip(&problem.distance) && limit <= 2.8 * largest(&problem.distance) + 0.1
        );
    }
    for name in ["multitask", "roads", "asymmetry"] {
        let limits = limits(name, "tight").into_iter();
        let shares: Vec<f64> =
            limits.map(|(limit, problem)| limit / longest_round_trip(&problem.distance)).collect();
        assert!(shares.iter().all(|share| (1.0 - 1e-9..=1.5 + 1e-9).contains(share)), "{shares:?}");
        assert!((mean(shares.into_iter()) - 1.25).abs() < 0.08);
    }
}

#[test]
fn features_do_not_move_each_other() {
    let draw = |variant| many("multitask", &[("n", "30"), ("variant", variant)]).swap_remove(3);
    let (all, windows, limit, plain) = (draw("AOVRPBLTW"), draw("AVRPTW"), draw("AVRPL"), draw("ACVRP"));
    assert_eq!((&all.windows, &all.service), (&windows.windows, &windows.service));
    assert_eq!(all.limit, limit.limit);
    assert!(all.open && !plain.open);
    let amounts = all.demand.iter().flatten().zip(all.backhaul.iter().flatten());
    assert_eq!(plain.demand, Some(amounts.map(|(delivery, pickup)| delivery + pickup).collect()));
    assert_eq!(all.distance, plain.distance);
    assert_eq!((plain.windows, plain.service, plain.limit, plain.backhaul), (None, None, None, None));
}

#[test]
fn capacities_are_the_published_ones() {
    let capacity =
        |name: &str, stops: &str| common::named(name, &[("n", stops)]).sample(1, 0).problem.capacity;
    assert_eq!(
        ["20", "50", "100", "200"].map(|stops| capacity("acvrp", stops)),
        [30.0, 40.0, 50.0, 80.0].map(Some)
    );
    assert_eq!(["10", "50", "100"].map(|stops| capacity("multitask", stops)), [30.0, 40.0, 50.0].map(Some));
    assert_eq!(capacity("skewed", "20"), Some(50.0));
}

#[test]
fn clamped_entries_are_reported() {
    let clamped = |sigma| -> usize {
        common::named("asymmetry", &[("sigma", sigma)])
            .sample_many(2, 0..5)
            .iter()
            .map(|sample| sample.clamped)
            .sum()
    };
    assert_eq!(clamped("0.1"), 0);
    let often = clamped("2"); // a factor is negative with a chance of 0.31
    assert!((14_000..16_500).contains(&often), "{often} of 49,500");
    assert!(common::named("tmat", &[]).sample(2, 0).clamped == 0);
}
