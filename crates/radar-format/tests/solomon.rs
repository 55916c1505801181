//! Solomon's text format.

use radar_format::FormatError;
use radar_format::read::{self, Given};
use radar_problem::{Kind, Problem};

const SMALL: &str = include_str!("fixtures/solomon/small.txt");

fn open(text: &str) -> Result<Problem, FormatError> {
    read::read(None, text.as_bytes(), &Given::default()).map(|mut loaded| {
        assert_eq!(loaded.format, "solomon");
        loaded.problems.remove(0)
    })
}

#[test]
fn customers_become_nodes() {
    let problem = open(SMALL).expect("a small file");
    assert_eq!((problem.kind, problem.nodes(), problem.name.as_deref()), (Kind::Vrp, 3, Some("R3-by-hand")));
    assert_eq!((problem.vehicles, problem.capacity), (Some(4), Some(200.0)));
    assert_eq!(problem.demand.as_deref(), Some(&[0.0, 10.0, 7.0][..]));
    assert_eq!(problem.windows.as_deref(), Some(&[[0.0, 230.0], [161.0, 171.0], [50.0, 60.0]][..]));
    assert_eq!(problem.service.as_deref(), Some(&[0.0, 10.0, 11.0][..]));
    assert_eq!(problem.points.as_deref(), Some(&[[35.0, 35.0], [49.0, 41.0], [17.0, 35.0]][..]));
    assert_eq!(problem.ids, None);
    // sqrt(36 + 196) = 15.23154..., four decimals; 18 exactly.
    assert_eq!((problem.distance.at(0, 1), problem.distance.at(0, 2)), (15.2315, 18.0));
    assert_eq!(problem.duration, None);
    assert_eq!(problem.validate().instance.expect("valid").variant().to_string(), "AVRPTW");
}

#[test]
fn numbers_that_are_no_indices_are_ids() {
    let problem = open(&SMALL.replace("    2      35", "   17      35")).expect("numbered otherwise");
    assert_eq!(problem.ids.map(|ids| ids.join(" ")), Some("0 1 17".to_owned()));
}

#[test]
fn refusals_say_what_and_where() {
    let far = SMALL.replace(" 41 ", " 1.5e308 ").replace("35         17", "-1.5e308         17");
    for (text, code, place) in [
        (SMALL.replace("         11", ""), "wrong-count", "line 12"),
        (SMALL.replace("  4         200", "  4"), "wrong-count", "line 5"),
        (SMALL.replace("  4         200", "  4.5       200"), "bad-number", "4.5"),
        (SMALL.replace("161", "late"), "bad-number", "line 11"),
        (SMALL.replace("161", "1e999"), "bad-number", "line 11"),
        (SMALL.replace("161", "0x10"), "bad-number", "line 11"),
        (SMALL.replace("161", "nan"), "bad-number", "line 11"),
        (far, "bad-number", "apart"),
        (SMALL[..SMALL.find("    0 ").expect("the depot")].to_owned(), "missing-key", "CUSTOMER"),
    ] {
        let error = open(&text).expect_err(&text);
        assert_eq!(error.code, code, "{error}");
        assert!(error.cause.contains(place), "{error}");
    }
}
