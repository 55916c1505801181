//! Mixed scores: a small network of one hidden layer that turns the entries of several matrices at one place
//! into one score.
//!
//! The hidden values are never stored: at a thousand nodes they would be sixteen matrices per head.

use super::{read, write};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd, sum_with};

/// The weights of one head: inputs -> hidden, rectified -> one score.
#[derive(Clone, Copy, Debug)]
pub struct Mixing<'a> {
    /// (inputs, hidden), row-major.
    pub inner: &'a [f32],
    /// (hidden)
    pub inner_bias: &'a [f32],
    /// (hidden)
    pub outer: &'a [f32],
    /// One number.
    pub outer_bias: f32,
}

/// The gradient of the weights of one head, to be added to.
#[derive(Debug)]
pub struct MixingGradient<'a> {
    /// (inputs, hidden), row-major.
    pub inner: &'a mut [f32],
    /// (hidden)
    pub inner_bias: &'a mut [f32],
    /// (hidden)
    pub outer: &'a mut [f32],
    /// One number.
    pub outer_bias: &'a mut f32,
}

/// The most matrices beside the first.
const MOST: usize = 8;

/// Writes to each of `scores` what is mixed from `first` and the `others` at its place. All slices have one
/// length.
pub fn mix(isa: Isa, mixing: Mixing, first: &[f32], others: &[&[f32]], scores: &mut [f32]) {
    check(&mixing, scores.len(), others);
    assert_eq!(first.len(), scores.len(), "one score per place");
    isa.run(Forward { mixing, first, others, scores });
}

/// Adds the gradient of the weights, given the gradient of the scores (`slopes`), which is replaced by the
/// gradient of the first input. `first` and `others` are the inputs of [`mix`].
pub fn mix_backward(
    isa: Isa,
    mixing: Mixing,
    first: &[f32],
    others: &[&[f32]],
    slopes: &mut [f32],
    gradient: MixingGradient,
) {
    check(&mixing, first.len(), others);
    assert_eq!(first.len(), slopes.len(), "one slope per score");
    assert!(
        gradient.inner.len() == mixing.inner.len() && gradient.outer.len() == mixing.outer.len(),
        "the gradient has the shape of the weights"
    );
    isa.run(Backward { mixing, first, others, slopes, gradient });
}

fn check(mixing: &Mixing, length: usize, others: &[&[f32]]) {
    let hidden = mixing.outer.len();
    assert!(others.len() <= MOST, "more matrices than are mixed");
    assert_eq!(mixing.inner_bias.len(), hidden, "one bias per hidden value");
    assert_eq!(mixing.inner.len(), (1 + others.len()) * hidden, "one weight per input and hidden value");
    assert!(others.iter().all(|other| other.len() == length), "the inputs differ in length");
}

struct Forward<'a> {
    mixing: Mixing<'a>,
    first: &'a [f32],
    others: &'a [&'a [f32]],
    scores: &'a mut [f32],
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { mixing, first, others, scores } = self;
        // The usual numbers of matrices get code of their own, in which the inputs stay in registers.
        match *others {
            [a, b] => forward(simd, mixing, first, [a, b], scores),
            [a, b, c, d] => forward(simd, mixing, first, [a, b, c, d], scores),
            [a, b, c, d, e, f] => forward(simd, mixing, first, [a, b, c, d, e, f], scores),
            _ => forward_any(simd, mixing, first, others, scores),
        }
    }
}

/// Vectors of places that share the loading of weights.
const GROUP: usize = 2;

#[inline(always)]
fn forward<S: Simd, const OTHERS: usize>(
    simd: S,
    mixing: Mixing,
    inputs: &[f32],
    others: [&[f32]; OTHERS],
    scores: &mut [f32],
) {
    let step = GROUP * S::LANES;
    let whole = scores.len() / step * step;
    for at in (0..whole).step_by(step) {
        let mut first = [simd.splat(0.0); GROUP];
        let mut rest = [[simd.splat(0.0); OTHERS]; GROUP];
        for vector in 0..GROUP {
            first[vector] = simd.load(&inputs[at + vector * S::LANES..]);
            for (input, values) in rest[vector].iter_mut().zip(others) {
                *input = simd.load(&values[at + vector * S::LANES..]);
            }
        }
        let mixed = score(simd, mixing, first, rest);
        for (vector, mixed) in mixed.into_iter().enumerate() {
            mixed.store(&mut scores[at + vector * S::LANES..]);
        }
    }
    for at in (whole..scores.len()).step_by(S::LANES) {
        let count = S::LANES.min(scores.len() - at);
        let first = [simd.load_part(&inputs[at..at + count])];
        let mut rest = [[simd.splat(0.0); OTHERS]];
        for (input, values) in rest[0].iter_mut().zip(others) {
            *input = simd.load_part(&values[at..at + count]);
        }
        score(simd, mixing, first, rest)[0].store_part(&mut scores[at..at + count]);
    }
}

#[inline(always)]
fn score<S: Simd, const OTHERS: usize, const VECTORS: usize>(
    simd: S,
    mixing: Mixing,
    first: [S::Lanes; VECTORS],
    rest: [[S::Lanes; OTHERS]; VECTORS],
) -> [S::Lanes; VECTORS] {
    let hidden = mixing.outer.len();
    let zero = simd.splat(0.0);
    let mut sums = [simd.splat(mixing.outer_bias); VECTORS];
    for unit in 0..hidden {
        let bias = simd.splat(mixing.inner_bias[unit]);
        let of_first = simd.splat(mixing.inner[unit]);
        let outer = simd.splat(mixing.outer[unit]);
        let mut values = [bias; VECTORS];
        for (value, first) in values.iter_mut().zip(first) {
            *value = first.mul_add(of_first, *value);
        }
        for other in 0..OTHERS {
            let weight = simd.splat(mixing.inner[(1 + other) * hidden + unit]);
            for (value, rest) in values.iter_mut().zip(&rest) {
                *value = rest[other].mul_add(weight, *value);
            }
        }
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum = zero.max(value).mul_add(outer, *sum);
        }
    }
    sums
}

/// Any number of matrices.
#[inline(always)]
fn forward_any<S: Simd>(simd: S, mixing: Mixing, inputs: &[f32], others: &[&[f32]], scores: &mut [f32]) {
    let hidden = mixing.outer.len();
    for at in (0..scores.len()).step_by(S::LANES) {
        let count = S::LANES.min(scores.len() - at);
        let first = simd.load_part(&inputs[at..at + count]);
        let mut sum = simd.splat(mixing.outer_bias);
        for unit in 0..hidden {
            let mut value =
                first.mul_add(simd.splat(mixing.inner[unit]), simd.splat(mixing.inner_bias[unit]));
            for (other, values) in others.iter().enumerate() {
                let weight = simd.splat(mixing.inner[(1 + other) * hidden + unit]);
                value = simd.load_part(&values[at..at + count]).mul_add(weight, value);
            }
            sum = simd.splat(0.0).max(value).mul_add(simd.splat(mixing.outer[unit]), sum);
        }
        sum.store_part(&mut scores[at..at + count]);
    }
}

struct Backward<'a> {
    mixing: Mixing<'a>,
    first: &'a [f32],
    others: &'a [&'a [f32]],
    slopes: &'a mut [f32],
    gradient: MixingGradient<'a>,
}

/// Places whose inputs and slopes stay in the first-level cache while the hidden units pass.
const STRETCH: usize = 1024;

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { mixing, first, others, slopes, gradient } = self;
        match *others {
            [a, b] => backward(simd, mixing, first, [a, b], slopes, gradient),
            [a, b, c, d] => backward(simd, mixing, first, [a, b, c, d], slopes, gradient),
            [a, b, c, d, e, f] => {
                backward(simd, mixing, first, [a, b, c, d, e, f], slopes, gradient);
            }
            _ => backward_any(simd, mixing, first, others, slopes, gradient),
        }
    }
}

#[inline(always)]
fn backward<S: Simd, const OTHERS: usize>(
    simd: S,
    mixing: Mixing,
    first: &[f32],
    others: [&[f32]; OTHERS],
    slopes: &mut [f32],
    gradient: MixingGradient,
) {
    let hidden = mixing.outer.len();
    let mut of_first = [0.0; STRETCH];
    for from in (0..first.len()).step_by(STRETCH) {
        let to = (from + STRETCH).min(first.len());
        let first = &first[from..to];
        let others = others.map(|values| &values[from..to]);
        let slopes = &mut slopes[from..to];
        let of_first = &mut of_first[..to - from];
        of_first.fill(0.0);
        *gradient.outer_bias += sum_with(simd, slopes);
        for unit in 0..hidden {
            let weight = mixing.inner[unit];
            let weights: [f32; OTHERS] =
                std::array::from_fn(|other| mixing.inner[(1 + other) * hidden + unit]);
            let (bias, outer) = (mixing.inner_bias[unit], mixing.outer[unit]);
            let of_unit = Unit { weight, weights, bias, outer };
            let (sum, along, beside) = of_unit.learn(simd, first, others, slopes, of_first);
            // What the unit passed on, summed, follows from what came in where it was awake.
            gradient.outer[unit] += beside.iter().zip(weights).fold(
                bias.mul_add(sum, weight * along),
                #[inline(always)]
                |total, (beside, weight)| total + beside * weight,
            );
            gradient.inner_bias[unit] += outer * sum;
            gradient.inner[unit] += outer * along;
            for (other, beside) in beside.into_iter().enumerate() {
                gradient.inner[(1 + other) * hidden + unit] += outer * beside;
            }
        }
        slopes.copy_from_slice(of_first);
    }
}

/// The weights of one hidden unit.
struct Unit<const OTHERS: usize> {
    weight: f32,
    weights: [f32; OTHERS],
    bias: f32,
    outer: f32,
}

impl<const OTHERS: usize> Unit<OTHERS> {
    /// The sums, over the places where the unit is awake, of the slopes; of the slopes times the first input;
    /// and times each of the others. Adds the slopes of the first input.
    #[inline(always)]
    fn learn<S: Simd>(
        &self,
        simd: S,
        first: &[f32],
        others: [&[f32]; OTHERS],
        slopes: &[f32],
        of_first: &mut [f32],
    ) -> (f32, f32, [f32; OTHERS]) {
        let zero = simd.splat(0.0);
        let (bias, weight) = (simd.splat(self.bias), simd.splat(self.weight));
        let back = simd.splat(self.outer * self.weight);
        let weights = self.weights.map(
            #[inline(always)]
            |weight| simd.splat(weight),
        );
        let (mut sum, mut along, mut beside) = (zero, zero, [zero; OTHERS]);
        let length = first.len();
        assert!(slopes.len() == length && of_first.len() == length, "one slope per place");
        assert!(others.iter().all(|other| other.len() == length), "the inputs differ in length");
        let (first, slopes, of_first) = (first.as_ptr(), slopes.as_ptr(), of_first.as_mut_ptr());
        // One loop for whole vectors and the rest: a closure for both would be a call, and all sums in memory.
        for at in (0..length).step_by(S::LANES) {
            let count = S::LANES.min(length - at);
            // SAFETY: as many places follow in all of these.
            unsafe {
                let (x, slope) = (read(simd, first.add(at), count), read(simd, slopes.add(at), count));
                let mut rest = [zero; OTHERS];
                let mut value = x.mul_add(weight, bias);
                for other in 0..OTHERS {
                    rest[other] = read(simd, others[other].as_ptr().add(at), count);
                    value = rest[other].mul_add(weights[other], value);
                }
                // Beyond the end slopes are 0, and with them all sums.
                let awake = zero.where_less(value, slope, zero);
                sum = sum + awake;
                along = awake.mul_add(x, along);
                for other in 0..OTHERS {
                    beside[other] = awake.mul_add(rest[other], beside[other]);
                }
                let slope = awake.mul_add(back, read(simd, of_first.add(at), count));
                write::<S>(slope, of_first.add(at), count);
            }
        }
        let beside = beside.map(
            #[inline(always)]
            |beside| beside.sum(),
        );
        (sum.sum(), along.sum(), beside)
    }
}

/// Any number of matrices.
#[inline(always)]
fn backward_any<S: Simd>(
    simd: S,
    mixing: Mixing,
    first: &[f32],
    others: &[&[f32]],
    slopes: &mut [f32],
    gradient: MixingGradient,
) {
    let hidden = mixing.outer.len();
    let zero = simd.splat(0.0);
    for at in (0..first.len()).step_by(S::LANES) {
        let to = (at + S::LANES).min(first.len());
        let slope = simd.load_part(&slopes[at..to]);
        let x = simd.load_part(&first[at..to]);
        let mut of_first = zero;
        *gradient.outer_bias += slope.sum();
        for unit in 0..hidden {
            let weight = simd.splat(mixing.inner[unit]);
            let mut value = x.mul_add(weight, simd.splat(mixing.inner_bias[unit]));
            for (other, values) in others.iter().enumerate() {
                let weight = simd.splat(mixing.inner[(1 + other) * hidden + unit]);
                value = simd.load_part(&values[at..to]).mul_add(weight, value);
            }
            gradient.outer[unit] += (zero.max(value) * slope).sum();
            let inner = zero.where_less(value, slope * simd.splat(mixing.outer[unit]), zero);
            gradient.inner_bias[unit] += inner.sum();
            gradient.inner[unit] += (inner * x).sum();
            for (other, values) in others.iter().enumerate() {
                gradient.inner[(1 + other) * hidden + unit] +=
                    (inner * simd.load_part(&values[at..to])).sum();
            }
            of_first = inner.mul_add(weight, of_first);
        }
        of_first.store_part(&mut slopes[at..to]);
    }
}
