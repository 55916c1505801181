//! What keeps a stop out: every proposal is tried at every place, and with one unit less.

use std::collections::BTreeMap;

use radar_check::{Clause, Explanation, Place, Violation, check, explain_stop};
use radar_problem::{Feature, Instance, Problem, Relaxation, Routes, Scaled, Table};

use crate::random::{self, Dice};

/// What a violation is about, such that a plan before and after a change can be compared.
type About = (Clause, Option<usize>, Option<usize>, Option<usize>);

fn about(violation: &Violation) -> About {
    let Violation { clause, route, node, other, .. } = *violation;
    match clause {
        Clause::DeliveryOverload | Clause::PickupOverload | Clause::OverLimit | Clause::OverDuration => {
            (clause, route, None, None)
        }
        Clause::UnreachableArc => (clause, route, node, other),
        _ => (clause, route, node, None),
    }
}

fn worst(instance: &Instance, plan: &Routes) -> BTreeMap<About, i64> {
    let mut worst = BTreeMap::new();
    for violation in check(instance, plan).violations {
        let entry = worst.entry(about(&violation)).or_insert(violation.excess);
        *entry = violation.excess.max(*entry);
    }
    worst
}

/// Everything there is to try, as documented, and when a try counts as admitted.
struct Trial<'a> {
    instance: &'a Instance,
    before: BTreeMap<About, i64>,
    plans: Vec<Routes>,
}

impl<'a> Trial<'a> {
    fn new(instance: &'a Instance, stop: usize, routes: &Routes) -> Self {
        let mut plans = Vec::new();
        for (route, nodes) in routes.iter().enumerate() {
            for position in 0..=nodes.len() {
                let mut plan = routes.clone();
                plan.0[route].insert(position, stop);
                plans.push(plan);
            }
        }
        let detour = |matrix: &Scaled, from, by, to| {
            matrix.at(from, by).saturating_add(matrix.at(by, to)) < matrix.at(from, to)
        };
        let better = |from: usize, by: usize, to: usize| {
            detour(instance.distance(), from, by, to) || detour(instance.duration(), from, by, to)
        };
        let others = || instance.stops().filter(|&other| other != stop);
        let befores: Vec<usize> = others().filter(|&by| better(0, by, stop)).collect();
        let afters: Vec<usize> = others().filter(|&by| !instance.is_open() && better(stop, by, 0)).collect();
        let mut fresh = vec![vec![stop]];
        fresh.extend(befores.iter().map(|&before| vec![before, stop]));
        fresh.extend(afters.iter().map(|&after| vec![stop, after]));
        for &before in &befores {
            let apart = afters.iter().filter(|&&after| after != before);
            fresh.extend(apart.map(|&after| vec![before, stop, after]));
        }
        for route in fresh {
            let mut plan = routes.clone();
            plan.0.iter_mut().for_each(|nodes| nodes.retain(|node| !route.contains(node)));
            plan.0.push(route);
            plans.push(plan);
        }
        Self { instance, before: worst(instance, routes), plans }
    }

    fn admits(&self, relaxations: &[Relaxation], plan: &Routes) -> bool {
        let after = worst(&self.instance.relaxed(relaxations), plan);
        after.iter().all(|(about, excess)| self.before.get(about).is_some_and(|before| excess <= before))
    }

    fn admits_somewhere(&self, relaxations: &[Relaxation]) -> bool {
        self.plans.iter().any(|plan| self.admits(relaxations, plan))
    }

    /// Every bound there is, raised beyond all use.
    fn knobs(&self) -> Vec<Relaxation> {
        let lots = 1_000_000_000;
        let mut knobs = vec![
            Relaxation::Capacity(lots),
            Relaxation::Limit(lots),
            Relaxation::MaxDuration(lots),
            Relaxation::Vehicles(1000),
        ];
        knobs.extend((0..self.instance.nodes()).map(|node| Relaxation::Close { node, by: lots }));
        knobs
    }
}

/// Tries everything that is claimed. Returns how many bounds the proposals combine; `None` when
/// there is no proposal.
fn confirm(instance: &Instance, stop: usize, routes: &Routes, explanation: &Explanation) -> Option<usize> {
    let trial = Trial::new(instance, stop, routes);
    assert_eq!(explanation.fits(), trial.admits_somewhere(&[]));
    for remedy in &explanation.remedies {
        assert!(trial.admits(&remedy.relaxations, &remedy.place.apply(stop, routes)));
        for (which, relaxation) in remedy.relaxations.iter().enumerate() {
            let mut less = remedy.relaxations.clone();
            less[which] = relaxation.with_amount(relaxation.amount() - 1);
            assert!(!trial.admits_somewhere(&less), "{less:?} is enough, {remedy:?} was proposed");
        }
    }
    let knobs = trial.knobs();
    let Some(first) = explanation.remedies.first() else {
        assert!(!trial.admits_somewhere(&knobs), "all bounds together would be enough");
        return None;
    };
    match first.relaxations.len() {
        0 => {
            assert_eq!(explanation.remedies.len(), 1);
            assert!(explanation.blocks.is_empty() && explanation.advice.is_empty());
        }
        1 => {
            // Every bound that is enough by itself is proposed, and no other.
            let bounds: Vec<Relaxation> =
                explanation.remedies.iter().map(|remedy| remedy.relaxations[0].with_amount(0)).collect();
            for &knob in &knobs {
                assert_eq!(
                    trial.admits_somewhere(&[knob]),
                    bounds.contains(&knob.with_amount(0)),
                    "{knob:?}"
                );
            }
        }
        combined => {
            assert_eq!(explanation.remedies.len(), 1);
            for size in 1..combined {
                for_each_choice(&knobs, size, &mut vec![], &mut |fewer| {
                    assert!(!trial.admits_somewhere(fewer), "{fewer:?} is enough");
                });
            }
            let least = cheapest_need(&trial, combined);
            let effort = effort(instance, &first.relaxations);
            assert!((effort - least).abs() < 1e-9, "{effort} proposed, {least} is possible");
        }
    }
    Some(first.relaxations.len())
}

fn for_each_choice(
    knobs: &[Relaxation],
    size: usize,
    chosen: &mut Vec<Relaxation>,
    visit: &mut impl FnMut(&[Relaxation]),
) {
    if size == 0 {
        return visit(chosen);
    }
    for (place, &knob) in knobs.iter().enumerate() {
        chosen.push(knob);
        for_each_choice(&knobs[place + 1..], size - 1, chosen, visit);
        chosen.pop();
    }
}

fn effort(instance: &Instance, relaxations: &[Relaxation]) -> f64 {
    let relative = |&relaxation: &Relaxation| {
        let bound = match relaxation {
            Relaxation::Capacity(_) => instance.capacity(),
            Relaxation::Close { node, .. } => instance.closes(node),
            Relaxation::Limit(_) => instance.limit(),
            Relaxation::MaxDuration(_) => instance.max_duration(),
            Relaxation::Vehicles(_) => instance.vehicles().expect("limited") as i64,
        };
        relaxation.amount() as f64 / bound.max(1) as f64
    };
    relaxations.iter().map(relative).sum()
}

/// The least effort over all places that need this many bounds: each bound is lowered from beyond
/// all use to the least that still admits the place.
fn cheapest_need(trial: &Trial, combined: usize) -> f64 {
    let mut least = f64::INFINITY;
    for plan in trial.plans.iter().filter(|plan| trial.admits(&trial.knobs(), plan)) {
        let mut needed = trial.knobs();
        for which in 0..needed.len() {
            let (mut low, mut high) = (-1, needed[which].amount());
            while high - low > 1 {
                let middle = (low + high) / 2;
                needed[which] = needed[which].with_amount(middle);
                match trial.admits(&needed, plan) {
                    true => high = middle,
                    false => low = middle,
                }
            }
            needed[which] = needed[which].with_amount(high);
        }
        needed.retain(|relaxation| relaxation.amount() > 0);
        if needed.len() == combined {
            least = least.min(effort(trial.instance, &needed));
        }
    }
    least
}

#[test]
fn proposals_are_enough_smallest_and_complete() {
    let mut tally: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    let mut several = 0;
    for (number, features) in random::cases(960) {
        let dice = &mut Dice::new(number as u64 + 60_000);
        let instance = random::instance(dice, 1 + number / 16 % 5, features);
        let stop = 1 + dice.below(instance.nodes() - 1);
        // Some of the other stops are served, in any manner; what is wrong with that is not the stop's
        // fault.
        let mut others: Vec<usize> = instance.stops().filter(|&other| other != stop).collect();
        if dice.once_in(3) {
            others.retain(|_| !dice.once_in(3));
        }
        let routes = random::plan(dice, others);
        let explanation = explain_stop(&instance, stop, &routes);
        let combined = confirm(&instance, stop, &routes, &explanation);
        *tally.entry(combined).or_default() += 1;
        several += usize::from(explanation.remedies.len() > 1);
    }
    let seen = |combined: Option<usize>| tally.get(&combined).copied().unwrap_or(0);
    assert!(seen(None) > 5 && seen(Some(0)) > 100 && seen(Some(1)) > 100 && seen(Some(2)) > 10, "{tally:?}");
    assert!(several > 20, "{several}");
}

#[test]
fn companions_are_missed_where_they_leave() {
    let mut accompanied = 0;
    for (number, features) in random::cases(1600) {
        let dice = &mut Dice::new(number as u64 + 120_000);
        let problem = random::broken_problem(dice, 3 + number / 16 % 3, features);
        let instance = problem.validate().instance.expect("well formed");
        let stop = 1 + dice.below(instance.nodes() - 1);
        let mut others: Vec<usize> = instance.stops().filter(|&other| other != stop).collect();
        others.retain(|_| !dice.once_in(6));
        let routes = random::plan(dice, others);
        let explanation = explain_stop(&instance, stop, &routes);
        confirm(&instance, stop, &routes, &explanation);
        let with_company = |place: Place| match place {
            Place::NewRoute { before, after } => before.or(after).is_some(),
            _ => false,
        };
        accompanied += explanation.remedies.iter().filter(|remedy| with_company(remedy.place)).count();
    }
    assert!(accompanied > 100, "{accompanied}");
}

#[test]
fn proposals_for_an_empty_plan() {
    for (number, features) in random::cases(320) {
        let dice = &mut Dice::new(number as u64 + 90_000);
        let instance = random::instance(dice, 1 + number % 4, features);
        let explanation = explain_stop(&instance, 1, &Routes::default());
        confirm(&instance, 1, &Routes::default(), &explanation);
    }
}

/// Depot 0 and stops 1, 2, ten apart, with unit names.
fn pair() -> Problem {
    let mut problem = Problem::vrp(Table::from_rows(vec![
        vec![0.0, 10.0, 10.0],
        vec![10.0, 0.0, 10.0],
        vec![10.0, 10.0, 0.0],
    ]));
    problem.units.duration = Some("min".to_owned());
    problem
}

fn explained(problem: Problem, stop: usize, routes: &[&[usize]]) -> Explanation {
    let instance = problem.validate().instance.expect("well formed");
    let routes = Routes(routes.iter().map(|nodes| nodes.to_vec()).collect());
    let explanation = explain_stop(&instance, stop, &routes);
    confirm(&instance, stop, &routes, &explanation);
    explanation
}

#[test]
fn a_window_that_closes_too_early() {
    let problem =
        Problem { windows: Some(vec![[0.0, 100.0], [0.0, 3.0], [0.0, 50.0]]), vehicles: Some(1), ..pair() };
    let explanation = explained(problem, 1, &[&[2]]);
    assert_eq!(
        explanation.to_string(),
        "stop 1 does not fit anywhere as things are\n  \
         blocked: route #1: stop 1 is reached at 10 min, its window closes at 3 min (7 min late)\n  \
         enough: window of stop 1 closes 7 min later, on route #1 before stop 2"
    );
}

#[test]
fn one_remedy_for_each_bound_the_smallest_first() {
    let problem =
        Problem { demand: Some(vec![0.0, 3.0, 4.0]), capacity: Some(6.0), vehicles: Some(1), ..pair() };
    let explanation = explained(problem, 1, &[&[2]]);
    let words: Vec<String> = explanation.remedies.iter().map(|remedy| remedy.to_string()).collect();
    assert_eq!(words, ["capacity +1, on route #1 before stop 2", "vehicles +1, on a new route"]);
    assert_eq!(explanation.blocks.len(), 1);
    assert_eq!(explanation.blocks[0].clause, Clause::DeliveryOverload);
}

#[test]
fn bounds_are_combined_when_no_single_one_is_enough() {
    let problem =
        Problem { demand: Some(vec![0.0, 7.0, 0.0]), capacity: Some(5.0), limit: Some(15.0), ..pair() };
    let explanation = explained(problem, 1, &[]);
    assert_eq!(explanation.remedies.len(), 1);
    assert_eq!(explanation.remedies[0].relaxations, [Relaxation::Capacity(2), Relaxation::Limit(5)]);
    assert_eq!(explanation.remedies[0].to_string(), "capacity +2 and limit +5, on a new route");
}

#[test]
fn a_stop_that_fits_goes_where_it_costs_least() {
    let distance = Table::from_rows(vec![
        vec![0.0, 9.0, 9.0, 9.0],
        vec![9.0, 0.0, 9.0, 1.0],
        vec![9.0, 9.0, 0.0, 9.0],
        vec![9.0, 9.0, 1.0, 0.0],
    ]);
    let between = explained(Problem::vrp(distance.clone()), 3, &[&[1, 2]]);
    assert_eq!(between.headline, "stop 3 fits on route #1 between stop 1 and stop 2");
    let last = explained(Problem { open: true, ..Problem::vrp(distance.clone()) }, 3, &[&[2], &[1]]);
    assert_eq!(last.headline, "stop 3 fits on route #1 before stop 2");
    let after = explained(Problem::vrp(distance), 3, &[&[1]]);
    assert_eq!(after.headline, "stop 3 fits on route #1 after stop 1");
}

#[test]
fn nodes_that_do_not_exist_are_named_as_such() {
    let explanation = explained(pair(), 1, &[&[3]]);
    assert_eq!(explanation.headline, "stop 1 fits on route #1 before node 3");
}

#[test]
fn stops_behind_other_stops() {
    let no = f64::INFINITY;
    // Stop 1 is reached only by way of 2 and left only by way of 3.
    let distance = Table::from_rows(vec![
        vec![0.0, no, 1.0, 1.0],
        vec![no, 0.0, no, 1.0],
        vec![1.0, 1.0, 0.0, no],
        vec![1.0, no, no, 0.0],
    ]);
    let problem =
        Problem { demand: Some(vec![0.0, 1.0, 1.0, 1.0]), capacity: Some(3.0), ..Problem::vrp(distance) };
    let explanation = explained(problem.clone(), 1, &[&[2], &[3]]);
    assert_eq!(explanation.remedies[0].place, Place::NewRoute { before: Some(2), after: Some(3) });
    let both = "stop 1 fits on a new route between stop 2 and stop 3, which both move there";
    assert_eq!(explanation.headline, both);
    let one = explained(problem.clone(), 1, &[&[3]]);
    let words = "stop 1 fits on a new route between stop 2 and stop 3, of which stop 3 moves there";
    assert_eq!(one.headline, words);
    let nobody = explained(problem.clone(), 1, &[]);
    assert_eq!(nobody.headline, "stop 1 fits on a new route between stop 2 and stop 3");
    let tight = explained(Problem { capacity: Some(2.0), ..problem.clone() }, 1, &[&[2], &[3]]);
    assert_eq!(tight.remedies[0].relaxations, [Relaxation::Capacity(1)]);
    let open = explained(Problem { open: true, ..problem }, 1, &[&[3]]);
    assert_eq!(open.headline, "stop 1 fits on a new route after stop 2");
}

#[test]
fn only_ways_that_exist_are_proposed() {
    let no = f64::INFINITY;
    // Nobody gets away from stop 1; stop 2 has no way in; stop 3 is behind stop 4, and nothing is behind stop 3.
    let distance = Table::from_rows(vec![
        vec![0.0, 1.0, no, no, 1.0],
        vec![no, 0.0, no, no, no],
        vec![1.0, 1.0, 0.0, no, no],
        vec![1.0, no, no, 0.0, no],
        vec![no, no, no, 1.0, 0.0],
    ]);
    let instance = Problem::vrp(distance).validate().instance.expect("well formed");
    let advice = |routes: &[&[usize]]| {
        let routes = Routes(routes.iter().map(|route| route.to_vec()).collect());
        let advice = radar_check::explain_plan(&instance, &routes).advice;
        advice.into_iter().filter(|advice| !advice.starts_with("put ")).collect::<Vec<String>>()
    };
    assert_eq!(advice(&[&[1]]), ["check stop 1 on the map: it has no way to any other stop"]);
    assert_eq!(advice(&[&[2]]), ["check stop 2 on the map: no other stop has a way to it"]);
    let by_another = "by way of a stop that connects them, or check both points on the map";
    assert_eq!(advice(&[&[3]]), [format!("drive from the depot to stop 3 {by_another}")]);
}

#[test]
fn a_detour_as_long_as_the_direct_way_is_no_reason_for_company() {
    // By way of 2 to stop 1 and by way of 3 home is just as long as directly. A route 2, 1, 3 would
    // fit, but nothing calls for taking the plan's only route apart.
    let distance = Table::from_rows(vec![
        vec![0.0, 10.0, 5.0, 1.0],
        vec![10.0, 0.0, 20.0, 5.0],
        vec![8.0, 5.0, 0.0, 20.0],
        vec![5.0, 20.0, 8.0, 0.0],
    ]);
    let problem = Problem { limit: Some(20.0), vehicles: Some(1), ..Problem::vrp(distance) };
    let explanation = explained(problem, 1, &[&[3, 2]]);
    let words: Vec<String> = explanation.remedies.iter().map(|remedy| remedy.to_string()).collect();
    assert_eq!(words, ["limit +4, on route #1 after stop 2", "vehicles +1, on a new route"]);
}

#[test]
fn a_way_home_by_another_stop() {
    let no = f64::INFINITY;
    let distance = Table::from_rows(vec![vec![0.0, 5.0, 5.0], vec![no, 0.0, 5.0], vec![5.0, no, 0.0]]);
    let problem = Problem { limit: Some(14.0), ..Problem::vrp(distance) };
    let explanation = explained(problem, 1, &[]);
    assert_eq!(explanation.remedies[0].to_string(), "limit +1, on a new route before stop 2");
}

#[test]
fn a_stop_that_nothing_reaches() {
    let no = f64::INFINITY;
    let distance = Table::from_rows(vec![vec![0.0, no, 1.0], vec![1.0, 0.0, 1.0], vec![1.0, no, 0.0]]);
    let explanation = explained(Problem::vrp(distance), 1, &[&[2]]);
    assert_eq!(explanation.headline, "stop 1 does not fit anywhere, and loosening bounds cannot admit it");
    assert_eq!(explanation.blocks.len(), 1);
    assert_eq!(explanation.blocks[0].clause, Clause::UnreachableArc);
    assert_eq!(explanation.advice.len(), 1);
}

#[test]
fn what_was_wrong_before_is_not_the_stops_fault() {
    let problem = Problem {
        demand: Some(vec![0.0, 2.0, 7.0]),
        capacity: Some(5.0),
        windows: Some(vec![[0.0, 100.0], [0.0, 90.0], [0.0, 4.0]]),
        vehicles: Some(1),
        ..pair()
    };
    // Stop 2 is late by 6 and too much by 2 already; after it, stop 1 adds 2 to the load.
    let explanation = explained(problem, 1, &[&[2]]);
    let words: Vec<String> = explanation.remedies.iter().map(|remedy| remedy.to_string()).collect();
    assert_eq!(words, ["capacity +2, on route #1 after stop 2", "vehicles +1, on a new route"]);
}

#[test]
fn tours_take_a_stop_anywhere_but_at_the_start() {
    let no = f64::INFINITY;
    let distance = Table::from_rows(vec![vec![0.0, 1.0, 9.0], vec![9.0, 0.0, no], vec![1.0, 1.0, 0.0]]);
    let instance = Problem::atsp(distance).validate().instance.expect("well formed");
    let words = |stop, routes: Vec<Vec<usize>>| explain_stop(&instance, stop, &Routes(routes)).headline;
    assert_eq!(words(2, vec![vec![0, 1]]), "stop 2 fits on the tour between stop 0 and stop 1");
    assert_eq!(words(1, vec![]), "stop 1 fits on a new route after stop 0");
    assert_eq!(words(0, vec![vec![]]), "stop 0 fits on a new route");
    assert_eq!(words(0, vec![vec![2, 1]]), "stop 0 fits on the tour before stop 2");
}

#[test]
fn questions_about_no_stop_and_about_a_served_one() {
    let none = explained_headline(pair(), 0, &[&[1]]);
    assert_eq!(none, "node 0 is no stop");
    assert_eq!(explained_headline(pair(), 7, &[&[1]]), "node 7 is no stop");
    assert_eq!(explained_headline(pair(), 2, &[&[1], &[2]]), "stop 2 is served already, on route #2");
}

fn explained_headline(problem: Problem, stop: usize, routes: &[&[usize]]) -> String {
    let instance = problem.validate().instance.expect("well formed");
    let explanation =
        explain_stop(&instance, stop, &Routes(routes.iter().map(|nodes| nodes.to_vec()).collect()));
    assert!(explanation.remedies.is_empty() && explanation.blocks.is_empty());
    assert_eq!(explanation.advice.len(), 1);
    explanation.headline
}

#[test]
fn pickups_do_not_go_before_deliveries() {
    let problem = Problem {
        demand: Some(vec![0.0, 0.0, 2.0]),
        backhaul: Some(vec![0.0, 2.0, 0.0]),
        capacity: Some(5.0),
        vehicles: Some(1),
        ..pair()
    };
    let instance = problem.clone().validate().instance.expect("well formed");
    assert!(instance.features().has(Feature::Backhaul));
    let explanation = explained(problem, 1, &[&[2]]);
    assert_eq!(explanation.headline, "stop 1 fits on route #1 after stop 2");
}
