//! Small random problems of every kind, from a stream of their own.

use radar_problem::{Feature, Features, Instance, Problem, Routes, Table};

/// SplitMix64: enough for choosing test cases, and the same on every machine.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x00C0_FFEE)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    /// A whole number from `low` to `high`, both included.
    pub fn whole(&mut self, low: usize, high: usize) -> f64 {
        (low + self.below(high - low + 1)) as f64
    }

    /// True once in `count` times.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A matrix that knows nothing of triangles; now and then an arc is missing.
pub fn table(dice: &mut Dice, nodes: usize, missing: bool) -> Table {
    let entry = |dice: &mut Dice, from: usize, to: usize| match from == to {
        true => 0.0,
        false if missing && dice.once_in(8) => f64::INFINITY,
        false => dice.whole(1, 30),
    };
    let rows = (0..nodes).map(|from| (0..nodes).map(|to| entry(dice, from, to)).collect()).collect();
    Table::from_rows(rows)
}

/// A problem with exactly these features, tight enough that all of them bind now and then.
pub fn problem(dice: &mut Dice, stops: usize, features: Features) -> Problem {
    let nodes = stops + 1;
    let missing = dice.once_in(4);
    let mut problem = Problem::vrp(table(dice, nodes, missing));
    if dice.once_in(3) {
        problem.duration = Some(table(dice, nodes, missing));
    }
    let pickups: Vec<bool> = (0..nodes)
        .map(|node| node == 1 && features.has(Feature::Backhaul) || node > 1 && dice.once_in(2))
        .collect();
    let amounts: Vec<f64> = (0..nodes).map(|_| dice.whole(0, 6)).collect();
    let chosen = |pickup: bool| {
        let amount = |node: usize| match node {
            0 => 0.0,
            1 => amounts[1].max(1.0),
            _ => amounts[node],
        };
        let is_pickup = |node: usize| features.has(Feature::Backhaul) && pickups[node];
        (0..nodes).map(|node| if is_pickup(node) == pickup { amount(node) } else { 0.0 }).collect()
    };
    problem.demand = Some(chosen(false));
    problem.backhaul = features.has(Feature::Backhaul).then(|| chosen(true));
    problem.capacity = Some(dice.whole(4, 16));
    problem.open = features.has(Feature::Open);
    problem.limit = features.has(Feature::Limit).then(|| dice.whole(20, 90));
    if features.has(Feature::Windows) {
        let window = |dice: &mut Dice, node: usize| match node {
            0 => {
                let open = dice.whole(0, 5);
                [open, open + dice.whole(30, 120)]
            }
            _ if dice.once_in(6) => [dice.whole(0, 20), f64::INFINITY],
            _ => {
                let open = dice.whole(0, 40);
                [open, open + dice.whole(0, 40)]
            }
        };
        problem.windows = Some((0..nodes).map(|node| window(dice, node)).collect());
        let service = |dice: &mut Dice, node: usize| if node == 0 { 0.0 } else { dice.whole(0, 4) };
        problem.service = Some((0..nodes).map(|node| service(dice, node)).collect());
    }
    problem.vehicles = dice.once_in(3).then(|| 1 + dice.below(3));
    problem.max_duration = dice.once_in(4).then(|| dice.whole(30, 110));
    problem
}

/// A problem on a matrix with a third of its arcs missing and few different lengths: triangles are
/// broken or tied everywhere, and stops are reached by way of others. Bounds suit such lengths.
pub fn broken_problem(dice: &mut Dice, stops: usize, features: Features) -> Problem {
    let nodes = stops + 1;
    let entry = |dice: &mut Dice| if dice.once_in(3) { f64::INFINITY } else { dice.whole(1, 4) };
    let rows = (0..nodes).map(|_| (0..nodes).map(|_| entry(dice)).collect()).collect();
    let mut problem = problem(dice, stops, features);
    problem.distance = Table::from_rows(rows);
    problem.duration = None;
    problem.limit = features.has(Feature::Limit).then(|| dice.whole(4, 12));
    if features.has(Feature::Windows) {
        problem.windows = Some((0..nodes).map(|_| [0.0, dice.whole(4, 16)]).collect());
        problem.service = None;
    }
    problem.capacity = Some(dice.whole(6, 20));
    problem.max_duration = dice.once_in(4).then(|| dice.whole(4, 12));
    problem.vehicles = dice.once_in(2).then(|| 1 + dice.below(2));
    problem
}

/// The instance of a random problem; blockers are welcome.
pub fn instance(dice: &mut Dice, stops: usize, features: Features) -> Instance {
    problem(dice, stops, features).validate().instance.expect("well formed")
}

/// The stops in any order, cut into routes anywhere; empty routes may occur.
pub fn plan(dice: &mut Dice, mut stops: Vec<usize>) -> Routes {
    dice.shuffle(&mut stops);
    let mut routes = vec![vec![]];
    for stop in stops {
        if dice.once_in(3) {
            routes.push(vec![]);
        }
        routes.last_mut().expect("at least one").push(stop);
    }
    Routes(routes)
}

/// `count` numbered cases that go round the sixteen sets of features.
pub fn cases(count: usize) -> impl Iterator<Item = (usize, Features)> {
    let every: Vec<Features> = Features::every().collect();
    (0..count).map(move |number| (number, every[number % every.len()]))
}
