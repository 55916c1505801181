//! TSPLIB and VRPLIB files: what their numbers become, and what is refused.

use radar_format::read::{self, Given};
use radar_format::{FormatError, Loaded};
use radar_problem::{Kind, Problem};

const PORTO_ROUTES: &[u8] = include_bytes!("fixtures/porto/porto20.vrp");
const PORTO_TOUR: &[u8] = include_bytes!("fixtures/porto/porto20.atsp");

fn open(text: &str) -> Result<Loaded, FormatError> {
    read::read(None, text.as_bytes(), &Given::default())
}

fn problem(text: &str) -> Problem {
    open(text).expect(text).problems.remove(0)
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.notes.iter().map(|note| note.code).collect()
}

/// Routes on three nodes with every number different.
const THREE: &str = "NAME : three
TYPE : ACVRP
DIMENSION : 3
CAPACITY : 10
EDGE_WEIGHT_TYPE : EXPLICIT
EDGE_WEIGHT_FORMAT : FULL_MATRIX
EDGE_WEIGHT_SECTION
0 1 2
3 0 4
5 6 0
DEMAND_SECTION
1 0
2 7
3 8
DEPOT_SECTION
1
-1
EOF
";

#[test]
fn a_genuine_file_of_routes() {
    let loaded = read::read(Some("porto20.vrp"), PORTO_ROUTES, &Given::default()).expect("a genuine file");
    let problem = &loaded.problems[0];
    assert_eq!((loaded.format, problem.kind, problem.nodes()), ("vrplib", Kind::Vrp, 20));
    assert_eq!((problem.distance.at(0, 1), problem.distance.at(1, 0)), (3049.0, 2223.0));
    assert_eq!((problem.distance.at(19, 0), problem.distance.at(0, 19)), (2277.0, 3060.0));
    assert_eq!(
        problem.demand.as_ref().map(|demand| (demand[0], demand[1], demand[19])),
        Some((0.0, 9.0, 2.0))
    );
    assert_eq!(problem.capacity, Some(40.0));
    assert_eq!(problem.points.as_ref().map(|points| points[0]), Some([41.147638, -8.613760]));
    assert_eq!((problem.ids.as_ref(), problem.name.as_deref()), (None, Some("porto20")));
    assert!(loaded.notes.is_empty());
    assert_eq!(problem.clone().validate().instance.expect("valid").variant().to_string(), "ACVRP");
}

#[test]
fn a_genuine_tour() {
    let loaded = read::read(None, PORTO_TOUR, &Given::default()).expect("a genuine file");
    let problem = &loaded.problems[0];
    assert_eq!((loaded.format, problem.kind, problem.nodes()), ("tsplib", Kind::Atsp, 20));
    assert_eq!((problem.distance.at(2, 0), problem.distance.at(0, 2)), (1704.0, 2233.0));
    assert_eq!(problem.clone().validate().instance.expect("valid").variant().to_string(), "ATSP");
}

#[test]
fn lines_tabs_and_order_do_not_matter() {
    let same = "\u{feff}DEMAND_SECTION:\r\n\t3\t8 1 0\r\n2 7\r\nEDGE_WEIGHT_SECTION 0 1\r\n2\r\n\r\n3 0 4 5\r\n6 0\r\n\
        NAME:three\r\nEDGE_WEIGHT_FORMAT: FULL_MATRIX  \r\nEDGE_WEIGHT_TYPE\tEXPLICIT\r\nCOMMENT : 1 + 1 = 2\r\n\
        TYPE:ACVRP\r\nCAPACITY:10\r\nDIMENSION :3\r\nDEPOT_SECTION\r\n1";
    assert_eq!(problem(same), problem(THREE));
    // What follows the end is not looked at, and the type may be written in small letters.
    assert_eq!(problem(&format!("{THREE}?!")), problem(THREE));
    assert_eq!(problem(&THREE.replace("TYPE : ACVRP", "TYPE : acvrp")), problem(THREE));
    // Latin letters of an old file do no harm.
    let old: Vec<u8> = THREE.replace("three", "Sch\u{fc}tz").chars().map(|letter| letter as u8).collect();
    assert!(read::read(None, &old, &Given::default()).is_ok());
}

#[test]
fn the_depot_becomes_node_0_and_names_stay() {
    let moved = THREE
        .replace("DEPOT_SECTION\n1\n-1\n", "DEPOT_SECTION\n 3\n")
        .replace("1 0\n2 7\n3 8", "1 7\n2 8\n3 0");
    let loaded = open(&moved).expect("the depot is the last node");
    let problem = &loaded.problems[0];
    assert_eq!(codes(&loaded), ["depot-moved"]);
    assert_eq!(problem.ids.as_ref().map(|ids| ids.join(" ")), Some("3 1 2".to_owned()));
    assert_eq!(*problem.distance.values(), [0.0, 5.0, 6.0, 2.0, 0.0, 1.0, 4.0, 3.0, 0.0]);
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 7.0, 8.0][..]));
    // One service time for all is none at the depot, wherever that stands.
    let served = self::problem(&moved.replace("CAPACITY", "SERVICE_TIME : 5\nCAPACITY"));
    assert_eq!(served.service.as_deref(), Some(&[0.0, 5.0, 5.0][..]));
    let error = open(&THREE.replace("1\n-1", "1\n2\n-1")).expect_err("two depots");
    assert_eq!(error.code, "several-depots");
}

fn symmetric(format: &str, numbers: &str) -> String {
    format!(
        "TYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: {format}\n\
         EDGE_WEIGHT_SECTION\n{numbers}\nEOF"
    )
}

#[test]
fn every_layout_of_a_symmetric_matrix() {
    let full = [0.0, 1.0, 2.0, 3.0, 1.0, 0.0, 4.0, 5.0, 2.0, 4.0, 0.0, 6.0, 3.0, 5.0, 6.0, 0.0];
    for (format, numbers) in [
        ("FULL_MATRIX", "0 1 2 3 1 0 4 5 2 4 0 6 3 5 6 0"),
        ("UPPER_ROW", "1 2 3 4 5 6"),
        ("LOWER_COL", "1 2 3 4 5 6"),
        ("LOWER_ROW", "1 2 4 3 5 6"),
        ("UPPER_COL", "1 2 4 3 5 6"),
        ("UPPER_DIAG_ROW", "0 1 2 3 0 4 5 0 6 0"),
        ("LOWER_DIAG_COL", "0 1 2 3 0 4 5 0 6 0"),
        ("LOWER_DIAG_ROW", "0 1 0 2 4 0 3 5 6 0"),
        ("UPPER_DIAG_COL", "0 1 0 2 4 0 3 5 6 0"),
    ] {
        let problem = problem(&symmetric(format, numbers));
        assert_eq!((problem.kind, &*problem.distance.values()), (Kind::Atsp, &full[..]), "{format}");
        for wrong in [numbers.rsplit_once(' ').map_or("", |(most, _)| most), &format!("{numbers} 9")] {
            assert_eq!(open(&symmetric(format, wrong)).expect_err(format).code, "wrong-count");
        }
    }
}

#[test]
fn plane_distances_are_rounded_as_the_format_says() {
    let plane = |kind: &str| {
        format!(
            "TYPE: CVRP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: {kind}\n\
             NODE_COORD_SECTION\n1 0 0\n2 1 1\n3 1.5e0 0\n4 0 3.4\nEOF"
        )
    };
    // sqrt(2) = 1.41, 1.5, 3.4: to nearest (halves up), and up.
    assert_eq!(problem(&plane("EUC_2D")).distance.values()[..4], [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(problem(&plane("CEIL_2D")).distance.values()[..4], [0.0, 2.0, 2.0, 4.0]);
    assert_eq!(problem(&plane("EUC_2D")).points.map(|points| points[3]), Some([3.4, 0.0]));
    assert_eq!(open(&plane("GEO")).expect_err("GEO").code, "weights-unsupported");
    let far = plane("EUC_2D").replace("1.5e0", "1.5e308").replace("2 1 1", "2 -1.5e308 1");
    assert_eq!(open(&far).expect_err("far").code, "bad-number");
    let none = plane("EUC_2D").replace("NODE_COORD", "DISPLAY_DATA");
    assert_eq!(open(&none).expect_err("none").code, "missing-key");
}

#[test]
fn the_diagonal_is_no_cost_and_its_number_elsewhere_is_no_way() {
    let with = |matrix: &str| open(&THREE.replace("0 1 2\n3 0 4\n5 6 0", matrix)).expect(matrix);
    let loaded = with("9999999 1 2 3 9999999 4 5 6 0");
    assert_eq!(codes(&loaded), ["diagonal-not-zero"]);
    assert_eq!(*loaded.problems[0].distance.values(), [0.0, 1.0, 2.0, 3.0, 0.0, 4.0, 5.0, 6.0, 0.0]);
    let loaded = with("9999 1 9999 3 9999 4 5 9999 9999");
    assert_eq!(codes(&loaded), ["diagonal-not-zero", "pairs-unreachable"]);
    let far = f64::INFINITY;
    assert_eq!(*loaded.problems[0].distance.values(), [0.0, 1.0, far, 3.0, 0.0, 4.0, 5.0, far, 0.0]);
    // Not above all others: a number like any other.
    let loaded = with("4 1 2 3 4 4 5 6 4");
    assert_eq!((codes(&loaded), loaded.problems[0].distance.at(1, 2)), (vec!["diagonal-not-zero"], 4.0));
    // Nothing below it: then it tells nothing apart.
    assert_eq!(with("4 4 4 4 4 4 4 4 4").problems[0].distance.at(0, 1), 4.0);
    // Without a diagonal to compare with, large numbers stay numbers; `inf` never is one.
    assert_eq!(with("0 9999999 2 3 0 4 5 6 0").problems[0].distance.at(0, 1), 9999999.0);
    let loaded = with("0 inf 2\nInfinity 0 4\nnull 6 0");
    assert_eq!(*loaded.problems[0].distance.values(), [0.0, far, 2.0, far, 0.0, 4.0, far, 6.0, 0.0]);
}

#[test]
fn every_key_and_section() {
    let comments = "COMMENT : radar units {\"distance\":\"m\",\"duration\":\"s\"}\n\
        COMMENT : radar ids [\"depot\",\"a b\",\"c\"]";
    let keys = "DISTANCE : 30.5\nMAX_DURATION : 99\nVEHICLES : 2\nDISPLAY_DATA_TYPE : COORD_DISPLAY\n\
        NODE_COORD_TYPE : TWOD_COORDS\nCAPACITY";
    let sections = "BACKHAUL_SECTION\n3 -1\nTIME_WINDOW_SECTION\n1 0 100\n3 7 inf\n2 5 50\n\
        SERVICE_TIME_SECTION\n1 0\n2 1\n3 2\nPRIORITY_SECTION\n1 1\n2 5\n3 1\n\
        DURATION_SECTION\n0 10 20 30 0 40 50 60 0\nDISPLAY_DATA_SECTION\n1 4 4\n2 5 5\n3 6 6\nEOF";
    let text = THREE
        .replace("TYPE : ACVRP", &format!("TYPE : AOVRPBLTW\n{comments}"))
        .replace("CAPACITY", keys)
        .replace("EOF", sections);
    let loaded = open(&text).expect("all of it");
    let problem = &loaded.problems[0];
    assert_eq!(codes(&loaded), ["limit-travel-only"]);
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 7.0, 0.0][..]));
    assert_eq!(problem.backhaul.as_deref(), Some(&[0.0, 0.0, 8.0][..]));
    assert_eq!(problem.windows.as_deref(), Some(&[[0.0, 100.0], [5.0, 50.0], [7.0, f64::INFINITY]][..]));
    assert_eq!(problem.service.as_deref(), Some(&[0.0, 1.0, 2.0][..]));
    assert_eq!(problem.priority.as_deref(), Some(&[1.0, 5.0, 1.0][..]));
    let duration = problem.duration.as_ref().expect("a second matrix");
    assert_eq!((duration.at(0, 2), duration.at(2, 0)), (20.0, 50.0));
    assert_eq!((problem.limit, problem.max_duration), (Some(30.5), Some(99.0)));
    assert_eq!((problem.vehicles, problem.open), (Some(2), true));
    assert_eq!(problem.ids.as_ref().map(|ids| ids[1].as_str()), Some("a b"));
    assert_eq!(problem.units.duration.as_deref(), Some("s"));
    assert_eq!(problem.clone().validate().instance.expect("valid").variant().to_string(), "AOVRPBLTW");
}

#[test]
fn comments_that_are_not_understood_are_said() {
    let with = |comment: &str| {
        open(&THREE.replace("CAPACITY", &format!("COMMENT : {comment}\nCAPACITY"))).expect(comment)
    };
    for comment in ["radar units {\"mass\":\"kg\"}", "radar ids [\"only\"]", "radar ids nonsense"] {
        assert_eq!(codes(&with(comment)), ["comment-ignored"], "{comment}");
    }
    assert!(with("radar is fine").notes.is_empty());
}

#[test]
fn types() {
    let typed = |name: &str| THREE.replace("TYPE : ACVRP", &format!("TYPE : {name}"));
    let extra = "DISTANCE : 9\nBACKHAUL_SECTION\n3 -1\nTIME_WINDOW_SECTION\n1 0 9 2 0 9 3 0 9\nCAPACITY";
    let closed =
        ["CVRP", "ACVRP", "DCVRP", "ADCVRP", "VRPTW", "CVRPTW", "VRPB", "VRPBTW", "VRP", "AVRPL", "AVRPBLTW"];
    let open_ended = ["OVRP", "COVRP", "AOVRPBLTW", "AOVRP"];
    let all = closed.map(|name| (name, false)).into_iter().chain(open_ended.map(|name| (name, true)));
    for (name, open_routes) in all {
        let problem = problem(&typed(name).replace("CAPACITY", extra));
        assert_eq!((problem.kind, problem.open), (Kind::Vrp, open_routes), "{name}");
    }
    for name in ["PDPTW", "TOUR", "VRPSPDTW", "AAVRP", "SOP", "MLP", "VRPTWTW", "HCP"] {
        let error = open(&typed(name)).expect_err(name);
        assert_eq!((error.code, error.cause.contains("line 2")), ("unknown-type", true), "{name}");
    }
    let needed = [("AVRPTW", "TIME_WINDOW_SECTION"), ("VRPB", "BACKHAUL_SECTION"), ("DCVRP", "DISTANCE")];
    for (name, missing) in needed {
        let error = open(&typed(name)).expect_err(name);
        assert_eq!((error.code, error.cause.contains(missing)), ("missing-key", true), "{name}");
    }
}

#[test]
fn refusals_say_what_and_where() {
    for (from, to, code, place) in [
        ("CAPACITY : 10", "CAPACITTY : 10", "unknown-key", "line 4"),
        ("DEMAND_SECTION", "RELEASE_TIME_SECTION", "unknown-key", "line 11"),
        ("DEPOT_SECTION", "TOUR_SECTION", "unknown-key", "line 15"),
        ("CAPACITY : 10", "CAPACITY : 10\nCAPACITY : 11", "duplicate-key", "line 5"),
        ("DEPOT_SECTION", "DEMAND_SECTION\n1 0\nDEPOT_SECTION", "duplicate-key", "line 15"),
        ("TYPE : ACVRP\n", "", "missing-key", "TYPE"),
        ("DIMENSION : 3\n", "", "missing-key", "DIMENSION"),
        ("EDGE_WEIGHT_FORMAT : FULL_MATRIX\n", "", "missing-key", "EDGE_WEIGHT_FORMAT"),
        ("EDGE_WEIGHT_SECTION\n0 1 2\n3 0 4\n5 6 0\n", "", "missing-key", "EDGE_WEIGHT_SECTION"),
        ("FULL_MATRIX", "FUNCTION", "weights-unsupported", "line 6"),
        ("DIMENSION : 3", "DIMENSION : 4", "wrong-count", "needs 16 numbers as FULL_MATRIX and has 9"),
        ("DIMENSION : 3", "DIMENSION : 2", "wrong-count", "line 9"),
        ("DIMENSION : 3", "DIMENSION : 3.0", "bad-number", "line 3"),
        ("DIMENSION : 3", "DIMENSION : -3", "bad-number", "line 3"),
        ("DIMENSION : 3", "DIMENSION : 1000000000", "too-large", "1000000000"),
        ("DIMENSION : 3", "DIMENSION : 99999999999999999999999", "bad-number", "line 3"),
        ("3 0 4", "3 0 1e999", "bad-number", "line 9"),
        ("3 0 4", "3 0 0x10", "bad-number", "line 9"),
        ("3 0 4", "3 0 NaN", "bad-number", "line 9"),
        ("3 0 4", "3 0 -inf", "bad-number", "line 9"),
        ("3 0 4", "3 0 1,5", "bad-number", "line 9"),
        ("3 0 4", "NaN 3 0 4", "bad-number", "line 9"),
        ("CAPACITY : 10", "CAPACITY : inf", "bad-number", "line 4"),
        ("CAPACITY : 10", "VEHICLES : 2.5", "bad-number", "line 4"),
        ("CAPACITY : 10", "VEHICLES : 9000000000000000", "bad-number", "line 4"),
        ("3 8\n", "4 8\n", "bad-node", "line 14"),
        ("3 8\n", "0 8\n", "bad-node", "line 14"),
        ("3 8\n", "2 8\n", "bad-node", "line 14"),
        ("3 8\n", "3\n", "wrong-count", "line 11"),
        ("3 8\n", "", "wrong-count", "line 11"),
        ("3 8\n", "3 8\n4 9\n", "wrong-count", "line 15"),
        ("DEPOT_SECTION\n1\n", "DEPOT_SECTION\n1.0\n", "bad-node", "line 16"),
        ("-1\nEOF", "-1\n2\nEOF", "stray-data", "line 18"),
        (
            "DEMAND_SECTION\n1 0\n2 7\n3 8\n",
            "",
            "missing-key",
            "CAPACITY (line 4) announces `DEMAND_SECTION`",
        ),
        ("DEPOT_SECTION", "BACKHAUL_SECTION\n1 -1\nDEPOT_SECTION", "bad-node", "node 1 is the depot"),
        (
            "DEPOT_SECTION",
            "BACKHAUL_SECTION\n3 3 -1\nDEPOT_SECTION",
            "bad-node",
            "node 3 comes a second time",
        ),
        (
            "DEPOT_SECTION",
            "BACKHAUL_SECTION\n3\nDEPOT_SECTION",
            "wrong-count",
            "(line 15) is not closed by -1",
        ),
        ("TYPE", "12\nTYPE", "stray-data", "line 2"),
    ] {
        let text = THREE.replace(from, to);
        let error = open(&text).expect_err(&text);
        assert_eq!(error.code, code, "{error}\n{text}");
        assert!(error.cause.contains(place), "{error}\n{text}");
        assert!(!error.action.is_empty());
    }
}

#[test]
fn a_file_without_its_end_is_read_when_it_is_complete() {
    assert_eq!(problem(THREE.trim_end().trim_end_matches("EOF")), problem(THREE));
    let cut = &THREE[..THREE.find("5 6 0").expect("the last row")];
    let error = open(cut).expect_err("cut off");
    assert_eq!(error.code, "wrong-count");
    assert!(error.cause.contains("the last on line 9"), "{error}");
}

#[test]
fn what_the_caller_states_is_heard() {
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    assert_eq!(read::read(None, THREE.as_bytes(), &given).expect_err("declared").code, "kind-contradicted");
    let given = Given { stops: Some(b"id,service\na,0\nb,3\nc,4\n".to_vec()), ..Given::default() };
    let problem = read::read(None, THREE.as_bytes(), &given).expect("stops add").problems.remove(0);
    assert_eq!(problem.service.as_deref(), Some(&[0.0, 3.0, 4.0][..]));
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 7.0, 8.0][..]));
    let loaded = read::read_as("vrplib", THREE.as_bytes(), &Given::default()).expect("by name");
    assert_eq!(loaded.format, "vrplib");
}

#[test]
fn a_short_file_of_many_nodes_is_refused_before_it_is_computed() {
    let points: String = (1..=50).map(|node| format!("{node} {node} 0\n")).collect();
    let file = format!(
        "NAME: line\nTYPE: TSP\nDIMENSION: 50\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n{points}EOF\n"
    );
    let read = |most| {
        let given = Given { most_values: most, ..Given::default() };
        radar_format::read(None, file.as_bytes(), &given).map(|loaded| loaded.problems[0].nodes())
    };
    assert_eq!(read(None), Ok(50));
    assert_eq!(read(Some(2500)), Ok(50));
    assert_eq!(read(Some(2499)).expect_err("refused").code, "too-large");
}
