//! References: the best plan known of every instance of a set, whose it is, and what was tried. Costs only ever fall.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

/// What is known of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    pub cost: Option<f64>,
    /// No plan costs less, as far as anybody has proved.
    pub bound: Option<f64>,
    pub optimal: bool,
    /// Who found the plan.
    pub origin: String,
    /// Who has tried, and what each came to.
    pub tried: BTreeMap<String, Option<f64>>,
}

impl Reference {
    /// Takes what an attempt came to.
    pub fn hear(&mut self, attempt: &str, cost: Option<f64>, bound: Option<f64>, optimal: bool) {
        self.tried.insert(attempt.to_owned(), cost);
        if let Some(cost) = cost
            && self.cost.is_none_or(|known| cost < known)
        {
            self.cost = Some(cost);
            self.origin = attempt.to_owned();
        }
        self.optimal |= optimal;
        self.bound = self.bound.into_iter().chain(bound).reduce(f64::max);
    }

    pub fn has_tried(&self, attempt: &str) -> bool {
        self.tried.contains_key(attempt)
    }

    /// What the attempt of that name came to.
    pub fn by(&self, attempt: &str) -> Option<f64> {
        self.tried.get(attempt).copied().flatten()
    }
}

/// The references of a set.
pub struct Book {
    path: PathBuf,
    pub references: Vec<Reference>,
}

impl Book {
    /// Opens the book of a set of so many instances, or begins one. What cannot be read is an error: it would be lost.
    pub fn open(folder: &Path, slug: &str, count: usize) -> Result<Self, String> {
        let path = folder.join(format!("{slug}.json"));
        let mut references = vec![Reference::default(); count];
        if path.exists() {
            let broken = |why: String| format!("{}: {why}", path.display());
            let text = std::fs::read_to_string(&path).map_err(|error| broken(error.to_string()))?;
            let lines: Vec<Value> = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
            // A set that was larger once loses nothing.
            references.resize(lines.len().max(count), Reference::default());
            for (place, line) in references.iter_mut().zip(&lines) {
                *place = understood(line).ok_or_else(|| broken(format!("{line} is no reference")))?;
            }
        }
        Ok(Self { path, references })
    }

    /// Writes it in one step, an instance a line.
    pub fn save(&self) -> Result<(), String> {
        let line = |reference: &Reference| {
            let Reference { cost, bound, optimal, origin, tried } = reference;
            json!({ "cost": cost, "bound": bound, "optimal": optimal, "origin": origin, "tried": tried })
                .to_string()
        };
        let lines: Vec<String> = self.references.iter().map(line).collect();
        let aside = self.path.with_extension("json.new");
        std::fs::write(&aside, format!("[\n{}\n]\n", lines.join(",\n")))
            .and_then(|()| std::fs::rename(&aside, &self.path))
            .map_err(|error| format!("{}: {error}", self.path.display()))
    }

    /// The gap of a cost to the reference of an instance, if there is one.
    pub fn gap(&self, index: usize, cost: f64) -> Option<f64> {
        self.references.get(index)?.cost.map(|known| (cost - known) / known)
    }
}

fn understood(line: &Value) -> Option<Reference> {
    let tried = line["tried"].as_object()?.iter().map(|(who, cost)| (who.clone(), cost.as_f64()));
    Some(Reference {
        cost: line["cost"].as_f64(),
        bound: line["bound"].as_f64(),
        optimal: line["optimal"].as_bool()?,
        origin: line["origin"].as_str()?.to_owned(),
        tried: tried.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_only_fall_and_nothing_is_tried_twice() {
        let mut reference = Reference::default();
        reference.hear("a", Some(3.0), Some(1.0), false);
        reference.hear("b", Some(4.0), Some(2.0), false);
        reference.hear("c", None, None, false);
        assert_eq!((reference.cost, reference.bound), (Some(3.0), Some(2.0)));
        assert_eq!(reference.origin, "a");
        assert_eq!((reference.by("b"), reference.by("c"), reference.by("d")), (Some(4.0), None, None));
        assert!(["a", "b", "c"].iter().all(|attempt| reference.has_tried(attempt)));
        assert!(!reference.optimal && !reference.has_tried("d"));
    }

    #[test]
    fn a_book_comes_back_as_it_was_kept() {
        let folder = std::env::temp_dir().join(format!("radar-book-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut book = Book::open(&folder, "set", 2).expect("a new one");
        book.references[1].hear("a", Some(0.1 + 0.2), None, true);
        book.save().expect("kept");
        let again = Book::open(&folder, "set", 3).expect("the same");
        assert_eq!(again.references[..2], book.references[..]);
        assert_eq!(again.references[2], Reference::default());
        std::fs::write(folder.join("set.json"), "[{}]").expect("spoilt");
        assert!(Book::open(&folder, "set", 2).is_err());
        let _ = std::fs::remove_dir_all(folder);
    }
}
