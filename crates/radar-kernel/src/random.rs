//! Random streams that are a function of (seed, purpose, index) and nothing else: not of the thread,
//! the order of calls elsewhere, the platform or the version of a dependency.
//!
//! The generator is xoshiro256++ (Blackman and Vigna, 2019), seeded by SplitMix64 over a hash of the
//! three. Logarithms come from the `libm` crate, so that the same bits appear on every platform.

/// One stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u64; 4],
}

impl Stream {
    /// The stream number `index` for `purpose` under `seed`.
    ///
    /// ```
    /// use radar_kernel::random::Stream;
    /// let mut a = Stream::new(7, "demand", 3);
    /// let mut b = Stream::new(7, "demand", 3);
    /// assert_eq!(a.bits(), b.bits());
    /// assert_ne!(a.bits(), Stream::new(7, "windows", 3).bits());
    /// ```
    pub fn new(seed: u64, purpose: &str, index: u64) -> Self {
        let mut mixer = seed ^ 0x5241_4441_5221_7631;
        for byte in purpose.bytes() {
            mixer = split_mix(&mut mixer) ^ u64::from(byte);
        }
        mixer = split_mix(&mut mixer) ^ index;
        Self { state: std::array::from_fn(|_| split_mix(&mut mixer)) }
    }

    /// Sixty-four random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// Uniform on `0..count`, without bias. `count` must not be 0.
    #[inline]
    pub fn below(&mut self, count: u64) -> u64 {
        assert!(count > 0, "a choice among nothing");
        // Lemire's multiplication, with the rare rejection that removes the bias.
        let mut product = u128::from(self.bits()) * u128::from(count);
        if (product as u64) < count {
            let threshold = count.wrapping_neg() % count;
            while (product as u64) < threshold {
                product = u128::from(self.bits()) * u128::from(count);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform index into something of `length` entries. `length` must not be 0.
    #[inline]
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// Uniform on the integers `low..=high`.
    #[inline]
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low) as u64 + 1) as i64
    }

    /// Uniform on `[0, 1)`, 53 bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// Uniform on `[low, high)`.
    #[inline]
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `chance`.
    #[inline]
    pub fn chance(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Standard normal, by the polar method.
    pub fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.uniform(-1.0, 1.0), self.uniform(-1.0, 1.0));
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * libm::log(square) / square).sqrt();
            }
        }
    }

    /// Shuffles `items`, every order equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    /// `count` distinct indices below `length`, in random order. `count` must not exceed `length`.
    pub fn sample(&mut self, length: usize, count: usize) -> Vec<usize> {
        let mut indices: Vec<usize> = (0..length).collect();
        for place in 0..count {
            let other = place + self.index(length - place);
            indices.swap(place, other);
        }
        indices.truncate(count);
        indices
    }

    /// `count` distinct indices of `weights`, one after the other, each with a probability in proportion to its
    /// weight among those that are left; by chance alone where these have none. Weights are not negative. `count`
    /// must not exceed their number.
    pub fn sample_by(&mut self, weights: &[f64], count: usize) -> Vec<usize> {
        let mut left: Vec<usize> = (0..weights.len()).collect();
        let draw = |_| {
            let total: f64 = left.iter().map(|&index| weights[index]).sum();
            let place = match total > 0.0 {
                true => {
                    let mut rest = self.unit() * total;
                    let is_there = |&index: &usize| {
                        rest -= weights[index];
                        rest < 0.0
                    };
                    // Rounding may leave something over, which belongs to the last that has a weight.
                    let last = || left.iter().rposition(|&index| weights[index] > 0.0);
                    left.iter().position(is_there).or_else(last).unwrap_or(left.len() - 1)
                }
                false => self.index(left.len()),
            };
            left.remove(place)
        };
        (0..count).map(draw).collect()
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_each_part_of_their_name() {
        let first = |seed, purpose, index| Stream::new(seed, purpose, index).bits();
        let base = first(1, "a", 0);
        for other in
            [first(2, "a", 0), first(1, "b", 0), first(1, "a", 1), first(1, "aa", 0), first(0, "", 0)]
        {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn bits_are_frozen() {
        // Instances are published by seed: these numbers may never change.
        let mut stream = Stream::new(42, "frozen", 7);
        let drawn: Vec<u64> = (0..3).map(|_| stream.bits()).collect();
        assert_eq!(drawn, FROZEN);
    }
    const FROZEN: [u64; 3] =
        [13_465_165_872_535_426_438, 8_272_751_513_173_492_485, 10_547_961_771_535_472_060];

    #[test]
    fn moments_are_right() {
        let mut stream = Stream::new(3, "moments", 0);
        let count = 200_000;
        let (mut sum, mut square, mut tail, mut faces) = (0.0, 0.0, 0, [0_u32; 6]);
        for _ in 0..count {
            let value = stream.normal();
            sum += value;
            square += value * value;
            tail += u32::from(value.abs() > 1.96);
            faces[stream.index(6)] += 1;
        }
        let count = f64::from(count);
        assert!((sum / count).abs() < 0.01);
        assert!((square / count - 1.0).abs() < 0.015);
        assert!((f64::from(tail) / count - 0.05).abs() < 0.003);
        assert!(faces.iter().all(|&face| (f64::from(face) / count - 1.0 / 6.0).abs() < 0.004));
    }

    #[test]
    fn samples_by_weight_follow_the_weights() {
        let (mut stream, mut first, mut second) = (Stream::new(5, "sample", 1), [0; 4], [0; 4]);
        for _ in 0..10_000 {
            let chosen = stream.sample_by(&[1.0, 0.0, 3.0, 4.0], 2);
            first[chosen[0]] += 1;
            second[chosen[1]] += usize::from(chosen[0] == 2);
        }
        let near = |count: usize, share: f64| (count as f64 / 10_000.0 - share).abs() < 0.02;
        assert!(near(first[0], 0.125) && near(first[2], 0.375) && near(first[3], 0.5), "{first:?}");
        assert_eq!((first[1], second[1], second[2]), (0, 0, 0));
        let share = second[3] as f64 / (second[0] + second[3]) as f64;
        assert!((share - 0.8).abs() < 0.03, "{share}");
        // Where nothing has any weight, all are alike; and so are those that are left.
        let mut every: Vec<usize> = stream.sample_by(&[0.0, 2.0, 0.0], 3);
        assert_eq!(every[0], 1);
        every.sort_unstable();
        assert_eq!(every, [0, 1, 2]);
        // What is no number has no weight, and spoils those of the others.
        let mut every = stream.sample_by(&[f64::NAN, 1.0], 2);
        every.sort_unstable();
        assert_eq!(every, [0, 1]);
    }

    #[test]
    fn samples_are_distinct_and_complete() {
        let mut stream = Stream::new(3, "sample", 0);
        let mut all = stream.sample(50, 50);
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
        assert!(stream.sample(5, 0).is_empty());
        let mut all = stream.sample_by(&[0.5; 50], 50);
        all.sort_unstable();
        assert_eq!(all, (0..50).collect::<Vec<_>>());
        assert!((0..1000).all(|_| (-2..=2).contains(&stream.between(-2, 2))));
    }
}
