//! Runs that begin with the weights of another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use radar_net::Checkpoint;
use radar_train::folder::Folder;
use radar_train::metrics::Line;
use radar_train::{Clock, Config, start};

use crate::harness::{Place, Still, assert_same, begin, config, go_on, run};

fn last(place: &Place) -> Checkpoint {
    Checkpoint::from_bytes(&place.read(Folder::LAST)).expect("a checkpoint")
}

fn begin_from(init: &Checkpoint, config: Config, place: &Place, steps: u64, clock: &dyn Clock) {
    run(|outside| start(config, &place.0, Some(init), outside), steps, clock).expect("a run");
}

#[test]
fn a_run_may_begin_with_the_weights_of_another() {
    let (first, second) = (Place::new("init-first"), Place::new("init-second"));
    begin(config(&[]), &first, u64::MAX);
    let init = last(&first);
    // The network is that of the weights, whatever the configuration says.
    let other = config(&["model.width=32", "budget.steps=1", "optimiser.lr=0"]);
    begin_from(&init, other, &second, u64::MAX, &Still);
    let last = last(&second);
    assert_eq!(last.weights, init.weights);
    assert!(last.card.notes.contains("began as small (32 instances)"));
    // But for how sharply it chooses.
    let sharp = Place::new("init-sharp");
    begin_from(
        &init,
        config(&["model.clip=30", "budget.steps=1", "optimiser.lr=0"]),
        &sharp,
        u64::MAX,
        &Still,
    );
    let sharp = self::last(&sharp);
    assert_eq!((sharp.weights.values(), sharp.card.config.clip), (init.weights.values(), 30.0));
    let third = Place::new("init-third");
    begin(config(&["budget.instances=1"]), &third, u64::MAX);
    let fourth = Place::new("init-fourth");
    begin_from(&self::last(&third), config(&["budget.steps=1"]), &fourth, u64::MAX, &Still);
    assert!(self::last(&fourth).card.notes.contains("began as small (1 instance)"));
}

#[test]
fn an_optimiser_warms_up_on_weights_that_are_not_fresh() {
    let first = Place::new("warm-first");
    begin(config(&["budget.steps=1"]), &first, u64::MAX);
    let init = last(&first);
    for (given, wanted) in [(None, 100), (Some(0), 0), (Some(7), 7)] {
        let place = Place::new("warm-second");
        let mut config = config(&["budget.steps=1"]);
        config.schedule.warmup = given;
        begin_from(&init, config, &place, u64::MAX, &Still);
        assert_eq!(radar_train::configuration(&place.0).expect("a run").schedule.warmup, Some(wanted));
    }
    let fresh = Place::new("warm-fresh");
    let mut config = config(&["budget.steps=1"]);
    config.schedule.warmup = None;
    begin(config, &fresh, u64::MAX);
    assert_eq!(radar_train::configuration(&fresh.0).expect("a run").schedule.warmup, Some(0));
}

/// A session of an hour: it strikes when the clock is looked at again.
#[derive(Default)]
struct Hour(AtomicBool);

impl Clock for Hour {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::from_secs(if self.0.swap(true, Ordering::Relaxed) { 3600 } else { 0 })
    }
}

/// Weights that never change see the optima of their instances: the cost of imitated plans tells which these were.
#[test]
fn what_weights_have_learned_from_does_not_come_again() {
    let standing = |steps: u64| {
        let steps = format!("budget.steps={steps}");
        config(&["loss.kind=imitation", "optimiser.lr=0", "validation.count=0", "log_every=1", &steps])
    };
    let scores = |place: &Place| -> Vec<f64> {
        let score = |line| match line {
            Line::Train(train) => train.score.expect("plans"),
            Line::Validation(_) => panic!("there is no validation"),
        };
        place.lines().into_iter().map(score).collect()
    };
    let [whole, first, second, third, broken] =
        ["whole", "first", "second", "third", "broken"].map(|name| Place::new(&format!("stream-{name}")));
    begin(standing(8), &whole, u64::MAX);
    run(|outside| start(standing(3), &first.0, None, outside), u64::MAX, &Hour::default()).expect("a run");
    begin_from(&last(&first), standing(3), &second, u64::MAX, &Hour::default());
    begin_from(&last(&second), standing(2), &third, u64::MAX, &Hour::default());
    assert_eq!(scores(&whole), [scores(&first), scores(&second), scores(&third)].concat());
    let card = last(&third).card;
    assert_eq!((card.instances, card.cpu_hours), (32, 3.0));

    let unbroken = Place::new("stream-unbroken");
    begin_from(&last(&first), standing(3), &unbroken, u64::MAX, &Still);
    begin_from(&last(&first), standing(3), &broken, 1, &Still);
    go_on(&broken, u64::MAX);
    assert_eq!(scores(&broken), scores(&second));
    assert_same(&unbroken, &broken, &[Folder::STATE, Folder::LAST, Folder::METRICS, Folder::CURVE]);
}

#[test]
fn a_score_says_what_it_is() {
    for (kind, name, drawn, other) in [
        ("imitation", "cost of imitated plans", "imitation loss", "best cost of the starts"),
        ("reinforce", "best cost of the starts", "best cost of the starts", "cost of imitated plans"),
    ] {
        let place = Place::new(&format!("score-{kind}"));
        let summary = begin(config(&[&format!("loss.kind={kind}"), "budget.steps=2"]), &place, u64::MAX);
        assert_eq!(summary.score.map(|score| score.name), Some(name));
        let curve = String::from_utf8(place.read(Folder::CURVE)).expect("text");
        assert!(curve.contains(drawn) && !curve.contains(other), "{curve}");
        let figures = last(&place).card.figures;
        assert_eq!(figures.get(&format!("training, {name}")).copied(), summary.score.map(|score| score.cost));
        assert!(!figures.contains_key(&format!("training, {other}")));
    }
}

/// Two nodes leave nothing to choose.
#[test]
fn the_smallest_instances_are_learned_from() {
    for task in ["model.task=atsp", "model.task=vrp"] {
        for kind in ["imitation", "reinforce", "leader", "preference"] {
            let place = Place::new("two-nodes");
            let kind = format!("loss.kind={kind}");
            let drawn = if task.ends_with("vrp") { "multitask" } else { "tmat" };
            let drawn = format!("data.distribution={drawn}");
            let tiny = config(&[task, &drawn, &kind, "data.nodes=2", "budget.steps=2"]);
            assert_eq!(begin(tiny, &place, u64::MAX).spent.steps, 2, "{task} {kind}");
            assert!(last(&place).weights.values().iter().all(|weight| weight.is_finite()), "{task} {kind}");
        }
    }
}
