//! Matrices and stops as CSV.

mod problems;

use problems::{damage, full, tours};
use proptest::prelude::*;
use radar_format::read::{read_as, stops};
use radar_format::{FormatError, Given, Loaded, Origin, read, write};
use radar_problem::{Kind, Problem, Table, Units};

fn load(text: &str) -> Result<Loaded, FormatError> {
    read(Some("x.csv"), text.as_bytes(), &Given { kind: Some(Kind::Atsp), ..Given::default() })
}

fn bare(nodes: usize) -> Problem {
    Problem::vrp(Table::from_values(nodes, nodes, vec![1.0; nodes * nodes]))
}

proptest! {
    #[test]
    fn matrices_come_back(problem in tours()) {
        // One number alone shows no delimiter: such a file is known by its name.
        let bytes = write::problem("csv", &problem).expect("a matrix");
        let loaded = load(std::str::from_utf8(&bytes).expect("text")).expect("our own file");
        prop_assert_eq!(loaded.format, "csv");
        prop_assert_eq!(&loaded.problems, &[problem]);
    }
}

#[test]
fn headers_are_told_from_costs() {
    let values = [0.0, 2.0, 3.0, 4.0, 0.0, 6.0, 7.0, 8.0, 0.0];
    for (text, ids) in [
        ("0,2,3\n4,0,6\n7,8,0\n", None),
        ("a,b,c\n0,2,3\n4,0,6\n7,8,0\n", Some(["a", "b", "c"])),
        ("1,2,c\n0,2,3\n4,0,6\n7,8,0\n", Some(["1", "2", "c"])),
        ("a,0,2,3\nb,4,0,6\nc,7,8,0\n", Some(["a", "b", "c"])),
        (",a,b,c\na,0,2,3\nb,4,0,6\nc,7,8,0\n", Some(["a", "b", "c"])),
        (",1,2,3\n1,0,2,3\n2,4,0,6\n3,7,8,0\n", Some(["1", "2", "3"])),
        ("from\\to;x;y;z\nx;0;2;3\n\ny;4;0;6\nz;7;8;0\n", Some(["x", "y", "z"])),
        ("\u{feff}\"a, b\",c,d\n0,2,3\n4,0,6\n7,8,0\n", Some(["a, b", "c", "d"])),
        ("0\t2\t3\r\n4\t0\t6\r\n7\t8\t0", None),
    ] {
        let problem = load(text).expect(text).problems.remove(0);
        assert_eq!(*problem.distance.values(), values, "{text}");
        let ids = ids.map(|ids| ids.map(str::to_owned).to_vec());
        assert_eq!(problem.ids, ids, "{text}");
    }
}

#[test]
fn an_empty_diagonal_is_no_header() {
    let problem = load(",2,3\n2,,6\n3,8,\n").expect("a matrix").problems.remove(0);
    assert_eq!((problem.nodes(), problem.ids), (3, None));
}

#[test]
fn pairs_without_a_way() {
    let problem = load("0,,inf\nnull,0,1e999\n1,2,0\n").expect("a matrix").problems.remove(0);
    assert_eq!(problem.distance.values().iter().filter(|&&value| value == f64::INFINITY).count(), 4);
}

#[test]
fn decimal_commas() {
    let loaded = load("0;1,5\n2,25;0\n").expect("a matrix");
    assert_eq!(*loaded.problems[0].distance.values(), [0.0, 1.5, 2.25, 0.0]);
    assert_eq!(loaded.notes[0].code, "decimal-comma");
    // Which mark groups thousands is anybody's guess.
    assert_eq!(load("0;1.234,5\n2;0\n").expect_err("two marks").code, "not-a-number");
    assert_eq!(load("0;2;3\n1;0;1.234,5\n3;4;0\n").expect_err("two marks").code, "not-a-number");
    let mixed = load("0;1.000;2\n3;0;4,5\n5;6;0\n").expect_err("two marks in one file");
    assert_eq!(mixed.code, "decimal-marks");
    assert!(mixed.cause.contains("`4,5`") && mixed.cause.contains("`1.000`"), "{mixed}");
    let mixed = stops::apply(&mut bare(2), b"demand;service\n0;1,5\n1.5;0\n").expect_err("two marks");
    assert_eq!(mixed.code, "decimal-marks");
    // Names are no numbers.
    let notes = stops::apply(&mut bare(2), b"id;demand\na, b;0\nc.d;1.5\n").expect("points throughout");
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn wrong_matrices_are_named() {
    for (text, code, words) in [
        ("0,1,2\n3,0,x\n4,5,0\n", "not-a-number", "from 1 to 2 is `x`"),
        ("0,1,2\n3,0,nan\n4,5,0\n", "not-a-number", "`nan`"),
        (",a,b\na,0,1\nc,1,0\n", "csv-labels", "`b` and `c`"),
        // A row or a column too many is no header unless it has a word.
        ("1,2,3\n0,2,3\n4,0,6\n7,8,0\n", "not-square", "4 rows of 3 numbers"),
        ("0,1\n2,0\n3,4\n", "not-square", "3 rows of 2 numbers"),
        ("1,0,2\n2,4,0\n", "not-square", "2 rows of 3 numbers"),
        ("0;1,5\n2;0\n3;inf\n", "not-square", "3 rows of 2 numbers"),
        ("-,2,3\n0,2,3\n4,0,6\n7,8,0\n", "not-square", "4 rows of 3 numbers"),
        // One cell that is no number makes no headers.
        ("0,nan,2\n3,0,4\n5,6,0\n", "not-a-number", "from 0 to 1 is `nan`"),
        ("NaN,1,2\n3,0,4\n5,6,0\n", "not-a-number", "from 0 to 0 is `NaN`"),
        (
            "0,\"1,234\",2\n3,0,4\n5,6,0\n",
            "not-a-number",
            "from 0 to 1 is `1,234`; give numbers without marks",
        ),
        ("0;1.234,5;2\n3;0;4\n5;6;0\n", "not-a-number", "`1.234,5`; give numbers without marks"),
        ("0,08:30,2\n3,0,4\n5,6,0\n", "not-a-number", "`08:30`; give numbers; times of day belong"),
        ("0 1 2\n3 0 4\n5 6 0\n", "csv-syntax", "`0 1 2`, one cell like every other; separate cells"),
        ("0 1\n3 0\n", "not-a-number", "`3 0`; separate cells"),
        ("# x\n0,1,2\n3,0,4\n5,6,0\n", "csv-labels", "begins with `# x`, has 1 cells, and there are 4 rows"),
        ("\"a,x,b\n0,1,2\n3,0,4\n", "csv-syntax", "begins on line 1 does not end"),
    ] {
        let error = load(text).expect_err(text);
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let ragged = load("0,1,2\n3,0\n4,5,0\n").expect("left to validation").problems.remove(0);
    assert_eq!(ragged.distance.lengths(), [3, 2, 3]);
}

#[test]
fn numbers_twice_are_ids_only_if_the_corner_says_so() {
    for corner in ["NaN", "-", "x", "n/a"] {
        let error = load(&format!("{corner},1,2\n1,0,4\n2,6,0\n")).expect_err(corner);
        assert_eq!(error.code, "csv-labels", "{error}");
        assert!(error.cause.contains(&format!("the corner is `{corner}`")), "{error}");
    }
    for corner in ["", "id", "from\\to", "Node"] {
        let problem = load(&format!("{corner},1,2\n1,0,4\n2,6,0\n")).expect(corner).problems.remove(0);
        assert_eq!(problem.ids, Some(vec!["1".to_owned(), "2".to_owned()]), "{corner}");
    }
}

#[test]
fn an_empty_last_column_is_dropped_where_it_is_one_too_many() {
    for (text, ids) in [
        ("0,1,\n3,0,\n", None),
        ("a,b,\n0,1,\n3,0,\n", Some(["a", "b"])),
        ("a,0,1,\nb,3,0,\n", Some(["a", "b"])),
        (",a,b,\na,0,1,\nb,3,0,\n", Some(["a", "b"])),
        ("id,1,2,\n1,0,1,\n2,3,0,\n", Some(["1", "2"])),
    ] {
        let mut loaded = load(text).expect(text);
        assert_eq!(
            loaded.notes.iter().map(|note| note.code).collect::<Vec<_>>(),
            ["column-dropped"],
            "{text}"
        );
        let problem = loaded.problems.remove(0);
        assert_eq!(*problem.distance.values(), [0.0, 1.0, 3.0, 0.0], "{text}");
        assert_eq!(problem.ids, ids.map(|ids| ids.map(str::to_owned).to_vec()), "{text}");
    }
    // The last node, which nobody reaches, is a node all the same.
    for text in ["0,1,\n3,0,\n5,6,\n", "a,0,1,\nb,3,0,\nc,5,6,\n"] {
        let loaded = load(text).expect(text);
        assert_eq!((loaded.problems[0].nodes(), loaded.notes.len()), (3, 0), "{text}");
    }
}

#[test]
fn blanks_in_quotes_are_part_of_an_id() {
    let ids = Some([" a", "a ", "a"].map(str::to_owned).to_vec());
    let problem = Problem { ids, ..Problem::atsp(bare(3).distance) };
    let bytes = write::problem("csv", &problem).expect("a matrix");
    let again = load(std::str::from_utf8(&bytes).expect("text")).expect("our own file").problems.remove(0);
    assert_eq!(again.ids, problem.ids);
    let mut matched = Problem { ids: again.ids, ..bare(3) };
    stops::apply(&mut matched, b"id,demand\n\"a\",3\n\" a\",1\n\"a \",2\n").expect("each id once");
    assert_eq!(matched.demand, Some(vec![1.0, 2.0, 3.0]));
}

#[test]
fn what_the_stops_replace_is_said() {
    let mut problem = full();
    let notes =
        stops::apply(&mut problem, b"demand,close,lat,lon\n0,9\n1,9\n1,9\n0,9\n").expect_err("ragged");
    assert_eq!(notes.origin, Origin::Stops, "{notes}");
    let notes = stops::apply(&mut problem, b"demand,close\n0,500\n1,90\n1,90\n0,90\n").expect("stops");
    assert_eq!(notes.iter().map(|note| note.code).collect::<Vec<_>>(), ["stops-replaced"]);
    assert!(notes[0].text.ends_with(": demand, close"), "{}", notes[0].text);
    // The other half of a window stays.
    assert_eq!(problem.windows.map(|windows| windows[1]), Some([30.0, 90.0]));
    let notes = stops::apply(&mut bare(2), b"demand,close\n0,5\n1,9\n").expect("stops");
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn the_kind_is_never_guessed() {
    let error = read(Some("x.csv"), b"0,1\n1,0\n", &Given::default()).expect_err("no kind");
    assert_eq!(error.code, "kind-not-declared");
    let given = |stops: &str| Given { stops: Some(stops.as_bytes().to_vec()), ..Given::default() };
    let names = read(Some("x.csv"), b"0,1\n1,0\n", &given("id\na\nb\n")).expect_err("only names");
    assert_eq!(names.code, "kind-not-declared");
    for stops in ["demand\n0\n1\n", "pickup\n0\n1\n", "open,close\n0,9\n1,2\n"] {
        let loaded = read(Some("x.csv"), b"0,1\n1,0\n", &given(stops)).expect(stops);
        assert_eq!(loaded.problems[0].kind, Kind::Vrp, "{stops}");
    }
    let both = Given { kind: Some(Kind::Atsp), ..given("demand\n0\n1\n") };
    let loaded = read(Some("x.csv"), b"0,1\n1,0\n", &both).expect("a stated kind");
    assert_eq!(loaded.problems[0].kind, Kind::Atsp);
}

#[test]
fn stops_by_every_name() {
    let text = "Name;LATITUDE;lng;Delivery;PickUp;tw_start;due;service_time;priority\n\
                depot;41,5;-8,5;;;06:00;22:00;;\nshop;41,25;-8,25;3;0;08:30;08:30:15;00:05;2\nfarm;41;-8;;2,5;;;7;\n";
    let units = Units { duration: Some("s".to_owned()), ..Units::default() };
    let mut problem = Problem { units, ..bare(3) };
    let notes = stops::apply(&mut problem, text.as_bytes()).expect("stops");
    assert_eq!(problem.ids, Some(vec!["depot".to_owned(), "shop".to_owned(), "farm".to_owned()]));
    assert_eq!(problem.points, Some(vec![[41.5, -8.5], [41.25, -8.25], [41.0, -8.0]]));
    assert_eq!(problem.demand, Some(vec![0.0, 3.0, 0.0]));
    assert_eq!(problem.backhaul, Some(vec![0.0, 0.0, 2.5]));
    assert_eq!(problem.windows, Some(vec![[21_600.0, 79_200.0], [30_600.0, 30_615.0], [0.0, f64::INFINITY]]));
    assert_eq!(problem.service, Some(vec![0.0, 300.0, 7.0]));
    assert_eq!(problem.priority, Some(vec![1.0, 2.0, 1.0]));
    let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
    assert_eq!(codes, ["decimal-comma", "clock-times"]);
    assert!(notes[1].text.contains("5 times of day were taken as seconds"), "{}", notes[1].text);
}

#[test]
fn times_of_day_follow_the_units() {
    for (unit, opens) in [("min", 510.0), ("h", 8.5), ("s", 30_600.0)] {
        let units = Units { duration: Some(unit.to_owned()), ..Units::default() };
        let mut problem = Problem { units, ..bare(2) };
        stops::apply(&mut problem, b"ready,due\n0,\n08:30,17:00\n").expect("stops");
        assert_eq!(problem.windows.map(|windows| windows[1][0]), Some(opens), "{unit}");
    }
    let units = Units { duration: Some("fortnight".to_owned()), ..Units::default() };
    let mut problem = Problem { units, ..bare(2) };
    assert_eq!(
        stops::apply(&mut problem, b"ready\n0\n08:30\n").expect_err("a fortnight").code,
        "unit-unknown"
    );
    assert!(stops::apply(&mut problem, b"ready\n0\n8\n").is_ok());
}

/// Minutes taken for seconds would give plans that are wrong and look right.
#[test]
fn nobody_guesses_what_a_table_counts_in() {
    let open = |unit: Option<&str>| {
        let stops = Some(b"demand,ready\n0,0\n1,08:30\n".to_vec());
        read(
            Some("x.csv"),
            b"0,5\n6,0\n",
            &Given { stops, unit: unit.map(str::to_owned), ..Given::default() },
        )
    };
    assert_eq!(open(None).expect_err("no unit").code, "clock-without-unit");
    assert_eq!(open(Some("weeks")).expect_err("no such unit").code, "unit-unknown");
    for (unit, opens) in [("min", 510.0), ("hours", 8.5), ("s", 30_600.0)] {
        let loaded = open(Some(unit)).expect(unit);
        let problem = &loaded.problems[0];
        assert_eq!(problem.windows.as_ref().map(|windows| windows[1][0]), Some(opens), "{unit}");
        // One matrix plays both roles.
        assert_eq!(problem.units.distance, problem.units.duration);
    }
    // A single matrix whose lengths are minutes has said it.
    let units = Units { distance: Some("min".to_owned()), ..Units::default() };
    let mut problem = Problem { units, ..bare(2) };
    stops::apply(&mut problem, b"ready\n0\n08:30\n").expect("stops");
    assert_eq!(problem.windows.map(|windows| windows[1][0]), Some(510.0));
    // Metres are no time, whatever is stated.
    let units = Units { distance: Some("m".to_owned()), ..Units::default() };
    let mut problem = Problem { units, ..bare(2) };
    assert_eq!(stops::apply(&mut problem, b"ready\n0\n08:30\n").expect_err("metres").code, "unit-unknown");
    // What a file says is not overruled.
    let osrm = br#"{"code":"Ok","durations":[[0,5],[6,0]]}"#;
    let stated = |unit: &str| {
        read(None, osrm, &Given { kind: Some(Kind::Atsp), unit: Some(unit.to_owned()), ..Given::default() })
    };
    assert_eq!(stated("min").expect_err("seconds").code, "unit-contradicts");
    assert!(stated("s").is_ok());
}

#[test]
fn rows_are_matched_by_id_where_both_have_them() {
    let ids = Some(["a", "b", "c"].map(str::to_owned).to_vec());
    let mut problem = Problem { ids: ids.clone(), ..bare(3) };
    let notes = stops::apply(&mut problem, b"demand,id\n2,c\n0,a\n1,b\n").expect("stops");
    assert_eq!(problem.demand, Some(vec![0.0, 1.0, 2.0]));
    assert_eq!(problem.ids, ids);
    assert_eq!(notes[0].code, "stops-reordered");
    for wrong in ["id\na\nb\nx\n", "id\na\nb\nb\n"] {
        assert_eq!(stops::apply(&mut problem, wrong.as_bytes()).expect_err(wrong).code, "stops-id");
    }
}

#[test]
fn wrong_stops_are_named() {
    for (text, code, words) in [
        ("id\na\nb\n", "stops-count", "there are 2 rows for a table of 3 nodes"),
        ("id,colour\na,1\nb,2\nc,3\n", "unknown-key", "`colour` is no column"),
        ("id,demnd\na,1\nb,2\nc,3\n", "unknown-key", "did you mean `demand`"),
        ("id,name\na,1\nb,2\nc,3\n", "duplicate-key", "`name`"),
        ("lat\n1\n2\n3\n", "stops-point", "lat"),
        ("lat,lon\n1,1\n,\n3,3\n", "not-a-number", "line 3"),
        ("demand\n0\nmany\n3\n", "not-a-number", "line 3 has `many` as demand"),
        ("demand\n0\n08:30\n3\n", "not-a-number", "08:30"),
        ("open\n0\n8:75\n3\n", "not-a-number", "8:75"),
        ("id,demand\na,0\nb\nc,1\n", "csv-ragged", "line 3"),
        ("id,demand\na,0\nb,1\n ,2\n", "stops-id", "line 4 has no id"),
        ("", "stops-empty", "empty"),
    ] {
        let error = stops::apply(&mut bare(3), text.as_bytes()).expect_err(text);
        assert_eq!(error.code, code, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.origin, Origin::Stops, "{error}");
    }
}

#[test]
fn the_lists_of_a_problem_come_back_as_stops() {
    let problem = full();
    let bytes = write::stops(&problem).expect("stops");
    let mut again = Problem { units: problem.units.clone(), ..Problem::vrp(problem.distance.clone()) };
    stops::apply(&mut again, &bytes).expect("our own stops");
    let lists = |problem: &Problem| {
        let Problem { demand, backhaul, windows, service, priority, points, ids, .. } = problem.clone();
        (demand, backhaul, windows, service, priority, points, ids)
    };
    assert_eq!(lists(&again), lists(&problem));
}

#[test]
fn what_a_matrix_cannot_say_is_named() {
    let error = write::problem("csv", &full()).expect_err("it has lists");
    assert!(error.to_string().contains("duration, demand, backhaul, capacity"), "{error}");
    assert!(!error.action.contains("parts"), "{error}");
    let error = write::problem("matrix", &full()).expect_err("two tables");
    assert_eq!((error.code, error.cause.as_str()), ("cannot-express", "matrix cannot express duration"));
}

#[test]
fn a_problem_of_one_table_is_split_without_loss() {
    let problem = Problem { duration: None, units: Units::default(), open: true, ..full() };
    let error = write::problem("csv", &problem).expect_err("it has lists");
    let options = "--kind vrp --capacity 8 --limit 60 --max-duration 400 --vehicles 2 --open";
    assert!(error.action.contains(&format!("as matrix and as stops, and state {options}")), "{error}");
    assert_eq!(write::options(&problem).join(" "), options);
    for problem in [Problem { ids: None, ..problem.clone() }, problem] {
        let matrix = write::problem("matrix", &problem).expect("one table");
        let given = Given {
            kind: Some(Kind::Vrp),
            capacity: problem.capacity,
            stops: Some(write::problem("stops", &problem).expect("lists")),
            ..Given::default()
        };
        let again = read(Some("x.csv"), &matrix, &given).expect("both parts").problems.remove(0);
        let Problem { limit, max_duration, vehicles, open, .. } = problem;
        assert_eq!(Problem { limit, max_duration, vehicles, open, ..again }, problem);
    }
}

#[test]
fn damage_is_survived() {
    let matrix =
        write::problem("csv", &Problem { ids: full().ids, ..Problem::atsp(full().distance) }).expect("csv");
    damage(&matrix, |damaged| drop(read_as("csv", damaged, &Given::default())));
    let list = write::stops(&full()).expect("stops");
    damage(&list, |damaged| drop(stops::apply(&mut full(), damaged)));
}
