use super::*;
use crate::isa::Isa;
use crate::random::Stream;

/// Numbers in -spread..spread.
fn draw(stream: &mut Stream, count: usize, spread: f32) -> Vec<f32> {
    (0..count).map(|_| spread * (2.0 * stream.unit() as f32 - 1.0)).collect()
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| f64::from(value)).collect()
}

/// The slope of `f` along one entry of `x`.
fn slope(x: &[f64], at: usize, step: f64, f: impl Fn(&[f64]) -> f64) -> f64 {
    let side = |sign: f64| {
        let mut x = x.to_vec();
        x[at] += sign * step;
        f(&x)
    };
    (side(1.0) - side(-1.0)) / (2.0 * step)
}

/// Weights in one list: inner, inner bias, outer, outer bias.
fn naive_mix(weights: &[f64], hidden: usize, inputs: &[&[f64]]) -> Vec<f64> {
    let (inner, rest) = weights.split_at(inputs.len() * hidden);
    let (bias, outer) = rest.split_at(hidden);
    (0..inputs[0].len())
        .map(|at| {
            let unit = |unit: usize| {
                let sum: f64 = inputs.iter().enumerate().map(|(i, x)| inner[i * hidden + unit] * x[at]).sum();
                (sum + bias[unit]).max(0.0) * outer[unit]
            };
            (0..hidden).map(unit).sum::<f64>() + outer[hidden]
        })
        .collect()
}

#[test]
fn mixed_scores_match_the_definition_in_both_directions() {
    for isa in Isa::available() {
        for others in 0..8 {
            for length in [1, 5, 16, 37, 1100] {
                let hidden = 5;
                let mut stream = Stream::new(1, "mix", (others * 10_000 + length) as u64);
                let weights = draw(&mut stream, (1 + others) * hidden + 2 * hidden + 1, 1.0);
                let inputs: Vec<Vec<f32>> = (0..=others).map(|_| draw(&mut stream, length, 2.0)).collect();
                let (inner, rest) = weights.split_at((1 + others) * hidden);
                let mixing = Mixing {
                    inner,
                    inner_bias: &rest[..hidden],
                    outer: &rest[hidden..2 * hidden],
                    outer_bias: rest[2 * hidden],
                };
                let rest: Vec<&[f32]> = inputs[1..].iter().map(Vec::as_slice).collect();
                let mut scores = vec![0.0; length];
                mix(isa, mixing, &inputs[0], &rest, &mut scores);
                let inputs_wide: Vec<Vec<f64>> = inputs.iter().map(|input| wide(input)).collect();
                let all: Vec<&[f64]> = inputs_wide.iter().map(Vec::as_slice).collect();
                let weights_wide = wide(&weights);
                let expected = naive_mix(&weights_wide, hidden, &all);
                for (score, expected) in scores.iter().zip(expected) {
                    assert!((f64::from(*score) - expected).abs() < 1e-4);
                }

                let given = draw(&mut stream, length, 1.0);
                let mut slopes = given.clone();
                let mut gradient = vec![0.0; weights.len()];
                let (inner, tail) = gradient.split_at_mut((1 + others) * hidden);
                let (inner_bias, tail) = tail.split_at_mut(hidden);
                let (outer, tail) = tail.split_at_mut(hidden);
                let parts = MixingGradient { inner, inner_bias, outer, outer_bias: &mut tail[0] };
                mix_backward(isa, mixing, &inputs[0], &rest, &mut slopes, parts);
                let loss = |scores: Vec<f64>| -> f64 {
                    scores.iter().zip(&given).map(|(score, &given)| score * f64::from(given)).sum()
                };
                for at in 0..weights.len() {
                    // Short of a kink, sums of lines are lines.
                    let of = slope(&weights_wide, at, 1e-7, |weights| loss(naive_mix(weights, hidden, &all)));
                    assert!(
                        (of - f64::from(gradient[at])).abs() < 1e-3 * of.abs().max(1.0),
                        "{isa} {others}"
                    );
                }
                for at in (0..length).step_by(7) {
                    let of = slope(&inputs_wide[0], at, 1e-7, |first| {
                        let mut all = all.clone();
                        all[0] = first;
                        loss(naive_mix(&weights_wide, hidden, &all))
                    });
                    assert!((of - f64::from(slopes[at])).abs() < 1e-3 * of.abs().max(1.0));
                }
            }
        }
    }
}

/// The steps as they are defined, on logarithms.
fn naive_normalise(how: Normalisation, nodes: usize, scores: &[f64]) -> Vec<f64> {
    let mut e = scores.to_vec();
    let mut take = |of_rows: bool| {
        for at in 0..nodes {
            let place = |k: usize| if of_rows { at * nodes + k } else { k * nodes + at };
            let most = (0..nodes).map(|k| e[place(k)]).fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = (0..nodes).map(|k| (e[place(k)] - most).exp()).sum();
            (0..nodes).for_each(|k| e[place(k)] -= most + sum.ln());
        }
    };
    match how {
        Normalisation::Softmax => take(true),
        Normalisation::Sinkhorn { iterations, last } => (0..iterations).for_each(|_| {
            take(last == Last::Columns);
            take(last == Last::Rows);
        }),
    }
    e.iter().map(|e| e.exp()).collect()
}

const WAYS: [Normalisation; 6] = [
    Normalisation::Softmax,
    Normalisation::Sinkhorn { iterations: 1, last: Last::Columns },
    Normalisation::Sinkhorn { iterations: 1, last: Last::Rows },
    Normalisation::Sinkhorn { iterations: 2, last: Last::Rows },
    Normalisation::Sinkhorn { iterations: 3, last: Last::Columns },
    Normalisation::Sinkhorn { iterations: 10, last: Last::Columns },
];

fn weights_of(isa: Isa, how: Normalisation, nodes: usize, scores: &[f32]) -> (Vec<f32>, Vec<f32>, Scaling) {
    let stride = nodes.next_multiple_of(isa.lanes());
    // What lay there before has no say.
    let (mut kernel, mut scaling) = (vec![f32::NAN; nodes * stride], Scaling::default());
    normalise(isa, how, nodes, scores, &mut kernel, &mut scaling);
    let weight = |at: usize| {
        let (row, column) = (at / nodes, at % nodes);
        scaling.rows()[row] * kernel[row * stride + column] * scaling.columns()[column]
    };
    let weights = (0..scores.len()).map(weight).collect();
    (weights, kernel, scaling)
}

#[test]
fn weights_match_the_definition_in_both_directions() {
    for isa in Isa::available() {
        for how in WAYS {
            // The last spread cannot be held by factors.
            for (nodes, spread) in [(1, 1.0), (2, 3.0), (5, 2.0), (11, 10.0), (19, 1.0), (6, 300.0)] {
                let mut stream = Stream::new(2, "normalise", (nodes as f32 * spread) as u64);
                let scores = draw(&mut stream, nodes * nodes, spread);
                let (weights, kernel, scaling) = weights_of(isa, how, nodes, &scores);
                let expected = naive_normalise(how, nodes, &wide(&scores));
                for (weight, expected) in weights.iter().zip(expected) {
                    assert!((f64::from(*weight) - expected).abs() < 2e-6, "{isa} {how:?} {nodes} {spread}");
                }
                let given = draw(&mut stream, nodes * nodes, 1.0);
                let mut slopes = given.clone();
                normalise_backward(isa, how, || scores.clone(), &kernel, &scaling, &mut slopes);
                for at in 0..scores.len() {
                    let of = slope(&wide(&scores), at, 1e-5, |scores| {
                        let weights = naive_normalise(how, nodes, scores);
                        weights.iter().zip(&given).map(|(weight, &given)| weight * f64::from(given)).sum()
                    });
                    let error = (of - f64::from(slopes[at])).abs();
                    assert!(error < 2e-4, "{isa} {how:?} {nodes} {spread} {at}: {of} {}", slopes[at]);
                }
            }
        }
    }
}

#[test]
fn the_last_side_sums_to_one() {
    let nodes = 23;
    let scores = draw(&mut Stream::new(5, "sums", 0), nodes * nodes, 4.0);
    for how in WAYS {
        let (weights, ..) = weights_of(Isa::best(), how, nodes, &scores);
        let by_row =
            how == Normalisation::Softmax || matches!(how, Normalisation::Sinkhorn { last: Last::Rows, .. });
        for at in 0..nodes {
            let place = |k: usize| if by_row { at * nodes + k } else { k * nodes + at };
            let sum: f32 = (0..nodes).map(|k| weights[place(k)]).sum();
            assert!((sum - 1.0).abs() < 1e-5, "{how:?}: {sum}");
        }
    }
}

#[test]
fn only_far_scores_are_left_to_the_logarithms() {
    let how = WAYS[5];
    let near = draw(&mut Stream::new(6, "near", 0), 100, 20.0);
    assert!(!weights_of(Isa::best(), how, 10, &near).2.by_logarithms());
    let mut far = near;
    (0..10).for_each(|row| far[row * 10 + 3] = -500.0);
    let (weights, _, scaling) = weights_of(Isa::best(), how, 10, &far);
    assert!(scaling.by_logarithms());
    assert!(weights.iter().all(|weight| weight.is_finite()));
}

/// Masks of 1 and 0 (rows, stride), with one column of each row open for certain and none beyond the columns.
fn masks(stream: &mut Stream, columns: usize, stride: usize, sure: &[usize]) -> Vec<f32> {
    let mut open = vec![0.0; sure.len() * stride];
    for (row, &sure) in open.chunks_exact_mut(stride).zip(sure) {
        for (column, entry) in row[..columns].iter_mut().enumerate() {
            *entry = if column == sure || stream.chance(0.6) { 1.0 } else { 0.0 };
        }
    }
    open
}

#[test]
fn choices_match_the_definition_in_both_directions() {
    for isa in Isa::available() {
        for (columns, clip) in [(1, 10.0), (2, 10.0), (7, 50.0), (8, 10.0), (20, 10.0), (33, 50.0)] {
            let (rows, stride) = (4, usize::next_multiple_of(columns, isa.lanes()));
            let mut stream = Stream::new(7, "choice", columns as u64);
            let scores = draw(&mut stream, rows * stride, 1.0);
            let chosen: Vec<usize> = (0..rows).map(|_| stream.index(columns)).collect();
            let open = masks(&mut stream, columns, stride, &chosen);
            let weights = draw(&mut stream, rows, 1.0);
            let log_prob = |scores: &[f64], at: usize| -> f64 {
                let logit = |at: usize| f64::from(clip) * scores[at].tanh();
                let row = at / stride * stride..(at / stride + 1) * stride;
                let sum: f64 = row.filter(|&at| open[at] > 0.0).map(|at| logit(at).exp()).sum();
                logit(at) - sum.ln()
            };
            let (mut tangents, mut probabilities) = (scores.clone(), vec![f32::NAN; scores.len()]);
            let mut log_sums = vec![0.0; rows];
            clipped_choice(isa, clip, stride, &open, &mut tangents, &mut probabilities, &mut log_sums);
            for at in 0..scores.len() {
                let expected = if open[at] > 0.0 { log_prob(&wide(&scores), at).exp() } else { 0.0 };
                let error = (f64::from(probabilities[at]) - expected).abs();
                assert!(error < 1e-5 && (open[at] > 0.0 || probabilities[at] == 0.0), "{isa} {columns}");
            }

            let (mut slopes, mut logs) = (vec![f32::NAN; scores.len()], vec![0.0; rows]);
            let bent = Bent { tangents: &tangents, log_sums: &log_sums, open: &open };
            let made = Chosen { columns: &chosen, weights: &weights };
            clipped_choice_backward(isa, clip, stride, &bent, made, &mut slopes, &mut logs);
            for row in 0..rows {
                let expected = log_prob(&wide(&scores), row * stride + chosen[row]);
                assert!((f64::from(logs[row]) - expected).abs() < 1e-4, "{isa} {columns}");
            }
            for at in 0..scores.len() {
                let of = slope(&wide(&scores), at, 1e-6, |scores| {
                    let of_row = |row: usize| log_prob(scores, row * stride + chosen[row]);
                    (0..rows).map(|row| f64::from(weights[row]) * of_row(row)).sum()
                });
                assert!((of - f64::from(slopes[at])).abs() < 3e-4, "{isa} {at}: {of} {}", slopes[at]);
            }
        }
    }
}

/// Rows of softmax whose scores are sums out of two tables.
struct Sums {
    columns: usize,
    stride: usize,
    near: Vec<f32>,
    rest: Vec<f32>,
    near_rows: Vec<usize>,
    rest_rows: Vec<usize>,
    open: Vec<f32>,
}

impl Sums {
    fn new(isa: Isa, columns: usize, rows: usize) -> Self {
        let stride = columns.next_multiple_of(isa.lanes());
        let mut stream = Stream::new(8, "sums of scores", columns as u64);
        let mut places = || (0..rows).map(|_| stream.index(3)).collect::<Vec<usize>>();
        let (near_rows, rest_rows) = (places(), places());
        let sure: Vec<usize> = (0..rows).map(|_| stream.index(columns)).collect();
        let open = masks(&mut stream, columns, stride, &sure);
        let [near, rest] = [0, 1].map(|_| draw(&mut stream, 3 * stride, 3.0));
        Self { columns, stride, near, rest, near_rows, rest_rows, open }
    }

    /// The softmax over what is open, of scores `near` and then `rest` in one list (rows, stride).
    fn naive(&self, scores: &[f64]) -> Vec<f64> {
        let (near, rest) = scores.split_at(self.near.len());
        let power = |at: usize| {
            let (row, column) = (at / self.stride, at % self.stride);
            let [a, b] = [self.near_rows[row], self.rest_rows[row]].map(|row| row * self.stride + column);
            if self.open[at] > 0.0 { (near[a] + rest[b]).exp() } else { 0.0 }
        };
        let row = |at: usize| at / self.stride * self.stride..(at / self.stride + 1) * self.stride;
        (0..self.open.len()).map(|at| power(at) / row(at).map(power).sum::<f64>()).collect()
    }
}

#[test]
fn weights_out_of_factors_match_the_definition_in_both_directions() {
    for isa in Isa::available() {
        for columns in [1, 2, 7, 8, 20, 33] {
            let rows = 5;
            let sums = Sums::new(isa, columns, rows);
            let stride = sums.stride;
            let [mut near, mut rest] = [&sums.near, &sums.rest].map(Clone::clone);
            for table in [&mut near, &mut rest] {
                exponentials(isa, columns, stride, table);
                assert!(
                    table.chunks_exact(stride).all(|row| row[sums.columns..].iter().all(|&one| one == 0.0))
                );
            }
            let factors = Factors {
                stride,
                near: &near,
                near_rows: &sums.near_rows,
                rest: &rest,
                rest_rows: &sums.rest_rows,
                open: &sums.open,
            };
            let (mut weights, mut inverse_sums) = (vec![f32::NAN; rows * stride], vec![0.0; rows]);
            weigh(isa, &factors, &mut weights, &mut inverse_sums);
            let scores = wide(&[sums.near.clone(), sums.rest.clone()].concat());
            let expected = sums.naive(&scores);
            for (at, (weight, expected)) in weights.iter().zip(&expected).enumerate() {
                let weight = f64::from(weight * inverse_sums[at / stride]);
                assert!((weight - expected).abs() < 1e-5, "{isa} {columns} {at}: {weight} {expected}");
            }

            let given = draw(&mut Stream::new(9, "slopes", 0), rows * stride, 1.0);
            let mean = |row: usize| -> f64 {
                (row * stride..(row + 1) * stride).map(|at| f64::from(given[at]) * expected[at]).sum()
            };
            let means: Vec<f32> = (0..rows).map(|row| mean(row) as f32).collect();
            let [mut of_near, mut of_rest] = [vec![0.0; near.len()], vec![0.0; rest.len()]];
            let weighed = Weighed { inverse_sums: &inverse_sums, means: &means, slopes: &given };
            let places = Places { stride, near: &sums.near_rows, rest: &sums.rest_rows };
            weigh_backward(isa, places, &weighed, &mut weights, &mut of_near, &mut of_rest);
            for (weight, expected) in weights.iter().zip(&expected) {
                assert!((f64::from(*weight) - expected).abs() < 1e-5, "normalised");
            }
            for (at, found) in of_near.iter().chain(&of_rest).enumerate() {
                let of = slope(&scores, at, 1e-6, |scores| {
                    sums.naive(scores).iter().zip(&given).map(|(one, &given)| one * f64::from(given)).sum()
                });
                assert!((of - f64::from(*found)).abs() < 1e-4, "{isa} {columns} {at}: {of} {found}");
            }
        }
    }
}

#[test]
fn weights_in_context_are_those_of_the_table_that_it_spells_out() {
    for isa in Isa::available() {
        for (columns, numbers) in [(1, 1), (7, 0), (20, 3), (33, 13), (51, 13), (101, 13), (150, 2)] {
            let rows = 5;
            let sums = Sums::new(isa, columns, rows);
            let stride = sums.stride;
            let mut stream = Stream::new(3, "context", columns as u64);
            let (of_rows, mut units) =
                (draw(&mut stream, rows * numbers, 1.0), draw(&mut stream, numbers * stride, 2.0));
            units.chunks_exact_mut(stride).for_each(|row| row[columns..].fill(0.0));
            let mut near = sums.near.clone();
            exponentials(isa, columns, stride, &mut near);
            let mut rest: Vec<f32> = (0..rows * stride)
                .map(|at| {
                    let of = |number: usize| {
                        of_rows[at / stride * numbers + number] * units[number * stride + at % stride]
                    };
                    (0..numbers).map(of).sum()
                })
                .collect();
            exponentials(isa, columns, stride, &mut rest);
            let own: Vec<usize> = (0..rows).collect();
            let (near_rows, open) = (&sums.near_rows[..], &sums.open[..]);
            let factors = Factors { stride, near: &near, near_rows, rest: &rest, rest_rows: &own, open };
            let (mut expected, mut expected_sums) = (vec![f32::NAN; rows * stride], vec![0.0; rows]);
            weigh(isa, &factors, &mut expected, &mut expected_sums);

            let mut base = vec![0.0; stride];
            base[columns..].fill(f32::NEG_INFINITY);
            let context = InContext {
                stride,
                near: &near,
                near_rows,
                numbers: &of_rows,
                units: &units,
                base: &base,
                open,
            };
            let (mut found, mut found_sums) = (vec![f32::NAN; rows * stride], vec![0.0; rows]);
            weigh_in_context(isa, &context, &mut found, &mut found_sums);
            for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
                assert!((found - expected).abs() < 1e-5, "{isa} {columns} {at}: {found} {expected}");
            }
            let close = |(found, expected): (&f32, &f32)| (found - expected).abs() < 1e-4 * expected;
            assert!(found_sums.iter().zip(&expected_sums).all(close), "{isa} {columns}");
        }
    }
}

/// Whoever asks relies on both: such rows are computed in another way.
#[test]
fn in_context_too_what_vanishes_or_is_no_number_is_told_apart() {
    let isa = Isa::best();
    let stride = isa.lanes();
    let (near, base) = (vec![1.0; stride], vec![0.0; stride]);
    let mut units = vec![0.0; stride];
    units[0] = 300.0;
    let mut open = [vec![1.0; stride], vec![1.0; stride]].concat();
    (open[0], open[stride]) = (0.0, 0.0);
    let weighed = |numbers: &[f32], open: &[f32]| {
        let (near_rows, mut sums) = (vec![0; numbers.len()], vec![0.0; numbers.len()]);
        let context = InContext {
            stride,
            near: &near,
            near_rows: &near_rows,
            numbers,
            units: &units,
            base: &base,
            open,
        };
        weigh_in_context(isa, &context, &mut vec![0.0; numbers.len() * stride], &mut sums);
        sums
    };
    let sums = weighed(&[1.0, f32::NAN], &open);
    assert!(sums[0] > FAINT && sums[1].is_nan(), "{sums:?}");
    assert!(weighed(&[], &[]).is_empty());
}

#[test]
fn a_row_whose_open_entries_vanish_is_told_apart() {
    let isa = Isa::best();
    let stride = isa.lanes();
    let mut table = vec![0.0; stride];
    table[0] = 300.0;
    exponentials(isa, stride, stride, &mut table);
    let mut open = vec![1.0; stride];
    open[0] = 0.0;
    let ones = vec![1.0; stride];
    let factors =
        Factors { stride, near: &table, near_rows: &[0], rest: &ones, rest_rows: &[0], open: &open };
    let (mut weights, mut inverse_sums) = (vec![0.0; stride], [0.0]);
    weigh(isa, &factors, &mut weights, &mut inverse_sums);
    assert!(inverse_sums[0] > FAINT);
}

#[test]
fn products_of_rows_are_inner_products() {
    for isa in Isa::available() {
        for columns in [0, 1, 7, 8, 19, 64] {
            let mut stream = Stream::new(10, "rows", columns as u64);
            let (a, b) =
                (draw(&mut stream, 3 * (columns + 2), 1.0), draw(&mut stream, 3 * (columns + 5), 1.0));
            let mut out = [0.0; 3];
            row_products(isa, columns, (&a, columns + 2), (&b, columns + 5), &mut out);
            for (row, out) in out.iter().enumerate() {
                let of = |at: usize| {
                    f64::from(a[row * (columns + 2) + at]) * f64::from(b[row * (columns + 5) + at])
                };
                assert!((f64::from(*out) - (0..columns).map(of).sum::<f64>()).abs() < 1e-5);
            }
        }
    }
}
