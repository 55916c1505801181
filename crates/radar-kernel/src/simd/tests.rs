use super::*;

/// Every `step`-th f32 between two numbers of one sign.
fn scan(from: f32, to: f32, step: usize) -> Vec<f32> {
    let (low, high) = (from.to_bits().min(to.to_bits()), from.to_bits().max(to.to_bits()));
    (low..=high).step_by(step).map(f32::from_bits).collect()
}

fn worst(isa: Isa, f: fn(Isa, &mut [f32]), inputs: &[f32], error: impl Fn(f64, f64) -> f64) -> f64 {
    let mut outputs = inputs.to_vec();
    f(isa, &mut outputs);
    inputs.iter().zip(&outputs).map(|(&x, &y)| error(x.into(), y.into())).fold(0.0, f64::max)
}

#[test]
fn exponentials_are_right_to_the_last_digits() {
    let relative = |x: f64, y: f64| (y / x.exp() - 1.0).abs();
    for isa in Isa::available() {
        for inputs in [scan(1e-30, 88.72, 1009), scan(-1e-30, -86.98, 1009)] {
            let error = worst(isa, exp_in_place, &inputs, relative);
            assert!(error < 1.5e-7, "{isa}: {error:e}");
        }
        let tiny = scan(-86.98, -1e30, 9973);
        assert!(worst(isa, exp_in_place, &tiny, |_, y| y) < 1.7e-38);
    }
}

#[test]
fn tangents_are_right_also_relative_to_small_arguments() {
    for isa in Isa::available() {
        for inputs in [scan(1e-30, 1e30, 9973), scan(-1e-30, -1e30, 9973)] {
            let error = worst(isa, tanh_in_place, &inputs, |x, y| (y - x.tanh()).abs());
            assert!(error < 1.5e-7, "{isa}: {error:e}");
            let error = worst(isa, tanh_in_place, &inputs, |x, y| (y / x.tanh() - 1.0).abs());
            assert!(error < 3e-7, "{isa}: {error:e}");
        }
    }
}

#[test]
fn the_ends_of_the_range() {
    for isa in Isa::available() {
        let mut values = [0.0, -0.0, f32::NEG_INFINITY, f32::INFINITY, f32::MAX, f32::MIN, f32::NAN, 88.73];
        let inputs = values;
        exp_in_place(isa, &mut values);
        assert_eq!(values[..6], [1.0, 1.0, 0.0, f32::INFINITY, f32::INFINITY, 0.0], "{isa}");
        assert!(values[6].is_nan());
        assert_eq!(values[7], f32::INFINITY);
        values = inputs;
        tanh_in_place(isa, &mut values);
        assert_eq!(values[..6], [0.0, 0.0, -1.0, 1.0, 1.0, -1.0], "{isa}");
        assert!(values[6].is_nan());
    }
}

#[test]
fn slices_of_every_length() {
    let wave = |length: usize, phase: f64| -> Vec<f32> {
        (0..length).map(|at| ((at as f64 * 0.7 + phase).sin() * 3.0) as f32).collect()
    };
    for isa in Isa::available() {
        for length in 0..150 {
            let (a, b) = (wave(length, 0.3), wave(length, 1.1));
            let exact = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
                a.iter().zip(&b).map(|(&a, &b)| f(a.into(), b.into())).sum()
            };
            assert!((f64::from(sum(isa, &a)) - exact(&|a, _| a)).abs() < 1e-4);
            assert!((f64::from(dot(isa, &a, &b)) - exact(&|a, b| a * b)).abs() < 1e-4);
            assert_eq!(maximum(isa, &a), a.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            let mut c = b.clone();
            add_scaled(isa, &mut c, 0.25, &a);
            assert!((0..length).all(|at| (c[at] - (b[at] + 0.25 * a[at])).abs() < 1e-6));
            // A number's function does not depend on its place in the slice.
            let mut all = a.clone();
            exp_in_place(isa, &mut all);
            for (place, &x) in a.iter().enumerate() {
                let mut one = [x];
                exp_in_place(isa, &mut one);
                assert_eq!(one[0].to_bits(), all[place].to_bits());
            }
        }
    }
}

/// Uses every operation once, so that the sets can be compared.
struct Operations;

impl Kernel for Operations {
    type Output = Vec<f32>;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Vec<f32> {
        let numbers: Vec<f32> = (0..S::LANES).map(|lane| lane as f32 - 1.5).collect();
        let (a, b) = (simd.load(&numbers), simd.splat(2.0));
        let results =
            [a + b, a - b, a * b, a / b, -a, a.max(b), a.min(b), (a * a).sqrt(), a.where_less(b, b, a)];
        let mut first = Vec::new();
        for lanes in results {
            let mut whole = vec![0.0; S::LANES + 1];
            lanes.store(&mut whole);
            assert_eq!(whole[S::LANES], 0.0);
            let mut part = [9.0; 3];
            lanes.store_part(&mut part);
            assert_eq!(part, whole[..3]);
            assert_eq!(lanes.largest(), whole[..S::LANES].iter().copied().fold(f32::MIN, f32::max));
            assert_eq!(lanes.sum(), whole[..S::LANES].iter().sum::<f32>());
            let mut reversed = vec![0.0; S::LANES];
            lanes.reversed().store(&mut reversed);
            assert!(reversed.iter().eq(whole[..S::LANES].iter().rev()));
            first.extend_from_slice(&whole[..4]);
        }
        let mut whole = vec![9.0; S::LANES];
        simd.load_part(&numbers[..3]).store(&mut whole);
        assert!(whole[..3] == numbers[..3] && whole[3..].iter().all(|&x| x == 0.0));
        first
    }
}

#[test]
fn operations_mean_the_same_everywhere() {
    let portable = Isa::Portable.run(Operations);
    let lanes = [-1.5_f32, -0.5, 0.5, 1.5];
    let meant: [fn(f32) -> f32; 9] = [
        |x| x + 2.0,
        |x| x - 2.0,
        |x| x * 2.0,
        |x| x / 2.0,
        |x| -x,
        |x| x.max(2.0),
        |x| x.min(2.0),
        |x| x.abs(),
        |x| if x < 2.0 { 2.0 } else { x },
    ];
    let meant: Vec<f32> = meant.iter().flat_map(|f| lanes.map(f)).collect();
    assert_eq!(portable, meant);
    for isa in Isa::available() {
        assert_eq!(isa.run(Operations), portable, "{isa}");
    }
}

#[test]
fn pairs_are_two_rounded_numbers() {
    struct Pairs<'a>(&'a [f32], &'a [f32]);
    impl Kernel for Pairs<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> Vec<u32> {
            let mut pairs = vec![0.0; self.0.len()];
            for (to, (low, high)) in pairs
                .chunks_exact_mut(S::LANES)
                .zip(self.0.chunks_exact(S::LANES).zip(self.1.chunks_exact(S::LANES)))
            {
                simd.pair(simd.load(low), simd.load(high)).store(to);
            }
            pairs.into_iter().map(f32::to_bits).collect()
        }
    }
    // Numbers of every size and sign, among them some that are none; halves that round to even.
    let low: Vec<f32> = (0..1 << 16).map(|at: u32| f32::from_bits(at * 65537)).collect();
    let high: Vec<f32> = (0..1 << 16).map(|at: u32| f32::from_bits(at << 16 | 0x8000)).collect();
    let pair = |(&low, &high): (&f32, &f32)| u32::from(bfloat16(high)) << 16 | u32::from(bfloat16(low));
    let wanted: Vec<u32> = low.iter().zip(&high).map(pair).collect();
    for isa in Isa::available() {
        assert!(isa.run(Pairs(&low, &high)) == wanted, "{isa}");
    }
}

#[test]
fn a_square_is_transposed() {
    struct Transposed(Square);
    impl Kernel for Transposed {
        type Output = Square;

        #[inline(always)]
        fn run<S: Simd>(mut self, simd: S) -> Square {
            simd.transpose(&mut self.0);
            self.0
        }
    }
    let square: Square = std::array::from_fn(|row| std::array::from_fn(|column| (row * 100 + column) as f32));
    for isa in Isa::available() {
        let turned = isa.run(Transposed(square));
        assert!(
            (0..SIDE).all(|row| (0..SIDE).all(|column| turned[row][column] == square[column][row])),
            "{isa}"
        );
    }
}
