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
        for others in 0..6 {
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
                let mut scores = inputs[0].clone();
                mix(isa, mixing, &mut scores, &rest);
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
    let (mut kernel, mut scaling) = (vec![0.0; scores.len()], Scaling::default());
    normalise(isa, how, nodes, scores, &mut kernel, &mut scaling);
    let weight = |(at, k): (usize, &f32)| scaling.rows()[at / nodes] * k * scaling.columns()[at % nodes];
    let weights = kernel.iter().enumerate().map(weight).collect();
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
                normalise_backward(isa, how, &scores, &kernel, &scaling, &mut slopes);
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

#[test]
fn choices_match_the_definition() {
    for isa in Isa::available() {
        for columns in [1, 2, 7, 8, 20, 33] {
            let rows = 4;
            let mut stream = Stream::new(7, "choice", columns as u64);
            let scores = draw(&mut stream, rows * columns, 3.0);
            let mut mask = vec![0.0; rows * columns];
            for (at, entry) in mask.iter_mut().enumerate() {
                // One entry of each row stays open.
                let is_closed = stream.unit() < 0.4 && at % columns != (at / columns) % columns;
                *entry = if is_closed { f32::NEG_INFINITY } else { 0.0 };
            }
            let expected = |logit: &dyn Fn(f64) -> f64| -> Vec<f64> {
                let power = |at: usize| (logit(f64::from(scores[at])) + f64::from(mask[at])).exp();
                let row = |at: usize| at / columns * columns..(at / columns + 1) * columns;
                (0..scores.len()).map(|at| power(at) / row(at).map(power).sum::<f64>()).collect()
            };
            let (mut soft, mut inverse) = (scores.clone(), vec![0.0; rows]);
            masked_softmax(isa, columns, &mut soft, &mask, &mut inverse);
            for (at, expected) in expected(&|score| score).into_iter().enumerate() {
                assert!((f64::from(soft[at] * inverse[at / columns]) - expected).abs() < 1e-6);
            }
            for clip in [10.0, 50.0] {
                let mut choice = scores.clone();
                clipped_choice(isa, clip, columns, &mut choice, &mask);
                let expected = expected(&|score| f64::from(clip) * score.tanh());
                for ((choice, expected), mask) in choice.iter().zip(expected).zip(&mask) {
                    assert!((f64::from(*choice) - expected).abs() < 1e-5, "{isa} {columns} {clip}");
                    assert!(*mask == 0.0 || *choice == 0.0);
                }
            }
        }
    }
}

#[test]
fn gradients_of_choices_match_differences() {
    for isa in Isa::available() {
        let (rows, columns, clip) = (3, 19, 10.0);
        let mut stream = Stream::new(8, "choice gradient", 0);
        let scores = draw(&mut stream, rows * columns, 1.0);
        let chosen = [4, 0, 18];
        let weights = draw(&mut stream, rows, 1.0);
        let mut mask = vec![0.0; rows * columns];
        for (at, entry) in mask.iter_mut().enumerate() {
            let is_closed = at % columns != chosen[at / columns] && stream.unit() < 0.4;
            *entry = if is_closed { f32::NEG_INFINITY } else { 0.0 };
        }
        let log_prob = |scores: &[f64], row: usize| -> f64 {
            let logit = |at: usize| f64::from(clip) * scores[at].tanh() + f64::from(mask[at]);
            let sum: f64 = (row * columns..(row + 1) * columns).map(|at| logit(at).exp()).sum();
            logit(row * columns + chosen[row]) - sum.ln()
        };
        let (mut slopes, mut logs) = (scores.clone(), vec![0.0; rows]);
        let made = Chosen { columns: &chosen, weights: &weights };
        clipped_choice_backward(isa, clip, columns, &mut slopes, &mask, made, &mut logs);
        for row in 0..rows {
            assert!((f64::from(logs[row]) - log_prob(&wide(&scores), row)).abs() < 1e-5);
        }
        for at in 0..scores.len() {
            let of = slope(&wide(&scores), at, 1e-6, |scores| {
                (0..rows).map(|row| f64::from(weights[row]) * log_prob(scores, row)).sum()
            });
            assert!((of - f64::from(slopes[at])).abs() < 1e-4, "{isa} {at}: {of} {}", slopes[at]);
        }

        let softmax = |scores: &[f64], at: usize| {
            let row = at / columns * columns..(at / columns + 1) * columns;
            scores[at].exp() / row.map(|at| scores[at].exp()).sum::<f64>()
        };
        let probabilities: Vec<f32> =
            (0..scores.len()).map(|at| softmax(&wide(&scores), at) as f32).collect();
        let given = draw(&mut stream, scores.len(), 1.0);
        let mut slopes = given.clone();
        softmax_backward(isa, columns, &probabilities, &mut slopes);
        for at in 0..scores.len() {
            let of = slope(&wide(&scores), at, 1e-6, |scores| {
                (0..scores.len()).map(|at| softmax(scores, at) * f64::from(given[at])).sum()
            });
            assert!((of - f64::from(slopes[at])).abs() < 1e-5);
        }
    }
}
