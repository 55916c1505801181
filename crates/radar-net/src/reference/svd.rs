//! The exact singular value decomposition by one-sided Jacobi rotations, and the features made of it.

/// A = sum of s_k u_k v_k^T, largest first.
#[derive(Clone, Debug)]
pub struct Svd {
    /// Singular values, descending (N).
    pub s: Vec<f64>,
    /// Left vectors, each of length N; zero where the singular value is.
    pub u: Vec<Vec<f64>>,
    /// Right vectors, each of length N.
    pub v: Vec<Vec<f64>>,
}

/// Decomposes a matrix (N, N): columns of A are rotated in pairs until all are orthogonal; their lengths
/// are then the singular values, and the rotations make V.
pub fn svd(matrix: &[f64], nodes: usize) -> Svd {
    let column = |at: usize| (0..nodes).map(|row| matrix[row * nodes + at]).collect::<Vec<f64>>();
    let unit = |at: usize| (0..nodes).map(|row| f64::from(u8::from(row == at))).collect::<Vec<f64>>();
    let mut a: Vec<Vec<f64>> = (0..nodes).map(column).collect();
    let mut v: Vec<Vec<f64>> = (0..nodes).map(unit).collect();
    let negligible = 1e-30 * matrix.iter().map(|entry| entry * entry).sum::<f64>();
    // Convergence is quadratic at the end: a dozen sweeps are plenty, the bound only guards the loop.
    for _ in 0..60 {
        let mut turned = false;
        for first in 0..nodes {
            for second in first + 1..nodes {
                let (alpha, beta) = (dot(&a[first], &a[first]), dot(&a[second], &a[second]));
                let gamma = dot(&a[first], &a[second]);
                if gamma * gamma <= 1e-30 * alpha * beta || gamma.abs() <= negligible {
                    continue;
                }
                turned = true;
                let zeta = (beta - alpha) / (2.0 * gamma);
                let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                for vectors in [&mut a, &mut v] {
                    turn(vectors, first, second, cosine, cosine * tangent);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut triplets: Vec<(f64, Vec<f64>, Vec<f64>)> = a
        .into_iter()
        .zip(v)
        .map(|(column, right)| {
            let length = dot(&column, &column).sqrt();
            let left = column.iter().map(|entry| if length > 0.0 { entry / length } else { 0.0 }).collect();
            (length, left, right)
        })
        .collect();
    triplets.sort_by(|one, other| other.0.total_cmp(&one.0));
    let s = triplets.iter().map(|triplet| triplet.0).collect();
    let (u, v) = triplets.into_iter().map(|(_, left, right)| (left, right)).unzip();
    Svd { s, u, v }
}

/// The features [U sqrt(S) | V sqrt(S)] (N, 2 rank) of a scaled matrix (N, N); columns beyond N are zero
/// inside each half.
pub fn features(matrix: &[f64], nodes: usize, rank: usize) -> Vec<f64> {
    let Svd { s, u, v } = svd(matrix, nodes);
    let mut features = vec![0.0; nodes * 2 * rank];
    for k in 0..rank.min(nodes) {
        for node in 0..nodes {
            features[node * 2 * rank + k] = u[k][node] * s[k].sqrt();
            features[node * 2 * rank + rank + k] = v[k][node] * s[k].sqrt();
        }
    }
    features
}

fn turn(vectors: &mut [Vec<f64>], first: usize, second: usize, cosine: f64, sine: f64) {
    let (low, high) = vectors.split_at_mut(second);
    for (x, y) in low[first].iter_mut().zip(&mut high[0]) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    fn check(matrix: &[f64], nodes: usize) -> Svd {
        let svd = svd(matrix, nodes);
        for row in 0..nodes {
            for column in 0..nodes {
                let entry: f64 = (0..nodes).map(|k| svd.s[k] * svd.u[k][row] * svd.v[k][column]).sum();
                assert!((entry - matrix[row * nodes + column]).abs() < 1e-11);
            }
        }
        for k in 0..nodes {
            for other in 0..nodes {
                let wanted = f64::from(u8::from(k == other));
                assert!((dot(&svd.v[k], &svd.v[other]) - wanted).abs() < 1e-12);
                if svd.s[k].min(svd.s[other]) > 1e-6 {
                    assert!((dot(&svd.u[k], &svd.u[other]) - wanted).abs() < 1e-9);
                }
            }
        }
        assert!(svd.s.windows(2).all(|pair| pair[0] >= pair[1]));
        svd
    }

    #[test]
    fn any_matrix_is_the_sum_of_its_triplets() {
        let mut stream = Stream::new(1, "svd", 0);
        for nodes in [1, 2, 3, 10, 25] {
            check(&(0..nodes * nodes).map(|_| stream.normal()).collect::<Vec<f64>>(), nodes);
        }
        let rank_one: Vec<f64> = (0..36).map(|at| ((at / 6 + 1) * (at % 6 + 2)) as f64).collect();
        let svd = check(&rank_one, 6);
        assert!(svd.s[0] > 1.0 && svd.s[1] < 1e-12);
        check(&[0.0; 16], 4);
    }

    #[test]
    fn missing_columns_are_zero_inside_each_half() {
        let features = features(&[0.0, 2.0, 1.0, 0.0], 2, 3);
        for node in 0..2 {
            assert_eq!((features[node * 6 + 2], features[node * 6 + 5]), (0.0, 0.0));
        }
        assert!((features[0] * features[0] + features[6] * features[6] - 2.0).abs() < 1e-12);
    }
}
