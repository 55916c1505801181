//! What a matrix is like: how asymmetric, how far from the triangle inequality, how close to low rank.
//!
//! [`asymmetry`] and [`triangle_violations`] work on scaled integers and are quick enough for 10,000
//! nodes; [`Statistics`] adds the spectrum, whose cost grows with the cube of the nodes.

use radar_kernel::random::Stream;
use radar_problem::{Scale, Scaled, Table, UNREACHABLE};

/// Up to this many nodes every ordered pair is tested against the triangle inequality.
pub const EXACT_NODES: usize = 500;

/// Above, this many targets are drawn and for each this many sources: 20,000 ordered pairs.
const TARGETS: usize = 200;
const SOURCES: usize = 100;

/// How many leading singular values the shares of [`Statistics::energy`] belong to.
pub const LEADING: [usize; 4] = [1, 5, 10, 20];

/// Figures of one square table. The diagonal counts for the spectrum only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// See [`asymmetry`].
    pub asymmetry: f64,
    /// See [`triangle_violations`].
    pub triangle_violations: f64,
    /// Share of the sum of squared singular values that the first [`LEADING`] ones hold, after the
    /// mean of all entries is taken off and they are divided by their standard deviation.
    pub energy: [f64; 4],
    /// Standard deviation over mean of the off-diagonal entries.
    pub variation: f64,
    /// Share of off-diagonal entries that are 0.
    pub zeros: f64,
}

impl Statistics {
    /// Measures a table. An unreachable pair counts as the largest finite entry, except for asymmetry
    /// and triangles, which know it. `None` when the table is not square, has fewer than two nodes, or
    /// holds what is neither a cost nor unreachable.
    pub fn of(table: &Table) -> Option<Self> {
        let scaled = scaled(table)?;
        let nodes = scaled.nodes();
        let largest = table.iter().filter(|value| value.is_finite()).fold(0.0, f64::max);
        let values: Vec<f64> = table.iter().map(|value| value.min(largest)).collect();
        let off: Vec<f64> = off_diagonal(nodes, &values).collect();
        let (mean, deviation) = moments(&off);
        Some(Self {
            asymmetry: asymmetry(&scaled),
            triangle_violations: triangle_violations(&scaled),
            energy: energy(nodes, &values),
            variation: ratio(deviation, mean),
            zeros: off.iter().filter(|&&value| value == 0.0).count() as f64 / off.len() as f64,
        })
    }
}

/// The table as exact integers, in the scale that an instance would use.
fn scaled(table: &Table) -> Option<Scaled> {
    let precision = table.precision();
    let sound = |value: &f64| *value >= 0.0;
    let values = table.values();
    if !table.is_square() || table.rows() < 2 || !values.iter().all(sound) {
        return None;
    }
    let scale = Scale::choose(table.rows(), values.iter().map(|value| (value, precision)))?;
    let apply = |value: f64| if value.is_finite() { scale.apply(value, precision) } else { UNREACHABLE };
    Some(Scaled::from_fn(table.rows(), |from, to| apply(table.at(from, to))))
}

/// The mean of |d_ij - d_ji| over the mean of d_ij, off the diagonal. Pairs with an unreachable
/// direction are passed over; 0 when nothing is left or all costs are 0.
pub fn asymmetry(matrix: &Scaled) -> f64 {
    // Square tiles: each touches few rows, so that walking columns of a large matrix stays in cache.
    const TILE: usize = 64;
    let nodes = matrix.nodes();
    let (mut difference, mut sum) = (0.0, 0.0);
    for top in (0..nodes).step_by(TILE) {
        for left in (top..nodes).step_by(TILE) {
            for from in top..nodes.min(top + TILE) {
                for to in left.max(from + 1)..nodes.min(left + TILE) {
                    let (there, back) = (matrix.at(from, to), matrix.at(to, from));
                    if there != UNREACHABLE && back != UNREACHABLE {
                        difference += 2.0 * there.abs_diff(back) as f64;
                        sum += there as f64 + back as f64;
                    }
                }
            }
        }
    }
    ratio(difference, sum)
}

/// The share of ordered pairs (i, j) for which some k gives d_ik + d_kj < d_ij. A pair that is
/// unreachable directly and not over k counts.
///
/// All pairs up to [`EXACT_NODES`] nodes. Above, 20,000 pairs drawn by a stream that depends on the
/// number of nodes only, so that the same matrix always gives the same figure; its standard error is
/// about a third of a percentage point where violations are most uncertain.
pub fn triangle_violations(matrix: &Scaled) -> f64 {
    let nodes = matrix.nodes();
    if nodes < 2 {
        return 0.0;
    }
    let mut stream = Stream::new(0, "triangles", nodes as u64);
    let exact = nodes <= EXACT_NODES;
    let targets = if exact { (0..nodes).collect() } else { stream.sample(nodes, TARGETS) };
    let (mut violated, mut tested) = (0_usize, 0_usize);
    for to in targets {
        let arriving: Vec<i64> = (0..nodes).map(|over| matrix.at(over, to)).collect();
        let sources = if exact { (0..nodes).collect() } else { stream.sample(nodes, SOURCES) };
        for from in sources.into_iter().filter(|&from| from != to) {
            tested += 1;
            violated += usize::from(has_shortcut(&matrix.row(from).values(), &arriving, matrix.at(from, to)));
        }
    }
    violated as f64 / tested as f64
}

/// Whether leaving for some node and arriving from it costs less than `direct`.
fn has_shortcut(leaving: &[i64], arriving: &[i64], direct: i64) -> bool {
    // Whole blocks without a branch inside: the compiler makes them wide operations.
    leaving.chunks(64).zip(arriving.chunks(64)).any(|(leaving, arriving)| {
        let pairs = leaving.iter().zip(arriving);
        pairs.fold(false, |found, (&one, &other)| found | (one.saturating_add(other) < direct))
    })
}

/// Pearson's correlation of the off-diagonal entries of two square tables of the same size; `None`
/// when they do not match, or hold something infinite, or one of them is constant.
pub fn correlation(first: &Table, second: &Table) -> Option<f64> {
    if !first.is_square() || !second.is_square() || first.rows() != second.rows() || first.rows() < 2 {
        return None;
    }
    let [first, second] =
        [first, second].map(|table| off_diagonal(table.rows(), &table.values()).collect::<Vec<f64>>());
    let ((mean, deviation), (other_mean, other_deviation)) = (moments(&first), moments(&second));
    let products = first.iter().zip(&second).map(|(one, other)| (one - mean) * (other - other_mean));
    let correlation = products.sum::<f64>() / first.len() as f64 / (deviation * other_deviation);
    correlation.is_finite().then_some(correlation)
}

fn off_diagonal(nodes: usize, values: &[f64]) -> impl Iterator<Item = f64> {
    values
        .iter()
        .enumerate()
        .filter(move |(place, _)| place / nodes != place % nodes)
        .map(|(_, &value)| value)
}

/// Mean and standard deviation.
fn moments(values: &[f64]) -> (f64, f64) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>();
    (mean, (square / values.len() as f64).sqrt())
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Shares of the squared singular values of the centred matrix. Dividing by the standard deviation
/// would change no share, so it is left out.
fn energy(nodes: usize, values: &[f64]) -> [f64; 4] {
    let (mean, _) = moments(values);
    let rows = values.chunks(nodes).map(|row| row.iter().map(|value| value - mean).collect()).collect();
    let squares = squared_singular_values(rows);
    let total = squares.iter().sum::<f64>();
    LEADING.map(|count| ratio(squares.iter().take(count).sum(), total))
}

/// Largest first, by one-sided Jacobi rotations (Hestenes, 1958): rows are turned in pairs until all
/// are orthogonal, and then their squared lengths are the squared singular values.
fn squared_singular_values(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    const SWEEPS: usize = 40;
    const ORTHOGONAL: f64 = 1e-18; // squared cosine
    let length = |row: &[f64]| dot(row, row);
    let noise = 1e-24 * rows.iter().map(|row| length(row)).sum::<f64>();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for second in 1..rows.len() {
            let (before, after) = rows.split_at_mut(second);
            let two = &mut after[0];
            for one in before {
                let (first_length, second_length, product) = (length(one), length(two), dot(one, two));
                let negligible = (ORTHOGONAL * first_length * second_length).max(noise * noise);
                if product * product <= negligible {
                    continue;
                }
                turned = true;
                let zeta = (second_length - first_length) / (2.0 * product);
                let tangent = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
                let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
                let sine = cosine * tangent;
                for (x, y) in one.iter_mut().zip(two.iter_mut()) {
                    (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut squares: Vec<f64> = rows.iter().map(|row| length(row)).collect();
    squares.sort_by(|one, other| other.total_cmp(one));
    squares
}

/// An inner product in eight partial sums, which wide registers can keep.
fn dot(first: &[f64], second: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (ones, others) = (first.chunks_exact(8), second.chunks_exact(8));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(one, other)| one * other).sum();
    for (ones, others) in ones.zip(others) {
        for lane in 0..8 {
            sums[lane] += ones[lane] * others[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: &[&[i64]]) -> Scaled {
        Scaled::from_fn(rows.len(), |from, to| rows[from][to])
    }

    #[test]
    fn asymmetry_is_mean_difference_over_mean() {
        let known = matrix(&[&[0, 10, 4], &[6, 0, 8], &[4, 12, 0]]);
        // Differences 4, 0, 4, each for two ordered pairs; the entries sum to 44.
        assert_eq!(asymmetry(&known), 16.0 / 44.0);
        let partly = matrix(&[&[0, 10, UNREACHABLE], &[6, 0, 8], &[4, 8, 0]]);
        assert_eq!(asymmetry(&partly), 8.0 / 32.0);
        assert_eq!(asymmetry(&matrix(&[&[0, 0], &[0, 0]])), 0.0);
    }

    #[test]
    fn asymmetry_in_tiles_is_asymmetry() {
        let mut stream = Stream::new(1, "tiles", 0);
        let large = Scaled::from_fn(150, |_, _| stream.between(1, 1000));
        let pairs = || (0..150).flat_map(|i| (0..150).map(move |j| (i, j))).filter(|(i, j)| i != j);
        let difference: i64 = pairs().map(|(i, j)| (large.at(i, j) - large.at(j, i)).abs()).sum();
        let sum: i64 = pairs().map(|(i, j)| large.at(i, j)).sum();
        assert!((asymmetry(&large) - difference as f64 / sum as f64).abs() < 1e-12);
    }

    #[test]
    fn a_shortcut_must_be_strictly_shorter() {
        assert_eq!(triangle_violations(&matrix(&[&[0, 1, 3], &[1, 0, 2], &[3, 2, 0]])), 0.0);
        assert_eq!(triangle_violations(&matrix(&[&[0, 1, 4], &[1, 0, 2], &[3, 2, 0]])), 1.0 / 6.0);
        let reached_by_detour = matrix(&[&[0, 1, UNREACHABLE], &[1, 0, 2], &[UNREACHABLE, UNREACHABLE, 0]]);
        assert_eq!(triangle_violations(&reached_by_detour), 1.0 / 6.0);
        assert_eq!(triangle_violations(&matrix(&[&[0]])), 0.0);
    }

    #[test]
    fn a_sample_of_pairs_is_close_to_all() {
        let mut stream = Stream::new(2, "sampled", 0);
        let nodes = EXACT_NODES + 40;
        let large = Scaled::from_fn(nodes, |i, j| if i == j { 0 } else { stream.between(9_000, 19_000) });
        let arriving = Scaled::from_fn(nodes, |from, to| large.at(to, from));
        let violated = (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j))).filter(|&(i, j)| {
            i != j && has_shortcut(&large.row(i).values(), &arriving.row(j).values(), large.at(i, j))
        });
        let exact = violated.count() as f64 / (nodes * (nodes - 1)) as f64;
        assert!((0.01..0.99).contains(&exact));
        assert!((triangle_violations(&large) - exact).abs() < 0.015);
        assert_eq!(triangle_violations(&large), triangle_violations(&large));
    }

    #[test]
    fn singular_values_are_those_of_known_factors() {
        // Rows and columns turned in several planes: orthogonal factors around a diagonal.
        let nodes = 12;
        let wanted: Vec<f64> = (0..nodes).map(|place| 100.0 / (1.0 + place as f64).powi(2)).collect();
        let mut rows: Vec<Vec<f64>> =
            (0..nodes).map(|i| (0..nodes).map(|j| if i == j { wanted[i] } else { 0.0 }).collect()).collect();
        let mut stream = Stream::new(3, "planes", 0);
        for _ in 0..200 {
            let (one, other, angle) = (stream.index(nodes), stream.index(nodes), stream.uniform(0.0, 6.0));
            let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
            if one != other {
                for k in 0..nodes {
                    let (x, y) = (rows[one][k], rows[other][k]);
                    (rows[one][k], rows[other][k]) = (cosine * x - sine * y, sine * x + cosine * y);
                }
                for row in &mut rows {
                    let (x, y) = (row[other], row[one]);
                    (row[other], row[one]) = (cosine * x - sine * y, sine * x + cosine * y);
                }
            }
        }
        for (square, value) in squared_singular_values(rows).into_iter().zip(wanted) {
            assert!((square - value * value).abs() < 1e-9 * 1e4, "{square} for {value}");
        }
    }

    #[test]
    fn a_matrix_of_rank_one_has_all_energy_in_the_first() {
        let rows = (0..30).map(|from| vec![f64::from(from % 7); 30]).collect();
        let known = Statistics::of(&Table::from_rows(rows)).expect("square");
        assert!(known.energy.iter().all(|share| (share - 1.0).abs() < 1e-12));
        // Five rows of zeros, each with 29 off-diagonal entries.
        assert_eq!(known.zeros, 5.0 * 29.0 / (30.0 * 29.0));
    }

    #[test]
    fn tables_without_sense_are_refused() {
        let of = |rows: Vec<Vec<f64>>| Statistics::of(&Table::from_rows(rows));
        assert!(of(vec![vec![0.0, 1.0], vec![2.0, 0.0]]).is_some());
        assert!(of(vec![vec![0.0, f64::INFINITY], vec![2.0, 0.0]]).is_some());
        assert!(of(vec![vec![0.0, f64::NAN], vec![2.0, 0.0]]).is_none());
        assert!(of(vec![vec![0.0, -1.0], vec![2.0, 0.0]]).is_none());
        assert!(of(vec![vec![0.0, 1.0], vec![2.0]]).is_none());
        assert!(of(vec![vec![0.0]]).is_none());
    }

    #[test]
    fn correlation_is_of_the_off_diagonal() {
        let table = |factor: f64, diagonal: f64| {
            let entry = |i: u32, j: u32| if i == j { diagonal } else { factor * f64::from(i * 3 + j) };
            Table::from_rows((0..4).map(|i| (0..4).map(|j| entry(i, j)).collect()).collect())
        };
        let same = correlation(&table(1.0, 0.0), &table(2.5, 99.0)).expect("two tables");
        assert!((same - 1.0).abs() < 1e-12);
        let opposite = correlation(&table(1.0, 0.0), &table(-1.0, 0.0)).expect("two tables");
        assert!((opposite + 1.0).abs() < 1e-12);
        assert!(correlation(&table(1.0, 0.0), &table(0.0, 0.0)).is_none());
    }
}
