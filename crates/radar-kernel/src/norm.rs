//! Instance normalisation: every channel of one instance gets mean 0 and variance 1 over the nodes.

use crate::attention::{load, store};
use crate::isa::Isa;
use crate::simd::{Kernel, Lanes, Simd};

/// Added to the variance, so that a channel without any stays finite.
const EPSILON: f32 = 1e-5;

/// Normalises `values` (nodes x width) in place, then multiplies each channel by its `gain` and adds its
/// `shift`. Writes what the backward needs: the inverse deviation of each channel to `inverse`, and the
/// normalised values before gain and shift to `normal` (nodes x width), if wanted.
pub fn instance_norm(
    isa: Isa,
    values: &mut [f32],
    gain: &[f32],
    shift: &[f32],
    inverse: &mut [f32],
    normal: Option<&mut [f32]>,
) {
    let width = gain.len();
    assert!(shift.len() == width && inverse.len() == width, "one gain, shift and deviation per channel");
    assert!(width == 0 || values.len().is_multiple_of(width), "whole rows");
    assert!(normal.as_ref().is_none_or(|normal| normal.len() == values.len()), "one place per value");
    isa.run(Forward { values, gain, shift, inverse, normal });
}

struct Forward<'a> {
    values: &'a mut [f32],
    gain: &'a [f32],
    shift: &'a [f32],
    inverse: &'a mut [f32],
    normal: Option<&'a mut [f32]>,
}

/// The sums over the nodes of `f(value, place)` per channel, for the channels from `at` on.
#[inline(always)]
fn sum_over_nodes<S: Simd>(simd: S, nodes: usize, mut f: impl FnMut(usize) -> S::Lanes) -> S::Lanes {
    let mut sum = simd.splat(0.0);
    for node in 0..nodes {
        sum = sum + f(node);
    }
    sum
}

impl Kernel for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { values, gain, shift, inverse, mut normal } = self;
        let width = gain.len();
        if width == 0 || values.is_empty() {
            return;
        }
        let nodes = values.len() / width;
        let share = simd.splat((nodes as f32).recip());
        for at in (0..width).step_by(S::LANES) {
            let end = (at + S::LANES).min(width);
            let of = |values: &[f32], node: usize| load(simd, &values[node * width + at..node * width + end]);
            let mean = sum_over_nodes(
                simd,
                nodes,
                #[inline(always)]
                |node| of(values, node),
            ) * share;
            let variance = sum_over_nodes(
                simd,
                nodes,
                #[inline(always)]
                |node| {
                    let off = of(values, node) - mean;
                    off * off
                },
            ) * share;
            let scale = simd.splat(1.0) / (variance + simd.splat(EPSILON)).sqrt();
            store::<S>(scale, &mut inverse[at..end]);
            let (gain, shift) = (load(simd, &gain[at..end]), load(simd, &shift[at..end]));
            for node in 0..nodes {
                let place = node * width + at..node * width + end;
                let unit = (load(simd, &values[place.clone()]) - mean) * scale;
                if let Some(normal) = normal.as_deref_mut() {
                    store::<S>(unit, &mut normal[place.clone()]);
                }
                store::<S>(unit.mul_add(gain, shift), &mut values[place]);
            }
        }
    }
}

/// Replaces `slopes`, the gradient of the normalised values (nodes x width), by the gradient of the values
/// before; adds the gradients of gain and shift.
pub fn instance_norm_backward(
    isa: Isa,
    slopes: &mut [f32],
    normal: &[f32],
    inverse: &[f32],
    gain: &[f32],
    gain_slopes: &mut [f32],
    shift_slopes: &mut [f32],
) {
    let width = gain.len();
    assert_eq!(slopes.len(), normal.len(), "one slope per value");
    assert!(inverse.len() == width && gain_slopes.len() == width && shift_slopes.len() == width);
    assert!(width == 0 || slopes.len().is_multiple_of(width), "whole rows");
    isa.run(Backward { slopes, normal, inverse, gain, gain_slopes, shift_slopes });
}

struct Backward<'a> {
    slopes: &'a mut [f32],
    normal: &'a [f32],
    inverse: &'a [f32],
    gain: &'a [f32],
    gain_slopes: &'a mut [f32],
    shift_slopes: &'a mut [f32],
}

impl Kernel for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self { slopes, normal, inverse, gain, gain_slopes, shift_slopes } = self;
        let width = gain.len();
        if width == 0 || slopes.is_empty() {
            return;
        }
        let nodes = slopes.len() / width;
        let share = simd.splat((nodes as f32).recip());
        for at in (0..width).step_by(S::LANES) {
            let end = (at + S::LANES).min(width);
            let of = |values: &[f32], node: usize| load(simd, &values[node * width + at..node * width + end]);
            let sum = sum_over_nodes(
                simd,
                nodes,
                #[inline(always)]
                |node| of(slopes, node),
            );
            let along = sum_over_nodes(
                simd,
                nodes,
                #[inline(always)]
                |node| of(slopes, node) * of(normal, node),
            );
            store::<S>(load(simd, &shift_slopes[at..end]) + sum, &mut shift_slopes[at..end]);
            store::<S>(load(simd, &gain_slopes[at..end]) + along, &mut gain_slopes[at..end]);
            let scale = load(simd, &gain[at..end]) * load(simd, &inverse[at..end]);
            let (mean, mean_along) = (sum * share, along * share);
            for node in 0..nodes {
                let place = node * width + at..node * width + end;
                let slope = load(simd, &slopes[place.clone()]) - mean;
                let slope = slope - load(simd, &normal[place.clone()]) * mean_along;
                store::<S>(slope * scale, &mut slopes[place]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    fn naive(values: &[f64], gain: &[f64], shift: &[f64]) -> Vec<f64> {
        let (width, nodes) = (gain.len(), values.len() / gain.len());
        let mut out = vec![0.0; values.len()];
        for channel in 0..width {
            let of = |node: usize| values[node * width + channel];
            let mean = (0..nodes).map(of).sum::<f64>() / nodes as f64;
            let variance = (0..nodes).map(|node| (of(node) - mean).powi(2)).sum::<f64>() / nodes as f64;
            for node in 0..nodes {
                let unit = (of(node) - mean) / (variance + 1e-5).sqrt();
                out[node * width + channel] = unit * gain[channel] + shift[channel];
            }
        }
        out
    }

    #[test]
    fn both_directions_match_the_definition_on_every_set() {
        for isa in Isa::available() {
            for (nodes, width) in [(1, 1), (2, 3), (7, 16), (20, 37), (33, 8)] {
                let mut stream = Stream::new(3, "norm", (nodes * 100 + width) as u64);
                let mut draw =
                    |count: usize| -> Vec<f32> { (0..count).map(|_| stream.unit() as f32 - 0.5).collect() };
                let (x, weights) = (draw(nodes * width), draw(nodes * width));
                let (gain, shift) = (draw(width), draw(width));
                let wide =
                    |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
                let (mut y, mut normal) = (x.clone(), vec![0.0; x.len()]);
                let mut inverse = vec![0.0; width];
                instance_norm(isa, &mut y, &gain, &shift, &mut inverse, Some(&mut normal));
                let expected = naive(&wide(&x), &wide(&gain), &wide(&shift));
                for (y, expected) in y.iter().zip(&expected) {
                    assert!((f64::from(*y) - expected).abs() < 1e-4, "{isa} {nodes}x{width}");
                }
                let (mut slopes, mut of_gain, mut of_shift) =
                    (weights.clone(), vec![0.0; width], vec![0.0; width]);
                instance_norm_backward(
                    isa,
                    &mut slopes,
                    &normal,
                    &inverse,
                    &gain,
                    &mut of_gain,
                    &mut of_shift,
                );
                let loss = |x: &[f64], gain: &[f64], shift: &[f64]| -> f64 {
                    naive(x, gain, shift).iter().zip(&weights).map(|(y, &w)| y * f64::from(w)).sum()
                };
                let inputs = [wide(&x), wide(&gain), wide(&shift)];
                for (which, found) in [slopes, of_gain, of_shift].iter().enumerate() {
                    for at in 0..found.len() {
                        let step = 1e-5;
                        let side = |sign: f64| {
                            let mut inputs = inputs.clone();
                            inputs[which][at] += sign * step;
                            loss(&inputs[0], &inputs[1], &inputs[2])
                        };
                        let slope = (side(1.0) - side(-1.0)) / (2.0 * step);
                        let error = (slope - f64::from(found[at])).abs();
                        assert!(error < 2e-3 * slope.abs().max(1.0), "{isa} {nodes}x{width} {which} {at}");
                    }
                }
            }
        }
    }
}
