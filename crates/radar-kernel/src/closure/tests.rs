use super::*;
use crate::random::Stream;

/// The textbook loop, with the overflow that u64 spares us.
fn reference(nodes: usize, values: &[u32]) -> Vec<u32> {
    let far = u64::MAX / 4;
    let wide = |&value: &u32| if value == UNREACHABLE { far } else { u64::from(value) };
    let mut ways: Vec<u64> = values.iter().map(wide).collect();
    (0..nodes).for_each(|node| ways[node * nodes + node] = 0);
    for by in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                let detour = ways[from * nodes + by] + ways[by * nodes + to];
                ways[from * nodes + to] = ways[from * nodes + to].min(detour);
            }
        }
    }
    ways.into_iter().map(|way| if way > u64::from(LONGEST) { UNREACHABLE } else { way as u32 }).collect()
}

fn random(nodes: usize, gaps: f64, largest: u32, stream: &mut Stream) -> Vec<u32> {
    let mut draw = |_| match stream.chance(gaps) {
        true => UNREACHABLE,
        false => stream.below(u64::from(largest) + 1) as u32,
    };
    let mut values: Vec<u32> = (0..nodes * nodes).map(&mut draw).collect();
    (0..nodes).for_each(|node| values[node * nodes + node] = 0);
    values
}

#[test]
fn every_path_agrees_with_the_textbook() {
    let mut stream = Stream::new(1, "closure", 0);
    for nodes in 0..=70 {
        for (gaps, largest) in
            [(0.0, 999_999), (0.5, 50), (0.97, 7), (1.0, 1), (0.9, LONGEST), (0.0, LONGEST)]
        {
            let values = random(nodes, gaps, largest, &mut stream);
            let expected = reference(nodes, &values);
            for path in Path::ALL.into_iter().filter(|path| path.is_available()) {
                let mut ways = values.clone();
                close_on(path, nodes, &mut ways).expect("in range");
                assert_eq!(ways, expected, "{path:?}, {nodes} nodes, gaps {gaps}, largest {largest}");
            }
        }
    }
}

#[test]
fn larger_matrices_agree_across_paths() {
    let mut stream = Stream::new(2, "closure", 0);
    for nodes in [129, 160, 201] {
        let values = random(nodes, 0.98, 999_999, &mut stream);
        let mut portable = values.clone();
        close_on(Path::Portable, nodes, &mut portable).expect("in range");
        assert_eq!(portable, reference(nodes, &values));
        let mut best = values;
        close(nodes, &mut best).expect("in range");
        assert_eq!(best, portable);
    }
}

#[test]
fn ways_beyond_the_longest_are_unreachable() {
    let mut ways = [0, LONGEST, UNREACHABLE, UNREACHABLE, 0, LONGEST, UNREACHABLE, UNREACHABLE, 0];
    let before = ways;
    close(3, &mut ways).expect("in range");
    assert_eq!(ways, before);
}

#[test]
fn the_diagonal_becomes_zero() {
    let mut ways = [UNREACHABLE, 3, 4, LONGEST + 1];
    close(2, &mut ways).expect("in range");
    assert_eq!(ways, [0, 3, 4, 0]);
}

#[test]
fn what_is_out_of_range_is_refused_and_kept() {
    let mut long = [0, LONGEST + 1, 1, 0];
    assert_eq!(close(2, &mut long), Err(Refused::TooLong { from: 0, to: 1 }));
    assert_eq!(long, [0, LONGEST + 1, 1, 0]);
    assert_eq!(close(2, &mut [0; 3]), Err(Refused::WrongLength { values: 3, nodes: 2 }));
    assert_eq!(close(usize::MAX, &mut [0; 3]), Err(Refused::WrongLength { values: 3, nodes: usize::MAX }));
    assert_eq!(close(0, &mut []), Ok(()));
}

#[test]
fn the_path_is_one_this_machine_has() {
    assert!(path().is_available());
    assert!(Path::Portable.is_available());
    assert_eq!(Path::ALL.iter().filter(|path| path.is_available()).max(), Some(&path()));
}
