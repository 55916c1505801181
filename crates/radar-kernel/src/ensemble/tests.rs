use super::*;
use crate::random::Stream;

/// Routes with random costs and loads, every third stop a pickup if there are any.
#[derive(Clone)]
struct Case {
    nodes: usize,
    costs: Vec<f32>,
    may: Vec<bool>,
    top: usize,
    takes: Vec<u16>,
    gives: Vec<bool>,
    /// What arcs take of the slack, if it counts, and when stops let vehicles in, if that is the hours of the day.
    slack: Option<Vec<f32>>,
    windows: Option<Vec<[f32; 2]>>,
    coolness: f32,
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
        Self { nodes, costs, may, top: 50, takes, gives, slack: None, windows: None, coolness: 0.1 }
    }

    /// The same with ways that cost as much there as back.
    fn symmetric(mut self) -> Self {
        let nodes = self.nodes;
        for (from, to) in (0..nodes).flat_map(|from| (0..from).map(move |to| (from, to))) {
            let cost = 0.5 * (self.costs[from * nodes + to] + self.costs[to * nodes + from]);
            (self.costs[from * nodes + to], self.costs[to * nodes + from]) = (cost, cost);
        }
        self
    }

    /// The same in a town of a few dense quarters, where ways are as long there as back.
    fn in_quarters(mut self, seed: u64) -> Self {
        let nodes = self.nodes;
        let mut stream = Stream::new(seed, "quarters", nodes as u64);
        let mut point = |spread: f64| [spread * stream.unit(), spread * stream.unit()];
        let centres: Vec<[f64; 2]> = (0..4).map(|_| point(1.0)).collect();
        let places: Vec<[f64; 2]> = (0..nodes)
            .map(|node| {
                let (centre, off) = (centres[node % 4], point(0.1));
                [centre[0] + off[0], centre[1] + off[1]]
            })
            .collect();
        let distance = |[a, b]: [f64; 2], [c, d]: [f64; 2]| (a - c).hypot(b - d) as f32;
        self.costs = (0..nodes * nodes).map(|at| distance(places[at / nodes], places[at % nodes])).collect();
        self
    }

    /// The same under a limit of so many times the longest route of one stop.
    fn limited(self, times: f32) -> Self {
        let nodes = self.nodes;
        let cost = |from: usize, to: usize| self.costs[from * nodes + to];
        let alone = |stop: usize| cost(0, stop) + cost(stop, 0);
        let alones = || (1..nodes).map(alone);
        let (nearest, farthest) = (alones().fold(f32::INFINITY, f32::min), alones().fold(0.0, f32::max));
        let tick = (times * farthest - nearest) / (TICKS - 1) as f32;
        let takes = |from: usize, to: usize| match (from, to) {
            (_, 0) => 0.0,
            (0, stop) => alone(stop) - nearest,
            _ => (cost(from, to) + cost(to, 0) - cost(from, 0)).max(0.0),
        };
        let slack = (0..nodes * nodes).map(|at| takes(at / nodes, at % nodes) / tick).collect();
        Self { slack: Some(slack), ..self }
    }

    /// The same with hours: an arc takes as many ticks as it costs and two for service, windows are half of the day.
    fn with_hours(self, seed: u64) -> Self {
        let nodes = self.nodes;
        let mut stream = Stream::new(seed, "hours", nodes as u64);
        let last = (TICKS - 1) as f32;
        let time = |at: usize| self.costs[at] * 4.0 + if at < nodes { 0.0 } else { 2.0 };
        let slack = (0..nodes * nodes).map(|at| if at.is_multiple_of(nodes) { 0.0 } else { time(at) });
        let window = |_| {
            let opens = 0.5 * last * stream.unit() as f32;
            [opens, opens + 0.5 * last]
        };
        let windows = (0..nodes).map(window).collect();
        Self { slack: Some(slack.collect()), windows: Some(windows), ..self }
    }

    fn ensemble(&self) -> Ensemble<'_> {
        let Self { nodes, costs, may, top, takes, gives, slack, windows, coolness } = self;
        let slack = slack.as_ref().map(|arcs| Slack { arcs, idle: 0.0, windows: windows.as_deref() });
        Ensemble {
            nodes: *nodes,
            costs,
            may,
            top: *top,
            takes,
            gives,
            routes: 2.0,
            coolness: *coolness,
            slack,
        }
    }

    fn found(&self) -> (Fleet, Outlook) {
        self.ensemble().found_until(Isa::best(), &|| false).expect("not stopped")
    }
}

/// How often each stop is reached from others (nodes).
fn reached(case: &Case, outlook: &Outlook, is_left: &[bool]) -> Vec<f32> {
    let mut reached = vec![0.0; case.nodes];
    for stop in (1..case.nodes).filter(|&stop| is_left[stop]) {
        outlook.used_from(stop, &mut |to, used| reached[to] += used);
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
    let plain = [(20, 2, false), (40, 3, false), (60, 4, true), (101, 5, false)];
    let plain = plain.map(|(nodes, seed, with_pickups)| (Case::new(nodes, seed, with_pickups), seed));
    let limited = [(20, 2, false, 1.2), (40, 3, true, 1.5), (101, 5, false, 1.2)];
    let limited = limited.map(|(nodes, seed, with_pickups, times)| {
        (Case::new(nodes, seed, with_pickups).limited(times), seed)
    });
    let hours = [(20, 2, false), (40, 3, true), (101, 5, false)];
    let hours = hours
        .map(|(nodes, seed, with_pickups)| (Case::new(nodes, seed, with_pickups).with_hours(seed), seed));
    for (case, seed) in plain.into_iter().chain(limited).chain(hours) {
        let nodes = case.nodes;
        let (_, first) = case.found();
        assert_about_once(&case, &first, &vec![true; nodes], 0.1);
        // Some are served, then more. Rounds are few each time, so prices are asked for again.
        let mut stream = Stream::new(seed, "served", 0);
        let (mut outlook, mut scratch) = (first, Scratch::default());
        let mut is_left = vec![true; nodes];
        for _ in 0..3 {
            is_left.iter_mut().for_each(|left| *left &= stream.chance(0.8));
            outlook = (0..16).fold(outlook, |outlook, _| outlook.rest(&is_left, &mut scratch));
            assert_about_once(&case, &outlook, &is_left, 0.1);
        }
    }
}

/// Whoever is dear makes all of his neighbours dear: prices once rose past all numbers where vehicles serve two dozen of them.
#[test]
fn prices_stay_where_routes_are_long() {
    for seed in 6..10 {
        let case = Case { top: 120, ..Case::new(101, seed, false).in_quarters(seed) };
        for (case, most) in [(case.clone().with_hours(seed), 0.2), (case, 3.0)] {
            let (_, first) = case.found();
            let errors = first.visits().map(|(_, visits)| visits.ln().abs());
            let error = errors.sum::<f32>() / 100.0;
            assert!(error < most, "{seed}: {error}");
        }
    }
}

#[test]
fn nothing_left_comes_to_nothing() {
    let case = Case::new(9, 3, true);
    for case in [case.clone(), case.clone().limited(1.3), case.with_hours(3)] {
        let (_, first) = case.found();
        let outlook = first.rest(&[false; 9], &mut Scratch::default());
        assert_eq!(outlook.visits().count(), 0);
        outlook.used_from(2, &mut |to, _| panic!("nobody goes to {to}"));
        assert_eq!(outlook.ahead(0, 2, 10, 9.0), f64::MIN_POSITIVE);
    }
}

/// What stops are worth, how often each is at the prices that were found, and pairs of them.
struct Walks<'a> {
    case: &'a Case,
    fleet: &'a Fleet,
    values: Vec<f64>,
    are_pairs: Vec<bool>,
}

impl<'a> Walks<'a> {
    fn new(case: &'a Case, fleet: &'a Fleet) -> Self {
        let nodes = case.nodes;
        let cost = |from: usize, to: usize| f64::from(case.costs[from * nodes + to]);
        // What a way home costs in temperatures is its step, and half of a first price is missing in that of a way there.
        let temperature = cost(1, 0) / f64::from(fleet.steps(1)[0]);
        let price = |stop: usize| {
            (cost(0, stop) + cost(stop, 0)) / temperature - 2.0 * f64::from(fleet.steps(0)[stop])
        };
        let pair = |one: usize, other: usize| {
            let may = |from: usize, to: usize| case.may[from * nodes + to] && from * to > 0 && from != to;
            let back = (cost(one, other) + cost(other, one)) / temperature;
            may(one, other) && may(other, one) && (price(one) + price(other) - back).exp() > 0.018
        };
        let are_pairs = (0..nodes * nodes).map(|at| pair(at / nodes, at % nodes)).collect();
        Self { case, fleet, values: vec![1.0; nodes], are_pairs }
    }

    /// All ways on from a stop where a vehicle comes from a node with so much room and slack, one by one.
    fn on(&self, from: usize, stop: usize, room: usize, slack: f32) -> f64 {
        let Self { case, fleet, values, are_pairs } = self;
        let Some(left) = room.checked_sub(case.takes[stop].into()) else { return 0.0 };
        let whole = (TICKS - 1) as f32;
        let [opens, closes] = case.windows.as_ref().map_or([0.0, whole], |windows| windows[stop]);
        if whole - slack > closes {
            return 0.0;
        }
        let slack = slack.min(whole - opens);
        let on = |to: usize| {
            let at = stop * case.nodes + to;
            let slack = slack - case.slack.as_ref().map_or(0.0, |slack| slack[at]);
            let may = to != stop && case.may[at] && slack >= 0.0 && !(to == from && are_pairs[at]);
            let room = if case.gives[to] && !case.gives[stop] { case.top } else { left };
            let ways = || f64::from(-fleet.steps(stop)[to]).exp() * self.on(stop, to, room, slack);
            if may { ways() } else { 0.0 }
        };
        values[stop] * (f64::from(-fleet.steps(stop)[0]).exp() + (1..case.nodes).map(on).sum::<f64>())
    }
}

#[test]
fn ways_on_are_all_that_room_and_slack_allow() {
    let runs_out: [fn(Case) -> Case; 3] = [|case| case, |case| case.limited(1.5), |case| case.with_hours(5)];
    // At the lower temperature weights would lie too far apart for f32, if it were not raised.
    let cases = runs_out.into_iter().flat_map(|runs_out| {
        [(false, 0.1), (true, 0.1), (true, 0.01)]
            .map(|(with_pickups, coolness)| (runs_out, with_pickups, coolness))
    });
    for ((runs_out, with_pickups, coolness), is_symmetric) in
        cases.flat_map(|case| [(case, false), (case, true)])
    {
        let mut case = Case { top: 12, coolness, ..Case::new(7, 5, with_pickups) };
        if is_symmetric {
            case = case.symmetric();
        }
        case = runs_out(case);
        // Whole ticks are exact.
        case.slack.iter_mut().flatten().for_each(|takes| *takes = takes.ceil());
        case.windows.iter_mut().flatten().flatten().for_each(|time| *time = time.ceil());
        let is_limited = case.slack.is_some();
        let (fleet, outlook) = case.found();
        assert_eq!(fleet.has_slack(), is_limited);
        let mut walks = Walks::new(&case, &fleet);
        assert!(!is_symmetric || walks.are_pairs.contains(&true));
        // With no room left after it a stop is worth what its ways home and to pickups lack.
        let order =
            |gives: bool| (1..case.nodes).filter(move |&stop| (stop % 3 == 1 && with_pickups) == gives);
        let whole = (TICKS - 1) as f32;
        for stop in order(true).chain(order(false)) {
            let takes = case.takes[stop].into();
            walks.values[stop] = outlook.ahead(0, stop, takes, whole) / walks.on(0, stop, takes, whole);
        }
        for (from, stop) in (0..case.nodes).flat_map(|from| (1..case.nodes).map(move |stop| (from, stop))) {
            for room in usize::from(case.takes[stop])..=case.top {
                for slack in if is_limited { vec![0.0, 3.0, 8.0, whole] } else { vec![0.0] } {
                    let one = outlook.ahead(from, stop, room, slack);
                    let other = walks.on(from, stop, room, slack).max(f64::MIN_POSITIVE);
                    assert!(
                        (one.ln() - other.ln()).abs() < 1e-3,
                        "{from} {stop} with {room}, {slack}: {one} {other}"
                    );
                }
            }
        }
        if is_limited {
            let least = (1..case.nodes).map(|stop| outlook.ahead(0, stop, case.top, -0.5));
            assert!(least.into_iter().all(|weight| weight == f64::MIN_POSITIVE));
        }
    }
}

#[test]
fn nobody_goes_straight_back() {
    let case = Case::new(20, 2, false).symmetric();
    for case in [case.clone().limited(1.5), case] {
        let (fleet, outlook) = case.found();
        let walks = Walks::new(&case, &fleet);
        let mut used = vec![0.0; 400];
        for stop in 1..20 {
            outlook.used_from(stop, &mut |to, often| used[20 * stop + to] = often);
        }
        let visits: Vec<(usize, f32)> = outlook.visits().collect();
        let mut both_ways = 0.0_f32;
        for &(stop, visits) in &visits {
            for other in (1..20).filter(|other| walks.are_pairs[20 * stop + other]) {
                // Whoever comes from the other one does not go there, so that no visit counts to both ways.
                let (there, back) = (used[20 * stop + other], used[20 * other + stop]);
                assert!(there + back < visits + 1e-3, "{stop} {other}: {there} {back} of {visits}");
                both_ways = both_ways.max(there.min(back));
            }
        }
        assert!(both_ways > 0.2, "pairs are driven both ways: {both_ways}");
    }
}

#[test]
fn a_stop_without_load_does_not_follow_a_pickup() {
    for case in [Case::new(12, 3, true), Case::new(12, 3, true).limited(1.5)] {
        // As if every other stop had no load.
        let case = Case { may: vec![true; 144], ..case };
        let (_, outlook) = case.found();
        for stop in (1..12).filter(|&stop| case.gives[stop]) {
            outlook.used_from(stop, &mut |to, _| assert!(case.gives[to], "{stop} {to}"));
        }
    }
}

#[test]
fn a_limit_that_routes_hardly_use_has_no_say() {
    let case = Case::new(20, 2, false).limited(1.2);
    let ensemble = case.ensemble();
    let slack = ensemble.slack.map(|slack| Slack { idle: 2.0 * TICKS as f32, ..slack });
    let (fleet, outlook) =
        Ensemble { slack, ..ensemble }.found_until(Isa::best(), &|| false).expect("not stopped");
    assert!(!fleet.has_slack());
    assert_eq!((fleet, outlook), Case { slack: None, ..case }.found());
}

#[test]
fn the_order_of_the_stops_does_not_matter() {
    let nodes = 24;
    let case = Case::new(nodes, 6, true);
    for case in [case.clone().limited(1.4), case.clone().with_hours(6), case] {
        order_does_not_matter(&case);
    }
}

fn order_does_not_matter(case: &Case) {
    let nodes = case.nodes;
    let other = |node: usize| if node == 0 { 0 } else { nodes - node };
    let turn = |at: usize| other(at / nodes) * nodes + other(at % nodes);
    let turned = Case {
        costs: (0..nodes * nodes).map(|at| case.costs[turn(at)]).collect(),
        may: (0..nodes * nodes).map(|at| case.may[turn(at)]).collect(),
        takes: (0..nodes).map(|node| case.takes[other(node)]).collect(),
        gives: (0..nodes).map(|node| case.gives[other(node)]).collect(),
        slack: case.slack.as_ref().map(|slack| (0..nodes * nodes).map(|at| slack[turn(at)]).collect()),
        windows: case.windows.as_ref().map(|windows| (0..nodes).map(|node| windows[other(node)]).collect()),
        nodes,
        top: case.top,
        coolness: case.coolness,
    };
    let used = |case: &Case| {
        let (_, outlook) = case.found();
        let mut used = vec![0.0; nodes * nodes];
        for stop in 1..nodes {
            outlook.used_from(stop, &mut |to, often| used[stop * nodes + to] = often);
        }
        used
    };
    let (one, two) = (used(case), used(&turned));
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
                let other = Case::new(nodes, 7, true);
                let odd = [0.0, 0.3, f32::INFINITY, 1e30, 23.0, 2.5];
                let slack = Some((0..nodes * nodes).map(|at| odd[at % odd.len()]).collect());
                let limited = Case { costs: case.costs.clone(), takes: case.takes.clone(), slack, ..other };
                let odd = [f32::NAN, f32::INFINITY, -1.0, 1e30, 7.0, f32::NEG_INFINITY, 0.0];
                let windows = (0..nodes).map(|node| [odd[node % 7], odd[(node / 7 + 3) % 7]]).collect();
                let with_hours = Case { windows: Some(windows), ..limited.clone() };
                for case in [case, limited, with_hours] {
                    let (fleet, first) = case.found();
                    let is_left: Vec<bool> = (0..nodes).map(|node| node % 2 == 1).collect();
                    for outlook in [first.rest(&is_left, &mut Scratch::default()), first] {
                        for stop in 1..nodes {
                            let ahead = |room: usize| {
                                outlook.ahead(stop / 2, stop, room, (room % 30) as f32).ln() as f32
                            };
                            let mut all: Vec<f32> = (0..=case.top).map(ahead).collect();
                            outlook.used_from(stop, &mut |_, used| all.push(used));
                            let visits = outlook.visits().map(|(_, visits)| visits);
                            let all = all.into_iter().chain(fleet.steps(stop).iter().copied()).chain(visits);
                            assert!(all.into_iter().all(f32::is_finite), "{nodes} nodes, {scale}, {far}");
                        }
                    }
                }
            }
        }
    }
}
