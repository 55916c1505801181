//! Damaged files: every reader must come back with a problem or an error, quickly, and never panic.

mod mutate;

use std::time::{Duration, Instant};

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use radar_format::read::{self, Given};
use radar_problem::Kind;

const FILES: &[(&str, &[u8])] = &[
    ("tsplib", include_bytes!("fixtures/porto/porto20.atsp")),
    ("tsplib", include_bytes!("fixtures/tsplib/lower.tsp")),
    ("vrplib", include_bytes!("fixtures/porto/porto20.vrp")),
    ("vrplib", include_bytes!("fixtures/tsplib/depot-last.vrp")),
    ("vrplib", include_bytes!("fixtures/tsplib/everything.vrp")),
    ("vrplib", include_bytes!("fixtures/tsplib/plane.vrp")),
    ("solomon", include_bytes!("fixtures/solomon/small.txt")),
    ("osrm", include_bytes!("fixtures/porto/osrm_table_20.json")),
    ("valhalla", include_bytes!("fixtures/porto/valhalla_matrix_compact_20.json")),
    ("valhalla", include_bytes!("fixtures/porto/valhalla_matrix_verbose_20.json")),
    ("google", include_bytes!("fixtures/engines/google.json")),
    ("openrouteservice", include_bytes!("fixtures/engines/openrouteservice.json")),
    ("graphhopper", include_bytes!("fixtures/engines/graphhopper.json")),
    ("vroom", include_bytes!("fixtures/porto/vroom_porto20.json")),
    ("vroom", include_bytes!("fixtures/vroom/full.json")),
];

fn given() -> Given {
    Given { kind: Some(Kind::Vrp), ..Given::default() }
}

/// Reads, and checks what must hold of whatever comes back. Returns whether a problem did.
fn survives(format: &str, bytes: &[u8]) -> bool {
    let begun = Instant::now();
    let loaded = read::read_as(format, bytes, &given());
    // Far above what a file of this size takes, far below what a promised matrix would.
    assert!(begun.elapsed() < Duration::from_secs(5), "{format} took {:?}", begun.elapsed());
    match loaded {
        Ok(loaded) => {
            for problem in loaded.problems {
                assert!(problem.distance.is_square(), "{format} gave a matrix that is not square");
                if problem.nodes() <= 64 {
                    problem.validate();
                }
            }
            true
        }
        Err(error) => {
            let said = !error.code.is_empty() && !error.cause.is_empty() && !error.action.is_empty();
            assert!(said, "{format}: {error}");
            assert!(error.cause.len() < 2000, "{format} repeats the file: {error}");
            false
        }
    }
}

#[test]
fn whole_files_are_recognised() {
    for (format, bytes) in FILES {
        let given = Given {
            kind: if *format == "tsplib" { Some(Kind::Atsp) } else { Some(Kind::Vrp) },
            ..Given::default()
        };
        assert_eq!(read::read(None, bytes, &given).expect(format).format, *format);
    }
}

#[test]
fn cut_files() {
    for (format, bytes) in FILES {
        let step = (bytes.len() / 500).max(1);
        for end in (0..bytes.len()).step_by(step) {
            survives(format, &bytes[..end]);
            survives(format, &bytes[end..]);
        }
    }
}

#[test]
fn damaged_files() {
    let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut pick = |below: usize| (source.next_u64() % below.max(1) as u64) as usize;
    let mut read = 0;
    for (format, bytes) in FILES {
        for _ in 0..1500 {
            let other = FILES[pick(FILES.len())].1;
            read += usize::from(survives(format, &mutate::damaged(bytes, other, &mut pick)));
        }
    }
    // Damages that never leave a readable file would only test the first line of a parser.
    assert!(read > 500, "only {read} damaged files were still problems");
}

#[test]
fn files_of_another_format() {
    for reader in read::READERS {
        for (_, bytes) in FILES {
            survives_any(reader.name, bytes);
        }
        for bytes in [&b""[..], b"\n", b"{", b"[", b"{}", b"[]", b"\xff\xfe", b"\"", b"{\"", b"{\"a\\"] {
            survives_any(reader.name, bytes);
        }
    }
}

/// A reader asked by name for what it does not know must say so, or read it: nothing else.
fn survives_any(format: &str, bytes: &[u8]) {
    if let Err(error) = read::read_as(format, bytes, &given()) {
        assert!(!error.code.is_empty() && !error.action.is_empty(), "{format}: {error}");
    }
}

#[test]
fn promises_are_not_believed() {
    let huge = "TYPE: TSP\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n1 2 3\nDIMENSION: ";
    for (promise, code) in
        [("16000", "wrong-count"), ("16385", "too-large"), ("999999999999999", "too-large")]
    {
        let error = read::read_as("tsplib", format!("{huge}{promise}\n").as_bytes(), &Given::default());
        assert_eq!(error.expect_err(promise).code, code);
    }
    // Nesting is bounded too.
    let deep = format!("{{\"code\":\"Ok\",\"durations\":{}", "[".repeat(100_000));
    assert_eq!(read::read_as("osrm", deep.as_bytes(), &given()).expect_err("deep").code, "wrong-type");
    let ignored = format!("{{\"code\":\"Ok\",\"x\":{}", "[".repeat(100_000));
    assert_eq!(read::read_as("osrm", ignored.as_bytes(), &given()).expect_err("deep").code, "json-syntax");
    // Many jobs at one place are few bytes and a large matrix.
    let jobs = vec!["{\"id\":1,\"location_index\":0}"; 20_000].join(",");
    let many =
        format!("{{\"vehicles\":[{{\"id\":1,\"start_index\":0}}],\"jobs\":[{jobs}],\"matrix\":[[0]]}}");
    assert_eq!(read::read_as("vroom", many.as_bytes(), &given()).expect_err("many").code, "too-large");
}
