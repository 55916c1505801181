//! Decoding with the paper's network, random weights: against PyTorch in the same run, on every instruction set of
//! the machine; stage by stage; and at a thousand nodes.

use std::time::Instant;

use radar_kernel::attention::{Last, Mixing, Normalisation, Scaling, mix, normalise};
use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_kernel::random::Stream;
use radar_net::input::{Draw, Input};
use radar_net::network::{Network, Use};
use radar_net::{Config, Decoding, Weights};
use radar_problem::{Instance, Problem, Table};
use radar_sample::{Distribution, Sample};
use rayon::prelude::*;

use crate::memory::peak_gigabytes;
use crate::timing::{alone, least};
use crate::{Row, peer};

const NODES: usize = 100;
const INSTANCES: usize = 64;
/// The peer's batch: the size it likes best.
const PEER_BATCH: usize = 16;
const REPEATS: usize = 3;
/// What each set must reach against PyTorch.
const BARS: [(Isa, f64); 3] = [(Isa::Avx2, 3.0), (Isa::Avx512, 6.0), (Isa::Amx, 12.0)];

pub fn run() -> Result<Vec<Row>, String> {
    // First, because a process never gives memory back: what a thousand nodes take.
    let large = thousand();
    let mut rows = Vec::new();
    rows.push(Row::at_most("n=1000, 1000 starts: peak memory", 1024.0 * peak_gigabytes(), "MB", 400.0));
    rows.extend(large);

    peer::prepare()?;
    let threads = rayon::current_num_threads().min(2);
    let config = Config::default();
    let instances = draw(NODES, INSTANCES);
    let peer = peer::time("inference", NODES, config.width, config.layers, PEER_BATCH, threads, REPEATS)?;
    let title = format!("n={NODES}, {threads} threads");
    rows.push(Row::plain(
        format!("{title}: PyTorch {}", peer.version),
        peer.instances_per_second,
        "instances/s",
    ));
    let mut best = 0.0_f64;
    for (isa, bar) in BARS {
        if !isa.is_available() {
            eprintln!("{isa}: this machine does not have it");
            continue;
        }
        let network = Network::new(Weights::random(&config, 1), isa, Use::Inference);
        let rate = INSTANCES as f64 / wall(|| decode_all(&network, &instances));
        best = best.max(rate);
        rows.push(Row::plain(format!("{title}: {isa}"), rate, "instances/s"));
        rows.push(Row::at_least(
            format!("{title}: {isa} to PyTorch"),
            rate / peer.instances_per_second,
            "x",
            bar,
        ));
    }
    let network = Network::new(Weights::random(&config, 1), Isa::best(), Use::Inference);
    rows.push(Row::plain("1000 instances, extrapolated (the paper's RTX 3090: 2.4 s)", 1000.0 / best, "s"));
    rows.extend(stages(&network, &instances[0]));
    Ok(rows)
}

/// Decodes all greedily from every start, instances shared among threads.
fn decode_all(network: &Network, instances: &[Instance]) {
    instances.par_iter().for_each(|instance| {
        let decoded = network.decode(instance, &Decoding::default(), &|| false);
        assert!(decoded.is_ok_and(|decoded| decoded.complete == NODES), "every start gives a tour");
    });
}

/// The best wall seconds of a few runs: threads are the point here.
fn wall(mut work: impl FnMut()) -> f64 {
    let once = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        begun.elapsed().as_secs_f64()
    };
    (0..REPEATS).map(|_| once(&mut work)).fold(f64::INFINITY, f64::min)
}

/// CPU time by stage on one core, and how near products come to the core's own rate.
fn stages(network: &Network, instance: &Instance) -> Vec<Row> {
    let config = network.weights().config();
    alone(|| {
        let sketch =
            || Input::of(config, instance, Draw { seed: 1, index: 0 }, network.isa()).expect("a tour");
        let input = sketch();
        let h = network.encode(&input);
        let times = [
            ("scaling and SVD", least(20, sketch)),
            ("encoder", least(20, || network.encode(&input))),
            ("decoder tables", least(20, || network.tables(&input, h.clone()).nodes())),
        ];
        let inside = [
            ("of it mixing of scores", least(20, || mixing(config, network.isa()))),
            ("of it Sinkhorn", least(20, || sinkhorn(config, network.isa()))),
        ];
        let whole = least(10, || network.decode(instance, &Decoding::default(), &|| false).expect("a tour"));
        let before: f64 = times.iter().map(|(_, seconds)| seconds).sum();
        let [sketch, encoder, tables] = times;
        let mut rows: Vec<Row> = [sketch, encoder, inside[0], inside[1], tables]
            .iter()
            .map(|(stage, seconds)| {
                Row::plain(format!("n={NODES}, one core: {stage}"), 1e3 * seconds, "CPU ms")
            })
            .collect();
        rows.push(Row::plain(format!("n={NODES}, one core: rollout"), 1e3 * (whole - before), "CPU ms"));
        let flops = flops(config, NODES);
        rows.push(Row::plain(format!("n={NODES}, one core: all"), flops / whole / 1e9, "GFLOPS"));
        rows.push(Row::plain(
            "6400x256x256, one core: products alone",
            product_rate(network.isa()),
            "GFLOPS",
        ));
        rows
    })
}

/// The scores of every head and layer, mixed with the distances there and back.
fn mixing(config: &Config, isa: Isa) {
    let (inputs, hidden) = (1 + config.mix.len(), config.mix_hidden);
    let (inner, bias) = (vec![0.1; inputs * hidden], vec![0.1; hidden]);
    let mixing = Mixing { inner: &inner, inner_bias: &bias, outer: &bias, outer_bias: 0.0 };
    let other = vec![0.5; NODES * NODES];
    let others = vec![other.as_slice(); config.mix.len()];
    let mut scores = vec![0.0; NODES * NODES];
    for _ in 0..config.layers * config.heads {
        mix(isa, mixing, &other, &others, &mut scores);
    }
}

/// The weights of every head and layer.
fn sinkhorn(config: &Config, isa: Isa) {
    let how = Normalisation::Sinkhorn { iterations: config.sinkhorn_iterations, last: Last::Columns };
    let mut stream = Stream::new(1, "scores", 0);
    let scores: Vec<f32> = (0..NODES * NODES).map(|_| stream.unit() as f32).collect();
    let stride = NODES.next_multiple_of(isa.lanes());
    let (mut kernel, mut scaling) = (vec![0.0; NODES * stride], Scaling::default());
    for _ in 0..config.layers * config.heads {
        normalise(isa, how, NODES, &scores, &mut kernel, &mut scaling);
    }
}

/// Multiplications and additions of the dense products: encoder blocks and decoding steps.
fn flops(config: &Config, nodes: usize) -> f64 {
    let (n, d, f) = (nodes as f64, config.width as f64, config.hidden as f64);
    let block = n * d * (4.0 * d + 2.0 * f) + 2.0 * n * n * d;
    let steps = (n - 1.0) * n * 3.0 * d * n;
    2.0 * (config.layers as f64 * block + 5.0 * n * d * d + steps)
}

fn product_rate(isa: Isa) -> f64 {
    let mut stream = Stream::new(1, "products", 0);
    let mut matrix = |count: usize| -> Vec<f32> { (0..count).map(|_| stream.unit() as f32).collect() };
    let (a, b) = (matrix(6400 * 256), matrix(256 * 256));
    let packed = Packed::new(isa, View::new(&b, 256, 256));
    let mut out = vec![0.0; 6400 * 256];
    let seconds = least(10, || multiply(View::new(&a, 6400, 256), &packed, &mut out, 256, Finish::default()));
    2.0 * 6400.0 * 256.0 * 256.0 / seconds / 1e9
}

/// Decoding from every node of 500 and of 1000.
fn thousand() -> Vec<Row> {
    let network = Network::new(Weights::random(&Config::default(), 1), Isa::best(), Use::Inference);
    let time = |nodes: usize| {
        let instance = &random(nodes);
        least(3, || network.decode(instance, &Decoding::default(), &|| false).expect("a tour"))
    };
    let (half, whole) = (time(500), time(1000));
    vec![
        Row::plain("n=500, 500 starts", half, "CPU s"),
        Row::plain("n=1000, 1000 starts", whole, "CPU s"),
        Row::at_most("n=1000 to n=500, best of 3", whole / half, "x CPU", 9.0),
    ]
}

/// Any costs will do where only time is measured.
fn random(nodes: usize) -> Instance {
    let mut stream = Stream::new(1, "inference", nodes as u64);
    let table = Table::from_values(nodes, nodes, (0..nodes * nodes).map(|_| stream.unit()).collect());
    Problem::atsp(table).validate().instance.expect("sound")
}

/// Instances of the paper, seed 1.
fn draw(nodes: usize, count: usize) -> Vec<Instance> {
    let parameters =
        [("n", &*nodes.to_string()), ("variant", "ATSP")].map(|(key, value)| (key, value.to_owned()));
    let parameters: Vec<(&str, &str)> =
        parameters.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let tmat = Distribution::named("tmat", &parameters, None).expect("a distribution of ours");
    let sound = |sample: Sample| sample.problem.validate().instance.expect("generated instances are sound");
    tmat.sample_many(1, 0..count as u64).into_iter().map(sound).collect()
}
