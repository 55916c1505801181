//! Times the kernels on every path that this machine has: the best of a few runs on one core.
//!
//! `cargo run --release -p radar-kernel --example time_kernels`

use std::time::Instant;

use radar_kernel::assignment::{self, Cost};
use radar_kernel::closure::{self, Path};
use radar_kernel::random::Stream;

fn main() {
    println!("{:<10}{:>6}  {:<14}{:>10}", "path", "n", "kernel", "ms");
    for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
        for nodes in [100, 1000] {
            time_on(path, nodes);
        }
    }
}

fn time_on(path: Path, nodes: usize) {
    let show = |kernel: &str, work: &mut dyn FnMut()| {
        let time = |_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64() * 1e3
        };
        let best = (0..6).map(time).fold(f64::INFINITY, f64::min);
        println!("{:<10}{nodes:>6}  {kernel:<14}{best:>10.3}", format!("{path:?}"));
    };
    let mut stream = Stream::new(1, "time", 0);
    let values: Vec<u32> = (0..nodes * nodes).map(|_| stream.below(1_000_000) as u32).collect();
    let mut closed = values.clone();
    show("closure", &mut || {
        closed.copy_from_slice(&values);
        closure::close_on(path, nodes, &mut closed).expect("in range");
    });
    let costs = |cost: &dyn Fn(usize) -> i32| -> Vec<i32> { (0..nodes * nodes).map(cost).collect() };
    let is_diagonal = |at: usize| at / nodes == at % nodes;
    let cases = [
        ("uniform i32", costs(&|at| values[at] as i32)),
        ("tmat i32", costs(&|at| if is_diagonal(at) { i32::FORBIDDEN } else { closed[at] as i32 })),
        ("ties i32", costs(&|at| values[at] as i32 % 100)),
        ("product i32", costs(&|at| (at / nodes * (at % nodes)) as i32)),
    ];
    for (case, costs) in &cases {
        show(case, &mut || drop(assignment::solve_on(path, nodes, costs).expect("feasible")));
    }
    let wide: Vec<i64> = values.iter().map(|&value| i64::from(value)).collect();
    show("uniform i64", &mut || drop(assignment::solve_on(path, nodes, &wide).expect("feasible")));
}
