//! The bound for when there is no time for any other: every stop is entered once, and by no arc cheaper than the
//! cheapest into it. One pass over the table.

use radar_problem::{Instance, UNREACHABLE};

/// What no plan costs less than, in scaled units.
pub(crate) fn bound(instance: &Instance) -> i64 {
    let nodes = instance.nodes();
    let mut least = vec![UNREACHABLE; nodes];
    for from in 0..nodes {
        // No node enters itself.
        let own = least[from];
        instance.cost().row(from).lower(&mut least);
        least[from] = own;
    }
    // Routes may end without a way back; nothing enters a tour of one node.
    let entered = usize::from(!instance.is_tour())..nodes;
    entered.map(|node| least[node]).filter(|&cost| cost < UNREACHABLE).sum()
}

#[cfg(test)]
mod tests {
    use radar_problem::{Problem, Table};

    use super::*;

    #[test]
    fn every_stop_is_entered_by_its_cheapest_arc() {
        let table = Table::from_rows(vec![vec![0.0, 2.0, 9.0], vec![4.0, 0.0, 1.0], vec![3.0, 7.0, 0.0]]);
        let tour = Problem::atsp(table.clone()).validate().instance.expect("sound");
        assert_eq!(bound(&tour), 3 + 2 + 1);
        let routes = Problem::vrp(table).validate().instance.expect("sound");
        assert_eq!(bound(&routes), 2 + 1);
        let alone = Problem::atsp(Table::from_values(1, 1, vec![0.0])).validate().instance.expect("sound");
        assert_eq!(bound(&alone), 0);
    }
}
