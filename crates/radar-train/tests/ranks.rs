//! Several ranks leave the same run behind as one: here they are threads, joined by channels.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use radar_train::folder::Folder;
use radar_train::ranks::{Alone, Ranks, dismiss};
use radar_train::{Clock, Config, Ending, Event, Outside, Summary, TrainError, follow, resume, start};

/// A rank that is a thread; a rank that is gone makes the others panic, not wait.
struct Thread {
    rank: usize,
    /// Whether it mishears a bit of whatever is long, states apart: those have a sum of their own.
    deaf: bool,
    /// To every rank and from every rank, by number.
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
}

impl Thread {
    fn group(size: usize) -> Vec<Self> {
        let mut group: Vec<Self> =
            (0..size).map(|rank| Self { rank, deaf: false, to: Vec::new(), from: Vec::new() }).collect();
        for one in 0..size {
            for other in 0..size {
                let (to, from) = channel();
                group[one].to.push(to);
                group[other].from.push(from);
            }
        }
        group
    }
}

impl Ranks for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.to.len()
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        match self.rank {
            0 => self.to[1..].iter().for_each(|to| to.send(bytes.clone()).expect("somebody listens")),
            _ => *bytes = self.from[0].recv().expect("rank 0 is there"),
        }
        let length = bytes.len();
        let is_state = || bytes.windows(12).any(|part| part == b"__metadata__");
        if self.deaf && length > 4000 && !is_state() {
            bytes[length - 4] ^= 1;
        }
    }

    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        self.to[0].send(bytes).expect("rank 0 is there");
        match self.rank {
            0 => self.from.iter().map(|from| from.recv().expect("all are there")).collect(),
            _ => Vec::new(),
        }
    }
}

/// Time stands still.
struct Still;

impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// The wall clock goes on by a second whenever it is looked at; each rank has used 10 s of CPU time.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn wall(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
    fn cpu(&self) -> Duration {
        Duration::from_secs(10)
    }
}

/// What rank 0 came to, and all others.
type Outcome = (Result<Summary, TrainError>, Vec<Result<Ending, TrainError>>);

/// Has so many ranks do a piece of work that rank 0 leads. `stop` is asked with the rank and the steps so far.
fn together(
    size: usize,
    clock: &dyn Clock,
    stop: &(dyn Fn(usize, u64) -> bool + Sync),
    work: impl FnOnce(&Outside<'_>) -> Result<Summary, TrainError>,
) -> Outcome {
    assemble(Thread::group(size), clock, stop, work)
}

fn assemble(
    group: Vec<Thread>,
    clock: &dyn Clock,
    stop: &(dyn Fn(usize, u64) -> bool + Sync),
    work: impl FnOnce(&Outside<'_>) -> Result<Summary, TrainError>,
) -> Outcome {
    let steps = &AtomicU64::new(0);
    let hear = |event: &Event| {
        if matches!(event, Event::Step(_)) {
            steps.fetch_add(1, Ordering::Relaxed);
        }
    };
    let mut group = group.into_iter();
    let first = group.next().expect("rank 0");
    std::thread::scope(|scope| {
        let others: Vec<_> = group
            .map(|ranks| {
                scope.spawn(move || {
                    let stop = || stop(ranks.rank, steps.load(Ordering::Relaxed));
                    let hear = |_: &Event| panic!("only rank 0 tells anything");
                    follow(&Outside { clock, memory: None, ranks: &ranks, stop: &stop, hear: &hear })
                })
            })
            .collect();
        let stop = || stop(0, steps.load(Ordering::Relaxed));
        let summary = work(&Outside { clock, memory: None, ranks: &first, stop: &stop, hear: &hear });
        (summary, others.into_iter().map(|other| other.join().expect("no panic")).collect())
    })
}

/// A folder of its own for each test, removed afterwards.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-ranks-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn assert_same(&self, other: &Self) {
        for name in [Folder::STATE, Folder::LAST, Folder::BEST, Folder::METRICS, Folder::CONFIG] {
            let read = |place: &Self| std::fs::read(place.0.join(name)).expect("a file");
            assert!(read(self) == read(other), "{name} differs: {} {}", self.0.display(), other.0.display());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SMALL: &str = "
batch = 7
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
nodes = 6
[validation]
count = 3
every = 4
search_steps = 100
[schedule]
kind = \"cosine\"
warmup = 2
[budget]
steps = 5
";

fn config(set: &[&str]) -> Config {
    let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    Config::from_toml(SMALL, &set).expect("sound")
}

const NEVER: &(dyn Fn(usize, u64) -> bool + Sync) = &|_, _| false;

fn begin(size: usize, set: &[&str], place: &Place, stop: &(dyn Fn(usize, u64) -> bool + Sync)) -> Ending {
    let (summary, others) =
        together(size, &Still, stop, |outside| start(config(set), &place.0, None, outside));
    let ending = summary.expect("a run").ending;
    assert!(others.len() == size - 1 && others.iter().all(|other| *other == Ok(ending)));
    ending
}

fn go_on(size: usize, place: &Place, stop: &(dyn Fn(usize, u64) -> bool + Sync)) -> Summary {
    let (summary, others) = together(size, &Still, stop, |outside| resume(&place.0, None, outside));
    let summary = summary.expect("a run");
    assert!(others.iter().all(|other| *other == Ok(summary.ending)));
    summary
}

/// Four chunks, the last of one instance: 3 ranks get unequal shares, and of 5 or 9 some get none.
#[test]
fn ranks_change_nothing() {
    let recipes: [(&str, &[&str]); 4] = [
        ("plain", &[]),
        ("muon", &["optimiser.kind=muon", "ema=0.9", "starts=3", "data.nodes=[5, 8]", "chunk=1"]),
        ("imitate", &["loss.kind=imitation", "optimiser.kind=adamw", "budget.instances=31"]),
        (
            "mixed",
            &[
                "model.task=vrp",
                "data.distribution=multitask",
                "loss.kind=leader",
                "loss.normalise=true",
                "optimiser.clip=0.5",
            ],
        ),
    ];
    for (name, set) in recipes {
        let one = Place::new(&format!("{name}-1"));
        let alone = Outside { clock: &Still, memory: None, ranks: &Alone, stop: &|| false, hear: &|_| () };
        start(config(set), &one.0, None, &alone).expect("a run");
        for size in [1, 2, 3, 5, 9] {
            let several = Place::new(&format!("{name}-of-{size}"));
            assert_eq!(begin(size, set, &several, NEVER), Ending::Done);
            one.assert_same(&several);
        }
    }
}

/// Stopped between steps by rank 0 or by any other, and resumed by another number of ranks.
#[test]
fn another_number_of_ranks_goes_on() {
    let whole = Place::new("whole");
    begin(1, &[], &whole, NEVER);
    let broken = Place::new("broken");
    assert_eq!(begin(1, &[], &broken, &|_, steps| steps >= 1), Ending::Stopped);
    assert_eq!(go_on(3, &broken, &|rank, steps| rank == 0 && steps >= 1).spent.steps, 2);
    assert_eq!(go_on(2, &broken, &|rank, steps| rank == 1 && steps >= 2).spent.steps, 4);
    assert_eq!(go_on(4, &broken, NEVER).ending, Ending::Done);
    whole.assert_same(&broken);
}

/// A batch that a rank drops in the middle has never been.
#[test]
fn a_stop_in_the_middle_of_a_batch_drops_it_everywhere() {
    for kind in ["reinforce", "imitation"] {
        let kind = format!("loss.kind={kind}");
        let whole = Place::new("dropped-whole");
        begin(1, &[&kind], &whole, NEVER);
        for rank in [0, 1] {
            let broken = Place::new("dropped-broken");
            let asked = AtomicU64::new(0);
            // The third time that it is asked after the second step.
            let stop = |of: usize, steps: u64| {
                of == rank && steps == 2 && asked.fetch_add(1, Ordering::Relaxed) >= 2
            };
            assert_eq!(begin(2, &[&kind], &broken, &stop), Ending::Stopped);
            assert_eq!(go_on(2, &broken, NEVER).spent.steps, 5);
            whole.assert_same(&broken);
        }
    }
}

#[test]
fn rank_0_keeps_the_time_of_all() {
    let place = Place::new("time");
    let timed = config(&["budget.time=20s", "validation.count=0", "schedule.kind=constant"]);
    let work = |outside: &Outside<'_>| start(timed, &place.0, None, outside);
    let (summary, others) = together(3, &Ticking::default(), NEVER, work);
    let summary = summary.expect("a run");
    assert!(summary.ending == Ending::Done && (3..=20).contains(&summary.spent.steps));
    // What rank 0 has used before it had prepared everything does not count.
    assert_eq!(summary.spent.cpu, Duration::from_secs(20));
    assert_eq!(others, [Ok(Ending::Done), Ok(Ending::Done)]);

    let place = Place::new("cpu");
    let limited = config(&["budget.cpu=15s", "validation.count=0", "schedule.kind=constant"]);
    let work = |outside: &Outside<'_>| start(limited, &place.0, None, outside);
    let (summary, _) = together(3, &Ticking::default(), NEVER, work);
    assert_eq!(summary.expect("a run").spent.steps, 1);
}

fn assert_refused(outcome: Outcome, code: &str) {
    let (summary, others) = outcome;
    assert_eq!(summary.expect_err("refused").code, code);
    assert!(!others.is_empty());
    others.into_iter().for_each(|other| assert_eq!(other.expect_err("refused").code, code));
}

#[test]
fn what_fails_on_one_rank_ends_all() {
    let place = Place::new("refused");
    begin(2, &[], &place, &|_, steps| steps >= 1);
    let again = |outside: &Outside<'_>| start(config(&[]), &place.0, None, outside);
    assert_refused(together(3, &Still, NEVER, again), "run-exists");
    let nowhere = |outside: &Outside<'_>| resume(Path::new("/nowhere"), None, outside);
    assert_refused(together(3, &Still, NEVER, nowhere), "no-run");
    let gone = |outside: &Outside<'_>| {
        let set = ["data.distribution=roads", "data.variant=ATSP", "data.roads=[\"/nowhere/roads.npz\"]"];
        start(config(&set), &Place::new("gone").0, None, outside)
    };
    let (summary, others) = together(2, &Still, NEVER, gone);
    assert!(summary.is_err_and(|error| error.cause.contains("/nowhere")) && others[0].is_err());
    // A folder where a file should be: the first save fails while the others wait for their first order.
    let blocked = Place::new("blocked");
    std::fs::create_dir_all(blocked.0.join(Folder::LAST)).expect("a folder");
    let unwritable = |outside: &Outside<'_>| start(config(&[]), &blocked.0, None, outside);
    assert_refused(together(3, &Still, NEVER, unwritable), "unwritable");
    let called_off = |outside: &Outside<'_>| {
        let error = TrainError::new("config", "nonsense", "write sense");
        dismiss(outside.ranks, &error);
        Err(error)
    };
    assert_refused(together(2, &Still, NEVER, called_off), "config");
    let state = std::fs::read(place.0.join(Folder::STATE)).expect("a state");
    std::fs::write(place.0.join(Folder::STATE), &state[..state.len() / 2]).expect("written");
    let damaged = |outside: &Outside<'_>| resume(&place.0, None, outside);
    assert_refused(together(2, &Still, NEVER, damaged), "bad-state");
}

#[test]
fn a_rank_that_comes_to_other_weights_is_found() {
    let place = Place::new("deaf");
    let mut group = Thread::group(3);
    group[2].deaf = true;
    let outcome = assemble(group, &Still, NEVER, |outside| start(config(&[]), &place.0, None, outside));
    assert!(outcome.0.as_ref().is_err_and(|error| error.cause.contains("rank 2")), "{:?}", outcome.0);
    assert_refused(outcome, "ranks-differ");
}
