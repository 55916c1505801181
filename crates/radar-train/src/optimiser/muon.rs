//! Muon (Jordan et al., 2024): the momentum of a matrix is replaced by the nearest matrix with equal singular
//! values, so that every direction learns at one pace. What is no matrix inside the network goes by AdamW.

use std::ops::Range;

use radar_kernel::isa::Isa;
use radar_kernel::product::{Finish, Packed, View, multiply};
use radar_net::Parameter;
use rayon::prelude::*;

use super::{Optimiser, Turn, adamw};
use crate::config;

/// Orthogonal steps for matrices, AdamW for the rest.
pub struct Muon {
    config: config::Optimiser,
    momentum: f32,
    pieces: Vec<Piece>,
    isa: Isa,
    /// The running mean of gradients: momentum of matrices, first mean of the rest.
    first: Vec<f32>,
    /// The second mean of what is no matrix.
    second: Vec<f32>,
}

/// Parameters that lie together and go one way.
enum Piece {
    Matrix { place: Range<usize>, rows: usize, columns: usize },
    Rest(Range<usize>),
}

impl Muon {
    /// One for these parameters, without memories.
    pub fn new(config: &config::Optimiser, parameters: &[Parameter], isa: Isa) -> Self {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut end = 0;
        for parameter in parameters {
            let place = end..end + parameter.count();
            end = place.end;
            match (&parameter.shape[..], pieces.last_mut()) {
                (&[rows, columns], _) if is_inside(&parameter.name) => {
                    pieces.push(Piece::Matrix { place, rows, columns });
                }
                (_, Some(Piece::Rest(rest))) => rest.end = place.end,
                _ => pieces.push(Piece::Rest(place)),
            }
        }
        Self {
            config: *config,
            momentum: config.momentum.unwrap_or(0.95) as f32,
            pieces,
            isa: isa.precise(),
            first: vec![0.0; end],
            second: vec![0.0; end],
        }
    }

    /// How many numbers a thread needs to work on the largest matrix of these parameters: the matrix itself, its product
    /// and a factor, and two squares of the shorter side.
    pub(crate) fn workspace(parameters: &[Parameter]) -> usize {
        let inside = parameters.iter().filter(|parameter| is_inside(&parameter.name));
        let each = inside.filter_map(|parameter| match parameter.shape[..] {
            [rows, columns] => Some(3 * rows * columns + 2 * rows.min(columns).pow(2)),
            _ => None,
        });
        each.max().unwrap_or(0)
    }
}

/// The maps from features to the width are no place for orthogonal steps: their inputs are not alike.
fn is_inside(name: &str) -> bool {
    name.ends_with(".weight") && !name.contains("projection")
}

impl Optimiser for Muon {
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], turn: Turn) {
        let (mut weights, mut gradient) = (weights, gradient);
        let (mut first, mut second) = (self.first.as_mut_slice(), self.second.as_mut_slice());
        let mut tasks = Vec::new();
        for piece in &self.pieces {
            let count = match piece {
                Piece::Matrix { place, .. } | Piece::Rest(place) => place.len(),
            };
            let (own_weights, own_first, own_second);
            (own_weights, weights) = weights.split_at_mut(count);
            (own_first, first) = first.split_at_mut(count);
            (own_second, second) = second.split_at_mut(count);
            let (own_gradient, after) = gradient.split_at(count);
            gradient = after;
            tasks.push((piece, own_weights, own_gradient, own_first, own_second));
        }
        let (config, momentum, isa) = (&self.config, self.momentum, self.isa);
        let bench = || Bench::new(isa);
        tasks.into_par_iter().for_each_init(bench, |bench, (piece, weights, gradient, first, second)| {
            match piece {
                Piece::Rest(_) => adamw::step(config, turn, weights, gradient, first, second),
                Piece::Matrix { rows, columns, .. } => {
                    // Nesterov's look ahead: the mean as it will be after another step like this one.
                    first.iter_mut().zip(gradient).for_each(|(mean, new)| *mean = momentum * *mean + new);
                    let ahead: Vec<f32> =
                        first.iter().zip(gradient).map(|(mean, new)| new + momentum * mean).collect();
                    let direction = bench.orthogonal(ahead, *rows, *columns);
                    // As long per entry as AdamW's steps usually are, so that one rate suits both.
                    const USUAL: f64 = 0.2;
                    let rate = (turn.rate * USUAL * (*rows.max(columns) as f64).sqrt()) as f32;
                    let kept = (1.0 - turn.rate * config.weight_decay) as f32;
                    weights
                        .iter_mut()
                        .zip(direction)
                        .for_each(|(weight, step)| *weight = kept * *weight - rate * step);
                }
            }
        });
    }

    fn memory(&self) -> Vec<(&'static str, &[f32])> {
        vec![("first", &self.first), ("second", &self.second)]
    }

    fn memory_mut(&mut self) -> Vec<(&'static str, &mut [f32])> {
        vec![("first", &mut self.first), ("second", &mut self.second)]
    }
}

/// What a thread works with on one matrix after another, in the same memory.
struct Bench {
    /// The right factor of a product: X' (long, short), A (short, short), X (short, long).
    packed: Packed,
    /// A = X X' and b A + c A A, both (short, short).
    square: Vec<f32>,
    fourth: Vec<f32>,
    /// (short, long).
    next: Vec<f32>,
}

impl Bench {
    fn new(isa: Isa) -> Self {
        Self { packed: Packed::empty(isa), square: Vec::new(), fourth: Vec::new(), next: Vec::new() }
    }

    /// About the nearest matrix (rows, columns) whose singular values are all 1 (they end between 0.7 and 1.2), by
    /// five rounds of Newton and Schulz: X <- a X + (b A + c A A) X with A = X X'.
    fn orthogonal(&mut self, mut x: Vec<f32>, rows: usize, columns: usize) -> Vec<f32> {
        const ROUNDS: usize = 5;
        const A: f32 = 3.4445;
        const B: f32 = -4.775;
        const C: f32 = 2.0315;
        let length = x.iter().map(|&value| f64::from(value) * f64::from(value)).sum::<f64>().sqrt();
        if length == 0.0 {
            return x;
        }
        x.iter_mut().for_each(|value| *value = (f64::from(*value) / length) as f32);
        let Self { packed, square, fourth, next } = self;
        let (short, long) = (rows.min(columns), rows.max(columns));
        square.resize(short * short, 0.0);
        fourth.resize(short * short, 0.0);
        next.resize(short * long, 0.0);
        // The square A is smaller on the shorter side.
        let is_tall = rows > columns;
        if is_tall {
            transpose(&x, columns, next);
            std::mem::swap(&mut x, next);
        }
        for _ in 0..ROUNDS {
            let view = View::new(&x, short, long);
            packed.refill(view.transposed());
            multiply(view, packed, square, short, Finish::default());
            packed.refill(View::new(square, short, short));
            multiply(View::new(square, short, short), packed, fourth, short, Finish::default());
            fourth.iter_mut().zip(&*square).for_each(|(fourth, square)| *fourth = B * square + C * *fourth);
            packed.refill(view);
            multiply(View::new(fourth, short, short), packed, next, long, Finish::default());
            x.iter_mut().zip(&*next).for_each(|(x, next)| *x = A * *x + next);
        }
        if is_tall {
            transpose(&x, rows, next);
            std::mem::swap(&mut x, next);
        }
        x
    }
}

/// Writes the transpose of a matrix (rows, columns) to (columns, rows).
fn transpose(values: &[f32], columns: usize, out: &mut [f32]) {
    let rows = values.len() / columns.max(1);
    for (at, value) in out.iter_mut().enumerate() {
        *value = values[at % rows * columns + at / rows];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;
    use radar_net::Initial;

    fn parameter(name: &str, shape: &[usize]) -> Parameter {
        Parameter { name: name.to_owned(), shape: shape.to_vec(), initial: Initial::Constant(0.0) }
    }

    fn transposed(values: &[f32], rows: usize, columns: usize) -> Vec<f32> {
        let mut out = vec![0.0; rows * columns];
        transpose(values, columns, &mut out);
        out
    }

    fn random(count: usize) -> Vec<f32> {
        let mut stream = Stream::new(1, "muon", 0);
        (0..count).map(|_| stream.normal() as f32).collect()
    }

    /// The least and the greatest singular value of (rows, columns), by the power method on X X' (rows, rows) and on
    /// what it lacks to its greatest eigenvalue.
    fn extremes(x: &[f32], rows: usize, columns: usize) -> (f64, f64) {
        let row = |at: usize| x[at * columns..(at + 1) * columns].iter().map(|&value| f64::from(value));
        let square = |from: usize, to: usize| row(from).zip(row(to)).map(|(a, b)| a * b).sum::<f64>();
        let greatest = |entry: &dyn Fn(usize, usize) -> f64| {
            let mut vector: Vec<f64> = (0..rows).map(|at| 1.0 + at as f64).collect();
            let mut length = 0.0;
            for _ in 0..3000 {
                let next = (0..rows).map(|from| (0..rows).map(|to| entry(from, to) * vector[to]).sum());
                vector = next.collect();
                length = vector.iter().map(|one: &f64| one * one).sum::<f64>().sqrt();
                vector.iter_mut().for_each(|one| *one /= length);
            }
            length
        };
        let table: Vec<f64> = (0..rows * rows).map(|at| square(at / rows, at % rows)).collect();
        let most = greatest(&|from, to| table[from * rows + to]);
        let lack = greatest(&|from, to| if from == to { most } else { 0.0 } - table[from * rows + to]);
        ((most - lack).max(0.0).sqrt(), most.sqrt())
    }

    #[test]
    fn directions_have_even_singular_values() {
        for (short, long) in [(12, 20), (8, 64)] {
            // Every row is shorter than the one before.
            let mut momentum = random(short * long);
            let rows = momentum.chunks_mut(long).enumerate();
            rows.for_each(|(at, row)| row.iter_mut().for_each(|value| *value *= 0.6_f32.powi(at as i32)));
            let (least, most) = extremes(&momentum, short, long);
            assert!(most > 25.0 * least, "{least} {most}");
            // One bench for both, and for what is larger or smaller than before.
            let mut bench = Bench::new(Isa::Portable);
            let tall = bench.orthogonal(transposed(&momentum, short, long), long, short);
            for direction in [bench.orthogonal(momentum, short, long), transposed(&tall, long, short)] {
                let (least, most) = extremes(&direction, short, long);
                assert!(least > 0.65 && most < 1.25, "{short} x {long}: {least} to {most}");
            }
        }
        assert_eq!(Bench::new(Isa::Portable).orthogonal(vec![0.0; 4], 2, 2), [0.0; 4]);
    }

    #[test]
    fn a_diagonal_matrix_keeps_its_axes() {
        let direction = Bench::new(Isa::Portable).orthogonal(vec![5.0, 0.0, 0.0, -2.0], 2, 2);
        assert!((0.6..1.3).contains(&direction[0]) && (-1.3..-0.6).contains(&direction[3]), "{direction:?}");
        assert!(direction[1].abs() < 1e-6 && direction[2].abs() < 1e-6);
    }

    #[test]
    fn what_is_no_inner_matrix_goes_by_adamw() {
        let parameters = [
            parameter("projection.weight", &[2, 2]),
            parameter("a.weight", &[2, 2]),
            parameter("a.bias", &[2]),
        ];
        let config = config::Optimiser { weight_decay: 0.0, ..config::Optimiser::default() };
        let mut muon = Muon::new(&config, &parameters, Isa::Portable);
        let mut weights = vec![1.0_f32; 10];
        let gradient = [2.0, 2.0, 2.0, 2.0, 3.0, 0.0, 0.0, 3.0, -7.0, 7.0];
        muon.step(&mut weights, &gradient, Turn { step: 1, rate: 0.1 });
        assert!(weights[..4].iter().all(|weight| (weight - 0.9).abs() < 1e-5), "{weights:?}");
        assert!((weights[8] - 1.1).abs() < 1e-5 && (weights[9] - 0.9).abs() < 1e-5);
        // 0.1 * 0.2 * sqrt(2) times about 1 on the diagonal, nothing beside it.
        let step = 1.0 - weights[4];
        assert!((0.018..0.037).contains(&step), "{step}");
        assert!((weights[5] - 1.0).abs() < 1e-6 && (weights[7] - weights[4]).abs() < 1e-6);
    }
}
