//! The forecast of memory against what the system says was used. Alone in its program: nothing else runs here.
#![cfg(target_os = "linux")]

use radar_kernel::isa::Isa;
use radar_net::network::{Network, Use};
use radar_net::{Config, Decoding, Weights};
use radar_problem::{Problem, Table};
use radar_rollout::Starts;

/// A line of what the system knows of this process, in bytes.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = text.lines().find(|line| line.starts_with(name)).expect("a line");
    1024 * line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).expect("a number")
}

#[test]
fn the_forecast_is_near_what_is_used() {
    let threads = rayon::current_num_threads();
    for (nodes, confidence) in [(300, false), (600, false), (900, true), (1500, false)] {
        // Less than the paper's in what does not decide the peak.
        let config = Config { layers: 1, ..Config::default() };
        let network = Network::new(Weights::random(&config, 1), Isa::best(), Use::Inference);
        let entry = |at: usize| ((at * 7919) % 1009) as f64;
        let table = Table::from_values(nodes, nodes, (0..nodes * nodes).map(entry).collect());
        let instance = Problem::atsp(table).validate().instance.expect("sound");
        let decoding = Decoding { starts: Starts::AtMost(8), confidence, ..Decoding::default() };
        let forecast = network.memory_of(nodes, &decoding, threads) as f64;
        let (before, peak_before) = (status("VmRSS"), status("VmHWM"));
        network.decode(&instance, &decoding, &|| false).expect("fits");
        let peak = status("VmHWM");
        // A peak that was not reached again says nothing.
        if peak == peak_before {
            continue;
        }
        let used = (peak - before) as f64;
        println!("{nodes} nodes: forecast {:.1} MB, used {:.1} MB", forecast / 1e6, used / 1e6);
        // Memory that was freed before is used again: less may be counted than is in use.
        assert!((0.4..1.05).contains(&(used / forecast)), "{nodes}: {used} bytes, forecast {forecast}");
    }
}
