//! One step of training with the paper's network: against PyTorch in the same run, on every instruction set of the
//! machine; stage by stage; and for smaller sizes.

use std::time::Instant;

use radar_kernel::isa::Isa;
use radar_net::input::{Draw, Input};
use radar_net::network::{EncoderTape, Network, Use};
use radar_net::policy::Decode;
use radar_net::{Config, Decoding, Weights};
use radar_problem::Instance;
use radar_sample::Distribution;
use radar_train::lesson::{FirstNodes, Item, Method, Moment, teach};
use radar_train::loss::Loss;
use radar_train::optimiser::{Turn, build};

use crate::memory::peak_gigabytes;
use crate::timing::{alone, least};
use crate::{Row, peer};

const NODES: usize = 100;
const BATCH: usize = 64;
/// The peer's batch: what fits its memory.
const PEER_BATCH: usize = 16;
const REPEATS: usize = 2;
/// Instances that stages are timed on.
const FEW: usize = 4;
/// What each set must reach against PyTorch.
const BARS: [(Isa, f64); 3] = [(Isa::Avx2, 3.0), (Isa::Avx512, 5.0), (Isa::Amx, 10.0)];

pub fn run() -> Result<Vec<Row>, String> {
    let config = Config::default();
    let threads = rayon::current_num_threads().min(2);
    let title = format!("n={NODES}, d={}, batch {BATCH}, {threads} threads", config.width);
    let instances = draw(NODES, BATCH);
    let mut rates = Vec::new();
    for (isa, bar) in BARS {
        match isa.is_available() {
            true => rates.push((isa, bar, rate(&config, isa, &instances))),
            false => eprintln!("{isa}: this machine does not have it"),
        }
    }
    // Before the stages and the peer, which has memory of its own.
    let mut rows = vec![Row::at_most(format!("{title}: peak memory"), peak_gigabytes(), "GB", 2.0)];
    peer::prepare()?;
    let peer = peer::time("training", NODES, config.width, config.layers, PEER_BATCH, threads, REPEATS)?;
    let torch = format!(
        "n={NODES}, d={}, batch {PEER_BATCH}, {threads} threads: PyTorch {}",
        config.width, peer.version
    );
    rows.push(Row::plain(torch, peer.instances_per_second, "instances/s"));
    for (isa, bar, rate) in rates {
        rows.push(Row::plain(format!("{title}: {isa}"), rate, "instances/s"));
        let ratio = rate / peer.instances_per_second;
        rows.push(Row::at_least(format!("{title}: {isa} to PyTorch"), ratio, "x", bar));
    }
    rows.extend(alone(|| stages(&config)));
    let half = Config { width: 128, hidden: 256, ..Config::default() };
    for (nodes, config) in [(50, &config), (100, &half), (50, &half)] {
        let rate = rate(config, Isa::best(), &draw(nodes, BATCH));
        let name = format!("n={nodes}, d={}, batch {BATCH}, {threads} threads", config.width);
        rows.push(Row::plain(name, rate, "instances/s"));
    }
    Ok(rows)
}

/// Instances a second by the wall, from inputs to new weights.
fn rate(config: &Config, isa: Isa, instances: &[Instance]) -> f64 {
    let mut weights = Weights::random(config, 1);
    let mut network = Network::new(weights.clone(), isa, Use::Training);
    let mut optimiser = build(&radar_train::config::Optimiser::default(), &config.parameters(), isa);
    let items = items(instances);
    let mut step = |number: u64| {
        let begun = Instant::now();
        let lesson =
            teach(&network, &items, &method(), moment(number, items.len())).expect("tours are for it");
        optimiser.step(weights.values_mut(), &lesson.gradient, Turn { step: number, rate: 1e-4 });
        network.refill(weights.values());
        begun.elapsed().as_secs_f64()
    };
    let best = (1..=REPEATS as u64).map(&mut step).fold(f64::INFINITY, f64::min);
    items.len() as f64 / best
}

/// CPU time by stage on one core. What no function gives by itself is what is left of the whole.
fn stages(config: &Config) -> Vec<Row> {
    let isa = Isa::best();
    let mut weights = Weights::random(config, 1);
    let mut network = Network::new(weights.clone(), isa, Use::Training);
    let instances = draw(NODES, FEW);
    let generate = least(3, || draw(NODES, FEW)) / FEW as f64;
    let sketch =
        |instance: &Instance| Input::of(config, instance, Draw { seed: 1, index: 0 }, isa).expect("a tour");
    let inputs: Vec<Input> = instances.iter().map(sketch).collect();
    let svd = least(5, || instances.iter().map(sketch).collect::<Vec<Input>>()) / FEW as f64;
    let mut tape = EncoderTape::default();
    let encoder = least(5, || network.encode_taping(&inputs[..1], &mut tape));
    let encoding = network.encode_taping(&inputs[..1], &mut tape);
    let tables = least(5, || network.tables(&inputs[0], encoding.clone()).nodes());
    let sampled = Decoding { decode: Decode::Sample { temperature: 1.0 }, ..Decoding::default() };
    let decoding = least(3, || network.decode(&instances[0], &sampled, &|| false).expect("a tour"));
    let rollout = decoding - least(5, || network.encode(&inputs[0])) - svd - tables;
    let mut gradient = Weights::zeros(config);
    let encoder_back = least(3, || {
        network.encode_backward(&inputs[..1], &mut tape, &mut vec![1e-3; encoding.len()], &mut gradient)
    });
    let items = items(&instances);
    let whole = least(2, || teach(&network, &items, &method(), moment(1, FEW)).expect("tours are for it"))
        / FEW as f64;
    let mut optimiser = build(&radar_train::config::Optimiser::default(), &config.parameters(), isa);
    let step = least(3, || {
        optimiser.step(weights.values_mut(), gradient.values(), Turn { step: 1, rate: 1e-4 });
        network.refill(weights.values());
    });
    let decoder_back = whole - svd - encoder - tables - rollout - encoder_back;
    [
        ("generate", generate),
        ("scaling and SVD", svd),
        ("encoder", encoder),
        ("decoder tables", tables),
        ("rollout", rollout),
        ("decoder backward", decoder_back),
        ("encoder backward", encoder_back),
        ("optimiser, a 64th of it", step / BATCH as f64),
        ("all but generate", whole + step / BATCH as f64),
    ]
    .map(|(stage, seconds)| {
        Row::plain(
            format!("n={NODES}, d={}, one core, an instance: {stage}", config.width),
            1e3 * seconds,
            "CPU ms",
        )
    })
    .into()
}

fn method() -> Method {
    Method { loss: Loss::Reinforce, starts: None, first_nodes: FirstNodes::Any, chunk: 4 }
}

fn moment(step: u64, global: usize) -> Moment {
    Moment { seed: 1, step, first: 0, global }
}

fn items(instances: &[Instance]) -> Vec<Item> {
    instances.iter().map(|instance| Item { instance: instance.clone(), label: None, scale: 1.0 }).collect()
}

/// Instances of the paper, seed 1.
fn draw(nodes: usize, count: usize) -> Vec<Instance> {
    let nodes = nodes.to_string();
    let tmat =
        Distribution::named("tmat", &[("n", nodes.as_str()), ("variant", "ATSP")], None).expect("ours");
    let samples = tmat.sample_many(1, 0..count as u64).into_iter();
    samples.map(|sample| sample.problem.validate().instance.expect("generated instances are sound")).collect()
}
