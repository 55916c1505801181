//! No input gives anything but finite numbers.

use radar_kernel::random::Stream;
use radar_net::{Config, Scaling, Signs, Task};
use radar_problem::{Problem, Table};

use super::{configs, contexts, instance, numbers, rich, rows, see};

fn filled(nodes: usize, entry: impl Fn(usize, usize) -> f64) -> Vec<Vec<f64>> {
    (0..nodes)
        .map(|from| (0..nodes).map(|to| if from == to { 0.0 } else { entry(from, to) }).collect())
        .collect()
}

fn matrices() -> Vec<(&'static str, Vec<Vec<f64>>)> {
    let spread = |from: usize, to: usize| 10_f64.powi((from * 7 + to * 3) as i32 % 11 - 5);
    let lone = |from: usize, to: usize| if (from, to) == (0, 1) { 1e9 } else { 0.0 };
    let cut = |from: usize, to: usize| {
        if (from + to).is_multiple_of(3) { f64::INFINITY } else { 1.0 + from as f64 }
    };
    let nowhere = |_: usize, _: usize| f64::INFINITY;
    let mut all = vec![
        ("constant", filled(8, |_, _| 3.0)),
        ("zero", filled(8, |_, _| 0.0)),
        ("spread", filled(8, spread)),
        ("one entry", filled(8, lone)),
        ("symmetric", filled(8, |from, to| ((from + 1) * (to + 1)) as f64)),
        ("ties", filled(8, |from, to| ((from + to) % 2) as f64)),
        ("rank one", filled(8, |from, _| from as f64)),
        ("cut", filled(8, cut)),
        ("nowhere", filled(4, nowhere)),
        ("huge", filled(8, |from, to| 1e13 + (from * to) as f64)),
        ("tiny", filled(8, |from, to| 1e-9 * (1 + from + 2 * to) as f64)),
    ];
    all.extend([1, 2, 3].map(|nodes| ("few", rows(nodes, 1))));
    all
}

/// Everything about an instance: finite, and bounded unless the entries themselves are not.
fn examine(name: &str, config: &Config, problem: &Problem) {
    let Some(instance) = problem.clone().validate().instance else { panic!("{name} is valid") };
    let all = numbers(config, &see(config, &instance));
    let (nodes, columns) = (instance.nodes(), config.columns());
    assert_eq!(see(config, &instance).features().len(), nodes * columns, "{name}");
    assert!(all.iter().all(|x| x.is_finite()), "{name} {config:?}");
    if config.scaling != Scaling::None {
        assert!(all.iter().all(|x| x.abs() < 100.0), "{name} {config:?} {all:?}");
    }
}

#[test]
fn every_matrix_gives_finite_numbers() {
    for (name, rows) in matrices() {
        let tour = Problem::atsp(Table::from_rows(rows.clone()));
        let nodes = rows.len();
        let demand = (0..nodes).map(|stop| f64::from(u8::from(stop > 0))).collect();
        let routes = Problem {
            demand: Some(demand),
            capacity: Some(3.0),
            service: Some(vec![0.0; nodes]),
            ..Problem::vrp(Table::from_rows(rows))
        };
        for config in configs(Task::Atsp) {
            examine(name, &config, &tour);
            examine(name, &Config { signs: Signs::Fixed, ..config }, &tour);
        }
        if nodes == 1 {
            continue; // A depot and nothing to serve is no problem.
        }
        for config in configs(Task::Acvrp).into_iter().chain(configs(Task::Vrp)) {
            examine(name, &config, &routes);
        }
    }
}

#[test]
fn equal_entries_scale_to_nothing_or_to_two_values() {
    for config in configs(Task::Atsp) {
        if config.scaling == Scaling::None {
            continue;
        }
        let zero = instance(&Problem::atsp(Table::from_rows(filled(5, |_, _| 0.0))));
        assert!(see(&config, &zero).distance().iter().all(|&x| x == 0.0));
        let constant = instance(&Problem::atsp(Table::from_rows(filled(5, |_, _| 7.0))));
        let input = see(&config, &constant);
        let (inside, outside) = (input.distance()[0], input.distance()[1]);
        assert!(inside < outside);
        let on_diagonal = |at: usize| at.is_multiple_of(6);
        let expected = (0..25).map(|at| if on_diagonal(at) { inside } else { outside });
        assert!(input.distance().iter().copied().eq(expected));
    }
}

#[test]
fn unreachable_is_the_largest_finite_entry() {
    let mut matrix = rows(6, 4);
    matrix[2][3] = 5.0;
    let longest = instance(&Problem::atsp(Table::from_rows(matrix.clone())));
    matrix[4][1] = f64::INFINITY;
    let cut = instance(&Problem::atsp(Table::from_rows(matrix.clone())));
    matrix[4][1] = 5.0;
    let equal = instance(&Problem::atsp(Table::from_rows(matrix)));
    for config in configs(Task::Atsp) {
        assert_eq!(see(&config, &cut), see(&config, &equal));
        assert_ne!(see(&config, &cut).distance(), see(&config, &longest).distance());
    }
}

#[test]
fn nothing_to_deliver_and_nothing_to_deliver_it_with() {
    let bare = Problem::vrp(Table::from_rows(rows(6, 1)));
    let nothing = Problem { demand: Some(vec![0.0; 6]), capacity: Some(1.0), ..bare.clone() };
    for config in configs(Task::Vrp).into_iter().chain(configs(Task::Acvrp)) {
        for problem in [&bare, &nothing] {
            examine("nothing", &config, problem);
            assert!(contexts(&config, &instance(problem)).iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn wild_bounds_give_finite_contexts() {
    let mut stream = Stream::new(1, "wild", 0);
    for seed in 0..50 {
        let mut wild = || 10_f64.powi(stream.between(-4, 9) as i32);
        let mut problem = rich(7, seed);
        problem.limit = Some(wild());
        problem.max_duration = Some(wild());
        problem.capacity = Some(wild());
        let close = wild();
        problem.windows.iter_mut().flatten().for_each(|window| window[1] = window[0] + close);
        for config in configs(Task::Vrp) {
            let instance = instance(&problem);
            assert!(numbers(&config, &see(&config, &instance)).iter().all(|x| x.is_finite()));
            assert!(contexts(&config, &instance).iter().all(|x| x.is_finite()));
        }
    }
}
