//! Warnings about instances far from what weights have seen.

use radar_problem::{Feature, Features, Instance, NEVER, Objective, Variant};

use super::{Card, Trained, asymmetry, demand_spread};

/// Beyond the trained range by less than this, nothing is said: the range is of a sample.
const ASYMMETRY_MARGIN: f64 = 0.05;
/// The same for the spread of amounts.
const SPREAD_MARGIN: f64 = 0.1;

impl Card {
    /// Why these weights may do badly on this instance, one sentence each; empty when it is like what they
    /// have seen.
    pub fn doubts(&self, instance: &Instance) -> Vec<String> {
        match &self.trained {
            None => vec![format!("nothing is known about what the weights `{}` were trained on", self.name)],
            Some(trained) => {
                let kinds = [kind, size, features, clauses, cost, skew, spread];
                kinds.iter().flat_map(|doubt| doubt(trained, instance)).collect()
            }
        }
    }
}

fn kind(trained: &Trained, instance: &Instance) -> Vec<String> {
    let tours = trained.variants.contains(&Variant::Atsp);
    let routes = trained.variants.iter().any(|&variant| variant != Variant::Atsp);
    match instance.is_tour() {
        true if !tours => vec!["the weights have seen routes only, and this is a tour".to_owned()],
        false if !routes => vec!["the weights have seen tours only, and these are routes".to_owned()],
        _ => Vec::new(),
    }
}

fn size(trained: &Trained, instance: &Instance) -> Vec<String> {
    let ((least, most), nodes) = (trained.nodes, instance.nodes());
    let seen = format!("the weights have seen {least} to {most} nodes, and this instance has {nodes}");
    if nodes > most.saturating_mul(2) {
        vec![format!("{seen}, more than twice the most")]
    } else if nodes < least / 2 {
        vec![format!("{seen}, less than half the fewest")]
    } else {
        Vec::new()
    }
}

fn features(trained: &Trained, instance: &Instance) -> Vec<String> {
    let seen = |feature| {
        let has = |features: Features| features.has(feature);
        trained.variants.iter().any(|variant| matches!(variant, Variant::Vrp(features) if has(*features)))
    };
    let unseen = instance.features().iter().filter(|&feature| !seen(feature));
    let sentence = |feature| {
        let name = match feature {
            Feature::Open => "open routes",
            Feature::Backhaul => "pickups",
            Feature::Limit => "a limit on the length of routes",
            Feature::Windows => "time windows",
        };
        let variants: Vec<String> = trained.variants.iter().map(Variant::to_string).collect();
        format!("the weights have never seen {name}: they were trained on {}", variants.join(", "))
    };
    unseen.map(sentence).collect()
}

fn clauses(trained: &Trained, instance: &Instance) -> Vec<String> {
    let mut doubts = Vec::new();
    if instance.max_duration() < NEVER && !trained.max_duration {
        doubts.push("the weights have never seen a limit on the time of a route".to_owned());
    }
    if instance.input().duration.is_some() && !trained.durations && !instance.is_tour() {
        doubts.push("the weights have never seen travel times that are not the distances".to_owned());
    }
    doubts
}

/// Distances by weights that know travel times only; the other way round a matrix is a matrix.
fn cost(trained: &Trained, instance: &Instance) -> Vec<String> {
    let has_times = instance.input().duration.is_some();
    let differs = trained.saves_time && has_times && instance.objective() == Objective::Distance;
    let doubt =
        "the weights have learned to save travel time, and here distance is minimised (--minimise duration)";
    differs.then(|| doubt.to_owned()).into_iter().collect()
}

fn skew(trained: &Trained, instance: &Instance) -> Vec<String> {
    let measured = asymmetry(instance);
    let doubt = outside("the asymmetry", measured, trained.asymmetry, ASYMMETRY_MARGIN);
    doubt.filter(|_| instance.nodes() > 1).into_iter().collect()
}

fn spread(trained: &Trained, instance: &Instance) -> Vec<String> {
    let is_routes = trained.variants.iter().any(|&variant| variant != Variant::Atsp);
    if trained.demand_spread.is_none() && is_routes && demand_spread(instance).is_some() {
        return vec!["the weights have never seen amounts to carry".to_owned()];
    }
    let pair = demand_spread(instance).zip(trained.demand_spread);
    let doubt = |(measured, seen)| {
        outside("the spread of demand (deviation over mean)", measured, seen, SPREAD_MARGIN)
    };
    pair.and_then(doubt).into_iter().collect()
}

fn outside(what: &str, measured: f64, (least, most): (f64, f64), margin: f64) -> Option<String> {
    let beyond = measured < least - margin || measured > most + margin;
    beyond.then(|| {
        format!("{what} of this instance is {measured:.2}, and the weights have seen {least:.2} to {most:.2}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use radar_problem::{Matrix, Problem, Table};

    fn card() -> Card {
        let mut card = Card::new("test", Config::preset("paper-acvrp").expect("a preset"));
        card.trained = Some(Trained {
            nodes: (10, 20),
            variants: vec![Variant::Vrp(Features::NONE)],
            durations: false,
            max_duration: false,
            saves_time: false,
            asymmetry: (0.15, 0.3),
            demand_spread: Some((0.3, 0.6)),
            distribution: "test".to_owned(),
        });
        card
    }

    /// Twice as far in one direction: asymmetry 1/3; demands 1, 2, 3, ...: spread near 0.5.
    fn problem(nodes: usize) -> Problem {
        let distance = Matrix::from_fn(nodes, |from, to| match from.cmp(&to) {
            std::cmp::Ordering::Less => 1.0,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Greater => 2.0,
        });
        let demand = (0..nodes).map(|node| node as f64).collect();
        Problem { demand: Some(demand), capacity: Some(100.0), ..Problem::vrp(Table::from(distance)) }
    }

    fn doubts(problem: Problem) -> Vec<String> {
        card().doubts(&problem.validate().instance.expect("well formed"))
    }

    #[test]
    fn what_is_like_the_training_is_not_doubted() {
        for nodes in [5, 10, 20, 40] {
            assert_eq!(doubts(problem(nodes)), Vec::<String>::new(), "{nodes}");
        }
    }

    #[test]
    fn measures_are_right() {
        let instance = problem(4).validate().instance.expect("well formed");
        assert!((asymmetry(&instance) - 1.0 / 3.0).abs() < 1e-12);
        assert!(
            (demand_spread(&instance).expect("a checkpoint") - (2.0_f64 / 3.0).sqrt() / 2.0).abs() < 1e-12
        );
        let tour = Problem::atsp(problem(4).distance).validate().instance.expect("well formed");
        assert_eq!(demand_spread(&tour), None);
    }

    #[test]
    fn sizes_far_off_are_doubted_with_their_numbers() {
        for (nodes, words) in [(41, "more than twice"), (4, "less than half")] {
            let said = doubts(problem(nodes));
            assert_eq!(said.len(), 1, "{said:?}");
            let seen = format!("10 to 20 nodes, and this instance has {nodes}, {words}");
            assert!(said[0].contains(&seen), "{said:?}");
        }
    }

    #[test]
    fn features_never_seen_are_doubted_one_by_one() {
        let said = doubts(Problem { open: true, limit: Some(30.0), ..problem(12) });
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].contains("open routes") && said[0].contains("trained on ACVRP"));
        assert!(said[1].contains("limit on the length"));
        let windows = Some(vec![[0.0, 50.0]; 12]);
        let said = doubts(Problem { windows, max_duration: Some(40.0), ..problem(12) });
        assert!(said[0].contains("time windows") && said[1].contains("time of a route"), "{said:?}");
    }

    #[test]
    fn weights_that_save_time_are_doubted_over_distances() {
        let mut card = card();
        card.trained.iter_mut().for_each(|trained| (trained.saves_time, trained.durations) = (true, true));
        let timed = Problem { duration: Some(problem(12).distance), ..problem(12) };
        let instance = timed.validate().instance.expect("well formed");
        assert!(card.doubts(&instance)[0].contains("--minimise duration"));
        assert!(card.doubts(&instance.with_objective(Objective::Duration)).is_empty());
    }

    #[test]
    fn numbers_outside_are_doubted() {
        let symmetric = Matrix::from_fn(12, |from, to| if from == to { 0.0 } else { 1.0 });
        let said = doubts(Problem { distance: Table::from(symmetric), ..problem(12) });
        assert_eq!(said, ["the asymmetry of this instance is 0.00, and the weights have seen 0.15 to 0.30"]);
        let said = doubts(Problem { demand: Some([vec![0.0], vec![1.0; 11]].concat()), ..problem(12) });
        assert!(said[0].contains("is 0.00, and the weights have seen 0.30 to 0.60"), "{said:?}");
    }

    #[test]
    fn a_tour_is_not_a_route_and_ignorance_is_told() {
        let tour = Problem::atsp(problem(12).distance);
        assert!(doubts(tour)[0].contains("this is a tour"));
        let unknown = Card::new("found", Config::default());
        let said = unknown.doubts(&problem(12).validate().instance.expect("well formed"));
        assert!(said[0].contains("`found`") && said.len() == 1);
    }
}
