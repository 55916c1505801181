//! The card of a run's weights.

use radar_net::Card;

use crate::config::{Config, LossKind, OptimiserKind};
use crate::state::Status;

/// What the weights say about themselves.
pub(super) fn card(config: &Config, status: &Status) -> Card {
    let mut card = Card::new(config.name.clone(), config.model.clone());
    card.trained = status.seen.trained(&trained_on(config, status));
    card.instances = status.earlier.instances.saturating_add(status.spent.instances);
    card.cpu_hours = status.earlier.cpu_hours + status.spent.cpu.as_secs_f64() / 3600.0;
    card.seed = config.seed;
    if let Some((_, mark)) = status.examined {
        card.figures.insert("validation cost, greedy".to_owned(), mark.cost);
        card.figures.extend(mark.gap.map(|gap| ("validation gap, greedy".to_owned(), gap)));
    }
    let name = format!("training, {}", config.loss.kind.score());
    card.figures.extend(status.score.map(|score| (name, score)));
    card.notes = notes(config, status);
    card
}

/// All that the weights have learned from, in words: that of the first ones, then this run's.
fn trained_on(config: &Config, status: &Status) -> String {
    let own = distribution(config);
    match &status.earlier.trained_on {
        None => own,
        Some(earlier) if status.spent.steps == 0 || earlier.ends_with(&own) => earlier.clone(),
        Some(earlier) => format!("{earlier}; then {own}"),
    }
}

/// Where instances came from, in words.
fn distribution(config: &Config) -> String {
    let parts = config.data.mixture.iter().map(|part| {
        // What is as usual goes without saying, but for what problems these are.
        let usual = part.entry().map(|entry| entry.parameters).unwrap_or_default();
        let is_usual = |key: &str, value: &str| {
            key != "variant" && usual.iter().any(|usual| (usual.name, usual.default) == (key, value))
        };
        let told = part.parameters.iter().filter(|(key, value)| !is_usual(key, value));
        let parameters = told.map(|(key, value)| format!(" {key}={value}"));
        let weight =
            if config.data.mixture.len() > 1 { format!(" x {}", part.weight) } else { String::new() };
        format!("{}{}{weight}", part.distribution, parameters.collect::<String>())
    });
    let sizes: Vec<String> = config.data.sizes().iter().map(ToString::to_string).collect();
    format!("{}, n = {}", parts.collect::<Vec<_>>().join(" + "), sizes.join(", "))
}

fn notes(config: &Config, status: &Status) -> String {
    if let (Some(init), 0) = (&status.init, status.spent.steps) {
        return format!("{init} as they were, before any step of this run");
    }
    let loss = match config.loss.kind {
        LossKind::Reinforce => "REINFORCE".to_owned(),
        LossKind::Preference => "preference optimisation".to_owned(),
        LossKind::Leader => "REINFORCE with more weight on the best trajectories".to_owned(),
        LossKind::Imitation => "imitation of searched plans".to_owned(),
    };
    let optimiser = match config.optimiser.kind {
        OptimiserKind::Adam => "Adam",
        OptimiserKind::AdamW => "AdamW",
        OptimiserKind::Muon => "Muon",
    };
    let mut notes = format!("{loss}; {optimiser}, rate {}, batch {}", config.optimiser.lr, config.batch);
    if let Some(decay) = config.ema {
        notes.push_str(&format!("; running mean of the weights, decay {decay}"));
    }
    if let Some(init) = &status.init {
        notes.push_str(&format!("; began as {init}"));
    }
    notes.push_str(&format!("; computed on {}", status.isa));
    notes
}
