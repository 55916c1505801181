//! Products of matrices on one core: ours with the right factor packed before or each time, the `gemm` crate, and the
//! rate of fused multiplications that never leave the registers. Ours must keep up with the crate.

use gemm::{Parallelism, gemm};
use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_kernel::random::Stream;
use radar_kernel::simd::{Kernel, Lanes, Simd};

use crate::Row;
use crate::timing::least;

/// Rows, depth, columns, and how many products differ in their operands.
const SHAPES: [(usize, usize, usize, usize); 7] = [
    (6400, 256, 256, 1),
    (6400, 256, 512, 1),
    (100, 256, 256, 64),
    (100, 32, 100, 64),
    (100, 100, 32, 64),
    (100, 256, 100, 64),
    (256, 100, 256, 64),
];
const REPEATS: usize = 15;

pub fn run() -> Vec<Row> {
    let mut rows = Vec::new();
    for isa in Isa::available() {
        let steps = 2_000_000_u32;
        let seconds = least(REPEATS, || isa.run(Peak(std::hint::black_box(steps))));
        let rate = isa.run(Peak(0)) * f64::from(steps) / seconds / 1e9;
        rows.push(Row::plain(format!("{isa}: multiplications in registers"), rate, "GFLOPS"));
    }
    for (m, k, n, batch) in SHAPES {
        let mut stream = Stream::new(1, "products", 0);
        let mut numbers = |count| -> Vec<f32> { (0..count).map(|_| stream.unit() as f32).collect() };
        let (a, b) = (numbers(batch * m * k), numbers(batch * k * n));
        let mut out = vec![0.0; batch * m * n];
        let work = 2e-9 * (batch * m * k * n) as f64;
        let name = format!("{m}x{k}x{n}, {batch} of them");
        let rival = work
            / least(REPEATS, || {
                (0..batch).for_each(|at| {
                    theirs((m, k, n), &a[at * m * k..], &b[at * k * n..], &mut out[at * m * n..])
                });
            });
        rows.push(Row::plain(format!("{name}: gemm"), rival, "GFLOPS"));
        for isa in Isa::available() {
            let right = |at: usize| View::new(&b[at * k * n..], k, n);
            let left = |at: usize| View::new(&a[at * m * k..], m, k);
            let packed: Vec<Packed> = (0..batch).map(|at| Packed::new(isa, right(at))).collect();
            let ours = work
                / least(REPEATS, || {
                    for at in 0..batch {
                        multiply(left(at), &packed[at], &mut out[at * m * n..], n, Finish::default());
                    }
                });
            let mut again = Packed::empty(isa);
            let packing = work
                / least(REPEATS, || {
                    for at in 0..batch {
                        again.refill(right(at));
                        multiply(left(at), &again, &mut out[at * m * n..], n, Finish::default());
                    }
                });
            rows.push(Row::plain(format!("{name}: {isa}, packed before"), ours, "GFLOPS"));
            rows.push(Row::plain(format!("{name}: {isa}, packed each time"), packing, "GFLOPS"));
            if isa == Isa::best() {
                rows.push(Row::at_least(format!("{name}: {isa} to gemm"), ours / rival, "x", 0.8));
            }
        }
    }
    rows
}

/// The crate's product, row-major, on one thread.
fn theirs((m, k, n): (usize, usize, usize), a: &[f32], b: &[f32], out: &mut [f32]) {
    assert!(a.len() >= m * k && b.len() >= k * n && out.len() >= m * n, "operands are too short");
    // SAFETY: the slices hold matrices of these sizes and steps, as was just asserted.
    unsafe {
        gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            a.as_ptr(),
            1,
            k as isize,
            b.as_ptr(),
            1,
            n as isize,
            0.0_f32,
            1.0_f32,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

/// Ten chains of fused multiplications, enough to hide their latency. Yields the operations of a step.
struct Peak(u32);

impl Kernel for Peak {
    type Output = f64;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> f64 {
        let factor = simd.splat(std::hint::black_box(0.999));
        let mut chains = [factor; 10];
        for _ in 0..self.0 {
            for chain in &mut chains {
                *chain = chain.mul_add(factor, factor);
            }
        }
        let mut sum = simd.splat(0.0);
        for chain in chains {
            sum = sum + chain;
        }
        std::hint::black_box(sum.sum());
        (2 * chains.len() * S::LANES) as f64
    }
}
