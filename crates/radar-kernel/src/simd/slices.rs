//! The functions and reductions over slices. Each comes twice: for use inside a kernel (`_with`), and
//! as a call of its own. Sums run in an order that the length alone decides.

use super::{Kernel, Lanes, Simd, exp, tanh};
use crate::isa::Isa;

/// Vectors that a reduction adds side by side, to hide the latency of an addition.
const CHAINS: usize = 4;

/// `f` of every number.
#[inline(always)]
fn map_in_place<S: Simd>(simd: S, values: &mut [f32], f: impl Fn(S::Lanes) -> S::Lanes) {
    let mut vectors = values.chunks_exact_mut(S::LANES);
    for vector in &mut vectors {
        f(simd.load(vector)).store(vector);
    }
    let rest = vectors.into_remainder();
    if !rest.is_empty() {
        f(simd.load_part(rest)).store_part(rest);
    }
}

/// Replaces every number by its exponential.
#[inline(always)]
pub fn exp_in_place_with<S: Simd>(simd: S, values: &mut [f32]) {
    map_in_place(
        simd,
        values,
        #[inline(always)]
        |x| exp(simd, x),
    );
}

/// Replaces every number by its hyperbolic tangent.
#[inline(always)]
pub fn tanh_in_place_with<S: Simd>(simd: S, values: &mut [f32]) {
    map_in_place(
        simd,
        values,
        #[inline(always)]
        |x| tanh(simd, x),
    );
}

/// The greatest number; -inf of none.
#[inline(always)]
pub fn maximum_with<S: Simd>(simd: S, values: &[f32]) -> f32 {
    let mut most = [simd.splat(f32::NEG_INFINITY); CHAINS];
    let mut groups = values.chunks_exact(CHAINS * S::LANES);
    for group in &mut groups {
        for (chain, most) in most.iter_mut().enumerate() {
            *most = simd.load(&group[chain * S::LANES..]).max(*most);
        }
    }
    let mut vectors = groups.remainder().chunks_exact(S::LANES);
    for vector in &mut vectors {
        most[0] = simd.load(vector).max(most[0]);
    }
    let most = most[0].max(most[1]).max(most[2].max(most[3])).largest();
    vectors.remainder().iter().fold(most, |most, &value| most.max(value))
}

/// The sum.
#[inline(always)]
pub fn sum_with<S: Simd>(simd: S, values: &[f32]) -> f32 {
    let mut sums = [simd.splat(0.0); CHAINS];
    let mut groups = values.chunks_exact(CHAINS * S::LANES);
    for group in &mut groups {
        for (chain, sum) in sums.iter_mut().enumerate() {
            *sum = *sum + simd.load(&group[chain * S::LANES..]);
        }
    }
    let mut vectors = groups.remainder().chunks_exact(S::LANES);
    for vector in &mut vectors {
        sums[0] = sums[0] + simd.load(vector);
    }
    sums[1] = sums[1] + simd.load_part(vectors.remainder());
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum()
}

/// The inner product of two slices of one length.
#[inline(always)]
pub fn dot_with<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len(), "an inner product of unequal lengths");
    let mut sums = [simd.splat(0.0); CHAINS];
    let (mut groups, mut others) = (a.chunks_exact(CHAINS * S::LANES), b.chunks_exact(CHAINS * S::LANES));
    for (a, b) in (&mut groups).zip(&mut others) {
        for (chain, sum) in sums.iter_mut().enumerate() {
            let at = chain * S::LANES;
            *sum = simd.load(&a[at..]).mul_add(simd.load(&b[at..]), *sum);
        }
    }
    let (a, b) = (groups.remainder(), others.remainder());
    let (mut vectors, mut others) = (a.chunks_exact(S::LANES), b.chunks_exact(S::LANES));
    for (a, b) in (&mut vectors).zip(&mut others) {
        sums[0] = simd.load(a).mul_add(simd.load(b), sums[0]);
    }
    let (a, b) = (vectors.remainder(), others.remainder());
    sums[1] = simd.load_part(a).mul_add(simd.load_part(b), sums[1]);
    ((sums[0] + sums[1]) + (sums[2] + sums[3])).sum()
}

/// Adds `scale * values` to `to`, of the same length.
#[inline(always)]
pub fn add_scaled_with<S: Simd>(simd: S, to: &mut [f32], scale: f32, values: &[f32]) {
    assert_eq!(to.len(), values.len(), "a sum of unequal lengths");
    let scale = simd.splat(scale);
    let (mut vectors, mut others) = (to.chunks_exact_mut(S::LANES), values.chunks_exact(S::LANES));
    for (to, from) in (&mut vectors).zip(&mut others) {
        simd.load(from).mul_add(scale, simd.load(to)).store(to);
    }
    let (to, from) = (vectors.into_remainder(), others.remainder());
    simd.load_part(from).mul_add(scale, simd.load_part(to)).store_part(to);
}

/// A function over slices as a kernel.
macro_rules! call {
    ($isa:ident, $with:ident($($name:ident: $type:ty),*) -> $output:ty) => {{
        struct Call<'a>($($type,)* std::marker::PhantomData<&'a ()>);
        impl<'a> Kernel for Call<'a> {
            type Output = $output;

            #[inline(always)]
            fn run<S: Simd>(self, simd: S) -> $output {
                let Self($($name,)* _) = self;
                $with(simd, $($name),*)
            }
        }
        $isa.run(Call($($name,)* std::marker::PhantomData))
    }};
}

/// Replaces every number by its exponential.
pub fn exp_in_place(isa: Isa, values: &mut [f32]) {
    call!(isa, exp_in_place_with(values: &'a mut [f32]) -> ());
}

/// Replaces every number by its hyperbolic tangent.
pub fn tanh_in_place(isa: Isa, values: &mut [f32]) {
    call!(isa, tanh_in_place_with(values: &'a mut [f32]) -> ());
}

/// The greatest number; -inf of none.
pub fn maximum(isa: Isa, values: &[f32]) -> f32 {
    call!(isa, maximum_with(values: &'a [f32]) -> f32)
}

/// The sum.
pub fn sum(isa: Isa, values: &[f32]) -> f32 {
    call!(isa, sum_with(values: &'a [f32]) -> f32)
}

/// The inner product of two slices of one length.
pub fn dot(isa: Isa, a: &[f32], b: &[f32]) -> f32 {
    call!(isa, dot_with(a: &'a [f32], b: &'a [f32]) -> f32)
}

/// Adds `scale * values` to `to`, of the same length.
pub fn add_scaled(isa: Isa, to: &mut [f32], scale: f32, values: &[f32]) {
    call!(isa, add_scaled_with(to: &'a mut [f32], scale: f32, values: &'a [f32]) -> ());
}
