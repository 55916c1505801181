//! Problems of every shape, and damage to files.
#![allow(dead_code, reason = "each test file uses its part")]

use proptest::prelude::*;
use radar_problem::{Kind, Problem, Table, Units};

/// A decimal with up to three places, sometimes an awkward double.
pub fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (0_u32..5_000_000).prop_map(|thousandths| f64::from(thousandths) / 1000.0),
        2 => (0_u32..1000).prop_map(f64::from),
        1 => any::<f64>().prop_map(|value| if value.is_finite() { value.abs() } else { 0.25 }),
    ]
}

/// A value of a matrix: a number, or no way.
fn entry() -> impl Strategy<Value = f64> {
    prop_oneof![9 => number(), 1 => Just(f64::INFINITY)]
}

/// A square table with a zero diagonal.
pub fn table(nodes: usize) -> impl Strategy<Value = Table> {
    proptest::collection::vec(entry(), nodes * nodes).prop_map(move |mut values| {
        (0..nodes).for_each(|node| values[node * nodes + node] = 0.0);
        Table::from_values(nodes, nodes, values)
    })
}

fn list(nodes: usize) -> impl Strategy<Value = Option<Vec<f64>>> {
    proptest::option::of(proptest::collection::vec(number(), nodes).prop_map(|mut list| {
        list[0] = 0.0;
        list
    }))
}

fn text() -> impl Strategy<Value = String> {
    "[a-zA-Z \"\\\\,;<&é漢0-9]{1,8}"
}

/// Distinct ids that survive trimming.
fn ids(nodes: usize) -> impl Strategy<Value = Option<Vec<String>>> {
    proptest::option::of(
        proptest::collection::vec(text(), nodes).prop_map(|ids| {
            ids.iter().enumerate().map(|(node, id)| format!("n{node}{}x", id.trim())).collect()
        }),
    )
}

/// Routes with any mixture of features.
pub fn routes() -> impl Strategy<Value = Problem> {
    (2_usize..7).prop_flat_map(|nodes| {
        let tables = (table(nodes), proptest::option::of(table(nodes)));
        let pair = || (number(), number()).prop_map(|(first, second)| [first, second]);
        let window = (number(), entry()).prop_map(|(open, close)| [open, close]);
        let lists = (
            list(nodes),
            proptest::option::of(proptest::collection::vec(any::<bool>(), nodes)),
            proptest::option::of(proptest::collection::vec(window, nodes)),
            list(nodes),
            list(nodes),
            proptest::option::of(proptest::collection::vec(pair(), nodes)),
            ids(nodes),
        );
        let scalars = (
            proptest::option::of(number()),
            proptest::option::of(number()),
            proptest::option::of(number()),
            any::<bool>(),
            proptest::option::of(1_usize..9),
        );
        let unit = || proptest::option::of("[a-z]{1,3}");
        (tables, lists, scalars, unit(), unit()).prop_map(|(tables, lists, scalars, length, time)| {
            let (mut demand, turned, windows, service, priority, points, ids) = lists;
            // Amounts turned round are handed over, so no stop does both.
            let backhaul = turned.map(|turned| {
                let amounts = demand.get_or_insert_with(|| vec![0.0; turned.len()]);
                let swap = |(amount, turned): (&mut f64, bool)| match turned {
                    true => std::mem::take(amount),
                    false => 0.0,
                };
                amounts.iter_mut().zip(turned).map(swap).collect()
            });
            Problem {
                duration: tables.1,
                demand,
                backhaul,
                capacity: scalars.0,
                windows,
                service,
                limit: scalars.1,
                max_duration: scalars.2,
                open: scalars.3,
                vehicles: scalars.4,
                priority,
                points,
                ids,
                units: Units { distance: length, duration: time },
                ..Problem::new(Kind::Vrp, tables.0)
            }
        })
    })
}

/// Tours with or without names.
pub fn tours() -> impl Strategy<Value = Problem> {
    (1_usize..7)
        .prop_flat_map(|nodes| (table(nodes), ids(nodes)))
        .prop_map(|(distance, ids)| Problem { ids, ..Problem::atsp(distance) })
}

/// A small problem with everything in it.
pub fn full() -> Problem {
    Problem {
        duration: Some(Table::from_rows(vec![
            vec![0.0, 10.0, 20.0, 30.5],
            vec![11.0, 0.0, 8.0, 9.0],
            vec![21.0, 7.0, 0.0, 6.0],
            vec![31.0, 9.5, 5.0, 0.0],
        ])),
        demand: Some(vec![0.0, 3.0, 4.0, 0.0]),
        backhaul: Some(vec![0.0, 0.0, 0.0, 2.5]),
        capacity: Some(8.0),
        windows: Some(vec![[0.0, 500.0], [30.0, 60.0], [0.0, f64::INFINITY], [0.0, 300.0]]),
        service: Some(vec![0.0, 5.0, 5.0, 2.0]),
        limit: Some(60.0),
        max_duration: Some(400.0),
        vehicles: Some(2),
        priority: Some(vec![1.0, 1.0, 2.0, 1.0]),
        points: Some(vec![[41.15, -8.61], [41.16, -8.62], [41.17, -8.6], [41.145, -8.63]]),
        ids: Some(["depot", "a<b>&\"c\"", "naïve, café", "d"].map(str::to_owned).to_vec()),
        units: Units { distance: Some("km".to_owned()), duration: Some("min".to_owned()) },
        ..Problem::vrp(Table::from_rows(vec![
            vec![0.0, 1.25, 2.5, 7.0],
            vec![1.5, 0.0, 1.0, f64::INFINITY],
            vec![2.0, 1.0, 0.0, 3.0],
            vec![6.5, 2.0, 2.5, 0.0],
        ]))
    }
}

/// Calls `read` with thousands of damaged copies of a file: cut anywhere, with bytes changed,
/// removed or doubled. Only that it comes back matters.
pub fn damage(bytes: &[u8], mut read: impl FnMut(&[u8])) {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let step = (bytes.len() / 500).max(1);
    (0..bytes.len()).step_by(step).for_each(|length| read(&bytes[..length]));
    for _ in 0..3000 {
        let mut copy = bytes.to_vec();
        for _ in 0..=random(3) {
            let at = random(copy.len());
            match random(4) {
                0 => copy[at] ^= 1 << random(8),
                1 => copy[at] = b"0129-.,:;[]{}\"\n eNinf\0\xff"[random(23)],
                2 => drop(copy.remove(at)),
                _ => copy.insert(at, copy[at]),
            }
        }
        read(&copy);
    }
}
