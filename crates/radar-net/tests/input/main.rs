//! Laws of what the network sees of an instance and of a route.

mod absence;
mod degenerate;
mod reference;
mod refusal;
mod symmetry;
mod variants;

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::{Config, Context, Draw, Init, Input, Mix, Scaling, Sketch, Task};
use radar_problem::{Instance, Problem, Table};
use radar_rollout::State;

/// Rows of random distances of three decimals, the diagonal 0.
fn rows(nodes: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut stream = Stream::new(seed, "rows", 0);
    let mut entry = |from: usize, to: usize| {
        let drawn = stream.between(100, 1000) as f64 / 1000.0;
        if from == to { 0.0 } else { drawn }
    };
    (0..nodes).map(|from| (0..nodes).map(|to| entry(from, to)).collect()).collect()
}

/// Everything that a problem can have, on distances and durations that differ.
fn rich(nodes: usize, seed: u64) -> Problem {
    let mut stream = Stream::new(seed, "rich", 0);
    let mut stops = |low: i64, high: i64, chance: f64| -> Vec<f64> {
        let mut amount =
            |stop: usize| if stop == 0 || !stream.chance(chance) { 0 } else { stream.between(low, high) };
        (0..nodes).map(|stop| amount(stop) as f64).collect()
    };
    let demand = stops(1, 9, 0.7);
    let pickups = stops(1, 9, 1.0);
    let opens = stops(31, 35, 1.0);
    Problem {
        duration: Some(Table::from_rows(rows(nodes, seed + 100))),
        backhaul: Some(
            pickups.iter().zip(&demand).map(|(&up, &down)| if down > 0.0 { 0.0 } else { up }).collect(),
        ),
        demand: Some(demand),
        capacity: Some(20.0),
        windows: Some(opens.iter().map(|&open| [open.max(30.0), open.max(30.0) + 6.0]).collect()),
        service: Some(stops(1, 2, 1.0)),
        limit: Some(2.5),
        max_duration: Some(7.25),
        ..Problem::vrp(Table::from_rows(rows(nodes, seed)))
    }
}

fn instance(problem: &Problem) -> Instance {
    problem.clone().validate().instance.expect("a valid problem")
}

fn config(task: Task) -> Config {
    Config { task, rank: 4, neighbours: 5, width: 64, heads: 4, mix: Mix::ALL.to_vec(), ..Config::default() }
}

/// Every initialisation and scaling that a task has.
fn configs(task: Task) -> Vec<Config> {
    let mut all = Vec::new();
    for &init in Init::ALL {
        for &scaling in Scaling::ALL {
            for &sketch in if init == Init::Svd { Sketch::ALL } else { &[Sketch::Exact] } {
                all.push(Config { init, scaling, sketch, ..config(task) });
            }
        }
    }
    all.retain(|config| config.validate().is_ok());
    all
}

fn see(config: &Config, instance: &Instance) -> Input {
    Input::of(config, instance, Draw { seed: 5, index: 1 }, Isa::best()).expect("made for it")
}

/// All the numbers of an input.
fn numbers(config: &Config, input: &Input) -> Vec<f32> {
    let mut all: Vec<f32> = input.mixed(config).concat();
    all.extend(input.features());
    all.extend(input.depot().unwrap_or_default());
    all.extend(input.units().iter().map(|&unit| unit as f32));
    all
}

/// The contexts of a drive through all stops in order, with a visit to the depot after every third.
fn contexts(config: &Config, instance: &Instance) -> Vec<f32> {
    let context = Context::of(config, instance);
    assert_eq!(context.numbers(), config.context());
    let mut all = Vec::new();
    let mut show = |state: &State| {
        let mut out = vec![f32::NAN; context.numbers()];
        context.fill(state, &mut out);
        all.extend(out);
    };
    let mut state = State::new(instance, 1);
    show(&state);
    for stop in instance.stops() {
        state = state.after(instance, stop).0;
        show(&state);
        if stop % 3 == 0 {
            state = state.after(instance, 0).0;
            show(&state);
        }
    }
    all
}

/// What rounding may change in a mix input: much less in an entry than in what iterations made of all entries.
fn rounding(mix: Mix) -> f32 {
    match mix {
        Mix::Transport | Mix::TransportBack => 1e-3,
        _ => 1e-6,
    }
}

fn apart(one: &[f32], other: &[f32]) -> f32 {
    assert_eq!(one.len(), other.len());
    // A maximum that NaN passes through.
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, |most, x| if x <= most { most } else { x })
}
