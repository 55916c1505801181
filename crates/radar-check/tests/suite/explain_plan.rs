//! What a refused plan would need: exactly that, and nothing less.

use radar_check::{Clause, Place, Subject, check, describe, explain_plan, stated_amount};
use radar_problem::{Problem, Relaxation, Routes, Table};

use crate::random::{self, Dice};

const UNMENDABLE: [Clause; 7] = [
    Clause::UnknownNode,
    Clause::DepotInside,
    Clause::RepeatedStop,
    Clause::MissingStop,
    Clause::TourShape,
    Clause::UnreachableArc,
    Clause::DeliveryAfterPickup,
];

#[test]
fn the_relaxation_admits_and_one_unit_less_does_not() {
    let (mut mended, mut combined, mut hopeless, mut valid) = (0, 0, 0, 0);
    for (number, features) in random::cases(1600) {
        let dice = &mut Dice::new(number as u64 + 31_000);
        let instance = random::instance(dice, 1 + number / 16 % 6, features);
        let routes = random::plan(dice, instance.stops().collect());
        let verdict = check(&instance, &routes);
        let explanation = explain_plan(&instance, &routes);
        assert_eq!(explanation.subject, Subject::Plan);
        assert_eq!(explanation.blocks, verdict.violations);
        let stuck = verdict.violations.iter().filter(|v| UNMENDABLE.contains(&v.clause)).count();
        assert_eq!(explanation.advice.len(), stuck);
        assert_eq!(explanation.fits(), verdict.feasible());
        if stuck > 0 {
            assert!(explanation.remedies.is_empty());
            hopeless += 1;
            continue;
        }
        assert_eq!(explanation.remedies.len(), 1);
        let remedy = &explanation.remedies[0];
        assert_eq!(remedy.place, Place::AsItStands);
        assert!(check(&instance.relaxed(&remedy.relaxations), &routes).feasible());
        for (which, relaxation) in remedy.relaxations.iter().enumerate() {
            let mut less = remedy.relaxations.clone();
            less[which] = relaxation.with_amount(relaxation.amount() - 1);
            assert!(!check(&instance.relaxed(&less), &routes).feasible());
        }
        match remedy.relaxations.len() {
            0 => valid += 1,
            1 => mended += 1,
            _ => combined += 1,
        }
    }
    assert!(
        mended > 100 && combined > 100 && hopeless > 50 && valid > 50,
        "{mended} {combined} {hopeless} {valid}"
    );
}

/// Two stops, every bound too tight by another amount.
fn tight() -> Problem {
    let distance = Table::from_rows(vec![vec![0.0, 4.0, 9.0], vec![9.0, 0.0, 5.0], vec![6.5, 9.0, 0.0]]);
    Problem {
        demand: Some(vec![0.0, 3.0, 4.0]),
        capacity: Some(6.0),
        windows: Some(vec![[0.0, 14.5], [0.0, 2.0], [0.0, 9.0]]),
        limit: Some(12.0),
        max_duration: Some(15.0),
        ..Problem::vrp(distance)
    }
}

#[test]
fn everything_at_once_in_words() {
    let mut problem = tight();
    problem.ids = Some(["hub", "Ada", "Ben"].map(str::to_owned).to_vec());
    problem.units.distance = Some("km".to_owned());
    problem.units.duration = Some("min".to_owned());
    let instance = problem.validate().instance.expect("well formed");
    let explanation = explain_plan(&instance, &Routes(vec![vec![1, 2]]));
    assert_eq!(
        explanation.to_string(),
        "the plan is refused; with capacity +1 and depot closes 1 min later and window of stop 1 (`Ada`) \
         closes 2 min later and limit +3.5 km and max_duration +0.5 min it would be valid as it stands\n  \
         blocked: route #1 delivers 7, a vehicle holds 6 (1 too much, from stop 2 (`Ben`) on)\n  \
         blocked: route #1 is 15.5 km long, the limit is 12 km (3.5 km too long, on the way back)\n  \
         blocked: route #1: stop 1 (`Ada`) is reached at 4 min, its window closes at 2 min (2 min late)\n  \
         blocked: route #1 is back at 15.5 min, the depot closes at 14.5 min (1 min late)\n  \
         blocked: route #1 takes 15.5 min, the longest allowed is 15 min (0.5 min too long, on the way back)\n  \
         enough: capacity +1 and depot closes 1 min later and window of stop 1 (`Ada`) closes 2 min later \
         and limit +3.5 km and max_duration +0.5 min"
    );
    let amounts: Vec<f64> = explanation.remedies[0]
        .relaxations
        .iter()
        .map(|&relaxation| stated_amount(&instance, relaxation))
        .collect();
    assert_eq!(amounts, [1.0, 1.0, 2.0, 3.5, 0.5]);
}

#[test]
fn a_fleet_too_small_and_the_worst_of_several_routes() {
    let problem = Problem { vehicles: Some(1), capacity: Some(2.0), ..tight() };
    let instance = problem.validate().instance.expect("well formed");
    let explanation = explain_plan(&instance, &Routes(vec![vec![1], vec![2]]));
    let relaxations = &explanation.remedies[0].relaxations;
    assert!(relaxations.contains(&Relaxation::Capacity(2)));
    assert!(relaxations.contains(&Relaxation::Vehicles(1)));
    assert_eq!(describe(&instance, Relaxation::Vehicles(1)), "vehicles +1");
    assert_eq!(stated_amount(&instance, Relaxation::Vehicles(3)), 3.0);
}

#[test]
fn what_cannot_be_loosened_comes_with_advice() {
    let no = f64::INFINITY;
    let distance = Table::from_rows(vec![
        vec![0.0, 1.0, 1.0, 1.0],
        vec![1.0, 0.0, no, 1.0],
        vec![1.0, 1.0, 0.0, 1.0],
        vec![1.0, 1.0, 1.0, 0.0],
    ]);
    let problem = Problem {
        demand: Some(vec![0.0, 0.0, 2.0, 2.0]),
        backhaul: Some(vec![0.0, 2.0, 0.0, 0.0]),
        capacity: Some(9.0),
        ..Problem::vrp(distance.clone())
    };
    let instance = problem.validate().instance.expect("well formed");
    let explanation = explain_plan(&instance, &Routes(vec![vec![1, 2], vec![0, 9, 2]]));
    assert_eq!(
        explanation.advice,
        [
            "split the route there: routes start and end at the depot without naming it",
            "take node 9 out of the plan, or add it to the problem",
            "keep only one of the visits of stop 2",
            "put stop 3 on a route, or take it out of the problem",
            "drive from stop 1 to stop 2 by way of a stop that connects them, or check both points on the map",
            "deliver to stop 2 before stop 1 hands its goods over, or on another route",
        ]
    );
    assert!(explanation.to_string().contains("loosening bounds cannot admit it"));
    assert!(explanation.to_string().contains("\n  do: keep only one"));

    let tour = Problem::atsp(distance).validate().instance.expect("well formed");
    let turned = explain_plan(&tour, &Routes(vec![vec![1, 3, 2, 0]]));
    assert_eq!(turned.advice, ["give one list of all nodes that starts at node 0"]);
    let valid = explain_plan(&tour, &Routes(vec![vec![0, 1, 3, 2]]));
    assert_eq!(valid.to_string(), "the plan is valid");
}
