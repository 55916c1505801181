//! What networks are worth to a search, in tables.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde_json::Value;

use super::kept::numbers;
use crate::quality::book::Book;
use crate::quality::networks::mean;
use crate::quality::references;
use crate::quality::set::slug;

/// What a network is worth.
pub struct Worth {
    pub name: String,
    results: Vec<Measured>,
}

/// What one way of solving came to on a set in a budget: the gaps, in the order of instances and seeds.
struct Measured {
    set: String,
    budget: String,
    way: String,
    gaps: Vec<f64>,
    /// Mean CPU time of a run.
    seconds: f64,
}

/// Ways that differ by more standard errors of the difference than this are told apart.
const CLEARLY: f64 = 2.0;
const ALONE: &str = "search alone";

impl Worth {
    pub fn new(name: String, file: &Value) -> Result<Self, String> {
        let text = |result: &Value, key: &str| result[key].as_str().unwrap_or_default().to_owned();
        let mut books: BTreeMap<String, Book> = BTreeMap::new();
        let mut results = Vec::new();
        for result in file["results"].as_array().into_iter().flatten() {
            let set = text(result, "set");
            if !books.contains_key(&set) {
                books.insert(set.clone(), Book::open(Path::new(references::FOLDER), &slug(&set), 0)?);
            }
            let instances = numbers(&result["instances"]).into_iter().map(|index| index as usize);
            let runs = instances.zip(numbers(&result["costs"]));
            let gaps = runs.filter_map(|(instance, cost)| books[&set].gap(instance, cost)).collect();
            let seconds = mean(&numbers(&result["seconds"])).0;
            results.push(Measured {
                budget: text(result, "budget"),
                way: text(result, "way"),
                set,
                gaps,
                seconds,
            });
        }
        Ok(Self { name, results })
    }

    /// Sets with their budgets, in the order in which they were measured.
    fn rows(&self) -> Vec<(&str, &str)> {
        let mut rows: Vec<(&str, &str)> = Vec::new();
        for result in &self.results {
            if !rows.contains(&(&result.set, &result.budget)) {
                rows.push((&result.set, &result.budget));
            }
        }
        rows
    }

    fn ways(&self) -> Vec<&str> {
        let mut ways: Vec<&str> = Vec::new();
        for result in &self.results {
            if !ways.contains(&result.way.as_str()) {
                ways.push(&result.way);
            }
        }
        ways
    }

    fn measured(&self, (set, budget): (&str, &str), way: &str) -> Option<&Measured> {
        let is_it = |result: &&Measured| (&*result.set, &*result.budget, &*result.way) == (set, budget, way);
        self.results.iter().find(is_it).filter(|result| !result.gaps.is_empty())
    }

    /// In how many rows a way is clearly better than the search alone, in how many clearly worse, and of how many.
    pub fn against_alone(&self, way: &str) -> [usize; 3] {
        let rows = self.rows();
        let gaps = |row, way| self.measured(row, way).map(|result| result.gaps.as_slice());
        let both: Vec<(&[f64], &[f64])> =
            rows.iter().filter_map(|&row| Some((gaps(row, way)?, gaps(row, ALONE)?))).collect();
        let better = both.iter().filter(|(way, alone)| is_clearly_less(way, alone)).count();
        let worse = both.iter().filter(|(way, alone)| is_clearly_less(alone, way)).count();
        [better, worse, both.len()]
    }

    fn table(&self) -> String {
        let ways = self.ways();
        let mut text = format!("\n| `{}` | runs | {} |\n", self.name, ways.join(" | "));
        let _ = writeln!(text, "|---|---:|{}", "---:|".repeat(ways.len()));
        for row in self.rows() {
            let cells: Vec<Option<&Measured>> = ways.iter().map(|way| self.measured(row, way)).collect();
            let gaps = cells.iter().flatten().map(|cell| cell.gaps.as_slice());
            let Some(best) = gaps.min_by(|one, two| mean(one).0.total_cmp(&mean(two).0)) else { continue };
            let shown = cells.iter().map(|cell| match cell {
                Some(Measured { gaps, seconds, budget, .. }) => {
                    let gap = format!("{:.2} %", 100.0 * mean(gaps).0);
                    let gap = if is_clearly_less(best, gaps) { gap } else { format!("**{gap}**") };
                    // A budget of time says itself how long it takes.
                    let is_timed = budget.ends_with(" s");
                    if is_timed { gap } else { format!("{gap} in {seconds:.2} s") }
                }
                None => "–".to_owned(),
            });
            let shown: Vec<String> = shown.collect();
            let _ = writeln!(text, "| {}, {} | {} | {} |", row.0, row.1, best.len(), shown.join(" | "));
        }
        text
    }
}

/// Whether one way is better than another on the same instances and seeds by more than luck.
fn is_clearly_less(one: &[f64], other: &[f64]) -> bool {
    let apart: Vec<f64> = one.iter().zip(other).map(|(one, other)| other - one).collect();
    let (apart, error) = mean(&apart);
    apart > CLEARLY * error && apart > 0.0
}

/// The section of the page.
pub fn section(all: &[Worth]) -> String {
    let mut text = "## What a network is worth to the search\n\nOne core, CPU time as the clock, whatever goes before the search counted; `usual steps` are the 500 a \
                    node that a search takes when nothing is said, to which the network comes on top. Mean gaps over the same instances and seeds; the best of each \
                    row is bold, and so is what is behind it by less than two standard errors of the difference.\n"
        .to_owned();
    all.iter().for_each(|worth| text.push_str(&worth.table()));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_compared_instance_by_instance() {
        let result = |way: &str, gaps: [f64; 3]| Measured {
            set: "a".to_owned(),
            budget: "1 s".to_owned(),
            way: way.to_owned(),
            gaps: gaps.to_vec(),
            seconds: 1.0,
        };
        let results = vec![
            result(ALONE, [0.10, 0.20, 0.30]),
            // Always a little better, and once better, once worse.
            result("surely", [0.09, 0.19, 0.29]),
            result("perhaps", [0.05, 0.25, 0.30]),
            result("never", [0.11, 0.22, 0.33]),
        ];
        let worth = Worth { name: "net".to_owned(), results };
        assert_eq!(worth.against_alone("surely"), [1, 0, 1]);
        assert_eq!(worth.against_alone("perhaps"), [0, 0, 1]);
        assert_eq!(worth.against_alone("never"), [0, 1, 1]);
        let table = worth.table();
        assert!(table.contains("| a, 1 s | 3 | 20.00 % | **19.00 %** | **20.00 %** | 22.00 % |"), "{table}");
    }
}
