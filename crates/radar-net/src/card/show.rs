//! The card as people read it.

use std::fmt;

use radar_problem::Variant;

use super::{Card, Trained};
use crate::config::Config;

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = vec![("name", self.name.clone())];
        rows.extend(network(&self.config));
        match &self.trained {
            Some(trained) => rows.extend(training(trained)),
            None => rows.push(("trained on", "unknown".to_owned())),
        }
        if self.instances > 0 {
            rows.push(("instances", grouped(self.instances)));
            rows.push(("effort", effort(self.cpu_hours)));
            rows.push(("seed", self.seed.to_string()));
        }
        if !self.notes.is_empty() {
            rows.push(("notes", self.notes.clone()));
        }
        rows.push(("card", format!("version {}", self.version)));
        let figures = self.figures.iter().map(|(name, value)| (format!("  {name}"), figure(name, *value)));
        let figures: Vec<(String, String)> = figures.collect();

        let names = rows.iter().map(|(name, _)| *name).chain(figures.iter().map(|(name, _)| name.as_str()));
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        for (name, text) in &rows {
            // Further lines of a text stand under its first.
            writeln!(f, "{name:width$}  {}", text.replace('\n', &format!("\n{:width$}  ", "")))?;
        }
        if !figures.is_empty() {
            writeln!(f, "figures")?;
        }
        figures.iter().try_for_each(|(name, figure)| writeln!(f, "{name:width$}  {figure}"))
    }
}

fn network(config: &Config) -> Vec<(&'static str, String)> {
    let count: usize = config.parameters().iter().map(|parameter| parameter.count()).sum();
    let size = format!(
        "{} layers of width {} with {} heads, {} inside; {} weights",
        config.layers,
        config.width,
        config.heads,
        config.hidden,
        grouped(count as u64)
    );
    let names = |list: Vec<&str>| if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    vec![
        ("task", config.task.to_string()),
        ("size", size),
        ("start", (config.init.part().words)(config)),
        ("scaling", config.scaling.to_string()),
        (
            "mixed",
            format!(
                "{} ({} inside)",
                names(config.mix.iter().map(|mix| mix.as_str()).collect()),
                config.mix_hidden
            ),
        ),
        ("attention", (config.normalisation.part().words)(config)),
        ("terms", names(config.terms.iter().map(|term| term.as_str()).collect())),
        ("clip", config.clip.to_string()),
    ]
}

fn training(trained: &Trained) -> Vec<(&'static str, String)> {
    let variants: Vec<String> = trained.variants.iter().map(Variant::to_string).collect();
    let (low, high) = trained.asymmetry;
    let mut rows = vec![
        ("trained on", trained.distribution.clone()),
        ("nodes", format!("{} to {}", trained.nodes.0, trained.nodes.1)),
        ("variants", variants.join(", ")),
        ("asymmetry", format!("{low:.2} to {high:.2}")),
    ];
    if trained.saves_time {
        rows.push(("minimised", "travel time".to_owned()));
    }
    if let Some((low, high)) = trained.demand_spread {
        rows.push(("demand", format!("deviation {low:.2} to {high:.2} of the mean")));
    }
    let also = [(trained.durations, "own travel times"), (trained.max_duration, "limited shifts")];
    let also: Vec<&str> = also.into_iter().filter(|(seen, _)| *seen).map(|(_, name)| name).collect();
    if !also.is_empty() {
        rows.push(("also", also.join(", ")));
    }
    rows
}

/// CPU time in words.
fn effort(hours: f64) -> String {
    match hours {
        _ if hours >= 1.0 => format!("{hours:.1} core hours"),
        _ if hours * 60.0 >= 1.0 => format!("{:.0} core minutes", hours * 60.0),
        _ => format!("{:.0} core seconds", hours * 3600.0),
    }
}

/// A figure in as many digits as mean anything: gaps as shares of a hundred.
fn figure(name: &str, value: f64) -> String {
    match name.contains("gap") {
        true => format!("{:.2} %", 100.0 * value),
        // Six digits, whatever the size.
        false => {
            format!("{value:.*}", (5 - value.abs().max(1e-9).log10().floor() as i64).clamp(0, 9) as usize)
        }
    }
}

/// A number in groups of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut groups = vec![&digits[..first]];
    groups.extend(digits.as_bytes()[first..].chunks(3).map(|group| std::str::from_utf8(group).unwrap_or("")));
    groups.retain(|group| !group.is_empty());
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (12, "12"), (123, "123"), (1234, "1,234"), (2_970_792, "2,970,792")];
        assert!(cases.iter().all(|&(number, text)| grouped(number) == text));
    }

    #[test]
    fn figures_have_the_digits_that_count() {
        assert_eq!(figure("validation gap, greedy", 0.020345), "2.03 %");
        let costs = [1.5978812437499998, 20109.6193, 1234567.8, 0.0];
        assert_eq!(costs.map(|cost| figure("cost", cost)), ["1.59788", "20109.6", "1234568", "0.000000000"]);
        assert_eq!([2.0, 0.5, 0.001].map(effort), ["2.0 core hours", "30 core minutes", "4 core seconds"]);
    }

    #[test]
    fn columns_are_aligned() {
        let mut card = Card::new("tiny", Config::preset("paper-atsp").expect("a preset"));
        card.figures.insert("gap ATSP100".to_owned(), 0.0072);
        card.notes = "first line\nsecond line".to_owned();
        let text = card.to_string();
        assert!(text.contains("2,970,792 weights"), "{text}");
        assert!(text.contains("trained on     unknown\n"), "{text}");
        assert!(text.contains("  gap ATSP100  0.72 %\n"), "{text}");
        assert!(text.contains("\n               second line\n"), "{text}");
        assert!(text.contains("sinkhorn, 10 iterations, ending on columns"), "{text}");
    }
}
