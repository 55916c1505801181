//! Where the time of decoding goes, on one thread: `cargo run --release -p radar-net --example stages -- NODES WIDTH [ISA]`.

use std::time::Instant;

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::input::{Draw, Input};
use radar_net::network::{Network, Use};
use radar_net::{Config, Decoding, Weights};
use radar_problem::{Problem, Table};

fn main() {
    let numbers: Vec<String> = std::env::args().skip(1).collect();
    let number =
        |at: usize, usual: usize| numbers.get(at).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (nodes, width) = (number(0, 100), number(1, 256));
    let isa = numbers.get(2).and_then(|name| name.parse().ok()).unwrap_or(Isa::best());
    let config = Config { width, hidden: 2 * width, ..Config::default() };
    let network = Network::new(Weights::random(&config, 1), isa, Use::Inference);
    let mut stream = Stream::new(1, "stages", 0);
    let table = Table::from_values(nodes, nodes, (0..nodes * nodes).map(|_| stream.unit()).collect());
    let instance = Problem::atsp(table).validate().instance.expect("sound");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    pool.install(|| {
        let repeats = (20_000_000 / nodes.pow(3)).clamp(1, 20);
        let mut best = [f64::INFINITY; 4];
        for _ in 0..repeats {
            let mut mark = Instant::now();
            let mut lap = |at: usize| {
                best[at] = best[at].min(mark.elapsed().as_secs_f64());
                mark = Instant::now();
            };
            let input = Input::of(&config, &instance, Draw { seed: 1, index: 0 }, network.isa()).expect("fits");
            lap(0);
            let h = network.encode(&input);
            lap(1);
            let tables = network.tables(&input, h);
            drop(tables);
            lap(2);
            let decoded = network.decode(&instance, &Decoding::default(), &|| false).expect("fits");
            assert_eq!(decoded.complete, nodes);
            lap(3);
        }
        println!("n={nodes} d={width} on {}: input {:.2} ms, encoder {:.2} ms, tables {:.2} ms, all with rollout {:.2} ms",
            network.isa(), 1e3 * best[0], 1e3 * best[1], 1e3 * best[2], 1e3 * best[3]);
    });
}
