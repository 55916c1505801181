//! Runs as a whole: folders, interruption, resumption, other beginnings.

#[path = "run/beginning.rs"]
mod beginning;
#[path = "run/change.rs"]
mod change;
#[path = "run/guard.rs"]
mod guard;
#[path = "run/harness.rs"]
mod harness;
#[path = "run/roads.rs"]
mod roads;

use std::cell::Cell;

use radar_net::Checkpoint;
use radar_train::folder::Folder;
use radar_train::metrics::Line;
use radar_train::ranks::Alone;
use radar_train::{Budget, Ending, Event, Outside, resume, start};

use harness::{FILES, Place, Still, Ticking, assert_same, begin, config, go_on, run};

#[test]
fn interrupted_and_resumed_is_uninterrupted() {
    let recipes: [(&str, &[&str]); 4] = [
        ("plain", &[]),
        ("muon", &["optimiser.kind=muon", "ema=0.9", "starts=3", "data.nodes=[5, 8]"]),
        ("imitate", &["loss.kind=imitation", "optimiser.kind=adamw", "optimiser.clip=0.5"]),
        (
            "mixed",
            &[
                "model.task=vrp",
                "data.distribution=multitask",
                "loss.kind=leader",
                "loss.normalise=true",
                "data.nodes=6",
                "starts=3",
                "first_nodes=likely",
            ],
        ),
    ];
    for (name, set) in recipes {
        let whole = Place::new(&format!("{name}-whole"));
        assert_eq!(begin(config(set), &whole, u64::MAX).ending, Ending::Done);
        let broken = Place::new(&format!("{name}-broken"));
        assert_eq!(begin(config(set), &broken, 2).ending, Ending::Stopped);
        assert_eq!(go_on(&broken, 3).spent.steps, 5);
        let summary = go_on(&broken, u64::MAX);
        assert_eq!((summary.ending, summary.spent.steps, summary.spent.instances), (Ending::Done, 8, 32));
        assert_same(&whole, &broken, &FILES);
    }
}

#[test]
fn a_kill_loses_the_last_interval_and_nothing_else() {
    let whole = Place::new("kill-whole");
    begin(config(&[]), &whole, u64::MAX);
    let killed = Place::new("kill-killed");
    begin(config(&[]), &killed, 3);
    let (state, journal) = (killed.read(Folder::STATE), killed.read(Folder::METRICS));
    go_on(&killed, 2);
    // As if the process had died after step 5: the state is that of step 3, and whatever was written since is
    // there or half there.
    std::fs::write(killed.0.join(Folder::STATE), state).expect("written");
    assert!(killed.read(Folder::METRICS).len() > journal.len());
    for name in FILES {
        std::fs::write(killed.0.join(format!("{name}.part")), b"half a fi").expect("written");
    }
    assert_eq!(go_on(&killed, u64::MAX).ending, Ending::Done);
    assert_same(&whole, &killed, &FILES);
}

/// A validation that was stopped has never been; the next session does it.
#[test]
fn a_stop_is_heard_in_a_validation() {
    let (whole, broken) = (Place::new("examined-whole"), Place::new("examined-broken"));
    begin(config(&[]), &whole, u64::MAX);
    let examined = |place: &Place| -> Vec<u64> {
        let step = |line| match line {
            Line::Validation(one) => Some(one.step),
            Line::Train(_) => None,
        };
        place.lines().into_iter().filter_map(step).collect()
    };
    assert_eq!(begin(config(&[]), &broken, 4).ending, Ending::Stopped);
    assert_eq!(examined(&broken), [0]);
    assert_eq!(go_on(&broken, 4).ending, Ending::Stopped);
    assert_eq!(examined(&broken), [0, 4]);
    assert_eq!(go_on(&broken, u64::MAX).ending, Ending::Done);
    assert_same(&whole, &broken, &FILES);
}

#[test]
fn threads_change_nothing() {
    // Six chunks: sums of fewer than three hide their order.
    let traces: Vec<Place> = [1, 2]
        .into_iter()
        .map(|threads| {
            let place = Place::new(&format!("threads-{threads}"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| begin(config(&["budget.steps=3", "batch=11"]), &place, u64::MAX));
            place
        })
        .collect();
    assert_same(&traces[0], &traces[1], &FILES);
}

#[test]
fn the_journal_has_every_step_and_validation() {
    let place = Place::new("journal");
    begin(config(&["budget.instances=30"]), &place, u64::MAX);
    let (mut trained, mut examined) = (Vec::new(), Vec::new());
    for line in place.lines() {
        match line {
            Line::Train(train) => {
                let (score, cost) = (train.score.expect("plans"), train.cost.expect("plans"));
                assert!(score > 0.0 && score <= cost && train.gradient > 0.0);
                assert_eq!(train.complete, 1.0);
                assert!(train.log_prob_gap < 1e-4, "{}", train.log_prob_gap);
                trained.push((train.step, train.instances));
            }
            Line::Validation(one) => {
                assert!(one.mark.gap.is_some_and(|gap| gap >= -1e-12), "a proved optimum cannot be beaten");
                examined.push(one.step);
            }
        }
    }
    // The last batch is cut to the budget.
    assert_eq!(trained, [(2, 8), (4, 16), (6, 24), (8, 30)]);
    assert_eq!(examined, [0, 4, 8]);
    assert!(String::from_utf8(place.read(Folder::CURVE)).expect("text").contains("polyline"));
    assert!(place.0.join(Folder::REFERENCES).is_file() && place.0.join(Folder::VALIDATION[0]).is_file());
}

#[test]
fn cards_say_what_was_seen() {
    let place = Place::new("card");
    begin(config(&["data.nodes=[5, 8]"]), &place, u64::MAX);
    let last = Checkpoint::from_bytes(&place.read(Folder::LAST)).expect("a checkpoint");
    let trained = last.card.trained.expect("it saw something");
    assert_eq!((last.card.instances, trained.nodes), (32, (5, 8)));
    assert_eq!(trained.variants.len(), 1);
    assert!(trained.asymmetry.0 > 0.0 && trained.distribution.contains("tmat"));
    assert!(last.card.figures.contains_key("validation gap, greedy"));
    assert!(last.card.notes.contains("REINFORCE"));
}

#[test]
fn numbers_that_run_away_are_an_error() {
    for kind in ["imitation", "reinforce"] {
        let place = Place::new(&format!("diverged-{kind}"));
        let wild = config(&[
            &format!("loss.kind={kind}"),
            "optimiser.kind=adamw",
            "optimiser.lr=10",
            // Every step takes ten times the weights off themselves.
            "optimiser.weight_decay=1",
            "budget.steps=200",
            "schedule.kind=constant",
        ]);
        let ended = run(|outside| start(wild, &place.0, None, outside), 200, &Still);
        assert_eq!(ended.expect_err("no numbers").code, "diverged", "{kind}");
    }
}

#[test]
fn time_ends_a_run_and_a_budget_may_grow() {
    let place = Place::new("time");
    let timed = config(&["budget.time=20s", "validation.count=0", "schedule.kind=constant"]);
    let clock = Ticking::default();
    let summary = run(|outside| start(timed, &place.0, None, outside), u64::MAX, &clock).expect("a run");
    assert_eq!(summary.ending, Ending::Done);
    assert!((3..=20).contains(&summary.spent.steps), "{:?}", summary.spent);
    let more = Budget { steps: Some(summary.spent.steps + 2), ..Budget::default() };
    let grown = run(|outside| resume(&place.0, Some(more), outside), u64::MAX, &Still).expect("a run");
    assert_eq!((grown.ending, grown.spent.steps), (Ending::Done, summary.spent.steps + 2));
    assert_eq!(radar_train::configuration(&place.0).expect("a run").budget, more);
}

#[test]
fn progress_is_told() {
    let place = Place::new("told");
    let told = Cell::new(0);
    let steps = std::sync::Mutex::new(Vec::new());
    let hear = |event: &Event| {
        if let (Event::Step(progress), Ok(mut steps)) = (event, steps.lock()) {
            steps.push(*progress);
        }
    };
    let outside =
        Outside { clock: &Ticking::default(), memory: None, ranks: &Alone, stop: &|| false, hear: &hear };
    start(config(&["budget.steps=4"]), &place.0, None, &outside).expect("a run");
    for progress in steps.lock().expect("no panic").iter() {
        told.set(told.get() + 1);
        assert_eq!((progress.spent.steps, progress.spent.instances), (told.get(), 4 * told.get()));
        assert_eq!(progress.share, told.get() as f64 / 4.0);
        assert!(progress.per_second > 0.0 && progress.left.is_some());
        assert!(
            progress.score.is_some_and(|score| score.cost > 0.0 && score.name == "best cost of the starts")
        );
        assert!(progress.mark.is_some());
    }
    assert_eq!(told.get(), 4);
}
