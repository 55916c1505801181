use super::*;
use crate::random::Stream;

/// Prices are feasible on allowed pairs, tight on assigned ones, and the columns a permutation.
fn assert_optimal<C: Cost>(nodes: usize, costs: &[C], found: &Assignment<C>) {
    let mut seen = vec![false; nodes];
    for (row, &column) in found.column_of.iter().enumerate() {
        assert!(!std::mem::replace(&mut seen[column], true), "column {column} is used twice");
        assert_ne!(costs[row * nodes + column], C::FORBIDDEN);
        for to in 0..nodes {
            let cost = costs[row * nodes + to];
            if cost != C::FORBIDDEN {
                let reduced = cost.to_i64() - found.rows[row].to_i64() - found.columns[to].to_i64();
                assert!(reduced >= 0, "({row}, {to}) has reduced cost {reduced}");
                assert!(to != column || reduced == 0, "({row}, {to}) is assigned at {reduced}");
            }
        }
    }
    let prices = found.rows.iter().chain(&found.columns).map(|price| price.to_i64());
    assert_eq!(found.cost, prices.sum::<i64>());
}

/// The least cost by trying every permutation.
fn brute_force(nodes: usize, costs: &[i64], row: usize, used: u32) -> Option<i64> {
    if row == nodes {
        return Some(0);
    }
    (0..nodes)
        .filter(|column| used & (1 << column) == 0 && costs[row * nodes + column] != i64::FORBIDDEN)
        .filter_map(|column| {
            let rest = brute_force(nodes, costs, row + 1, used | (1 << column))?;
            Some(costs[row * nodes + column] + rest)
        })
        .min()
}

fn random(nodes: usize, low: i64, high: i64, forbidden: f64, stream: &mut Stream) -> Vec<i64> {
    let draw = |_| match stream.chance(forbidden) {
        true => i64::FORBIDDEN,
        false => stream.between(low, high),
    };
    (0..nodes * nodes).map(draw).collect()
}

fn narrow(costs: &[i64]) -> Vec<i32> {
    costs.iter().map(|&cost| if cost == i64::FORBIDDEN { i32::FORBIDDEN } else { cost as i32 }).collect()
}

/// Ranges with many ties, negative costs, zeros only, and none of these.
const RANGES: [(i64, i64); 5] = [(0, 0), (0, 1), (-3, 3), (0, 20), (-50_000, 50_000)];

#[test]
fn small_ones_match_brute_force() {
    let mut stream = Stream::new(1, "assignment", 0);
    let (mut feasible, mut infeasible) = (0, 0);
    for nodes in 0..=7 {
        for (low, high) in RANGES {
            for forbidden in [0.0, 0.2, 0.5, 0.8] {
                for _ in 0..if nodes < 7 { 12 } else { 2 } {
                    let costs = random(nodes, low, high, forbidden, &mut stream);
                    let expected = brute_force(nodes, &costs, 0, 0);
                    let (wide, thin) = (solve(nodes, &costs), solve(nodes, &narrow(&costs)));
                    let Some(expected) = expected else {
                        infeasible += 1;
                        assert_eq!(wide, Err(Refused::Infeasible));
                        assert_eq!(thin, Err(Refused::Infeasible));
                        continue;
                    };
                    feasible += 1;
                    let (wide, thin) = (wide.expect("feasible"), thin.expect("feasible"));
                    assert_eq!((wide.cost, thin.cost), (expected, expected));
                    assert_optimal(nodes, &costs, &wide);
                    assert_optimal(nodes, &narrow(&costs), &thin);
                }
            }
        }
    }
    assert!(feasible > 500 && infeasible > 300, "{feasible} feasible, {infeasible} infeasible");
}

#[test]
fn prices_prove_larger_ones_on_every_path() {
    let mut stream = Stream::new(2, "assignment", 0);
    let sizes = (1..=40).chain([63, 64, 65, 100, 128, 150, 199, 200]);
    for nodes in sizes {
        for (low, high) in RANGES {
            for forbidden in [0.0, 0.3] {
                let mut costs = random(nodes, low, high, forbidden, &mut stream);
                // A shifted diagonal stays allowed, so that there is an assignment.
                (0..nodes).for_each(|row| costs[row * nodes + (row + 1) % nodes] = high);
                let costs = narrow(&costs);
                let portable = solve_on(Path::Portable, nodes, &costs).expect("feasible");
                assert_optimal(nodes, &costs, &portable);
                for path in Path::ALL {
                    assert_eq!(solve_on(path, nodes, &costs).as_ref(), Ok(&portable), "{path:?}");
                }
            }
        }
    }
}

#[test]
fn a_tour_matrix_with_a_forbidden_diagonal() {
    let mut stream = Stream::new(3, "assignment", 0);
    let nodes = 120;
    let mut costs = random(nodes, 0, 999_999, 0.0, &mut stream);
    (0..nodes).for_each(|node| costs[node * nodes + node] = i64::FORBIDDEN);
    let found = solve(nodes, &costs).expect("feasible");
    assert_optimal(nodes, &costs, &found);
    let again = solve(nodes, &costs).expect("feasible");
    assert_eq!(found, again);
}

#[test]
fn products_are_the_hard_case() {
    // On c = i * j the cheap phases assign next to nothing, and every price moves far.
    for nodes in [2_i64, 17, 90] {
        let costs: Vec<i64> = (0..nodes * nodes).map(|at| (at / nodes) * (at % nodes)).collect();
        let found = solve(nodes as usize, &costs).expect("feasible");
        assert_optimal(nodes as usize, &costs, &found);
        let expected: i64 = (0..nodes).map(|row| row * (nodes - 1 - row)).sum();
        assert_eq!(found.cost, expected);
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    assert_eq!(solve(2, &[1, 2, 3]), Err(Refused::WrongLength { costs: 3, nodes: 2 }));
    let (low, high) = (i32::MIN / 20, i32::MAX / 20);
    assert_eq!(solve(2, &[low, high, high, low]), Err(Refused::TooFarApart));
    assert!(solve(2, &[i64::from(low), i64::from(high), 0, 0]).is_ok());
    assert_eq!(solve(1, &[i32::FORBIDDEN]), Err(Refused::Infeasible));
    // Hall's condition fails: three rows share two columns.
    let no = i32::FORBIDDEN;
    assert_eq!(solve(3, &[1, 1, no, 1, 1, no, 1, 1, no]), Err(Refused::Infeasible));
    assert_eq!(solve::<i32>(0, &[]).map(|found| found.cost), Ok(0));
}

#[test]
fn the_widest_allowed_costs_do_not_overflow() {
    // Overflow checks are on in tests: a wrong bound on the prices would panic here.
    let mut stream = Stream::new(4, "assignment", 0);
    for nodes in 1..=30_usize {
        for forbidden in [0.0, 0.4] {
            let spread = i64::from(i32::MAX) / 17 / if forbidden > 0.0 { nodes as i64 + 2 } else { 1 };
            let extremes = |_| if stream.chance(0.5) { 0 } else { spread };
            let mut costs: Vec<i64> = (0..nodes * nodes).map(extremes).collect();
            for at in 0..nodes * nodes {
                if stream.chance(forbidden) && at / nodes != at % nodes {
                    costs[at] = i64::FORBIDDEN;
                }
            }
            let costs = narrow(&costs);
            assert_optimal(nodes, &costs, &solve(nodes, &costs).expect("in range"));
        }
    }
}
