//! What somebody may have meant.

/// The known word nearest to a misspelt one, if any is near.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(40).collect();
    let reach = (word.len() / 3).clamp(1, 3);
    let slips = known.iter().map(|&other| (distance(&word, &other.chars().collect::<Vec<_>>()), other));
    slips.filter(|(slips, _)| *slips <= reach).min_by_key(|(slips, _)| *slips).map(|(_, other)| other)
}

/// Letters to add, drop, replace, or exchange with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let width = b.len() + 1;
    let mut table: Vec<usize> = (0..(a.len() + 1) * width).map(|at| at / width + at % width).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let here = i * width + j;
            let differs = usize::from(a[i - 1] != b[j - 1]);
            let mut least =
                (table[here - width - 1] + differs).min(table[here - width] + 1).min(table[here - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(table[here - 2 * width - 2] + 1);
            }
            table[here] = least;
        }
    }
    table.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let known = ["kind", "weight_decay", "lr", "betas"];
        assert_eq!(nearest("knid", &known), Some("kind"));
        assert_eq!(nearest("weight-decay", &known), Some("weight_decay"));
        assert_eq!(nearest("Lr", &known), Some("lr"));
        assert_eq!(nearest("momentum", &known), None);
        assert_eq!(nearest("", &known), None);
    }
}
