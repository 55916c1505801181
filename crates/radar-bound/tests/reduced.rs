//! Reduced costs: never negative, and worth what they should be on every plan.

use proptest::prelude::*;
use radar_bound::{Arcs, Reduced, Weight, Width, patch, width};
use radar_problem::{Instance, Problem, Table};

fn tables() -> impl Strategy<Value = Vec<Vec<f64>>> {
    let cost = prop_oneof![4 => 0..30_i32, 2 => 0..100_000_i32, 1 => Just(-1)];
    (1..14_usize)
        .prop_flat_map(move |nodes| {
            proptest::collection::vec(proptest::collection::vec(cost.clone(), nodes), nodes)
        })
        .prop_map(|rows| {
            let value = |cost: i32| if cost < 0 { f64::INFINITY } else { f64::from(cost) };
            rows.into_iter().map(|row| row.into_iter().map(value).collect()).collect()
        })
}

fn instance(rows: Vec<Vec<f64>>, is_tour: bool, capacity: i64) -> Instance {
    let nodes = rows.len();
    let table = Table::from_rows(rows);
    let problem = match is_tour {
        true => Problem::atsp(table),
        false => Problem {
            demand: Some((0..nodes).map(|node| (node * 7 % 5) as f64).collect()),
            capacity: Some(capacity as f64),
            ..Problem::vrp(table)
        },
    };
    problem.validate().instance.expect("well formed")
}

/// No arc is negative, and giant tours of any order, cut anywhere, are worth what they cost.
fn examine<W: Weight>(instance: &Instance, reduced: &Reduced<W>, order: &[usize], cuts: u32) {
    let nodes = reduced.nodes();
    for from in 0..nodes {
        for to in (0..nodes).filter(|&to| to != from) {
            assert!(reduced.at(from, to).to_i64() >= 0, "({from}, {to}) is {:?}", reduced.at(from, to));
            if !reduced.is_absent(from, to) {
                assert_eq!(reduced.cost(from, to), instance.cost().at(from, to));
            }
        }
    }
    if nodes < 2 {
        return;
    }
    let mut walk = vec![0];
    for (place, &stop) in order.iter().enumerate() {
        walk.push(stop);
        if !reduced.is_tour() && cuts >> place & 1 == 1 {
            walk.push(0);
        }
    }
    if walk.last() != Some(&0) {
        walk.push(0);
    }
    let routes = walk.iter().filter(|&&node| node == 0).count() - 1;
    let legs = || walk.windows(2).map(|leg| (leg[0], leg[1]));
    let lowered: i64 = legs().map(|(from, to)| reduced.at(from, to).to_i64()).sum();
    let cost: i64 = legs().map(|(from, to)| reduced.cost(from, to)).sum();
    assert_eq!(lowered + reduced.worth(routes), cost);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn prices_are_feasible_and_worth_what_they_say(
        rows in tables(),
        is_tour in any::<bool>(),
        capacity in 4..12_i64,
        keys in proptest::collection::vec(any::<u32>(), 14),
        cuts in any::<u32>(),
    ) {
        let is_tour = is_tour || rows.len() < 2; // routes have stops
        let instance = instance(rows, is_tour, capacity);
        let mut order: Vec<usize> = (1..instance.nodes()).collect();
        order.sort_by_key(|&stop| keys[stop]);
        let wide = Reduced::by_assignment(Arcs::<i64>::of(&instance));
        examine(&instance, &wide, &order, cuts);
        examine(&instance, &Reduced::by_minima(Arcs::<i64>::of(&instance)), &order, cuts);
        if width(&instance) == Width::Narrow {
            let narrow = Reduced::by_assignment(Arcs::<i32>::of(&instance));
            examine(&instance, &narrow, &order, cuts);
            prop_assert_eq!(narrow.bound(), wide.bound());
        }
    }

    #[test]
    fn patches_are_tours(rows in tables(), keys in proptest::collection::vec(any::<u32>(), 14)) {
        let instance = instance(rows, true, 0);
        let reduced = Reduced::by_assignment(Arcs::<i64>::of(&instance));
        let mut successor: Vec<u32> = (0..instance.nodes() as u32).collect();
        successor.sort_by_key(|&node| keys[node as usize]);
        let tour = patch(&reduced, &successor);
        prop_assert_eq!(tour.first(), Some(&0));
        let mut sorted = tour;
        sorted.sort_unstable();
        prop_assert!(sorted.into_iter().eq(0..instance.nodes() as u32));
    }
}
