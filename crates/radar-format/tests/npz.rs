//! numpy archives: every layout opens, ours come back, damage is survived.

mod problems;

use problems::{damage, full, routes, tours};
use proptest::prelude::*;
use radar_format::read::read_as;
use radar_format::{Given, Loaded, read, write};
use radar_problem::{Kind, Precision, Problem, Table, Units};

fn open(name: &str, given: &Given) -> Loaded {
    let path = format!("{}/tests/fixtures/npz/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a fixture");
    read(Some(name), &bytes, given).expect(name)
}

fn given(kind: Kind) -> Given {
    Given { kind: Some(kind), ..Given::default() }
}

fn codes(loaded: &Loaded) -> Vec<&str> {
    loaded.notes.iter().map(|note| note.code).collect()
}

/// The wire form knows no difference between a list of NaN and none; here everything is a number.
fn back(bytes: &[u8]) -> Vec<Problem> {
    read(None, bytes, &Given::default()).expect("our own archive").problems
}

proptest! {
    #[test]
    fn one_problem_comes_back(problem in routes()) {
        let bytes = write::problem("npz", &problem).expect("npz can say everything");
        prop_assert_eq!(back(&bytes), [problem]);
    }

    #[test]
    fn a_tour_comes_back(problem in tours()) {
        let bytes = write::problem("npz", &problem).expect("npz can say everything");
        prop_assert_eq!(back(&bytes), [problem]);
    }

    #[test]
    fn a_mixed_set_comes_back(mut problems in proptest::collection::vec(routes(), 1..12)) {
        let nodes = problems[0].nodes();
        problems.retain(|problem| problem.nodes() == nodes);
        problems[0].name = Some("first".to_owned());
        let bytes = write::problems("npz", &problems).expect("npz can say everything");
        prop_assert_eq!(back(&bytes), problems);
    }
}

#[test]
fn single_precision_stays_single() {
    let distance = Table::from_rows(vec![vec![0.0, f64::from(304.8_f32)], vec![1.5, 0.0]]).single();
    let problem = Problem::atsp(distance);
    let bytes = write::problem("npz", &problem).expect("npz can say everything");
    let again = back(&bytes).remove(0);
    assert_eq!(again, problem);
    assert_eq!(again.distance.precision(), Precision::Single);
    let mixed = [problem, Problem::atsp(Table::from_rows(vec![vec![0.0, 1.0], vec![1.0, 0.0]]))];
    assert_eq!(write::problems("npz", &mixed).expect_err("two precisions").code, "cannot-express");
}

proptest! {
    /// Half-way cases have eight digits, which single precision holds up to 2^24.
    #[test]
    fn single_precision_means_the_same_in_every_format(
        values in proptest::collection::vec(
            prop_oneof![
                (0_u32..1 << 24).prop_map(|whole| whole as f32),
                (10_000_000_u32..1 << 24).prop_map(|whole| whole as f32),
                (0_u32..5_000_000).prop_map(|thousandths| thousandths as f32 / 1000.0),
                (0.0_f32..1e9),
                Just(f32::INFINITY),
            ],
            9,
        )
    ) {
        let values = values.into_iter().map(f64::from).collect();
        let problem = Problem::vrp(Table::from_values(3, 3, values).single());
        let single = back(&write::problem("npz", &problem).expect("npz can say everything")).remove(0);
        let text = write::problem("vrplib", &single).expect("vrplib can say it");
        let double = back(&text).remove(0);
        prop_assert_eq!((single.distance.precision(), double.distance.precision()), (Precision::Single, Precision::Double));
        let [single, double] = [single, double].map(|problem| problem.validate().instance.expect("in range"));
        prop_assert_eq!(single.scales(), double.scales());
        prop_assert_eq!(single.distance(), double.distance());
    }
}

#[test]
fn half_way_cases_are_rounded_as_validation_does() {
    let tied = 12_345_665.0;
    let problem = Problem::vrp(Table::from_values(2, 2, vec![0.0, tied, tied, 0.0]).single());
    let text = write::problem("vrplib", &problem).expect("vrplib can say it");
    assert_eq!(back(&text)[0].distance.at(0, 1), 12_345_670.0);
}

#[test]
fn sets_of_two_sizes_are_refused() {
    let sizes = [
        Problem::atsp(Table::from_values(1, 1, vec![0.0])),
        Problem::atsp(Table::from_values(2, 2, vec![0.0; 4])),
    ];
    let error = write::problems("npz", &sizes).expect_err("two sizes");
    assert!(error.to_string().contains("of 1 and of 2 nodes"), "{error}");
    assert!(write::problems("npz", &[]).is_err());
}

#[test]
fn the_same_bytes_every_time() {
    let write = || write::problem("npz", &full()).expect("npz can say everything");
    assert_eq!(write(), write());
}

#[test]
fn a_city_in_kilometres_and_minutes() {
    let loaded = open("city_km_min.npz", &given(Kind::Atsp));
    let problem = &loaded.problems[0];
    assert_eq!((loaded.format, loaded.problems.len(), problem.nodes()), ("npz", 1, 12));
    assert_eq!(problem.units.distance.as_deref(), Some("km"));
    assert_eq!(problem.units.duration.as_deref(), Some("min"));
    assert_eq!(problem.distance.precision(), Precision::Double);
    assert_eq!(codes(&loaded), ["units-inferred"]);
    assert!(problem.clone().validate().instance.is_some());
}

#[test]
fn a_city_in_metres_and_seconds() {
    let loaded = open("city_m_s.npz", &given(Kind::Vrp));
    let problem = &loaded.problems[0];
    assert_eq!(problem.units.distance.as_deref(), Some("m"));
    assert_eq!(problem.units.duration.as_deref(), Some("s"));
    assert_eq!(problem.distance.precision(), Precision::Single);
    assert_eq!(problem.points.as_ref().map(Vec::len), Some(11));
    assert!(problem.points.iter().flatten().all(|&[lat, lon]| (41.0..42.0).contains(&lat) && lon < 0.0));
}

#[test]
fn a_city_does_not_say_what_is_wanted() {
    let path = format!("{}/tests/fixtures/npz/city_m_s.npz", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(path).expect("a fixture");
    assert_eq!(read(None, &bytes, &Given::default()).expect_err("no kind").code, "kind-not-declared");
    let stops = std::iter::once("demand\n0\n".to_owned()).chain((1..11).map(|stop| format!("{stop}\n")));
    let given = Given {
        stops: Some(stops.collect::<String>().into_bytes()),
        capacity: Some(20.0),
        ..Given::default()
    };
    let problem = read(None, &bytes, &given).expect("amounts speak for routes").problems.remove(0);
    assert_eq!((problem.kind, problem.capacity), (Kind::Vrp, Some(20.0)));
    assert_eq!(problem.demand.map(|demand| demand[10]), Some(10.0));
}

#[test]
fn a_length_beyond_the_earth_is_no_way() {
    let points = vec![[41.0, -8.0], [41.1, -8.1], [41.2, -8.0]];
    let far = 1e6;
    let distance = Table::from_rows(vec![vec![0.0, 15.0, 25.0], vec![15.0, 0.0, far], vec![25.0, 16.0, 0.0]]);
    let duration = Table::from_rows(vec![vec![0.0, 20.0, 30.0], vec![20.0, 0.0, far], vec![30.0, 20.0, 0.0]]);
    let problem = Problem { points: Some(points), duration: Some(duration), ..Problem::atsp(distance) };
    // Our own archives name their units, so nothing is inferred there; a bare city's are told.
    let named = write::problem("npz", &problem).expect("npz can say everything");
    assert_eq!(back(&named)[0].distance.at(1, 2), far);
    let bare = without(&named, "units.npy");
    let loaded = read(None, &bare, &Given::default()).expect("a city");
    assert_eq!(loaded.problems[0].distance.at(1, 2), f64::INFINITY);
    assert_eq!(loaded.problems[0].duration.as_ref().map(|table| table.at(1, 2)), Some(f64::INFINITY));
    assert_eq!(codes(&loaded), ["units-inferred", "sentinel"]);
}

/// The archive without one of its files.
fn without(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut from = zip::ZipArchive::new(std::io::Cursor::new(bytes)).expect("an archive");
    let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..from.len() {
        let file = from.by_index(index).expect("a file");
        if file.name().expect("a name") != name {
            to.raw_copy_file(file).expect("copied");
        }
    }
    to.finish().expect("an archive").into_inner()
}

#[test]
fn the_papers_sets() {
    let loaded = open("paper_acvrp20.npz", &Given::default());
    assert_eq!((loaded.problems.len(), codes(&loaded)), (3, vec!["capacity-assumed"]));
    for problem in &loaded.problems {
        assert_eq!((problem.kind, problem.nodes(), problem.capacity), (Kind::Vrp, 21, Some(30.0)));
        let demand = problem.demand.as_ref().expect("amounts");
        assert!(demand[0] == 0.0 && demand[1..].iter().all(|amount| (1.0..=9.0).contains(amount)));
    }
    assert_ne!(loaded.problems[0].distance, loaded.problems[1].distance);
    let given = Given { capacity: Some(60.0), ..Given::default() };
    let loaded = open("paper_acvrp20.npz", &given);
    assert_eq!((loaded.problems[0].capacity, codes(&loaded).len()), (Some(60.0), 0));
}

#[test]
fn big_endian_and_column_order() {
    let loaded = open("paper_atsp.npz", &given(Kind::Atsp));
    let exact = open("paper_acvrp20.npz", &Given::default());
    assert_eq!(loaded.problems.len(), 2);
    for (problem, whole) in loaded.problems.iter().zip(&exact.problems) {
        assert_eq!(problem.distance.precision(), Precision::Single);
        for (from, to) in [(0, 1), (1, 0), (6, 2), (3, 5)] {
            assert_eq!(problem.distance.at(from, to), whole.distance.at(from, to), "{from} {to}");
        }
    }
}

#[test]
fn rrncos_sets() {
    let loaded = open("rrnco_rcvrp.npz", &Given::default());
    assert_eq!(codes(&loaded), ["points-dropped"]);
    let problem = &loaded.problems[1];
    assert_eq!((problem.kind, problem.nodes(), problem.capacity), (Kind::Vrp, 6, Some(20.0)));
    assert_eq!(problem.demand, Some(vec![0.0, 3.0, 3.0, 3.0, 3.0, 3.0]));

    let loaded = open("rrnco_rcvrptw.npz", &Given::default());
    let problem = &loaded.problems[0];
    // Seven fiftieths in single precision mean 0.14: seven of them and a fiftieth fill a vehicle.
    assert_eq!(problem.demand.as_ref().map(|demand| demand[5]), Some(0.14));
    assert_eq!(problem.windows.as_ref().map(|windows| windows[5]), Some([0.0, 4.6]));
    assert_eq!(problem.service.as_ref().map(|service| (service[0], service[1])), Some((0.0, 0.15)));
    assert!(problem.duration.is_some());
    assert!(problem.clone().validate().instance.is_some());
}

#[test]
fn wrong_archives_are_named() {
    let good = write::problem("npz", &full()).expect("npz can say everything");
    let error = read(None, &without(&good, "distance.npy"), &Given::default()).expect_err("no matrix");
    assert_eq!(error.code, "missing-key");
    let renamed = {
        let mut from = zip::ZipArchive::new(std::io::Cursor::new(&good)).expect("an archive");
        let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for index in 0..from.len() {
            let file = from.by_index(index).expect("a file");
            let name =
                file.name().expect("a name").replace("demand", "demands").replace("service", "servise");
            to.raw_copy_file_rename(file, name).expect("copied");
        }
        to.finish().expect("an archive").into_inner()
    };
    let error = read(None, &renamed, &Given::default()).expect_err("an unknown array");
    assert!(error.to_string().contains("did you mean `demand`"), "{error}");
    let unsaid = {
        let mut from =
            zip::ZipArchive::new(std::io::Cursor::new(without(&good, "kind.npy"))).expect("an archive");
        let mut to = zip::ZipWriter::new_append(std::io::Cursor::new(archive("kind", "<U1", "()", &[0; 4])))
            .expect("an archive");
        for index in 0..from.len() {
            to.raw_copy_file(from.by_index(index).expect("a file")).expect("copied");
        }
        to.finish().expect("an archive").into_inner()
    };
    let error = read(None, &unsaid, &Given::default()).expect_err("a kind of no letters");
    assert_eq!(error.code, "unknown-kind");
    assert_eq!(
        read_as("npz", b"PK\x03\x04", &Given::default()).expect_err("half an archive").code,
        "npz-damaged"
    );
}

/// An archive of one array, deflated.
fn archive(name: &str, descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut to = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    to.start_file(format!("{name}.npy"), zip::write::SimpleFileOptions::default()).expect("a file");
    to.write_all(b"\x93NUMPY\x01\x00").expect("written");
    to.write_all(&(header.len() as u16).to_le_bytes()).expect("written");
    to.write_all(header.as_bytes()).expect("written");
    to.write_all(data).expect("written");
    to.finish().expect("an archive").into_inner()
}

#[test]
fn texts_of_any_readable_length_come_back() {
    let long = "é".repeat(5000);
    let ids = Some(vec![long, "b".to_owned()]);
    let problem = Problem { ids, ..Problem::atsp(Table::from_values(2, 2, vec![0.0; 4])) };
    let again = back(&write::problem("npz", &problem).expect("long texts"));
    assert_eq!(again, std::slice::from_ref(&problem));
    // What would not be read is not written.
    let endless = Problem { name: Some("x".repeat((1 << 20) + 1)), ..problem };
    let error = write::problem("npz", &endless).expect_err("a text of a million characters");
    assert!(error.cause.contains("a text of 1048577 characters in name"), "{error}");
    let nodes = 600;
    let mut ids: Vec<String> = (0..nodes).map(|node| node.to_string()).collect();
    ids[0] = "x".repeat(1 << 20);
    let table = Table::from_values(nodes, nodes, vec![0.0; nodes * nodes]);
    let wide = Problem { ids: Some(ids), ..Problem::atsp(table) };
    let error = write::problem("npz", &wide).expect_err("every id is as wide as the widest");
    assert!(error.cause.contains("so much as ids"), "{error}");
}

#[test]
fn an_array_ends_with_its_values() {
    let bytes = archive("distance", "|u1", "(2, 2)", &vec![0; 1 << 20]);
    let error = read(None, &bytes, &given(Kind::Vrp)).expect_err("a million bytes more");
    assert_eq!(error.code, "npz-damaged");
    assert!(error.cause.contains("goes on behind its 4 values"), "{error}");
}

#[test]
fn only_minus_one_is_no_limit_of_vehicles() {
    let good = write::problem("npz", &full()).expect("npz can say everything");
    for (count, code) in [(-5_i64, Some("wrong-type")), (-1, None), (3, None)] {
        let mut from =
            zip::ZipArchive::new(std::io::Cursor::new(without(&good, "vehicles.npy"))).expect("an archive");
        let vehicles = archive("vehicles", "<i8", "()", &count.to_le_bytes());
        let mut to = zip::ZipWriter::new_append(std::io::Cursor::new(vehicles)).expect("an archive");
        for index in 0..from.len() {
            to.raw_copy_file(from.by_index(index).expect("a file")).expect("copied");
        }
        let bytes = to.finish().expect("an archive").into_inner();
        match read(None, &bytes, &Given::default()) {
            Ok(loaded) => {
                assert_eq!((loaded.problems[0].vehicles, code), (usize::try_from(count).ok(), None))
            }
            Err(error) => assert_eq!((Some(error.code), count), (code, -5), "{error}"),
        }
    }
}

#[test]
fn a_promise_of_much_costs_nothing() {
    for (shape, code) in [("(16000, 16000)", "npz-damaged"), ("(99999, 99999)", "too-large")] {
        let bytes = archive("distance", "<f8", shape, &vec![0; 1 << 20]);
        assert_eq!(read(None, &bytes, &Given::default()).expect_err(shape).code, code);
    }
}

#[test]
fn many_problems_of_next_to_nothing_are_refused() {
    let zeros = vec![0; 1 << 23];
    for name in ["distance", "dist", "distance_matrix"] {
        for (shape, length, code) in [
            ("(1000000000000000, 0, 0)", 0, "wrong-shape"),
            ("(0, 0)", 0, "wrong-shape"),
            ("(0, 3, 3)", 0, "no-problem"),
            ("(0, 4294967296, 4294967296)", 0, "too-large"),
            // A byte of the archive would be a thousand problems.
            ("(8388608, 1, 1)", 1 << 23, "too-large"),
            ("(5000000, 1, 1)", 5_000_000, "too-large"),
        ] {
            let bytes = archive(name, "|u1", shape, &zeros[..length]);
            let error = read(None, &bytes, &given(Kind::Vrp)).expect_err(shape);
            assert_eq!(error.code, code, "{name} {shape}: {error}");
        }
        let some = archive(name, "|u1", "(40000, 1, 1)", &zeros[..40_000]);
        assert_eq!(read(None, &some, &given(Kind::Vrp)).expect("a large set").problems.len(), 40_000);
    }
}

#[test]
fn what_found_too_much_is_kept_for_fuzzing() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/npz");
    let mut found = 0;
    for entry in std::fs::read_dir(corpus).expect("the corpus") {
        let path = entry.expect("a file").path();
        let bytes = std::fs::read(&path).expect("a file");
        assert!(bytes.len() < 1 << 17, "{} is large itself", path.display());
        let error = read(None, &bytes, &given(Kind::Vrp)).expect_err("far too much");
        assert!(
            ["too-large", "wrong-shape", "npy-unsupported"].contains(&error.code),
            "{}: {error}",
            path.display()
        );
        assert!(error.cause.len() < 2000, "{} is repeated: {error}", path.display());
        found += 1;
    }
    assert!(found >= 4);
}

#[test]
fn damage_is_survived() {
    let bytes = write::problem("npz", &full()).expect("npz can say everything");
    damage(&bytes, |damaged| drop(read_as("npz", damaged, &given(Kind::Vrp))));
}

/// Three stops with all that RRNCO's layout knows, or with part of it.
fn three_stops(features: bool) -> Problem {
    let rows = |scale: f64| {
        let at = |from: usize, to: usize| scale * ((from * 3 + to * 5) % 7 + usize::from(from != to)) as f64;
        Table::from_rows(
            (0..4)
                .map(|from| (0..4).map(|to| if from == to { 0.0 } else { at(from, to) }).collect())
                .collect(),
        )
    };
    let mut problem = Problem {
        duration: Some(rows(60.0)),
        demand: Some(vec![0.0, 3.0, 0.0, 4.0]),
        capacity: Some(9.0),
        points: Some(vec![[41.0, -8.0], [41.5, -8.5], [41.25, -8.0], [41.0, -8.5]]),
        ..Problem::vrp(rows(1000.0))
    };
    if features {
        problem.backhaul = Some(vec![0.0, 0.0, 2.0, 0.0]);
        problem.windows = Some(vec![[0.0, 900.0], [10.0, 500.0], [0.0, 800.0], [5.0, f64::INFINITY]]);
        problem.service = Some(vec![0.0, 5.0, 6.0, 7.0]);
        problem.limit = Some(12_345.0);
        problem.open = true;
    }
    problem
}

#[test]
fn the_layout_of_rrnco_is_written_and_read_back() {
    let problems = [three_stops(true), three_stops(false)];
    let bytes = write::problems("npz-rrnco", &problems).expect("expressible");
    let back = read(Some("set.npz"), &bytes, &given(Kind::Vrp)).expect("readable").problems;
    for (problem, back) in problems.iter().zip(&back) {
        let [there, here] =
            [problem, back].map(|problem| problem.clone().validate().instance.expect("valid"));
        assert_eq!(there.variant(), here.variant());
        assert_eq!((there.distance(), there.duration()), (here.distance(), here.duration()));
        let of = |instance: &radar_problem::Instance| {
            let node = |node| {
                let amounts = (instance.demand(node), instance.backhaul(node));
                (amounts, instance.opens(node), instance.closes(node), instance.service(node))
            };
            ((0..4).map(node).collect::<Vec<_>>(), instance.capacity(), instance.limit())
        };
        assert_eq!(of(&there), of(&here));
    }
    let fleet = Problem { vehicles: Some(2), ..three_stops(false) };
    assert_eq!(
        write::problems("npz-rrnco", &[fleet]).expect_err("no place for a fleet").code,
        "cannot-express"
    );
    let bare = Problem { points: None, ..three_stops(false) };
    assert_eq!(
        write::problems("npz-rrnco", &[three_stops(false), bare]).expect_err("half").code,
        "cannot-express"
    );
}

#[test]
fn the_layout_of_a_city_is_written_in_km_and_minutes() {
    let mut city = Problem { demand: None, capacity: None, ..three_stops(false) };
    assert_eq!(write::problem("npz-city", &city).expect_err("units unknown").code, "cannot-express");
    city.units = Units { distance: Some("m".into()), duration: Some("s".into()) };
    let bytes = write::problem("npz-city", &city).expect("expressible");
    let back = read(Some("city.npz"), &bytes, &given(Kind::Vrp)).expect("readable").problems.remove(0);
    assert_eq!(back.distance.at(1, 2), city.distance.at(1, 2) / 1000.0);
    let minutes = |problem: &Problem| problem.duration.as_ref().map(|table| table.at(2, 1));
    assert_eq!(minutes(&back), minutes(&city).map(|seconds| seconds / 60.0));
    assert_eq!(back.points, city.points);
    assert!(write::problem("npz-city", &three_stops(false)).is_err(), "a city has no demands");
}

#[test]
fn the_layout_of_the_paper_is_written_and_read_back() {
    let tour = Problem::atsp(three_stops(false).distance);
    let bytes = write::problems("npz-paper", &[tour.clone(), tour.clone()]).expect("expressible");
    let back = read(Some("set.npz"), &bytes, &given(Kind::Atsp)).expect("readable").problems;
    assert_eq!(back, [tour.clone(), tour.clone()]);

    let table =
        Table::from_values(21, 21, (0..441).map(|at| if at / 21 == at % 21 { 0.0 } else { 5.0 }).collect());
    let demand: Vec<f64> = (0..21).map(|node| f64::from(node.min(9))).collect();
    let sized = Problem { demand: Some(demand), capacity: Some(30.0), ..Problem::vrp(table) };
    let bytes = write::problems("npz-paper", std::slice::from_ref(&sized)).expect("the paper's capacity");
    assert_eq!(
        read(Some("set.npz"), &bytes, &given(Kind::Vrp)).expect("readable").problems,
        std::slice::from_ref(&sized)
    );
    let other = Problem { capacity: Some(31.0), ..sized.clone() };
    assert_eq!(write::problems("npz-paper", &[other]).expect_err("no place for it").code, "cannot-express");
    assert!(write::problems("npz-paper", &[sized, tour]).is_err(), "sizes differ");
}
