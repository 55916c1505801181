mod ground;

use radar_bound::{Width, width};
use radar_check::{Clause, check};
use radar_problem::{Instance, NEVER, Routes, UNREACHABLE};

use super::exchange::Exchange;
use super::plan::{Head, Spot};
use super::record::Excess;
use super::*;
use crate::pace::Steps;
use ground::{Ground, State, anew, assert_sound, instance};

/// Calls a function for every width and record that is fit for an instance.
macro_rules! in_every_form {
    ($examine:ident, $instance:expr, $seed:expr) => {
        let (instance, seed) = (&$instance, $seed);
        let is_narrow = width(instance) == Width::Narrow;
        $examine::<i64, Load>(instance, seed);
        $examine::<i64, Full<false>>(instance, seed);
        if is_narrow {
            $examine::<i32, Load>(instance, seed);
            $examine::<i32, Full<false>>(instance, seed);
        }
        if Yard::of(instance).needs() == Needs::All {
            $examine::<i64, Full<true>>(instance, seed);
            if is_narrow {
                $examine::<i32, Full<true>>(instance, seed);
            }
        }
    };
}

/// Calls a function for instances of every set of features, from one stop on.
macro_rules! on_every_variant {
    ($examine:ident, $rounds:expr) => {
        for features in 0..16 {
            for round in 0..$rounds {
                let mut stream = Stream::new(round, stringify!($examine), features);
                let stops = 1 + (round as usize * 7 + features as usize) % 25;
                let instance = instance(&mut stream, stops, features);
                in_every_form!($examine, instance, round);
            }
        }
    };
}

/// What a route breaks, by driving it. What cannot be driven takes no time and has no length.
fn driven(instance: &Instance, stops: &[u32]) -> Excess {
    let finite = |value: i64| if value == UNREACHABLE { 0 } else { value };
    let (mut load, mut pickup, mut length, mut excess) = (0, 0, 0, Excess::default());
    let (mut time, mut last) = (instance.opens(0), 0);
    let mut turn_back = |time: i64, closes: i64| {
        excess.time += (time - closes).max(0);
        time.min(closes)
    };
    for stop in stops.iter().map(|&stop| stop as usize) {
        time = (time + finite(instance.duration().at(last, stop))).max(instance.opens(stop));
        time = turn_back(time, instance.closes(stop)) + instance.service(stop);
        length += finite(instance.distance().at(last, stop));
        excess.order += i64::from(instance.demand(stop) > 0 && pickup > 0);
        load += instance.demand(stop);
        pickup += instance.backhaul(stop);
        last = stop;
    }
    let shift = instance.opens(0) + instance.max_duration().min(NEVER);
    if instance.is_open() {
        turn_back(time, shift);
    } else {
        turn_back(time + finite(instance.duration().at(last, 0)), shift.min(instance.closes(0)));
        length += finite(instance.distance().at(last, 0));
    }
    excess.amount = (load - instance.capacity()).max(0) + (pickup - instance.capacity()).max(0);
    excess.length = (length - instance.limit()).max(0);
    excess
}

fn records_drive_routes<W: Weight, R: Record>(instance: &Instance, seed: u64) {
    let mut stream = Stream::new(seed, "fleet test records", 0);
    let ground = Ground::<W>::of(instance, &mut stream);
    let yard = &ground.yard;
    let plan = ground.plan::<R>(&mut stream, 1.0);
    let kind = std::any::type_name::<R>();
    for stops in plan.routes().iter().filter(|stops| !stops.is_empty()) {
        // Joined one by one, and in three pieces in both orders.
        let stretch = |stops: &[u32]| {
            let first = stops[0] as usize;
            plan.through(R::stop(yard, first), first, stops[1..].iter().copied())
        };
        let (one, last) = stretch(stops);
        let record = start::whole(yard, stops[0] as usize, last, one);
        let by_hand = driven(instance, stops);
        let expected = match kind {
            kind if kind == std::any::type_name::<Load>() => {
                let load = stops.iter().map(|&stop| instance.demand(stop as usize)).sum::<i64>();
                Excess { amount: (load - instance.capacity()).max(0), ..Excess::default() }
            }
            kind if kind == std::any::type_name::<Full<false>>() => Excess { time: 0, ..by_hand },
            _ => by_hand,
        };
        assert_eq!(record.excess(yard), expected, "{kind} {stops:?}");
        let verdict = check(instance, &Routes(vec![stops.iter().map(|&stop| stop as usize).collect()]));
        let broken = |clauses: &[Clause]| {
            verdict.violations.iter().any(|violation| clauses.contains(&violation.clause))
        };
        if !broken(&[Clause::UnreachableArc]) {
            let late = [Clause::LateArrival, Clause::LateReturn, Clause::OverDuration];
            assert_eq!(by_hand.time > 0, broken(&late));
            assert_eq!(by_hand.length > 0, broken(&[Clause::OverLimit]));
            assert_eq!(by_hand.order > 0, broken(&[Clause::DeliveryAfterPickup]));
            assert_eq!(by_hand.amount > 0, broken(&[Clause::DeliveryOverload, Clause::PickupOverload]));
        }
        if stops.len() < 3 {
            continue;
        }
        let cut = 1 + stream.index(stops.len() - 2);
        let next = cut + 1 + stream.index(stops.len() - cut - 1);
        let ends =
            [stops[0], stops[cut - 1], stops[cut], stops[next - 1], stops[next]].map(|stop| stop as usize);
        let [a, b, c] = [&stops[..cut], &stops[cut..next], &stops[next..]].map(|stops| stretch(stops).0);
        let left = a.join(yard, ends[1], ends[2], b).join(yard, ends[3], ends[4], c);
        let right = a.join(yard, ends[1], ends[2], b.join(yard, ends[3], ends[4], c));
        assert_eq!((left, right), (one, one));
        let (departure, arrival) = (R::departure(yard), R::arrival(yard));
        let backwards = departure.join(yard, 0, ends[0], one.join(yard, last, 0, arrival));
        assert_eq!(backwards, record);
    }
}

#[test]
fn records_join_as_routes_are_driven() {
    on_every_variant!(records_drive_routes, 40);
}

fn moves_account_for_themselves<W: Weight, R: Record>(instance: &Instance, seed: u64) {
    let mut stream = Stream::new(seed, "fleet test moves", 0);
    let ground = Ground::<W>::of(instance, &mut stream);
    let (out, stops) = (&ground.neighbours.out, ground.reduced.nodes() - 1);
    let mut plan = ground.plan::<R>(&mut stream, 1.0);
    assert_eq!(plan.cost(), plan.count_cost());
    let first = plan.routes().to_vec();
    let mut kept = State::of(&plan);
    for _ in 0..40 {
        let before = plan.cost() + plan.fine();
        let was = State::of(&plan);
        let reach = Reach {
            breadth: [10, 8, 5],
            depth: 2 + stream.index(3),
            cross: stream.chance(0.7),
            returns: 1 + stream.index(9),
        };
        let drawn = stream.index(stops + plan.routes().len());
        let head = if drawn < stops { 1 + drawn as Head } else { plan.way_back(drawn - stops) };
        let (moved, improves) = match stream.index(7) {
            0..=2 => (sequential::improve(&mut plan, out, &reach, head), true),
            3 => (reversal::improve(&mut plan, out, 10, 50, head), true),
            4 if stops > 1 => {
                let most = if stream.chance(0.5) { i64::MAX } else { 9 };
                let fine = plan.fine();
                let kicked = kick::kick(&mut plan, &ground.neighbours, None, most, &mut stream);
                assert!(!kicked || plan.fine() - fine < most);
                (kicked, false)
            }
            5 => {
                let places = if stream.chance(0.5) { Places::All } else { Places::Near };
                let ruin =
                    Ruin { stops: stream.uniform(1.0, 10.0), longest: stream.uniform(1.0, 10.0), places };
                ruin::ruin_and_recreate(&mut plan, &ground.neighbours, &ruin, &mut stream);
                (true, false)
            }
            4 | 6 if stream.chance(0.5) => {
                plan.ensure_spare();
                plan.keep();
                while plan.next_marked().is_some() {}
                kept = State::of(&plan);
                (0..stream.index(250)).for_each(|_| plan.learn());
                kept.sums.1 = plan.fine();
                kept.fines = State::of(&plan).fines;
                continue;
            }
            _ => {
                plan.undo();
                assert_eq!(State::of(&plan), kept);
                assert_eq!(plan.next_marked(), None);
                continue;
            }
        };
        assert_sound(&plan, &first);
        if !moved {
            assert_eq!(State::of(&plan), was);
        } else if improves {
            assert!(plan.cost() + plan.fine() < before);
        }
    }
}

#[test]
fn moves_change_cost_and_fines_by_what_they_say_and_can_be_taken_back() {
    on_every_variant!(moves_account_for_themselves, 60);
}

/// The routes after an exchange, followed arc by arc; `None` if stops would be on no route.
fn followed<W: Weight, R: Record>(plan: &Plan<'_, W, R>, exchange: &Exchange<'_>) -> Option<Vec<Vec<u32>>> {
    let Exchange { heads, joins } = *exchange;
    if (1..heads.len()).any(|at| heads[..at].contains(&heads[at])) {
        return None;
    }
    let redirected = |head: Head| match heads.iter().position(|&cut| cut == head) {
        Some(at) => heads[joins[at]],
        None => head,
    };
    let walk = |route: usize| {
        let mut stops = Vec::new();
        let mut head = redirected(plan.head_at(Spot { route: route as u32, place: 0 }));
        while (head as usize) < plan.nodes() {
            stops.push(head);
            head = redirected(plan.after(head as usize));
        }
        stops
    };
    let made: Vec<Vec<u32>> = (0..plan.routes().len()).map(walk).collect();
    (made.concat().len() == plan.routes().concat().len()).then_some(made)
}

fn exchanges_are_weighed<W: Weight, R: Record>(instance: &Instance, seed: u64) {
    let mut stream = Stream::new(seed, "fleet test exchanges", 0);
    let ground = Ground::<W>::of(instance, &mut stream);
    let mut plan = ground.plan::<R>(&mut stream, 1.0);
    for _ in 0..60 {
        let count = 2 + stream.index(3);
        let stops = plan.nodes() - 1;
        // Two routes at most, half of the time, so that many cuts are on the same.
        let routes: Vec<usize> = (0..2).map(|_| stream.index(plan.routes().len())).collect();
        let is_local = stream.chance(0.5);
        let mut any_head = || match is_local {
            true => {
                let route = routes[stream.index(2)];
                let place = stream.index(plan.routes()[route].len() + 1) as u32;
                plan.head_at(Spot { route: route as u32, place })
            }
            false => match stream.index(stops + plan.routes().len()) {
                at if at < stops => 1 + at as Head,
                at => plan.way_back(at - stops),
            },
        };
        let heads: Vec<Head> = (0..count).map(|_| any_head()).collect();
        let mut joins: Vec<usize> = match stream.chance(0.5) {
            true => (1..count).chain([0]).collect(),
            false => (0..count).collect(),
        };
        if joins[0] == 0 {
            stream.shuffle(&mut joins);
        }
        let exchange = Exchange { heads: &heads, joins: &joins };
        let expected = followed(&plan, &exchange);
        let weight = exchange.weigh(&plan);
        assert_eq!(weight.is_some(), expected.is_some(), "{heads:?} {joins:?} {:?}", plan.routes());
        let (Some(weight), Some(expected)) = (weight, expected) else { continue };
        // The same exchange with its cuts named the other way round takes the general path.
        let reversed: Vec<Head> = heads.iter().rev().copied().collect();
        let renamed: Vec<usize> = joins.iter().rev().map(|&to| count - 1 - to).collect();
        assert_eq!(Exchange { heads: &reversed, joins: &renamed }.weigh(&plan), Some(weight));
        let saving = exchange.saving(&plan);
        let fresh = anew(&plan, expected.clone());
        let mut changed = plan.clone();
        exchange.apply(&mut changed, saving);
        assert_eq!(changed.routes(), expected);
        assert_eq!(changed.cost(), plan.cost() - saving);
        assert_eq!(changed.fine(), plan.fine() + weight);
        changed.ensure_spare();
        assert_eq!(State::of(&changed), State::of(&fresh));
        if !heads.iter().any(|&head| plan.is_fixed(head)) {
            assert_sound(&changed, plan.routes());
            plan = changed;
        }
    }
}

#[test]
fn any_exchange_weighs_and_saves_what_it_changes() {
    on_every_variant!(exchanges_are_weighed, 40);
}

fn best_places_are_best<W: Weight, R: Record>(instance: &Instance, seed: u64) {
    let mut stream = Stream::new(seed, "fleet test places", 0);
    let ground = Ground::<W>::of(instance, &mut stream);
    let mut plan = ground.plan::<R>(&mut stream, 0.6);
    let missing: Vec<usize> = (1..plan.nodes()).filter(|&stop| !plan.is_placed(stop)).collect();
    for stop in missing {
        let (cost, fine) = (plan.cost(), plan.fine());
        let mut least = i64::MAX;
        for route in 0..plan.routes().len() {
            for place in plan.frozen(route)..=plan.routes()[route].len() {
                let mut routes = plan.routes().to_vec();
                routes[route].insert(place, stop as u32);
                let tried = anew(&plan, routes);
                // A spare route that the insertion made necessary costs what any other costs.
                let spare = (tried.routes().len() - plan.routes().len()) as i64 * plan.at(0, 0);
                least = least.min(tried.cost() - spare - cost + tried.fine() - fine);
            }
        }
        let near = insertion::best_place(&plan, &ground.neighbours, Places::Near, stop, None);
        let near = near.expect("there is a route");
        let best = insertion::best_place(&plan, &ground.neighbours, Places::All, stop, None);
        let best = best.expect("there is a route");
        assert_eq!(best.cost + best.fine, least);
        assert!(near.cost + near.fine >= least);
        let place = if stream.chance(0.5) { near } else { best };
        assert!(!plan.is_fixed(place.head));
        let mut routes = plan.routes().to_vec();
        insertion::insert(&mut plan, stop, place);
        assert_eq!((plan.cost() - cost, plan.fine() - fine), (place.cost, place.fine));
        let spot = plan.spot(stop as Head);
        routes[spot.route as usize].insert(spot.place as usize, stop as u32);
        assert_eq!(plan.routes(), routes);
        assert_sound(&plan, &routes);
        plan.ensure_spare();
    }
}

#[test]
fn stops_are_put_where_they_cost_least() {
    on_every_variant!(best_places_are_best, 30);
}

fn searches_end_with_valid_plans<W: Weight, R: Record>(instance: &Instance, seed: u64) {
    let mut stream = Stream::new(seed, "fleet test search", 0);
    let ground = Ground::<W>::of(instance, &mut stream);
    let begun = ground.plan::<R>(&mut stream, 0.8);
    let frozen: Vec<u32> = (0..begun.routes().len()).map(|route| begun.frozen(route) as u32).collect();
    let settings = Settings::usual(instance.nodes());
    let Ground { reduced, neighbours, yard } = &ground;
    let routes = begun.routes().to_vec();
    let mut search =
        FleetSearch::<W, R>::new(reduced, yard, neighbours, routes, &frozen, None, settings, stream);
    let pace = Steps { most: 60, cancelled: &|| false };
    search.settle(&pace);
    search.advance(1.0, &pace);
    for (route, stops) in begun.routes().iter().enumerate() {
        assert_eq!(search.current()[route][..begun.frozen(route)], stops[..begun.frozen(route)]);
    }
    assert_sound(&search.plan, search.current());
    let mut served = search.current().concat();
    served.sort_unstable();
    assert!(served.into_iter().eq(1..instance.nodes() as u32));
    let fits = match yard.needs() {
        Needs::Load => true,
        Needs::Timeless => std::any::type_name::<R>() != std::any::type_name::<Load>(),
        Needs::All => std::any::type_name::<R>() == std::any::type_name::<Full<true>>(),
    };
    let Some((best, cost)) = search.best() else { return };
    if fits {
        let plain = best.iter().map(|stops| stops.iter().map(|&stop| stop as usize).collect());
        let verdict = check(instance, &Routes(plain.collect()));
        assert!(verdict.feasible(), "{:?}", verdict.violations);
        assert_eq!(verdict.scaled_cost, Some(cost));
    }
}

#[test]
fn searches_keep_their_books_and_their_word() {
    on_every_variant!(searches_end_with_valid_plans, 25);
}

#[test]
fn penalties_stay_within_bounds() {
    const UNITS: i64 = 1_000_000;
    let of = |penalties: &Penalties| {
        let none = Excess::default();
        [
            Excess { amount: UNITS, ..none },
            Excess { order: UNITS, ..none },
            Excess { length: UNITS, ..none },
            Excess { time: UNITS, ..none },
        ]
        .map(|excess| penalties.of(excess))
    };
    let everything = Excess { amount: 1, order: 1, length: 1, time: 1 };
    for excess in [Excess::default(), everything, Excess { time: 9, ..Excess::default() }] {
        let mut penalties = Penalties::new([0.5, 3.0, 20.0, 1000.0]);
        let first = of(&penalties);
        assert_eq!(penalties.of(Excess::default()), 0);
        let mut changes = 0;
        for _ in 0..100_000 {
            changes += usize::from(penalties.learn(excess));
        }
        // They went as far as they go, and no further.
        let last = of(&penalties);
        assert!((1..400).contains(&changes), "{changes}");
        assert!(!(0..1000).any(|_| penalties.learn(excess)));
        let broken = [excess.amount, excess.order, excess.length, excess.time].map(|amount| amount > 0);
        for at in 0..4 {
            let (first, last) = (first[at], last[at]);
            assert_eq!(last > first, broken[at]);
            assert!(last > first / 1000 && last < first * 1000, "from {first} to {last}");
        }
    }
}
