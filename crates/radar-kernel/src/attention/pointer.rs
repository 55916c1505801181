//! Choices under masks: what a decoder does at every step for every trajectory.

use super::{load, store};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, dot_with, exp, maximum_with, sum_with, tanh};

/// Replaces each row of `scores` (rows x columns) by its exponentials, 0 where `mask` is -inf, and writes the
/// inverse of each row's sum. `mask` (rows x columns) holds 0 or -inf; some entry of each row must be 0.
pub fn masked_softmax(isa: Isa, columns: usize, scores: &mut [f32], mask: &[f32], inverse_sums: &mut [f32]) {
    assert_eq!(scores.len(), mask.len(), "one mask entry per score");
    assert_eq!(scores.len(), columns * inverse_sums.len(), "one sum per row");
    if columns > 0 {
        isa.run(Softmax { columns, scores, mask, inverse_sums });
    }
}

struct Softmax<'a> {
    columns: usize,
    scores: &'a mut [f32],
    mask: &'a [f32],
    inverse_sums: &'a mut [f32],
}

impl Kernel for Softmax<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, scores, mask, inverse_sums } = self;
        let rows = scores.chunks_exact_mut(columns).zip(mask.chunks_exact(columns));
        for ((scores, mask), inverse) in rows.zip(inverse_sums) {
            let mut most = simd.splat(f32::NEG_INFINITY);
            let whole = columns / S::LANES * S::LANES;
            for at in (0..whole).step_by(S::LANES) {
                let open = simd.load(&scores[at..]) + simd.load(&mask[at..]);
                open.store(&mut scores[at..]);
                most = open.max(most);
            }
            let mut most = most.largest();
            for at in whole..columns {
                scores[at] += mask[at];
                most = scores[at].max(most);
            }
            let less = simd.splat(most);
            let mut sum = simd.splat(0.0);
            for at in (0..whole).step_by(S::LANES) {
                let power = exp(simd, simd.load(&scores[at..]) - less);
                power.store(&mut scores[at..]);
                sum = sum + power;
            }
            if whole < columns {
                let rest = &mut scores[whole..];
                exp(simd, simd.load_part(rest) - less).store_part(rest);
                // What lies beyond the row is read as 0.
                sum = sum + simd.load_part(rest);
            }
            *inverse = sum.sum().recip();
        }
    }
}

/// Replaces each row of `scores` (rows x columns) by the probabilities of a choice: the softmax of
/// `clip * tanh(score)` over the entries whose `mask` is 0.
pub fn clipped_choice(isa: Isa, clip: f32, columns: usize, scores: &mut [f32], mask: &[f32]) {
    assert_eq!(scores.len(), mask.len(), "one mask entry per score");
    if columns > 0 {
        assert!(scores.len().is_multiple_of(columns), "whole rows");
        isa.run(Choice { clip, columns, scores, mask });
    }
}

struct Choice<'a> {
    clip: f32,
    columns: usize,
    scores: &'a mut [f32],
    mask: &'a [f32],
}

impl Kernel for Choice<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { clip, columns, scores, mask } = self;
        let clip = simd.splat(clip);
        for (scores, mask) in scores.chunks_exact_mut(columns).zip(mask.chunks_exact(columns)) {
            for at in (0..columns).step_by(S::LANES) {
                let open = load(simd, &mask[at..]);
                let logit = tanh(simd, load(simd, &scores[at..])).mul_add(clip, open);
                store::<S>(logit, &mut scores[at..]);
            }
            let less = simd.splat(maximum_with(simd, scores));
            for at in (0..columns).step_by(S::LANES) {
                let power = exp(simd, load(simd, &scores[at..]) - less);
                store::<S>(power, &mut scores[at..]);
            }
            let sum = sum_with(simd, scores);
            let inverse = sum.recip();
            for score in scores {
                *score *= inverse;
            }
        }
    }
}

/// What was chosen in each row, and how much that row's log-probability counts.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// One column per row.
    pub columns: &'a [usize],
    /// One weight per row.
    pub weights: &'a [f32],
}

/// Replaces `scores` (rows x columns), the input of [`clipped_choice`], by the gradient of the weighted sum of
/// the logarithms of the probabilities of what was chosen, and writes those logarithms.
pub fn clipped_choice_backward(
    isa: Isa,
    clip: f32,
    columns: usize,
    scores: &mut [f32],
    mask: &[f32],
    Chosen { columns: chosen, weights }: Chosen,
    log_probs: &mut [f32],
) {
    let rows = chosen.len();
    assert!(scores.len() == rows * columns && mask.len() == scores.len(), "one score and mask per entry");
    assert!(weights.len() == rows && log_probs.len() == rows, "one weight and logarithm per row");
    assert!(chosen.iter().all(|&node| node < columns), "a choice beyond the columns");
    isa.run(ChoiceBackward { clip, columns, scores, mask, chosen, weights, log_probs });
}

struct ChoiceBackward<'a> {
    clip: f32,
    columns: usize,
    scores: &'a mut [f32],
    mask: &'a [f32],
    chosen: &'a [usize],
    weights: &'a [f32],
    log_probs: &'a mut [f32],
}

impl Kernel for ChoiceBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { clip, columns, scores, mask, chosen, weights, log_probs } = self;
        if columns == 0 {
            return;
        }
        let mut powers = vec![0.0; columns];
        let (wide_clip, one) = (simd.splat(clip), simd.splat(1.0));
        let rows = scores.chunks_exact_mut(columns).zip(mask.chunks_exact(columns));
        let choices = chosen.iter().zip(weights).zip(log_probs);
        for ((scores, mask), ((&chosen, &weight), log_prob)) in rows.zip(choices) {
            for at in (0..columns).step_by(S::LANES) {
                let bent = tanh(simd, load(simd, &scores[at..]));
                store::<S>(bent.mul_add(wide_clip, load(simd, &mask[at..])), &mut powers[at..]);
                // The slope of the clipped score, for later.
                store::<S>((one - bent * bent) * wide_clip, &mut scores[at..]);
            }
            let most = maximum_with(simd, &powers);
            let logit = powers[chosen];
            let less = simd.splat(most);
            for at in (0..columns).step_by(S::LANES) {
                store::<S>(exp(simd, load(simd, &powers[at..]) - less), &mut powers[at..]);
            }
            let sum = sum_with(simd, &powers);
            *log_prob = logit - most - libm::logf(sum);
            let share = simd.splat(-weight / sum);
            let slope_of_chosen = scores[chosen];
            for at in (0..columns).step_by(S::LANES) {
                let slope = load(simd, &scores[at..]) * load(simd, &powers[at..]) * share;
                store::<S>(slope, &mut scores[at..]);
            }
            scores[chosen] += weight * slope_of_chosen;
        }
    }
}

/// Replaces `slopes` (rows x columns), the gradient of the probabilities of a softmax over rows, by the
/// gradient of its scores.
pub fn softmax_backward(isa: Isa, columns: usize, probabilities: &[f32], slopes: &mut [f32]) {
    assert_eq!(probabilities.len(), slopes.len(), "one slope per probability");
    if columns > 0 {
        isa.run(SoftmaxBackward { columns, probabilities, slopes });
    }
}

struct SoftmaxBackward<'a> {
    columns: usize,
    probabilities: &'a [f32],
    slopes: &'a mut [f32],
}

impl Kernel for SoftmaxBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { columns, probabilities, slopes } = self;
        for (p, slopes) in probabilities.chunks_exact(columns).zip(slopes.chunks_exact_mut(columns)) {
            let mean = simd.splat(dot_with(simd, p, slopes));
            for at in (0..columns).step_by(S::LANES) {
                let slope = load(simd, &p[at..]) * (load(simd, &slopes[at..]) - mean);
                store::<S>(slope, &mut slopes[at..]);
            }
        }
    }
}
