use proptest::prelude::*;

use super::emulated::Emulated;
use super::*;
use crate::random::Stream;
use crate::simd::bfloat16;

/// How a product is computed.
#[derive(Clone, Copy, Debug)]
enum Way {
    Vectors(Isa),
    EmulatedTiles,
}

impl Way {
    fn all() -> impl Iterator<Item = Way> {
        Isa::available().map(Way::Vectors).chain([Way::EmulatedTiles])
    }

    fn is_rounded(self) -> bool {
        matches!(self, Way::EmulatedTiles | Way::Vectors(Isa::Amx))
    }

    fn multiply(self, a: View, b: View, out: &mut [f32], out_step: usize, finish: Finish) {
        match self {
            Way::Vectors(isa) => multiply(a, &Packed::new(isa, b), out, out_step, finish),
            Way::EmulatedTiles => {
                let mut packed = Packed::empty(Isa::Portable);
                (packed.depth, packed.columns) = (b.rows, b.columns);
                let unit = std::marker::PhantomData::<Emulated>;
                Isa::best().run(tile::Pack { unit, matrix: b, values: &mut packed.values });
                if a.rows * b.columns > 0 {
                    let (b, scratch) = (&packed, &mut Aligned::empty());
                    Isa::best().run(tile::Product { unit: Emulated, a, b, out, out_step, finish, scratch });
                }
            }
        }
    }
}

fn numbers(count: usize, index: u64) -> Vec<f32> {
    let mut stream = Stream::new(5, "products", index);
    (0..count).map(|_| stream.normal() as f32).collect()
}

/// The value and its scale: the sum of the magnitudes of all terms.
fn naive(a: View, b: View, row: usize, column: usize, rounded: bool) -> (f64, f64) {
    let seen = |value: f32| {
        f64::from(if rounded { f32::from_bits(u32::from(bfloat16(value)) << 16) } else { value })
    };
    (0..a.columns()).fold((0.0, 0.0), |(sum, scale), k| {
        let term = seen(a.at(row, k)) * seen(b.at(k, column));
        (sum + term, scale + term.abs())
    })
}

/// Compares one product, every way, with the triple loop; entries outside the product must stay.
fn check(rows: usize, depth: usize, columns: usize, transposed: [bool; 2], finish: [bool; 3], gap: usize) {
    let [(a_rows, a_columns), (b_rows, b_columns)] =
        [(rows, depth, transposed[0]), (depth, columns, transposed[1])]
            .map(|(rows, columns, transposed)| if transposed { (columns, rows) } else { (rows, columns) });
    let a = numbers(a_rows * (a_columns + gap), 1);
    let b = numbers(b_rows * (b_columns + gap), 2);
    let view = |values, rows, columns, transposed| {
        let view = View::with_step(values, rows, columns, columns + gap);
        if transposed { view.transposed() } else { view }
    };
    let a = view(&a, a_rows, a_columns, transposed[0]);
    let b = view(&b, b_rows, b_columns, transposed[1]);
    let bias = numbers(columns, 3);
    let finish = Finish { add: finish[0], bias: finish[1].then_some(&bias), relu: finish[2] };
    let step = columns + gap;
    let before = numbers(rows * step, 4);
    for way in Way::all() {
        let mut out = before.clone();
        way.multiply(a, b, &mut out, step, finish);
        for (place, (&got, &before)) in out.iter().zip(&before).enumerate() {
            let (row, column) = (place / step, place % step);
            if column >= columns {
                assert_eq!(got, before, "{way:?} wrote beyond a row");
                continue;
            }
            let (mut exact, mut scale) = naive(a, b, row, column, way.is_rounded());
            for addend in
                [finish.add.then_some(before), finish.bias.map(|bias| bias[column])].into_iter().flatten()
            {
                exact += f64::from(addend);
                scale += f64::from(addend.abs());
            }
            if finish.relu {
                exact = exact.max(0.0);
            }
            let error = (f64::from(got) - exact).abs();
            assert!(
                error <= 1e-6 * scale,
                "{way:?} {rows}x{depth}x{columns} ({row},{column}): {got} for {exact}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn products_of_all_shapes(
        (rows, depth, columns) in (0_usize..40, 0_usize..70, 0_usize..70),
        transposed: [bool; 2],
        finish: [bool; 3],
        gap in 0_usize..3,
    ) {
        check(rows, depth, columns, transposed, finish, gap);
    }
}

#[test]
fn products_beyond_one_block() {
    for (rows, depth, columns) in
        [(1, 1, 1), (9, 0, 40), (121, 257, 33), (250, 100, 100), (7, 1100, 9), (129, 2100, 17)]
    {
        check(rows, depth, columns, [false, false], [false, true, true], 0);
        check(rows, depth, columns, [true, true], [true, false, false], 1);
    }
}

#[test]
fn rows_do_not_depend_on_their_neighbours() {
    // Whole tiles and others, one part of the depth and several.
    for (rows, depth, columns) in [(131, 300, 45), (131, 1100, 48), (80, 40, 16)] {
        compare_parts(rows, depth, columns);
    }
}

/// Compares rows of a product with the same rows computed among others.
fn compare_parts(rows: usize, depth: usize, columns: usize) {
    let (a, b) = (numbers(rows * depth, 1), numbers(depth * columns, 2));
    let (wide, tall) = (View::new(&a, rows, depth), View::new(&a, depth, rows).transposed());
    let (before, bias) = (numbers(rows * columns, 3), numbers(columns, 4));
    let finishes = [
        Finish::default(),
        Finish { add: true, ..Finish::default() },
        Finish { add: true, bias: Some(&bias), relu: true },
    ];
    let cases = Way::all().flat_map(|way| [(way, wide), (way, tall)]);
    for ((way, a), finish) in cases.flat_map(|case| finishes.map(|finish| (case, finish))) {
        let b = View::new(&b, depth, columns);
        let mut whole = before.clone();
        way.multiply(a, b, &mut whole, columns, finish);
        for (from, count) in [(0, 1), (5, 7), (60, rows - 60), (16, 64), (rows - 1, 1)] {
            let place = from * columns..(from + count) * columns;
            let mut part = before[place.clone()].to_vec();
            way.multiply(a.rows_from(from, count), b, &mut part, columns, finish);
            assert_eq!(part, whole[place], "{way:?}");
        }
    }
}

#[test]
fn stairs_leave_out_nothing_but_zeros() {
    for (rows, columns, others, lasting) in
        [(1, 1, 1, 0), (5, 3, 4, 1), (40, 41, 9, 0), (70, 130, 33, 4), (13, 64, 16, 64)]
    {
        let mut stream = Stream::new(6, "stairs", (rows * columns) as u64);
        // Most columns close for good in some row, as the nodes of a tour; some come and go, as a depot does.
        let ends: Vec<usize> = (0..columns).map(|_| stream.index(rows + 1)).collect();
        let words = columns.div_ceil(64);
        let mut bits = vec![0_u64; rows * words];
        let mut a = numbers(rows * columns, 7);
        for (place, entry) in a.iter_mut().enumerate() {
            let (row, column) = (place / columns, place % columns);
            let is_open = if column < lasting { stream.chance(0.5) } else { row < ends[column] };
            match is_open {
                true => bits[row * words + column / 64] |= 1 << (column % 64),
                false => *entry = 0.0,
            }
        }
        let a = View::new(&a, rows, columns);
        let (b, tall) = (numbers(columns * others, 8), numbers(rows * others, 9));
        let (b, tall) = (View::new(&b, columns, others), View::new(&tall, rows, others));
        for isa in Isa::available().filter(|&isa| isa != Isa::Amx) {
            let mut stairs = Stairs::default();
            // What was there before is forgotten.
            stairs.refill(isa, 3, &[0b101, 0b001]);
            stairs.refill(isa, columns, &bits);
            let mut down = vec![f32::NAN; rows * others];
            stairs.multiply(a, &Packed::new(isa, b), &mut down, others);
            let before = numbers(columns * others, 10);
            let mut across = before.clone();
            stairs.multiply_transposed(a, &Packed::new(isa, tall), &mut across, others);
            for (place, &found) in down.iter().enumerate() {
                let (exact, scale) = naive(a, b, place / others, place % others, false);
                assert!((f64::from(found) - exact).abs() <= 1e-6 * scale, "{isa}: {found} for {exact}");
            }
            for (place, &found) in across.iter().enumerate() {
                let (sum, scale) = naive(a.transposed(), tall, place / others, place % others, false);
                let (exact, scale) = (sum + f64::from(before[place]), scale + f64::from(before[place].abs()));
                assert!((f64::from(found) - exact).abs() <= 1e-6 * scale, "{isa}: {found} for {exact}");
            }
        }
    }
}

#[test]
fn a_refill_forgets_what_was_there() {
    let (large, small) = (numbers(90 * 70, 1), numbers(40 * 21, 2));
    let a = numbers(5 * 40, 3);
    for isa in Isa::available() {
        let mut packed = Packed::new(isa, View::new(&large, 90, 70));
        let address = packed.values.floats().as_ptr();
        packed.refill(View::new(&small, 40, 21));
        assert_eq!(packed.values.floats().as_ptr(), address);
        assert_eq!(address.align_offset(64), 0);
        let [mut refilled, mut fresh] = [vec![0.0; 5 * 21], vec![0.0; 5 * 21]];
        let a = View::new(&a, 5, 40);
        multiply(a, &packed, &mut refilled, 21, Finish::default());
        multiply(a, &Packed::new(isa, View::new(&small, 40, 21)), &mut fresh, 21, Finish::default());
        assert_eq!(refilled, fresh, "{isa}");
    }
}

#[test]
fn rounding_is_to_the_nearest_and_even() {
    let widened = |bits: u32| bfloat16(f32::from_bits(bits));
    assert_eq!(widened(0x3f80_0000), 0x3f80);
    assert_eq!(widened(0x3f80_8000), 0x3f80);
    assert_eq!(widened(0x3f81_8000), 0x3f82);
    assert_eq!(widened(0x3f80_8001), 0x3f81);
    assert_eq!(widened(0xbf80_8001), 0xbf81);
    assert_eq!(widened(f32::MAX.to_bits()), 0x7f80);
    assert_eq!(widened(f32::NEG_INFINITY.to_bits()), 0xff80);
    assert!(f32::from_bits(u32::from(widened(0x7f80_0001)) << 16).is_nan());
}

#[test]
fn tiles_where_the_machine_has_them() {
    if Isa::best() != Isa::Amx {
        return;
    }
    // Blocks of two by two tiles, of four in a column, and some of each that are not whole.
    for (rows, depth, columns) in [(100, 256, 100), (112, 40, 64), (64, 32, 16), (75, 65, 48), (3, 7, 1)] {
        let (a, b) = (numbers(rows * depth, 1), numbers(depth * columns, 2));
        let (a, b) = (View::new(&a, rows, depth), View::new(&b, depth, columns));
        for add in [false, true] {
            let finish = Finish { add, ..Finish::default() };
            let mut hardware = numbers(rows * columns, 3);
            let mut emulated = hardware.clone();
            Way::Vectors(Isa::Amx).multiply(a, b, &mut hardware, columns, finish);
            Way::EmulatedTiles.multiply(a, b, &mut emulated, columns, finish);
            assert!(hardware.iter().zip(&emulated).all(|(a, b)| (a - b).abs() < 1e-4), "{rows}x{depth}");
        }
    }
}

#[test]
fn one_row_needs_no_step() {
    let (a, b) = (numbers(1100, 1), numbers(1100 * 20, 2));
    let (a, b) = (View::new(&a, 1, 1100), View::new(&b, 1100, 20));
    let finish = Finish { add: true, ..Finish::default() };
    for way in Way::all() {
        let [mut one, mut other] = [vec![1.0; 20], vec![1.0; 20]];
        way.multiply(a, b, &mut one, 0, finish);
        way.multiply(a, b, &mut other, 20, finish);
        assert_eq!(one, other, "{way:?}");
    }
}
