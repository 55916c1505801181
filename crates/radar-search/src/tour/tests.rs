use proptest::prelude::*;
use radar_bound::Arcs;
use radar_check::oracle;
use radar_problem::{Instance, Problem, Table};

use super::kick::Kick;
use super::*;
use crate::pace::Steps;

/// Random costs below `range`: small ranges make ties and zeros.
fn instance(nodes: usize, range: u64, seed: u64) -> Instance {
    let mut stream = Stream::new(seed, "tour test", nodes as u64);
    let mut values: Vec<f64> = (0..nodes * nodes).map(|_| stream.below(range) as f64).collect();
    (0..nodes).for_each(|node| values[node * nodes + node] = 0.0);
    Problem::atsp(Table::from_values(nodes, nodes, values)).validate().instance.expect("valid")
}

fn reduced<W: Weight>(instance: &Instance) -> Reduced<W> {
    Reduced::by_assignment(Arcs::of(instance))
}

fn shuffled(nodes: usize, seed: u64) -> Vec<u32> {
    let mut tour: Vec<u32> = (0..nodes as u32).collect();
    Stream::new(seed, "tour test order", 0).shuffle(&mut tour);
    tour
}

fn cost<W: Weight>(reduced: &Reduced<W>, tour: &[u32]) -> i64 {
    if tour.len() == 1 {
        return 0;
    }
    let heads = tour.iter().cycle().skip(1);
    tour.iter().zip(heads).map(|(&tail, &head)| reduced.at(tail as usize, head as usize).to_i64()).sum()
}

type Links = Vec<order::Link<i32>>;

/// All that an order knows, to compare: nodes, places, arcs ahead and behind.
fn state(order: &Order<i32>) -> (Vec<u32>, Vec<u32>, Links, Links) {
    let nodes = || 0..order.nodes().len() as u32;
    (
        order.nodes().to_vec(),
        nodes().map(|node| order.place(node)).collect(),
        nodes().map(|node| order.ahead(node)).collect(),
        nodes().map(|node| order.behind(node)).collect(),
    )
}

/// One cycle through all nodes, and places and arcs that agree with it.
fn assert_sound(order: &Order<i32>) {
    let fresh = Order::new(order.reduced(), order.nodes().to_vec());
    assert_eq!(state(order), state(&fresh));
    let mut sorted = order.nodes().to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..order.nodes().len() as u32));
}

fn long(nodes: usize) -> Settings {
    Settings::for_budget(nodes, None, true)
}

fn no_end() -> bool {
    false
}

fn steps(most: u64) -> Steps<'static> {
    Steps { most, cancelled: &no_end }
}

fn search<W: Weight>(instance: &Instance, most: u64, settings: Settings) -> (Vec<u32>, i64) {
    let reduced = reduced::<W>(instance);
    let neighbours = Neighbours::of(&reduced, 6, None);
    let start = shuffled(instance.nodes(), 1);
    let mut search = TourSearch::new(&reduced, &neighbours, start, 5, 0, None, settings);
    search.settle(&steps(most));
    search.advance(1.0, &steps(most));
    let (tour, claimed) = search.best();
    assert_eq!(claimed, cost(&reduced, tour));
    (tour.to_vec(), claimed + reduced.worth(1))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn moves_gain_what_they_claim_and_can_be_taken_back(
        nodes in 1_usize..60, range in prop::sample::select(vec![1_u64, 3, 20, 1000]), seed: u64, depth in 2_usize..=6,
    ) {
        let instance = instance(nodes, range, seed);
        let reduced = reduced::<i32>(&instance);
        let neighbours = Neighbours::of(&reduced, 8, None);
        let settings = Settings { depth, patch: 20, ..long(nodes) };
        let lean: Vec<i64> =
            (0..nodes).map(|node| i64::from(reduced.leave()[node] - reduced.enter()[node])).collect();
        let mut order = Order::new(&reduced, shuffled(nodes, seed));
        let mut marks = Marks::new(nodes);
        let mut stream = Stream::new(seed, "tour test moves", 0);
        let before = state(&order);
        for round in 0..40 {
            let was = cost(&reduced, order.nodes());
            let node = stream.index(nodes) as u32;
            let gain = match round % 4 {
                0 | 1 => {
                    let found = Paths::new(&order, &neighbours, &settings, &mut marks).find(node);
                    let Some((exchange, gain)) = found else { continue };
                    prop_assert!(gain > 0);
                    prop_assert_eq!(gain, exchange.gain(&order));
                    order.apply(&exchange);
                    gain
                }
                2 => {
                    let found = reversal::find(&order, &neighbours, &lean, 50, node);
                    let Some((reversal, gain)) = found else { continue };
                    prop_assert!(gain > 0);
                    order.reverse(reversal.place, reversal.length);
                    gain
                }
                _ => {
                    let kind = if stream.chance(0.5) { Kick::Swap } else { Kick::Bridge };
                    let Some(exchange) = kick::draw(&order, None, kind, 10, &mut stream) else { continue };
                    let gain = exchange.gain(&order);
                    order.apply(&exchange);
                    gain
                }
            };
            assert_sound(&order);
            prop_assert_eq!(gain, was - cost(&reduced, order.nodes()));
        }
        order.undo();
        prop_assert_eq!(state(&order), before);
    }

    #[test]
    fn any_stretch_can_be_turned_round(nodes in 2_usize..40, seed: u64, place: usize, length: usize) {
        let instance = instance(nodes, 50, seed);
        let reduced = reduced::<i32>(&instance);
        let mut order = Order::new(&reduced, shuffled(nodes, seed));
        let before = state(&order);
        let was = order.cost();
        let turned = reversal::Reversal { place: place % nodes, length: 1 + length % (nodes - 1) };
        let gain = turned.gain(&order);
        order.reverse(turned.place, turned.length);
        assert_sound(&order);
        prop_assert_eq!(gain, was - order.cost());
        order.undo();
        prop_assert_eq!(state(&order), before);
    }
}

#[test]
fn small_tours_are_solved_exactly() {
    for seed in 0..200 {
        let nodes = 1 + seed as usize % 11;
        let range = [2, 10, 1000][seed as usize % 3];
        let instance = instance(nodes, range, seed);
        let optimum = oracle::tour(&instance).expect("every arc exists").0;
        assert_eq!(search::<i32>(&instance, 2000, long(nodes)).1, optimum, "seed {seed}");
    }
}

#[test]
fn both_widths_take_the_same_way() {
    for (nodes, range) in [(3, 5), (20, 9), (60, 100_000)] {
        let instance = instance(nodes, range, 3);
        let narrow = search::<i32>(&instance, 1000, long(nodes));
        assert_eq!(narrow, search::<i64>(&instance, 1000, long(nodes)));
    }
}

#[test]
fn steps_fix_the_result() {
    // Settings of its own: the trace of a seed changes only when the search does, not with tuning.
    let settings = Settings {
        depth: 4,
        breadth: [10, 6, 5, 4, 3, 2],
        reversal: 50,
        patch: 50,
        kick: Kick::Bridge,
        stride: 20,
        first: 0.5,
        last: 0.05,
    };
    let (tour, _) = search::<i32>(&instance(80, 1000, 9), 500, settings);
    let zero = tour.iter().position(|&node| node == 0).expect("all nodes are there");
    let from_zero = tour.iter().cycle().skip(zero).take(80);
    let trace = from_zero.fold(0_u64, |trace, &node| (trace ^ u64::from(node)).wrapping_mul(0x100_0000_01B3));
    assert_eq!(trace, TRACE, "{trace:#x}");
}

const TRACE: u64 = 0x61d4_2128_4ded_d83c;

#[test]
fn part_of_the_budget_is_a_stop_on_the_way() {
    let instance = instance(50, 1000, 4);
    let reduced = reduced::<i32>(&instance);
    let neighbours = Neighbours::of(&reduced, 6, None);
    let mut whole = TourSearch::new(&reduced, &neighbours, shuffled(50, 1), 5, 0, None, long(50));
    let mut parts = TourSearch::new(&reduced, &neighbours, shuffled(50, 1), 5, 0, None, long(50));
    whole.settle(&steps(640));
    parts.settle(&steps(640));
    whole.advance(1.0, &steps(640));
    for part in [0.25, 0.5, 2.0] {
        parts.advance(part, &steps(640));
        assert_eq!(parts.steps(), (640.0 * part.min(1.0)) as u64);
    }
    assert_eq!(whole.best(), parts.best());
}

#[test]
fn a_search_that_is_over_holds_a_tour() {
    let instance = instance(300, 1000, 4);
    let reduced = reduced::<i32>(&instance);
    let neighbours = Neighbours::of(&reduced, 6, None);
    let over = Steps { most: u64::MAX, cancelled: &|| true };
    let start = shuffled(300, 1);
    let first = cost(&reduced, &start);
    let mut search = TourSearch::new(&reduced, &neighbours, start, 5, 0, None, long(300));
    search.settle(&over);
    search.advance(1.0, &over);
    assert_eq!(search.steps(), 0);
    assert!(search.best().1 <= first);
    assert_sound(&search.order);
    assert_eq!(search.best().1, cost(&reduced, search.best().0));
}

#[test]
fn an_adopted_tour_is_gone_on_from() {
    let instance = instance(40, 1000, 4);
    let reduced = reduced::<i32>(&instance);
    let neighbours = Neighbours::of(&reduced, 6, None);
    let (good, _) = search::<i32>(&instance, 2000, long(40));
    let mut search = TourSearch::new(&reduced, &neighbours, shuffled(40, 1), 5, 1, None, long(40));
    search.adopt(&good);
    assert_eq!(search.best(), (&good[..], cost(&reduced, &good)));
    assert_sound(&search.order);
}

/// Believes in nothing that leads to an even node.
struct Odd;

impl EdgePrior for Odd {
    fn belief(&self, _from: usize, to: usize) -> f32 {
        (to % 2) as f32
    }
}

#[test]
fn a_prior_turns_kicks_to_arcs_it_doubts() {
    let instance = instance(50, 1000, 4);
    let reduced = reduced::<i32>(&instance);
    let order = Order::new(&reduced, shuffled(50, 2));
    let mut stream = Stream::new(1, "tour test kicks", 0);
    let mut doubted = 0;
    for _ in 0..400 {
        let exchange = kick::draw(&order, Some(&Odd), Kick::Swap, 10, &mut stream).expect("long enough");
        doubted += usize::from(order.ahead(exchange.tails()[0]).node.is_multiple_of(2));
    }
    // Three of four pairs of places have a doubted one among them.
    assert!((270..=330).contains(&doubted), "{doubted}");
}
