//! What holds for a whole city, and how cities compare with real windows.

use super::*;
use crate::statistics::Statistics;
use rayon::prelude::*;
use skeleton::Link;
use street::Rank;
use trip::Trip;

/// A plan without any delay, to be changed where a test needs one.
fn plain() -> Plan {
    let plan = Plan::draw(&City::default(), &mut Stream::new(1, "plain", 0));
    Plan { turn: 0.0, light: 0.0, lights: 0.0, give_way: 0.0, margin: 50.0, window: [500.0; 2], ..plan }
}

/// Streets between junctions, driven at 10 m/s.
fn town(plan: Plan, junctions: Vec<Place>, ends: &[[usize; 2]], street: Street) -> Town {
    let link = |&ends: &[usize; 2]| {
        let [from, to] = ends.map(|end| junctions[end]);
        Link { ends, length: near::distance(from, to), bridge: false }
    };
    let links: Vec<Link> = ends.iter().map(link).collect();
    Town { plan, streets: vec![street; links.len()], links, junctions }
}

const BOTH_WAYS: Street = Street { rank: Rank::Local, speed: 10.0, open: [true; 2], divided: false };

#[test]
fn a_city_is_a_function_of_its_name_and_fewer_points_are_the_first_of_more() {
    let city = City::default();
    let (few, many) = (city.matrix(30, 5, 2), city.matrix(50, 5, 2));
    let first: Vec<usize> = (0..30).collect();
    assert_eq!(few.points, many.points[..30]);
    assert_eq!(few.distance, many.distance.subset(&first));
    assert_eq!(few.duration, many.duration.subset(&first));
    assert_eq!(many, city.matrix(50, 5, 2));
    assert_ne!(many, city.matrix(50, 5, 3));
    assert_ne!(many, city.matrix(50, 6, 2));
}

#[test]
fn threads_do_not_change_a_city() {
    let within = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| City::default().matrix(40, 3, 1))
    };
    assert_eq!(within(1), within(3));
}

#[test]
fn tables_hold_tenths_and_join_every_pair() {
    for index in 0..12 {
        let city = City::default().matrix(60, 11, index);
        for table in [&city.distance, &city.duration] {
            assert!(table.is_square() && table.rows() == 60);
            assert!((0..60).all(|node| table.at(node, node) == 0.0));
            assert!(table.values().iter().all(|&value| (0.0..1e5).contains(&value)));
            assert!(table.values().iter().all(|&value| (value * 10.0).round() / 10.0 == value));
        }
        assert!(
            city.points.iter().all(|[latitude, longitude]| latitude.abs() < 61.0 && longitude.abs() < 0.1)
        );
        // No drive is shorter than the straight line between its ends, up to the rounding of both.
        let [latitude, _] = city.points[0];
        let metres = |[y, x]: [f64; 2]| [x * 111_195.0 * libm::cos(latitude.to_radians()), y * 111_195.0];
        for from in 0..60 {
            for to in 0..60 {
                let straight = near::distance(metres(city.points[from]), metres(city.points[to]));
                assert!(city.distance.at(from, to) >= 0.999 * straight - 1.0, "{index}: {from} to {to}");
            }
        }
    }
}

#[test]
fn on_a_one_way_ring_there_and_back_is_once_round() {
    let corners = vec![[50.0, 50.0], [150.0, 50.0], [150.0, 150.0], [50.0, 150.0]];
    let one_way = Street { open: [true, false], ..BOTH_WAYS };
    let town = town(plain(), corners, &[[0, 1], [1, 2], [2, 3], [3, 0]], one_way);
    let mut stream = Stream::new(1, "ring", 0);
    let network = Network::build(&town, &mut stream);
    let addresses = address::addresses(40, &town, &network, &mut stream);
    let (distance, duration) = address::tables(&network, &addresses);
    for from in 0..40 {
        for to in 0..from {
            let round = |table: &Table| (10.0 * (table.at(from, to) + table.at(to, from))).round();
            assert_eq!(round(&distance), 4000.0);
            assert_eq!(round(&duration), 400.0);
        }
    }
}

#[test]
fn nobody_turns_round_but_in_dead_ends_and_left_turns_take_longer() {
    // A crossing with four arms: east, north, west, south of the middle.
    let arms = vec![[150.0, 150.0], [250.0, 150.0], [150.0, 250.0], [50.0, 150.0], [150.0, 50.0]];
    let plan = Plan { turn: 5.0, ..plain() };
    let town = town(plan, arms, &[[0, 1], [0, 2], [0, 3], [0, 4]], BOTH_WAYS);
    let network = Network::build(&town, &mut Stream::new(1, "arms", 0));
    assert_eq!(network.lanes.len(), 8);
    for (number, lane) in network.lanes.iter().enumerate() {
        let lost = |trip: Trip| (trip - lane.whole).duration();
        let turns = network.turns(number);
        if lane.forward {
            // Out to the end of an arm: back is the only way.
            assert_eq!(turns.len(), 1);
            assert_eq!(lost(turns[0].1), 150);
        } else {
            let mut delays: Vec<u32> = turns.iter().map(|&(_, trip)| lost(trip)).collect();
            delays.sort_unstable();
            assert_eq!(delays, [0, 20, 50]);
        }
    }
}

#[test]
fn a_median_is_crossed_at_lights_only() {
    let arms = vec![[150.0, 150.0], [250.0, 150.0], [150.0, 250.0], [50.0, 150.0], [150.0, 50.0]];
    let turns = |lights: f64| {
        let plan = Plan { lights, light: 10.0, ..plain() };
        let mut town = town(plan, arms.clone(), &[[0, 1], [0, 2], [0, 3], [0, 4]], BOTH_WAYS);
        for link in [0, 2] {
            town.streets[link] = Street { rank: Rank::Arterial, divided: true, ..BOTH_WAYS };
        }
        town.streets[1].rank = Rank::Collector;
        let network = Network::build(&town, &mut Stream::new(1, "median", 0));
        let into_the_middle = (0..network.lanes.len()).filter(|&lane| !network.lanes[lane].forward);
        into_the_middle.map(|lane| network.turns(lane).len()).collect::<Vec<_>>()
    };
    assert_eq!(turns(1.0), [3, 3, 3, 3]);
    // Straight on and right from the arterial, right only from the side.
    assert_eq!(turns(0.0), [2, 1, 2, 1]);
}

#[test]
fn searches_agree_with_repeated_relaxation() {
    let small = City { extent: 600.0..=700.0, margin: 0.0..=50.0, ..City::default() };
    for index in 0..8 {
        let town = Town::build(&small, 2, index);
        let network = Network::build(&town, &mut Stream::new(2, "relaxation", index));
        let mut quickest = quickest::Quickest::new(&network);
        for start in [0, network.lanes.len() / 2] {
            let done = network.lanes[start].whole;
            let mut entry = vec![Trip::NEVER; network.lanes.len()];
            network.turns(start).iter().for_each(|&(next, trip)| entry[next] = entry[next].min(trip - done));
            loop {
                let before = entry.clone();
                for lane in 0..entry.len() {
                    if entry[lane] < Trip::NEVER {
                        for &(next, trip) in network.turns(lane) {
                            entry[next] = entry[next].min(entry[lane] + trip);
                        }
                    }
                }
                if before == entry {
                    break;
                }
            }
            assert!(entry.iter().all(|&trip| trip < Trip::NEVER), "every lane can be reached");
            assert_eq!(quickest.search(&network, &[(start, done)]), entry);
        }
    }
}

#[test]
fn only_bridges_span_a_river() {
    let river = City { river: 1.0, bridges: 3.0..=3.0, ..City::default() };
    for index in 0..6 {
        let stream = |purpose| Stream::new(4, purpose, index);
        let plan = Plan::draw(&river, &mut stream("city plan"));
        let ground = Ground::lay(&plan, &mut stream("city ground"));
        let town = Town::build(&river, 4, index);
        let water = ground.river.as_ref().expect("asked for");
        let spans = |link: &&Link| water.parts(town.junctions[link.ends[0]], town.junctions[link.ends[1]]);
        assert_eq!(town.links.iter().filter(|link| link.bridge).count(), 3);
        assert!(town.links.iter().filter(spans).all(|link| link.bridge));
    }
}

#[test]
fn a_city_stands_whatever_is_asked_for() {
    let odd = City {
        extent: 0.0..=0.0,
        block: 1e9..=1e9,
        missing: 5.0..=5.0,
        squeezed_missing: 5.0..=5.0,
        parks: 99.0..=99.0,
        one_way: 9.0..=9.0,
        local_speed: -1.0..=-1.0,
        turn: -3.0..=-3.0,
        ..City::default()
    };
    for index in 0..20 {
        assert_eq!(odd.matrix(5, 1, index).points.len(), 5);
    }
    assert_eq!(City::default().matrix(0, 1, 0).points.len(), 0);
    assert_eq!(*City::default().matrix(1, 1, 0).distance.values(), [0.0]);
}

/// Figures of real windows at 100 points, the mean over 40 random subsets: asymmetry of durations and
/// of distances, triangle violations of durations and of distances, shares of the first 1, 5, 10 and 20
/// squared singular values of durations. Derived from OpenStreetMap data, © OpenStreetMap contributors,
/// available under the Open Database License 1.0; tables by OSRM with its stock car profile.
const WINDOWS: [(&str, [f64; 8]); 17] = [
    ("campo_grande-w1-500", [0.1023, 0.0839, 0.1019, 0.6328, 0.4548, 0.9612, 0.9910, 0.9973]),
    ("campo_grande-w2-500", [0.0864, 0.1081, 0.0294, 0.6103, 0.4484, 0.9562, 0.9879, 0.9963]),
    ("campo_grande", [0.1535, 0.1278, 0.0434, 0.6322, 0.5230, 0.9636, 0.9894, 0.9968]),
    ("columbus-w1-500", [0.0741, 0.0623, 0.0359, 0.6593, 0.4368, 0.9595, 0.9882, 0.9960]),
    ("columbus-w2-500", [0.0692, 0.0474, 0.0460, 0.6293, 0.4058, 0.9433, 0.9851, 0.9958]),
    ("columbus", [0.0615, 0.0589, 0.0411, 0.6493, 0.4008, 0.9610, 0.9886, 0.9963]),
    ("monaco-w1-500", [0.1490, 0.1816, 0.0345, 0.5017, 0.6609, 0.9762, 0.9926, 0.9979]),
    ("monaco", [0.1308, 0.1660, 0.0404, 0.5228, 0.6584, 0.9764, 0.9937, 0.9985]),
    ("porto-w1-500", [0.2056, 0.2596, 0.0236, 0.5303, 0.4261, 0.9442, 0.9778, 0.9918]),
    ("porto-w2-500", [0.1857, 0.2268, 0.0156, 0.5749, 0.3846, 0.9321, 0.9775, 0.9917]),
    ("porto-w3-500", [0.2171, 0.2004, 0.0311, 0.4792, 0.3673, 0.9426, 0.9744, 0.9889]),
    ("porto-w5-500", [0.2357, 0.2341, 0.0381, 0.5324, 0.3165, 0.9249, 0.9715, 0.9902]),
    ("porto", [0.2204, 0.2786, 0.0233, 0.5413, 0.5170, 0.9110, 0.9721, 0.9900]),
    ("porto_alegre-w1-500", [0.2016, 0.1905, 0.0156, 0.4177, 0.4172, 0.9402, 0.9770, 0.9900]),
    ("porto_alegre-w2-500", [0.1861, 0.1747, 0.0191, 0.4553, 0.3850, 0.9518, 0.9821, 0.9928]),
    ("porto_alegre-w3-500", [0.1449, 0.1472, 0.0439, 0.5487, 0.4794, 0.9561, 0.9865, 0.9957]),
    ("porto_alegre", [0.1877, 0.1770, 0.0097, 0.4173, 0.4127, 0.9410, 0.9788, 0.9913]),
];

#[test]
fn cities_are_as_diverse_as_real_windows() {
    let figures = |index: u64| {
        let city = City::default().matrix(100, 1, index);
        let time = Statistics::of(&city.duration).expect("a square table");
        let length = Statistics::of(&city.distance).expect("a square table");
        let [one, five, ten, twenty] = time.energy;
        let triangles = [time.triangle_violations, length.triangle_violations];
        [time.asymmetry, length.asymmetry, triangles[0], triangles[1], one, five, ten, twenty]
    };
    let cities: Vec<[f64; 8]> = (0..200_u64).into_par_iter().map(figures).collect();
    for which in 0..8 {
        let mut values: Vec<f64> = cities.iter().map(|figures| figures[which]).collect();
        values.sort_by(f64::total_cmp);
        let (low, high) = (values[10], values[189]);
        for (window, figures) in WINDOWS {
            let value = figures[which];
            assert!(low <= value && value <= high, "{window}, figure {which}: {value} not in {low}..{high}");
        }
    }
}
