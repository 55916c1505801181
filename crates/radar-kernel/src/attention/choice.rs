//! The choice of a node: the softmax of clipped scores over what is open.
//!
//! Rows have `stride` numbers, whole vectors; beyond their columns nothing is open.

use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, exp, tanh};

/// Replaces `scores` (rows, stride) by their hyperbolic tangents. Writes the probabilities of a choice, the
/// softmax of `clip * tanh(score)` over the entries where `open` (rows, stride) is 1 and not 0; and the
/// logarithm of each row's sum of exponentials. Some entry of each row must be open.
pub fn clipped_choice(
    isa: Isa,
    clip: f32,
    stride: usize,
    open: &[f32],
    scores: &mut [f32],
    probabilities: &mut [f32],
    log_sums: &mut [f32],
) {
    check(isa, stride, scores.len(), open.len(), log_sums.len());
    assert_eq!(probabilities.len(), scores.len(), "one probability per score");
    isa.run(Choice { clip, stride, open, scores, probabilities, log_sums });
}

fn check(isa: Isa, stride: usize, scores: usize, open: usize, rows: usize) {
    assert!(scores == rows * stride && open == scores, "one score and one entry of the mask per place");
    assert!(stride.is_multiple_of(isa.lanes()), "rows of whole vectors");
}

struct Choice<'a> {
    clip: f32,
    stride: usize,
    open: &'a [f32],
    scores: &'a mut [f32],
    probabilities: &'a mut [f32],
    log_sums: &'a mut [f32],
}

impl Kernel for Choice<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { clip, stride, open, scores, probabilities, log_sums } = self;
        if stride == 0 {
            return;
        }
        let (wide_clip, half) = (simd.splat(clip), simd.splat(0.5));
        let least = simd.splat(f32::NEG_INFINITY);
        let rows = scores.chunks_exact_mut(stride).zip(open.chunks_exact(stride));
        let results = probabilities.chunks_exact_mut(stride).zip(log_sums);
        for ((scores, open), (probabilities, log_sum)) in rows.zip(results) {
            let mut most = least;
            for (score, open) in scores.chunks_exact_mut(S::LANES).zip(open.chunks_exact(S::LANES)) {
                let bent = tanh(simd, simd.load(score));
                bent.store(score);
                most = simd.load(open).where_less(half, least, bent).max(most);
            }
            let most = most.largest();
            let less = simd.splat(most);
            let mut sum = simd.splat(0.0);
            let entries = scores.chunks_exact(S::LANES).zip(open.chunks_exact(S::LANES));
            for ((bent, open), probability) in entries.zip(probabilities.chunks_exact_mut(S::LANES)) {
                // Subtracted before it is multiplied: nothing rounds to more than 0, however large the clip.
                let off = (simd.load(bent) - less) * wide_clip;
                let power = exp(simd, simd.load(open).where_less(half, least, off));
                power.store(probability);
                sum = sum + power;
            }
            let sum = sum.sum();
            *log_sum = clip * most + libm::logf(sum);
            let inverse = simd.splat(sum.recip());
            for probability in probabilities.chunks_exact_mut(S::LANES) {
                (simd.load(probability) * inverse).store(probability);
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

/// What [`clipped_choice`] left of its rows.
#[derive(Clone, Copy, Debug)]
pub struct Bent<'a> {
    /// The tangents of the scores (rows, stride).
    pub tangents: &'a [f32],
    /// (rows)
    pub log_sums: &'a [f32],
    /// 1 or 0 (rows, stride).
    pub open: &'a [f32],
}

/// Writes the gradient of the weighted sum of the logarithms of the probabilities of what was chosen, for the
/// scores of [`clipped_choice`] (rows, stride), and those logarithms.
pub fn clipped_choice_backward(
    isa: Isa,
    clip: f32,
    stride: usize,
    bent: &Bent,
    chosen: Chosen,
    slopes: &mut [f32],
    log_probs: &mut [f32],
) {
    let rows = chosen.columns.len();
    check(isa, stride, bent.tangents.len(), bent.open.len(), rows);
    assert!(bent.log_sums.len() == rows && slopes.len() == bent.tangents.len(), "one slope per score");
    assert!(chosen.weights.len() == rows && log_probs.len() == rows, "one weight and logarithm per row");
    assert!(chosen.columns.iter().all(|&column| column < stride), "a choice beyond the columns");
    isa.run(ChoiceBackward { clip, stride, bent, chosen, slopes, log_probs });
}

struct ChoiceBackward<'a> {
    clip: f32,
    stride: usize,
    bent: &'a Bent<'a>,
    chosen: Chosen<'a>,
    slopes: &'a mut [f32],
    log_probs: &'a mut [f32],
}

impl Kernel for ChoiceBackward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { clip, stride, bent, chosen, slopes, log_probs } = self;
        if stride == 0 {
            return;
        }
        let (wide_clip, half, one) = (simd.splat(clip), simd.splat(0.5), simd.splat(1.0));
        let least = simd.splat(f32::NEG_INFINITY);
        for (at, slopes) in slopes.chunks_exact_mut(stride).enumerate() {
            let place = at * stride..(at + 1) * stride;
            let (tangents, open) = (&bent.tangents[place.clone()], &bent.open[place]);
            let (log_sum, weight, column) = (bent.log_sums[at], chosen.weights[at], chosen.columns[at]);
            let less = simd.splat(-log_sum);
            let share = simd.splat(-weight * clip);
            let entries = tangents.chunks_exact(S::LANES).zip(open.chunks_exact(S::LANES));
            for ((tangent, open), slope) in entries.zip(slopes.chunks_exact_mut(S::LANES)) {
                let tangent = simd.load(tangent);
                let off = tangent.mul_add(wide_clip, less);
                let probability = exp(simd, simd.load(open).where_less(half, least, off));
                ((one - tangent * tangent) * probability * share).store(slope);
            }
            let tangent = tangents[column];
            slopes[column] += weight * clip * (1.0 - tangent * tangent);
            log_probs[at] = clip * tangent - log_sum;
        }
    }
}
