use super::*;
use crate::random::Stream;

/// Routes with random costs and loads, every third stop a pickup if there are any.
struct Case {
    nodes: usize,
    costs: Vec<f32>,
    may: Vec<bool>,
    top: usize,
    takes: Vec<u16>,
    gives: Vec<bool>,
}

impl Case {
    fn new(nodes: usize, seed: u64, with_pickups: bool) -> Self {
        let mut stream = Stream::new(seed, "routes", nodes as u64);
        let mut costs: Vec<f32> = (0..nodes * nodes).map(|_| stream.unit() as f32).collect();
        (0..nodes).for_each(|node| costs[node * nodes + node] = 0.0);
        // Shortest ways.
        for over in 0..nodes {
            for at in 0..nodes * nodes {
                let way = costs[at / nodes * nodes + over] + costs[over * nodes + at % nodes];
                costs[at] = costs[at].min(way);
            }
        }
        let gives: Vec<bool> = (0..nodes).map(|node| with_pickups && node % 3 == 1).collect();
        let may = (0..nodes * nodes).map(|at| !gives[at / nodes] || gives[at % nodes]).collect();
        let takes =
            (0..nodes).map(|node| if node == 0 { 0 } else { 1 + (9.0 * stream.unit()) as u16 }).collect();
        Self { nodes, costs, may, top: 50, takes, gives }
    }

    fn ensemble(&self) -> Ensemble<'_> {
        let Self { nodes, costs, may, top, takes, gives } = self;
        Ensemble { nodes: *nodes, costs, may, top: *top, takes, gives, routes: 2.0, coolness: 0.1 }
    }

    fn found(&self) -> (Fleet, Outlook) {
        self.ensemble().found_until(Isa::best(), &|| false).expect("not stopped")
    }
}

/// How often each stop is reached from others (nodes).
fn reached(case: &Case, outlook: &Outlook, is_left: &[bool]) -> Vec<f32> {
    let mut reached = vec![0.0; case.nodes];
    for stop in (1..case.nodes).filter(|&stop| is_left[stop]) {
        outlook.used_from(stop).for_each(|(to, used)| reached[to] += used);
    }
    reached
}

/// Asserts that its stops are on about one route each, and not reached more often than that.
fn assert_about_once(case: &Case, outlook: &Outlook, is_left: &[bool], most_off: f32) {
    let reached = reached(case, outlook, is_left);
    let (mut off, mut count) = (0.0, 0);
    for (stop, visits) in outlook.visits() {
        assert!(is_left[stop] && (0.05..5.0).contains(&visits), "{stop} of {}: {visits}", case.nodes);
        assert!(reached[stop] < visits + 1e-4, "{stop}: {} {visits}", reached[stop]);
        off += (visits - 1.0).abs();
        count += 1;
    }
    assert_eq!(count, is_left.iter().skip(1).filter(|left| **left).count());
    assert!(off < most_off * count as f32, "{} nodes: {off} for {count}", case.nodes);
}

#[test]
fn every_stop_is_on_about_one_route() {
    for (nodes, seed, with_pickups) in [(20, 2, false), (40, 3, false), (60, 4, true), (101, 5, false)] {
        let case = Case::new(nodes, seed, with_pickups);
        let (_, first) = case.found();
        assert_about_once(&case, &first, &vec![true; nodes], 0.1);
        // Some are served, then more. Rounds are few each time, so prices are asked for again.
        let mut stream = Stream::new(seed, "served", 0);
        let mut outlook = first;
        let mut is_left = vec![true; nodes];
        for _ in 0..3 {
            is_left.iter_mut().for_each(|left| *left &= stream.chance(0.8));
            outlook = (0..16).fold(outlook, |outlook, _| outlook.rest(&is_left));
            assert_about_once(&case, &outlook, &is_left, 0.1);
        }
    }
}

#[test]
fn nothing_left_comes_to_nothing() {
    let case = Case::new(9, 3, true);
    let (_, first) = case.found();
    let outlook = first.rest(&[false; 9]);
    assert_eq!(outlook.visits().count() + outlook.used_from(2).count(), 0);
    assert_eq!(outlook.ahead(2, 10), f64::MIN_POSITIVE);
}

/// All ways on from a stop where a vehicle comes with so much room, one by one; each stop is worth its `value`.
fn by_hand(case: &Case, fleet: &Fleet, values: &[f64], stop: usize, room: usize) -> f64 {
    let Some(left) = room.checked_sub(case.takes[stop].into()) else { return 0.0 };
    let on = |to: usize| {
        let may = to != stop && case.may[stop * case.nodes + to];
        let room = if case.gives[to] && !case.gives[stop] { case.top } else { left };
        let ways = || f64::from(-fleet.steps(stop)[to]).exp() * by_hand(case, fleet, values, to, room);
        if may { ways() } else { 0.0 }
    };
    values[stop] * (f64::from(-fleet.steps(stop)[0]).exp() + (1..case.nodes).map(on).sum::<f64>())
}

#[test]
fn ways_on_are_all_that_the_room_allows() {
    for with_pickups in [false, true] {
        let mut case = Case::new(7, 5, with_pickups);
        case.top = 12;
        let (fleet, outlook) = case.found();
        // With no room left after it a stop is worth what its ways home and to pickups lack.
        let mut values = vec![1.0; case.nodes];
        let order =
            |gives: bool| (1..case.nodes).filter(move |&stop| (stop % 3 == 1 && with_pickups) == gives);
        for stop in order(true).chain(order(false)) {
            let takes = case.takes[stop].into();
            values[stop] = outlook.ahead(stop, takes) / by_hand(&case, &fleet, &values, stop, takes);
        }
        for stop in 1..case.nodes {
            for room in usize::from(case.takes[stop])..=case.top {
                let (one, other) = (outlook.ahead(stop, room), by_hand(&case, &fleet, &values, stop, room));
                assert!((one.ln() - other.ln()).abs() < 1e-3, "{stop} with {room}: {one} {other}");
            }
        }
    }
}

#[test]
fn the_order_of_the_stops_does_not_matter() {
    let case = Case::new(24, 6, true);
    let nodes = case.nodes;
    let other = |node: usize| if node == 0 { 0 } else { nodes - node };
    let turn = |at: usize| other(at / nodes) * nodes + other(at % nodes);
    let turned = Case {
        costs: (0..nodes * nodes).map(|at| case.costs[turn(at)]).collect(),
        may: (0..nodes * nodes).map(|at| case.may[turn(at)]).collect(),
        takes: (0..nodes).map(|node| case.takes[other(node)]).collect(),
        gives: (0..nodes).map(|node| case.gives[other(node)]).collect(),
        nodes,
        top: case.top,
    };
    let used = |case: &Case| {
        let (_, outlook) = case.found();
        let mut used = vec![0.0; nodes * nodes];
        for stop in 1..nodes {
            outlook.used_from(stop).for_each(|(to, often)| used[stop * nodes + to] = often);
        }
        used
    };
    let (one, two) = (used(&case), used(&turned));
    (0..nodes * nodes).for_each(|at| assert!((one[turn(at)] - two[at]).abs() < 1e-3));
}

#[test]
fn odd_routes_give_numbers() {
    for nodes in [1, 2, 3, 30] {
        for scale in [0.0, 1e-20, 1.0, 1e20] {
            for far in [1.0, 1e6] {
                let mut case = Case::new(nodes, 7, true);
                for (at, cost) in case.costs.iter_mut().enumerate() {
                    *cost *= if at < nodes || at.is_multiple_of(nodes) { far * scale } else { scale };
                }
                case.takes.iter_mut().skip(1).step_by(2).for_each(|takes| *takes = 50);
                let (fleet, first) = case.found();
                let is_left: Vec<bool> = (0..nodes).map(|node| node % 2 == 1).collect();
                for outlook in [first.rest(&is_left), first] {
                    for stop in 1..nodes {
                        let ahead = (0..=case.top).map(|room| outlook.ahead(stop, room).ln() as f32);
                        let used = outlook.used_from(stop).map(|(_, used)| used);
                        let all = ahead.chain(used).chain(fleet.steps(stop).iter().copied());
                        let all = all.chain(outlook.visits().map(|(_, visits)| visits));
                        assert!(all.into_iter().all(f32::is_finite), "{nodes} nodes, {scale}, {far}");
                    }
                }
            }
        }
    }
}
