//! Laws of scaling and validation on arbitrary input.

use proptest::prelude::*;
use radar_problem::{Kind, Precision, Problem, Report, Scale, Severity, Table, UNREACHABLE};

/// Numbers that people and programs really send, and those they should not.
fn anything() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => (0_u32..100_000, 0_u32..4).prop_map(|(value, digits)| f64::from(value) / 10_f64.powi(digits as i32)),
        1 => any::<f64>(),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), Just(0.0), Just(-0.0), Just(f64::MAX), Just(5e-324)],
    ]
}

fn list(nodes: usize) -> impl Strategy<Value = Option<Vec<f64>>> {
    let lengths = prop_oneof![9 => Just(nodes..=nodes), 1 => Just(0..=nodes + 1)];
    prop::option::of(lengths.prop_flat_map(|lengths| prop::collection::vec(anything(), lengths)))
}

prop_compose! {
    fn problem()(nodes in 0_usize..7)(
        tour in prop::bool::weighted(0.3),
        values in prop::collection::vec(anything(), nodes * nodes),
        times in prop::option::of(prop::collection::vec(anything(), nodes * nodes)),
        demand in list(nodes),
        backhaul in list(nodes),
        service in list(nodes),
        priority in list(nodes),
        windows in prop::option::of(prop::collection::vec((anything(), anything()).prop_map(|(a, b)| [a, b]), nodes)),
        capacity in prop::option::of(anything()),
        limit in prop::option::of(anything()),
        max_duration in prop::option::of(anything()),
        vehicles in prop::option::of(0_usize..4),
        open in any::<bool>(),
        nodes in Just(nodes),
    ) -> Problem {
        let table = |values: Vec<f64>| Table::from_values(nodes, nodes, values);
        Problem {
            duration: times.map(table),
            demand, backhaul, service, priority, windows, capacity, limit, max_duration, vehicles, open,
            ..Problem::new(if tour { Kind::Atsp } else { Kind::Vrp }, table(values))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever comes in, validation answers: an instance exactly when nothing is malformed, and never a silent gap.
    #[test]
    fn validation_never_panics_and_is_consistent(problem in problem()) {
        let report = problem.validate();
        let malformed = report.of(Severity::Error).next().is_some();
        prop_assert_eq!(report.instance.is_none(), malformed);
        for finding in &report.findings {
            prop_assert!(!finding.cause.is_empty() && !finding.action.is_empty());
        }
        if let Some(instance) = report.instance {
            let whole: Vec<usize> = (0..instance.nodes()).collect();
            let again = instance.subset(&whole);
            prop_assert_eq!(again.distance(), instance.distance());
            prop_assert_eq!(again.duration(), instance.duration());
            prop_assert_eq!(again.variant(), instance.variant());
            prop_assert_eq!(again.findings().len(), instance.findings().len());
        }
    }

    /// Decimals with few digits come back exactly, on the smallest scale that allows it.
    #[test]
    fn decimals_survive_scaling(whole in prop::collection::vec(0_u32..10_000_000, 1..20), digits in 0_u32..6) {
        let factor = 10_f64.powi(digits as i32);
        let values: Vec<f64> = whole.iter().map(|&value| f64::from(value) / factor).collect();
        let scale = Scale::choose(100, values.iter().map(|value| (value, Precision::Double)));
        let scale = scale.expect("small values are in range");
        prop_assert!(scale.is_exact());
        prop_assert!(scale.digits() <= digits);
        for (&value, &whole) in values.iter().zip(&whole) {
            let scaled = scale.apply(value, Precision::Double);
            prop_assert_eq!(scaled * 10_i64.pow(digits - scale.digits()), i64::from(whole));
            prop_assert_eq!(scale.undo(scaled), value);
        }
    }

    /// A decimal of at most seven digits means the same whether it came as f32 or f64.
    #[test]
    fn single_precision_is_read_as_it_was_meant(whole in 0_u32..9_999_999, digits in 0_u32..7) {
        let double = f64::from(whole) / 10_f64.powi(digits as i32);
        let single = f64::from(double as f32);
        let exact = Scale::choose(10, [(&double, Precision::Double)].into_iter()).expect("in range");
        let meant = Scale::choose(10, [(&single, Precision::Single)].into_iter()).expect("in range");
        prop_assert_eq!(exact, meant);
        prop_assert_eq!(exact.apply(double, Precision::Double), meant.apply(single, Precision::Single));
    }

    /// What a table is held in makes no difference to what is found and built.
    #[test]
    fn the_form_of_a_table_makes_no_difference(
        whole in prop::collection::vec(-1_i32..50_000, 25),
        digits in 0_u32..4,
        limit in prop::option::of(0.0..100_000.0),
    ) {
        let report = |table: Table| Problem { limit, ..Problem::vrp(table) }.validate();
        let doubles: Vec<f64> = whole.iter().map(|&value| f64::from(value)).collect();
        let (held, stated) = (Table::from_i32(5, 5, whole.clone()), Table::from_values(5, 5, doubles));
        same(&report(held), &report(stated))?;
        let parts = |value: &i32| if *value == 7 { f32::INFINITY } else { *value as f32 / 10_f32.powi(digits as i32) };
        let singles: Vec<f32> = whole.iter().map(parts).collect();
        let doubles = singles.iter().map(|&value| f64::from(value)).collect();
        same(&report(Table::from_f32(5, 5, singles)), &report(Table::from_values(5, 5, doubles).single()))?;
    }

    /// Whole tables are scaled in quick loops, single values one by one: both alike, single precision and values
    /// with too many digits included.
    #[test]
    fn tables_are_scaled_as_their_values_are(
        values in prop::collection::vec((0..10_000_000_u32, 0..8_i32, 0..20_u32), 25),
        single in any::<bool>(),
    ) {
        let value = |&(whole, digits, kind): &(u32, i32, u32)| match kind {
            0 => f64::INFINITY,
            1 => f64::from(whole) / 3.0,
            2 => 0.5,
            _ => f64::from(whole) / 10_f64.powi(digits),
        };
        let mut table = Table::from_values(5, 5, values.iter().map(value).collect());
        if single {
            table = Table::from_f32(5, 5, values.iter().map(|stated| value(stated) as f32).collect());
        }
        let instance = Problem::vrp(table.clone()).validate().instance.expect("in range");
        let scale = instance.scales().distance;
        let off: Vec<(usize, usize)> =
            (0..5).flat_map(|from| (0..5).map(move |to| (from, to))).filter(|(from, to)| from != to).collect();
        let stated: Vec<f64> = off.iter().map(|&(from, to)| table.at(from, to)).collect();
        prop_assert_eq!(Scale::choose(5, stated.iter().map(|value| (value, table.precision()))), Some(scale));
        for (&(from, to), &value) in off.iter().zip(&stated) {
            let expected = if value.is_finite() { scale.apply(value, table.precision()) } else { UNREACHABLE };
            prop_assert_eq!(instance.distance().at(from, to), expected, "{}", value);
            if value.is_finite() && scale.is_exact() {
                let meant = if single { radar_problem::seven_digits(value) } else { value };
                prop_assert_eq!(scale.undo(expected), meant);
            }
        }
    }

    /// One arc that needs more than 32 bits widens the whole matrix, and changes nothing else.
    #[test]
    fn the_width_of_the_integers_makes_no_difference(
        values in prop::collection::vec(prop_oneof![9 => (0..1000_u32).prop_map(f64::from), 1 => Just(f64::INFINITY)], 36),
        limit in prop::option::of((0..3000_u32).prop_map(f64::from)),
        closes in prop::option::of(prop::collection::vec((0..3000_u32).prop_map(f64::from), 6)),
    ) {
        let report = |values: Vec<f64>| {
            let windows = closes.as_ref().map(|closes| closes.iter().map(|&close| [0.0, close]).collect());
            Problem { limit, windows, ..Problem::vrp(Table::from_values(6, 6, values)) }.validate()
        };
        let reports = [1e12, 1e9].map(|far| {
            let mut values = values.clone();
            // From the last stop to the one before, while the depot is near both: no shortest way takes it.
            (values[4], values[5 * 6], values[5 * 6 + 4]) = (500.0, 500.0, far);
            report(values)
        });
        let [Some(wide), Some(narrow)] = reports.each_ref().map(|report| report.instance.as_ref()) else {
            return Err(TestCaseError::fail("both are sound"));
        };
        for (wide, narrow) in [(wide.distance(), narrow.distance()), (wide.duration(), narrow.duration())] {
            for (from, (wide, narrow)) in wide.rows().zip(narrow.rows()).enumerate() {
                let kept = |to: &usize| (from, *to) != (5, 4);
                let read = |row: radar_problem::Row| (0..6).filter(kept).map(|to| row.at(to)).collect::<Vec<i64>>();
                prop_assert_eq!(read(wide), read(narrow));
            }
        }
        let [wide, narrow] = [wide, narrow].map(|instance| instance.subset(&[0, 1, 2, 3, 4]));
        prop_assert_eq!(wide.distance(), narrow.distance());
        let told = |report: &Report| report.findings.iter().map(|finding| finding.to_string()).collect::<Vec<_>>();
        prop_assert_eq!(told(&reports[0]), told(&reports[1]));
    }
}

fn same(one: &Report, other: &Report) -> Result<(), TestCaseError> {
    prop_assert_eq!(&one.findings, &other.findings);
    prop_assert_eq!(one.instance.is_some(), other.instance.is_some());
    if let (Some(one), Some(other)) = (&one.instance, &other.instance) {
        prop_assert_eq!(one.input(), other.input());
        prop_assert_eq!(one.scales(), other.scales());
        prop_assert_eq!(one.distance(), other.distance());
        prop_assert_eq!(one.duration(), other.duration());
        prop_assert_eq!(one.has_missing_arcs(), other.has_missing_arcs());
        for (from, to) in (0..5).flat_map(|from| (0..5).map(move |to| (from, to))) {
            prop_assert_eq!(one.stated_cost(from, to), other.stated_cost(from, to));
        }
    }
    Ok(())
}
