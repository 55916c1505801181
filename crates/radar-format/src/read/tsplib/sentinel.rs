//! Large numbers that stand for "never": on the diagonal, and between nodes that no arc joins.

use radar_problem::Table;

use crate::read::Note;

/// Clears the diagonal, which is never driven. If it held one number above all others, pairs with
/// that number have no arc either: the file has no other way to say so.
pub(super) fn cleared(table: Table, name: &str, notes: &mut Vec<Note>) -> Table {
    let nodes = table.rows();
    let diagonal: Vec<f64> = (0..nodes).map(|node| table.at(node, node)).collect();
    let highest = diagonal.iter().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let odd = diagonal.iter().filter(|&&value| value != 0.0).count();
    if odd == 0 {
        return table;
    }
    notes.push(Note::new(
        "diagonal-not-zero",
        format!(
            "{name}: {odd} of {nodes} diagonal entries are not 0; the diagonal is never driven and taken as 0"
        ),
    ));
    let off = |at: usize| at / nodes != at % nodes;
    let others = || table.iter().enumerate().filter(|&(at, value)| off(at) && value.is_finite());
    let below = others().filter(|&(_, value)| value < highest).count();
    let equal = others().filter(|&(_, value)| value == highest).count();
    let sentinel = highest > 0.0 && below > 0 && equal > 0 && below + equal == others().count();
    if sentinel {
        notes.push(Note::new(
            "pairs-unreachable",
            format!("{name}: {equal} pairs hold {highest}, the diagonal's number above all others; they are taken as unreachable"),
        ));
    }
    let mut at = 0;
    table.map(|value| {
        at += 1;
        match off(at - 1) {
            false => 0.0,
            true if sentinel && value == highest => f64::INFINITY,
            true => value,
        }
    })
}
