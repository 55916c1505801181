//! Closure and assignment on one core, uniform random entries, seed 1.

use radar_kernel::random::Stream;
use radar_kernel::{assignment, closure};

use crate::Row;
use crate::timing::least;

pub fn run() -> Vec<Row> {
    println!("closure runs on: {:?}", closure::path());
    let mut rows = Vec::new();
    for (nodes, repeats, closure_bar, assignment_bar) in [(100, 50, 0.5, 0.3), (1000, 5, 200.0, 30.0)] {
        let mut stream = Stream::new(1, "bench", nodes as u64);
        let mut costs: Vec<u32> = (0..nodes * nodes).map(|_| stream.below(1_000_000) as u32).collect();
        (0..nodes).for_each(|node| costs[node * nodes + node] = 0);
        let seconds = least(repeats, || {
            let mut values = costs.clone();
            closure::close(nodes, &mut values).expect("small entries");
            values
        });
        rows.push(Row::at_most(format!("closure n={nodes}"), 1000.0 * seconds, "CPU ms", closure_bar));
        let costs: Vec<i32> = costs.iter().map(|&cost| cost as i32).collect();
        let seconds = least(repeats, || assignment::solve(nodes, &costs).expect("complete"));
        rows.push(Row::at_most(format!("assignment n={nodes}"), 1000.0 * seconds, "CPU ms", assignment_bar));
    }
    rows
}
