//! What no plan can do, and what no direct drive can do.
//!
//! A blocker is claimed only from shortest ways through any nodes, without the service and waiting
//! on them: a lower bound on every plan. Where only the direct arc fails, it is a warning.

use crate::feature::Feature;
use crate::finding::{Code, Finding, Severity};
use crate::instance::Instance;
use crate::scaled::Scaled;
use crate::shortest::{shortest_from, shortest_to};
use crate::{NEVER, UNREACHABLE};

pub(crate) fn examine(instance: &Instance) -> Vec<Finding> {
    let findings = &mut Vec::new();
    let ways = Ways::of(instance);
    let mut servable = Vec::new();
    for stop in instance.stops().filter(|&stop| stop != 0) {
        let before = findings.len();
        amount(instance, stop, findings);
        if reachable(instance, &ways, stop, findings) {
            length(instance, &ways, stop, findings);
            time(instance, &ways, stop, findings);
        }
        let blocked = |finding: &Finding| finding.severity() == Severity::Blocker;
        if !findings[before..].iter().any(blocked) {
            servable.push(stop);
        }
    }
    fleet(instance, &servable, findings);
    std::mem::take(findings)
}

/// Lengths and times of shortest ways from and to the depot, per node.
struct Ways {
    out: Vec<i64>,
    back: Vec<i64>,
    out_time: Vec<i64>,
    back_time: Vec<i64>,
}

impl Ways {
    fn of(instance: &Instance) -> Self {
        let (distance, duration) = (instance.distance(), instance.duration());
        let timed = instance.max_duration() < NEVER || instance.features().has(Feature::Windows);
        let (out, back) = around_depot(distance, instance.missing_arcs || instance.limit() < NEVER);
        let (out_time, back_time) = match std::ptr::eq(distance, duration) && !timed {
            true => (out.clone(), back.clone()),
            false => around_depot(duration, instance.missing_arcs || timed),
        };
        Self { out, back, out_time, back_time }
    }
}

/// Shortest ways from and to the depot. Where nothing depends on their length (every arc is there and no
/// bound is), the direct arcs stand in for them.
fn around_depot(matrix: &Scaled, matters: bool) -> (Vec<i64>, Vec<i64>) {
    match matters {
        true => (shortest_from(matrix, 0), shortest_to(matrix, 0)),
        false => (
            matrix.row(0).values().into_owned(),
            (0..matrix.nodes()).map(|from| matrix.at(from, 0)).collect(),
        ),
    }
}

fn amount(instance: &Instance, stop: usize, findings: &mut Vec<Finding>) {
    let amounts = [(instance.demand(stop), "receives"), (instance.backhaul(stop), "hands over")];
    for (amount, verb) in amounts {
        if amount > instance.capacity() {
            findings.push(
                Finding::new(
                    Code::AboveCapacity,
                    format!(
                        "{} {verb} {}, a vehicle holds {}",
                        instance.label(stop),
                        instance.amount_in_words(amount),
                        instance.amount_in_words(instance.capacity())
                    ),
                    "split the stop, or use larger vehicles",
                )
                .about([stop]),
            );
        }
    }
}

fn reachable(instance: &Instance, ways: &Ways, stop: usize, findings: &mut Vec<Finding>) -> bool {
    let gone = |ways: &[i64]| ways[stop] == UNREACHABLE;
    if gone(&ways.out) || gone(&ways.out_time) {
        let cause = format!("no way leads from the depot to {}", instance.label(stop));
        let action = "check the point (an island, a pedestrian zone), or leave the stop out";
        findings.push(Finding::new(Code::Unreachable, cause, action).about([stop]));
        return false;
    }
    if !instance.is_open() && (gone(&ways.back) || gone(&ways.back_time)) {
        let cause = format!("no way leads from {} back to the depot", instance.label(stop));
        let action = "check the point (a one-way trap), or leave the stop out";
        findings.push(Finding::new(Code::NoReturn, cause, action).about([stop]));
        return false;
    }
    let missing = |from, to| {
        instance.distance().at(from, to) == UNREACHABLE || instance.duration().at(from, to) == UNREACHABLE
    };
    if !instance.is_tour() && (missing(0, stop) || (!instance.is_open() && missing(stop, 0))) {
        findings.push(
            Finding::new(
                Code::DirectMissing,
                format!("{} has no direct arc from or to the depot", instance.label(stop)),
                "nothing, if it really lies behind other stops",
            )
            .about([stop]),
        );
    }
    true
}

fn length(instance: &Instance, ways: &Ways, stop: usize, findings: &mut Vec<Finding>) {
    let limit = instance.limit();
    let trip = |out: i64, back: i64| match instance.is_open() {
        true => out,
        false => out.saturating_add(back),
    };
    let shortest = trip(ways.out[stop], ways.back[stop]);
    let direct = trip(instance.distance().at(0, stop), instance.distance().at(stop, 0));
    let back = if instance.is_open() { "" } else { " and back" };
    if shortest > limit {
        findings.push(
            Finding::new(
                Code::LimitTooShort,
                format!(
                    "the shortest way to {}{back} is {}, the limit is {}",
                    instance.label(stop),
                    instance.length_in_words(shortest),
                    instance.length_in_words(limit)
                ),
                format!(
                    "raise the limit by at least {}, or leave the stop out",
                    instance.length_in_words(shortest - limit)
                ),
            )
            .about([stop]),
        );
    } else if direct > limit && direct < UNREACHABLE {
        findings.push(
            Finding::new(
                Code::DirectLong,
                format!(
                    "{}{back} is {} driven directly, the limit is {}",
                    instance.label(stop),
                    instance.length_in_words(direct),
                    instance.length_in_words(limit)
                ),
                "nothing, if a way by other stops is really shorter",
            )
            .about([stop]),
        );
    }
}

fn time(instance: &Instance, ways: &Ways, stop: usize, findings: &mut Vec<Finding>) {
    let name = instance.label(stop);
    let leave = instance.opens(0);
    let earliest = leave + ways.out_time[stop];
    let before = findings.len();
    let mut blocked = |code, cause, action| findings.push(Finding::new(code, cause, action).about([stop]));
    if earliest > instance.closes(stop) {
        let late = instance.span_in_words(earliest - instance.closes(stop));
        blocked(
            Code::WindowUnreachable,
            format!(
                "{name} closes at {}, nobody who leaves the depot at {} is there before {}",
                instance.moment_in_words(instance.closes(stop)),
                instance.moment_in_words(leave),
                instance.moment_in_words(earliest)
            ),
            format!("close it at least {late} later, or open the depot {late} earlier"),
        );
    }
    let end = |out: i64, back: i64| {
        let start = leave.saturating_add(out).max(instance.opens(stop));
        let served = start.saturating_add(instance.service(stop));
        if instance.is_open() { served } else { served.saturating_add(back) }
    };
    let soonest = end(ways.out_time[stop], ways.back_time[stop]);
    let after = if instance.is_open() { "done" } else { "back at the depot" };
    if !instance.is_open() && soonest > instance.closes(0) {
        blocked(
            Code::ReturnTooLate,
            format!(
                "nobody who serves {name} is {after} before {}, it closes at {}",
                instance.moment_in_words(soonest),
                instance.moment_in_words(instance.closes(0))
            ),
            format!(
                "close the depot at least {} later",
                instance.span_in_words(soonest - instance.closes(0))
            ),
        );
    }
    let shift = leave.saturating_add(instance.max_duration());
    if soonest > shift {
        blocked(
            Code::ShiftTooShort,
            format!(
                "nobody who serves {name} is {after} before {}, a shift ends at {}",
                instance.moment_in_words(soonest),
                instance.moment_in_words(shift)
            ),
            format!("raise max_duration by at least {}", instance.span_in_words(soonest - shift)),
        );
    }
    if findings.len() > before {
        return;
    }
    let (out, back) = (instance.duration().at(0, stop), instance.duration().at(stop, 0));
    let direct = end(out, back);
    let beyond = (direct > instance.closes(0) && !instance.is_open()) || direct > shift;
    let present = out < UNREACHABLE && (instance.is_open() || back < UNREACHABLE);
    if present && (leave + out > instance.closes(stop) || beyond) {
        let reached = instance.moment_in_words(leave + out);
        findings.push(
            Finding::new(
                Code::DirectLate,
                format!("driven directly, {name} is reached at {reached} and that is too late"),
                "nothing, if a way by other stops is really quicker",
            )
            .about([stop]),
        );
    }
}

/// What all vehicles together hold bounds what all stops that could be served together need.
fn fleet(instance: &Instance, stops: &[usize], findings: &mut Vec<Finding>) {
    let Some(vehicles) = instance.vehicles() else { return };
    let holds = (instance.capacity() as i128) * vehicles as i128;
    let totals = [
        (stops.iter().map(|&stop| instance.demand(stop)).sum::<i64>(), "receive"),
        (stops.iter().map(|&stop| instance.backhaul(stop)).sum::<i64>(), "hand over"),
    ];
    for (total, verb) in totals {
        let fleet =
            if vehicles == 1 { "1 vehicle holds".to_owned() } else { format!("{vehicles} vehicles hold") };
        if instance.capacity() < NEVER && i128::from(total) > holds {
            let needed = match instance.capacity() {
                0 => "vehicles that hold something".to_owned(),
                capacity => format!("at least {} vehicles", (total + capacity - 1) / capacity),
            };
            findings.push(Finding::new(
                Code::FleetTooSmall,
                format!(
                    "all stops {verb} {}, {fleet} {}",
                    instance.amount_in_words(total),
                    instance.amount_in_words(holds as i64)
                ),
                format!("allow {needed}, or use larger ones"),
            ));
        }
    }
}
