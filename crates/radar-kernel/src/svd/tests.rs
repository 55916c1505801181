use super::*;

/// How triplets are computed.
type Way = fn(Isa, View, usize, u64) -> Triplets;

const SKETCH: Way = |isa, a, rank, seed| randomised(isa, a, rank, 4, 5, &mut Stream::new(seed, "test", 0));
const EXACT: Way = |isa, a, rank, _| exact(isa, a, rank);

fn random(nodes: usize, count: usize, index: u64) -> Columns {
    let mut stream = Stream::new(9, "triplets", index);
    let mut columns = Columns::zeros(nodes, count);
    columns.iter_mut().flatten().for_each(|x| *x = stream.normal());
    columns
}

/// A matrix with the given singular values, and its left vectors.
fn construct(nodes: usize, values: &[f64]) -> (Vec<f32>, Columns) {
    let [mut left, mut right] = [1, 2].map(|index| random(nodes, values.len(), index));
    left.orthonormalise(0);
    right.orthonormalise(0);
    let mut matrix = vec![0.0; nodes * nodes];
    for (number, &value) in values.iter().enumerate() {
        for row in 0..nodes {
            for column in 0..nodes {
                matrix[row * nodes + column] += value * left.at(number)[row] * right.at(number)[column];
            }
        }
    }
    (matrix.into_iter().map(|x| x as f32).collect(), left)
}

/// The largest of |A v - s u| and |A^T u - s v| over the triplets.
fn residual(a: View, triplets: &Triplets) -> f64 {
    let (nodes, rank) = (a.rows(), triplets.s.len());
    let mut worst: f64 = 0.0;
    for (a, from, to) in [(a, &triplets.v, &triplets.u), (a.transposed(), &triplets.u, &triplets.v)] {
        for number in 0..rank {
            let square: f64 = (0..nodes)
                .map(|row| {
                    let image: f64 = (0..nodes)
                        .map(|k| f64::from(a.at(row, k)) * f64::from(from[k * rank + number]))
                        .sum();
                    image - f64::from(triplets.s[number]) * f64::from(to[row * rank + number])
                })
                .map(|error| error * error)
                .sum();
            worst = worst.max(square.sqrt());
        }
    }
    worst
}

/// The greatest entry of |X^T X - I| among the first `count` columns.
fn skewness(vectors: &[f32], rank: usize, count: usize) -> f64 {
    let mut worst: f64 = 0.0;
    for a in 0..count {
        for b in 0..count {
            let product: f64 =
                vectors.chunks_exact(rank).map(|row| f64::from(row[a]) * f64::from(row[b])).sum();
            worst = worst.max((product - f64::from(u8::from(a == b))).abs());
        }
    }
    worst
}

#[test]
fn constructed_matrices_come_apart_again() {
    for (nodes, way) in [(40, EXACT), (300, EXACT), (40, SKETCH), (300, SKETCH)] {
        let values: Vec<f64> = (0..20).map(|number| 50.0 * 0.6_f64.powi(number)).collect();
        let (matrix, left) = construct(nodes, &values);
        for isa in Isa::available() {
            let triplets = way(isa, View::new(&matrix, nodes, nodes), 8, 1);
            for number in 0..8 {
                assert!((f64::from(triplets.s[number]) / values[number] - 1.0).abs() < 1e-5);
                let cosine: f64 = (0..nodes)
                    .map(|row| f64::from(triplets.u[row * 8 + number]) * left.at(number)[row])
                    .sum();
                assert!((cosine.abs() - 1.0).abs() < 1e-5);
            }
            assert!(residual(View::new(&matrix, nodes, nodes), &triplets) < 2e-4);
        }
    }
}

#[test]
fn exact_triplets_need_no_gaps() {
    // A matrix of noise has neighbouring values within a percent, and the identity has them equal.
    for nodes in [1, 2, 3, 17, 100, 150] {
        let noise: Vec<f32> = random(nodes, nodes, 3).iter().flatten().map(|&x| x as f32).collect();
        let mut identity = vec![0.0; nodes * nodes];
        identity.iter_mut().step_by(nodes + 1).for_each(|x| *x = 1.0);
        for matrix in [noise, identity] {
            let a = View::new(&matrix, nodes, nodes);
            let count = nodes.min(12);
            let triplets = exact(Isa::best(), a, 12);
            assert!(residual(a, &triplets) < 1e-5);
            assert!(skewness(&triplets.u, 12, count) < 1e-6 && skewness(&triplets.v, 12, count) < 1e-6);
            assert!(triplets.s.is_sorted_by(|a, b| a >= b));
        }
    }
}

#[test]
fn large_matrices_agree_with_small_ones() {
    // The growing basis and the whole decomposition, on the same matrix.
    let nodes = 120;
    let matrix: Vec<f32> = random(nodes, nodes, 4).iter().flatten().map(|&x| x as f32).collect();
    let a = View::new(&matrix, nodes, nodes);
    let whole = exact(Isa::best(), a, 10);
    for isa in Isa::available() {
        let (_, s, _) = krylov::triplets(isa, a, 10);
        for number in 0..10 {
            assert!((s[number] / f64::from(whole.s[number]) - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn a_sketch_is_never_above_the_exact_values_and_close_below() {
    let nodes = 100;
    let matrix: Vec<f32> = random(nodes, nodes, 5).iter().flatten().map(|&x| x as f32).collect();
    let a = View::new(&matrix, nodes, nodes);
    let exact = exact(Isa::best(), a, 10);
    let sketch = randomised(Isa::best(), a, 10, 2, 0, &mut Stream::new(1, "sketch", 0));
    for (sketch, exact) in sketch.s.iter().zip(&exact.s) {
        assert!(*sketch <= exact * (1.0 + 1e-5) && *sketch > 0.7 * exact);
    }
    // Noisy as it is, the sketch is orthonormal and an exact decomposition of the projected matrix.
    assert!(skewness(&sketch.u, 10, 10) < 1e-5 && skewness(&sketch.v, 10, 10) < 1e-5);
}

#[test]
fn degenerate_matrices() {
    for nodes in [0_usize, 1, 2, 5, 9, 200] {
        let mut line = vec![0.0; nodes * nodes];
        line.iter_mut().take(nodes).enumerate().for_each(|(at, x)| *x = at as f32);
        let (low, _) = construct(nodes, &[3.0, 2.0][..nodes.min(2)]);
        for matrix in
            [vec![0.0; nodes * nodes], vec![2.5; nodes * nodes], vec![1e30; nodes * nodes], line, low]
        {
            let a = View::new(&matrix, nodes, nodes);
            let size = matrix.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
            for (way, rank) in [(SKETCH, 0), (EXACT, 0), (SKETCH, 7), (EXACT, 7)] {
                let triplets = way(Isa::best(), a, rank, 2);
                let count = rank.min(nodes);
                assert_eq!(
                    (triplets.u.len(), triplets.s.len(), triplets.v.len()),
                    (nodes * rank, rank, nodes * rank)
                );
                let parts = [&triplets.u, &triplets.s, &triplets.v];
                assert!(parts.into_iter().flatten().all(|x| x.is_finite()));
                assert!(residual(a, &triplets) <= 1e-5 * size);
                if rank > 0 {
                    assert!(skewness(&triplets.u, rank, count) < 1e-5, "{nodes}");
                    assert!(skewness(&triplets.v, rank, count) < 1e-5, "{nodes}");
                    assert!(triplets.s[count..].iter().all(|&s| s == 0.0));
                    let beyond = triplets.u.chunks_exact(rank).chain(triplets.v.chunks_exact(rank));
                    assert!(beyond.flat_map(|row| &row[count..]).all(|&x| x == 0.0));
                }
            }
        }
    }
}

#[test]
fn streams_decide_the_sketch() {
    let (matrix, _) = construct(60, &[5.0, 4.0, 3.9, 3.8, 3.7]);
    let a = View::new(&matrix, 60, 60);
    let sketch = |seed| randomised(Isa::best(), a, 3, 1, 0, &mut Stream::new(seed, "sketch", 0));
    assert_eq!(sketch(1), sketch(1));
    assert_ne!(sketch(1), sketch(2));
    assert_eq!(exact(Isa::best(), a, 3), exact(Isa::best(), a, 3));
}

#[test]
fn signs_are_fixed_jointly() {
    let (matrix, _) = construct(30, &[5.0, 2.0, 1.0]);
    let a = View::new(&matrix, 30, 30);
    let mut fixed = Vec::new();
    for seed in 0..8 {
        let mut triplets = SKETCH(Isa::best(), a, 3, seed);
        triplets.fix_signs();
        assert!(residual(a, &triplets) < 1e-4);
        for column in 0..3 {
            let entries = triplets.u.iter().skip(column).step_by(3);
            let (low, high) = entries.fold((0.0_f32, 0.0_f32), |(low, high), &x| (low.min(x), high.max(x)));
            assert!(high >= -low);
        }
        fixed.push(triplets);
    }
    for other in &fixed[1..] {
        assert!(other.u.iter().zip(&fixed[0].u).all(|(a, b)| (a - b).abs() < 1e-4));
    }
}
