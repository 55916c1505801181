//! Runs as a whole: folders, interruption, resumption, other beginnings.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use radar_net::Checkpoint;
use radar_train::folder::Folder;
use radar_train::metrics::{self, Line};
use radar_train::ranks::Alone;
use radar_train::{Budget, Clock, Config, Ending, Event, Outside, Summary, TrainError, resume, start};

/// A folder of its own for each test, removed afterwards.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-train-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn lines(&self) -> Vec<Line> {
        metrics::read(&String::from_utf8(self.read(Folder::METRICS)).expect("text"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Time stands still, so that what is written does not depend on it.
struct Still;

impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// Time goes on by a second whenever it is looked at.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn wall(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

const SMALL: &str = "
name = \"small\"
batch = 4
chunk = 2
log_every = 2
save_every = 3
compute = \"precise\"
[model]
width = 16
heads = 2
hidden = 16
layers = 1
mix_hidden = 4
rank = 3
[data]
nodes = 7
[validation]
count = 3
every = 4
search_steps = 100
[schedule]
kind = \"cosine\"
warmup = 2
[budget]
steps = 8
";

fn config(set: &[&str]) -> Config {
    let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    Config::from_toml(SMALL, &set).expect("sound")
}

/// Runs until so many steps are taken in this session.
fn run(
    work: impl FnOnce(&Outside<'_>) -> Result<Summary, TrainError>,
    most_steps: u64,
    clock: &dyn Clock,
) -> Result<Summary, TrainError> {
    let taken = AtomicU64::new(0);
    let stop = || taken.load(Ordering::Relaxed) >= most_steps;
    let hear = |event: &Event| {
        if matches!(event, Event::Step(_)) {
            taken.fetch_add(1, Ordering::Relaxed);
        }
    };
    work(&Outside { clock, ranks: &Alone, stop: &stop, hear: &hear })
}

fn begin(config: Config, place: &Place, steps: u64) -> Summary {
    run(|outside| start(config, &place.0, None, outside), steps, &Still).expect("a run")
}

fn go_on(place: &Place, steps: u64) -> Summary {
    run(|outside| resume(&place.0, None, outside), steps, &Still).expect("a run")
}

const FILES: [&str; 6] =
    [Folder::STATE, Folder::LAST, Folder::BEST, Folder::METRICS, Folder::CURVE, Folder::CONFIG];

fn assert_same(one: &Place, other: &Place) {
    for name in FILES {
        assert!(one.read(name) == other.read(name), "{name} differs");
    }
}

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
        assert_same(&whole, &broken);
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
    assert_same(&whole, &killed);
}

#[test]
fn threads_change_nothing() {
    let traces: Vec<Place> = [1, 2]
        .into_iter()
        .map(|threads| {
            let place = Place::new(&format!("threads-{threads}"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| begin(config(&["budget.steps=3"]), &place, u64::MAX));
            place
        })
        .collect();
    assert_same(&traces[0], &traces[1]);
}

#[test]
fn the_journal_has_every_step_and_validation() {
    let place = Place::new("journal");
    begin(config(&["budget.instances=30"]), &place, u64::MAX);
    let (mut trained, mut examined) = (Vec::new(), Vec::new());
    for line in place.lines() {
        match line {
            Line::Train(train) => {
                assert!(train.score > 0.0 && train.score <= train.cost && train.gradient > 0.0);
                assert_eq!(train.complete, 1.0);
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
fn a_run_may_begin_with_the_weights_of_another() {
    let (first, second) = (Place::new("init-first"), Place::new("init-second"));
    begin(config(&[]), &first, u64::MAX);
    let init = Checkpoint::from_bytes(&first.read(Folder::LAST)).expect("a checkpoint");
    // The network is that of the weights, whatever the configuration says.
    let other = config(&["model.width=32", "budget.steps=1", "optimiser.lr=0", "schedule.warmup=0"]);
    run(|outside| start(other, &second.0, Some(&init), outside), u64::MAX, &Still).expect("a run");
    let last = Checkpoint::from_bytes(&second.read(Folder::LAST)).expect("a checkpoint");
    assert_eq!(last.weights, init.weights);
    assert!(last.card.notes.contains("began as small (32 instances)"));
    assert!(radar_train::configuration(&second.0).expect("a run").schedule.warmup > 0);
}

#[test]
fn runs_are_not_overwritten_and_must_be_there_to_go_on() {
    let place = Place::new("twice");
    begin(config(&[]), &place, 1);
    let code = |result: Result<Summary, TrainError>| result.expect_err("refused").code;
    let again = |outside: &Outside<'_>| start(config(&[]), &place.0, None, outside);
    assert_eq!(code(run(again, 1, &Still)), "run-exists");
    assert_eq!(code(run(|outside| resume(Path::new("/nowhere"), None, outside), 1, &Still)), "no-run");
    let state = place.read(Folder::STATE);
    std::fs::write(place.0.join(Folder::STATE), &state[..state.len() / 2]).expect("written");
    assert_eq!(code(run(|outside| resume(&place.0, None, outside), 1, &Still)), "bad-state");
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
    let outside = Outside { clock: &Ticking::default(), ranks: &Alone, stop: &|| false, hear: &hear };
    start(config(&["budget.steps=4"]), &place.0, None, &outside).expect("a run");
    for progress in steps.lock().expect("no panic").iter() {
        told.set(told.get() + 1);
        assert_eq!((progress.spent.steps, progress.spent.instances), (told.get(), 4 * told.get()));
        assert_eq!(progress.share, told.get() as f64 / 4.0);
        assert!(progress.per_second > 0.0 && progress.left.is_some() && progress.score > 0.0);
        assert!(progress.mark.is_some());
    }
    assert_eq!(told.get(), 4);
}
