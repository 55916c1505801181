//! What must not matter: names of nodes, units, threads; and what must: the draw.

use radar_kernel::isa::Isa;
use radar_net::reference::marks;
use radar_net::{Config, Draw, Init, Input, Scaling, Signs, Sketch, Task};
use radar_problem::{Problem, Table};

use super::{apart, config, configs, contexts, instance, numbers, rich, rows, see};

/// Exact columns with fixed signs: a function of the matrix.
fn settled(task: Task) -> Config {
    Config { sketch: Sketch::Exact, signs: Signs::Fixed, ..config(task) }
}

#[test]
fn new_labels_move_the_features_and_change_none() {
    for (task, nodes) in [(Task::Atsp, 9), (Task::Atsp, 30), (Task::Vrp, 13), (Task::Vrp, 40)] {
        let depot = usize::from(task == Task::Vrp);
        let order: Vec<usize> = (0..nodes)
            .map(|at| if at < depot { 0 } else { depot + (at * 7 + 3) % (nodes - depot) })
            .collect();
        let problem = match task {
            Task::Atsp => Problem::atsp(Table::from_rows(rows(nodes, 1))),
            _ => rich(nodes, 1),
        };
        let moved = instance(&problem.subset(&order));
        let there = instance(&problem);
        for init in [Init::Svd, Init::Nearest] {
            let config = Config { init, ..settled(task) };
            let (one, other) = (see(&config, &there), see(&config, &moved));
            let columns = config.columns();
            for (place, &node) in order.iter().enumerate() {
                let (one, other) = (&one.features()[node * columns..], &other.features()[place * columns..]);
                assert!(apart(&one[..columns], &other[..columns]) < 1e-4, "{task} {nodes} {init}");
            }
            assert!(apart(one.depot().unwrap_or_default(), other.depot().unwrap_or_default()) < 1e-4);
            let both = one.mixed(&config).into_iter().zip(other.mixed(&config));
            for ((one, other), &mix) in both.zip(&config.mix) {
                let expected: Vec<f32> = order
                    .iter()
                    .flat_map(|&from| order.iter().map(move |&to| one[from * nodes + to]))
                    .collect();
                assert!(apart(&expected, other) < crate::rounding(mix), "{mix}");
            }
        }
    }
}

#[test]
fn the_way_back_exchanges_the_halves() {
    for nodes in [6, 20, 150] {
        let there = rows(nodes, 2);
        let back: Vec<Vec<f64>> = (0..nodes).map(|to| there.iter().map(|row| row[to]).collect()).collect();
        let see = |init, rows| {
            let config = Config { init, ..settled(Task::Atsp) };
            (see(&config, &instance(&Problem::atsp(Table::from_rows(rows)))), config.init_columns() / 2)
        };
        for init in [Init::Svd, Init::Nearest] {
            let ((one, half), (other, _)) = (see(init, there.clone()), see(init, back.clone()));
            assert_eq!(one.distance(), other.distance_back());
            assert_eq!(one.distance_back(), other.distance());
            assert!(apart(one.features(), other.features()) > 1e-3);
            for k in 0..half {
                let column = |input: &Input, at: usize| -> Vec<f32> {
                    input.features().iter().copied().skip(at).step_by(2 * half).collect()
                };
                let one = [column(&one, k), column(&one, half + k)].concat();
                let same = [column(&other, half + k), column(&other, k)].concat();
                let turned: Vec<f32> = same.iter().map(|x| -x).collect();
                assert!(apart(&one, &same).min(apart(&one, &turned)) < 1e-4, "{nodes} {init} {k}");
            }
        }
    }
}

#[test]
fn one_draw_is_one_input() {
    let tour = instance(&Problem::atsp(Table::from_rows(rows(40, 3))));
    for config in configs(Task::Atsp) {
        let see =
            |seed, index| Input::of(&config, &tour, Draw { seed, index }, Isa::best()).expect("made for it");
        assert_eq!(see(1, 2), see(1, 2));
        let naive = |index| marks(&config, &rows(40, 3).concat(), Draw { seed: 1, index });
        let chance = match config.init {
            // The reference knows no sketches.
            Init::Svd => config.sketch == Sketch::Randomised,
            Init::Random | Init::OneHot => true,
            _ => naive(2) != naive(3),
        };
        for other in [see(1, 3), see(2, 2)] {
            assert_eq!(see(1, 2) != other, chance, "{config:?}");
            assert_eq!(see(1, 2).distance(), other.distance());
        }
    }
}

#[test]
fn random_marks_are_what_they_are_called() {
    let tour = instance(&Problem::atsp(Table::from_rows(rows(40, 3))));
    let random = see(&Config { init: Init::Random, ..config(Task::Atsp) }, &tour);
    assert!(random.features().iter().all(|x| (0.0..1.0).contains(x)) && random.units().is_empty());
    let one_hot = see(&Config { init: Init::OneHot, ..config(Task::Atsp) }, &tour);
    let mut units = one_hot.units().to_vec();
    units.sort_unstable();
    units.dedup();
    assert!(units.len() == 40 && units.iter().all(|&unit| unit < 64) && one_hot.features().is_empty());
}

#[test]
fn units_cannot_be_told() {
    let times = |rows: &[Vec<f64>], factor: f64| -> Table {
        Table::from_rows(rows.iter().map(|row| row.iter().map(|x| x * factor).collect()).collect())
    };
    let list = |list: &Option<Vec<f64>>, factor: f64| {
        list.as_ref().map(|all| all.iter().map(|x| x * factor).collect())
    };
    let plain = rich(11, 4);
    let (distance, duration) = (rows(11, 4), rows(11, 104));
    for (length, time, amount) in
        [(1000.0, 1.0, 1.0), (1.0, 1000.0, 1.0), (1.0, 1.0, 1000.0), (1e-3, 60.0, 0.5)]
    {
        let windows = plain.windows.as_ref().expect("windows").iter();
        let other = Problem {
            distance: times(&distance, length),
            duration: Some(times(&duration, time)),
            limit: plain.limit.map(|limit| limit * length),
            windows: Some(windows.map(|&[open, close]| [open * time, close * time]).collect()),
            service: list(&plain.service, time),
            max_duration: plain.max_duration.map(|shift| shift * time),
            demand: list(&plain.demand, amount),
            backhaul: list(&plain.backhaul, amount),
            capacity: plain.capacity.map(|capacity| capacity * amount),
            ..plain.clone()
        };
        let (one, other) = (instance(&plain), instance(&other));
        for config in configs(Task::Vrp).into_iter().filter(|config| config.scaling != Scaling::None) {
            let (one, other) =
                (numbers(&config, &see(&config, &one)), numbers(&config, &see(&config, &other)));
            assert!(apart(&one, &other) < 1e-5, "{config:?}");
        }
        let config = config(Task::Vrp);
        assert!(apart(&contexts(&config, &one), &contexts(&config, &other)) < 1e-5);
    }
}

#[test]
fn the_hour_of_the_day_cannot_be_told() {
    let early = rich(9, 5);
    let mut late = early.clone();
    late.windows.iter_mut().flatten().flatten().for_each(|time| *time += 3600.0);
    let config = config(Task::Vrp);
    let (early, late) = (instance(&early), instance(&late));
    assert_eq!(see(&config, &early), see(&config, &late));
    assert_eq!(contexts(&config, &early), contexts(&config, &late));
}
