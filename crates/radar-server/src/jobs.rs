//! Jobs: accepted, run in their turn, watched, cancelled, kept; gone on with after a crash.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::http::StatusCode;
use radar::{Freeze, Method, Problem, Routes};
use radar_format::Given;
use radar_format::write::{Answer, Warning};
use radar_wire::{Blame, Failure, Wishes};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::sync::Notify;
use tracing::{error, info, warn};

use crate::desk::{Place, Turn};
use crate::feed::{Feed, Point, Seen};
use crate::limits;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::store::{Ending, Entry, Record, State, StoreError};
use crate::work::{self, Work};

/// A job that began this often and never ended takes the service down with it.
const MOST_ATTEMPTS: u32 = 5;
/// How often a running job is saved.
const SAVED_EVERY: Duration = Duration::from_secs(1);
/// How long is waited before a store that failed is asked again: each time twice as long, up to the second.
const ASKED_AGAIN: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(15));

/// A job as its owner sees it.
#[derive(Debug, Serialize)]
pub struct Job {
    id: String,
    state: State,
    created: String,
    started: Option<String>,
    ended: Option<String>,
    position: Option<usize>,
    options: Option<Box<RawValue>>,
    progress: Vec<Point>,
    plan: Option<Box<RawValue>>,
    answer: Option<Box<RawValue>>,
    error: Option<Box<RawValue>>,
}

impl Job {
    /// Its name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where it stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// How many jobs wait before it, while it waits.
    pub fn position(&self) -> Option<usize> {
        self.position
    }

    /// The moments at which something got better.
    pub fn progress(&self) -> &[Point] {
        &self.progress
    }
}

/// What is kept of a request: everything needed to do it again.
#[derive(Serialize, Deserialize)]
struct Kept {
    problem: Box<RawValue>,
    wishes: Wishes,
    warm: Option<Vec<Vec<usize>>>,
    freeze: Option<(Vec<Vec<usize>>, Vec<usize>)>,
    notes: Vec<Warning>,
}

/// The jobs that are being solved right now.
#[derive(Default)]
pub struct Running(Mutex<BTreeMap<String, Arc<Feed>>>);

impl Running {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Feed>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The feed of a job that is being solved.
    pub fn feed(&self, id: &str) -> Option<Arc<Feed>> {
        self.lock().get(id).cloned()
    }

    /// Asks every job to end.
    pub fn cancel_all(&self) {
        self.lock().values().for_each(|feed| feed.cancel());
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.lock().len()
    }
}

/// The jobs that wait for their turn.
#[derive(Default)]
pub struct Waiting(Mutex<BTreeMap<String, Arc<Notify>>>);

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Notify>>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn enter(&self, id: &str) -> Arc<Notify> {
        Arc::clone(self.lock().entry(id.to_owned()).or_default())
    }

    fn leave(&self, id: &str) {
        self.lock().remove(id);
    }

    /// It need not wait any more, and gives its place to others.
    fn call_off(&self, id: &str) {
        if let Some(waiting) = self.lock().get(id) {
            waiting.notify_one();
        }
    }
}

/// Accepts a job: it is on the disk when this returns, and its turn will come.
pub fn accept(
    service: &Arc<Service>,
    place: Place,
    work: Work,
    wishes: Wishes,
    notes: Vec<Warning>,
    key: Option<&str>,
) -> Result<String, Refusal> {
    let problem = radar_format::write::problem("json", &work.problem)?;
    let text = String::from_utf8(problem).map_err(|error| Refusal::internal(error.to_string()))?;
    let options = json(&wishes)?;
    let kept = Kept {
        problem: RawValue::from_string(text).map_err(|error| Refusal::internal(error.to_string()))?,
        wishes,
        warm: work.options.warm.as_ref().map(|routes| routes.0.clone()),
        freeze: work.options.freeze.as_ref().map(|freeze| (freeze.routes.0.clone(), freeze.lengths.clone())),
        notes,
    };
    let request = serde_json::to_vec(&kept).map_err(|error| Refusal::internal(error.to_string()))?;
    let id = uuid::Uuid::new_v4().simple().to_string();
    let need = work.memory();
    let entry = Entry { id: &id, key, request: &request, options: &options, need };
    let known = service.store.accept(entry, now())?;
    if known == id {
        info!(job = %id, nodes = work.problem.nodes(), "job accepted");
        tokio::spawn(carry_out(Arc::clone(service), id.clone(), place, need));
    }
    Ok(known)
}

/// After a start: every job that was accepted and has not ended gets its turn, the oldest first.
pub fn recover(service: &Arc<Service>) -> Result<usize, StoreError> {
    let mut count = 0;
    for job in service.store.recover()? {
        let given_up = match job.attempts {
            attempts if attempts >= MOST_ATTEMPTS => Err(Refusal::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "ended-with-the-service",
                format!("the service ended {attempts} times while it worked on this job"),
                "send it again with a smaller budget, and report it if that fails too",
            )),
            _ => limits::fits(job.need, service.settings.limits.memory),
        };
        if let Err(refusal) = given_up {
            service.store.end(&job.id, &failed(&refusal), now())?;
            warn!(job = %job.id, code = refusal.code(), "job given up");
            continue;
        }
        tokio::spawn(carry_out(Arc::clone(service), job.id, service.desk.stand_again(), job.need));
        count += 1;
    }
    Ok(count)
}

/// Waits for the job's turn and solves it.
async fn carry_out(service: Arc<Service>, id: String, place: Place, need: u64) {
    let called_off = service.waiting.enter(&id);
    let turn = tokio::select! {
        turn = service.desk.job_turn(place, need) => turn,
        () = called_off.notified() => None,
    };
    service.waiting.leave(&id);
    let Some(turn) = turn else { return };
    if let Err(error) = solve(&service, &id, turn).await {
        // What cannot be stored can at least be told; the next start finds the job as it was saved last.
        error!(job = %id, %error, "the store failed a job");
    }
}

/// Asks the store away from the threads that answer; again and again when it fails, for what was accepted is owed.
async fn stored<T: Send + 'static>(
    service: &Arc<Service>,
    ask: impl Fn(&Service) -> Result<T, StoreError> + Send + Sync + 'static,
) -> Result<T, StoreError> {
    let ask = Arc::new(ask);
    let mut pause = ASKED_AGAIN.0;
    loop {
        let (asked, ask) = (Arc::clone(service), Arc::clone(&ask));
        match tokio::task::spawn_blocking(move || ask(&asked)).await {
            Ok(Ok(answer)) => {
                service.store_fails.store(false, Ordering::Relaxed);
                return Ok(answer);
            }
            Ok(Err(error)) if service.desk.is_closing() => return Err(error),
            Ok(Err(error)) => warn!(%error, "the store is asked again"),
            Err(_) => warn!("the store is asked again"),
        }
        service.store_fails.store(true, Ordering::Relaxed);
        tokio::time::sleep(pause).await;
        pause = (2 * pause).min(ASKED_AGAIN.1);
    }
}

async fn solve(service: &Arc<Service>, id: &str, turn: Turn) -> Result<(), StoreError> {
    let name = id.to_owned();
    let Some(record) = stored(service, move |service| service.store.job(&name)).await? else { return Ok(()) };
    let spent = Duration::try_from_secs_f64(record.spent).unwrap_or_default();
    let until = work::until(service.settings.limits.job_time);
    let feed = Arc::new(Feed::new(until, spent, seen_before(&record)));
    // Whoever cancels from here on finds the feed, even before the work begins.
    service.running.lock().insert(id.to_owned(), Arc::clone(&feed));
    if service.desk.is_closing() {
        feed.cancel();
    }
    let ended = carry_on(service, &record, turn, &feed).await;
    service.running.lock().remove(id);
    feed.end();
    ended
}

async fn carry_on(
    service: &Arc<Service>,
    record: &Record,
    turn: Turn,
    feed: &Arc<Feed>,
) -> Result<(), StoreError> {
    let id = record.id.clone();
    let name = id.clone();
    if !stored(service, move |service| service.store.begin(&name, now())).await? {
        return Ok(());
    }
    let (read, name) = (Arc::clone(service), id.clone());
    let restored = tokio::task::spawn_blocking(move || restored(&read, &name)).await;
    let restored = restored.unwrap_or_else(|_| Err(Refusal::internal("the job could not be read")));
    let ending = match restored {
        Ok((mut work, notes)) => {
            go_on(record, &mut work, feed);
            let solved = watched(service, &id, feed, work.run(turn, Arc::clone(feed))).await;
            if service.desk.is_closing() && !feed.was_cancelled_by_caller() {
                let name = id.clone();
                return stored(service, move |service| service.store.park(&name)).await;
            }
            ending(solved, notes, feed)
        }
        Err(refusal) => failed(&refusal),
    };
    let (state, name) = (ending.state, id.clone());
    stored(service, move |service| service.store.end(&name, &ending, now())).await?;
    service.metrics.job_ended(state);
    info!(job = %id, state = state.as_str(), "job ended");
    Ok(())
}

/// Waits for the end of the work, and saves what it has come to now and then, and at the end.
async fn watched<T>(service: &Arc<Service>, id: &str, feed: &Arc<Feed>, work: impl Future<Output = T>) -> T {
    let save = || {
        let (service, id, feed) = (Arc::clone(service), id.to_owned(), Arc::clone(feed));
        async move {
            let saved = tokio::task::spawn_blocking(move || keep(&service, &id, &feed));
            if !matches!(saved.await, Ok(Ok(()))) {
                error!("a running job could not be saved");
            }
        }
    };
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => {
                save().await;
                return done;
            }
            () = tokio::time::sleep(SAVED_EVERY) => save().await,
        }
    }
}

fn keep(service: &Service, id: &str, feed: &Feed) -> Result<(), Refusal> {
    let seen = feed.seen();
    let plan = seen.plan.as_ref().map(|plan| json(&plan.0)).transpose()?;
    Ok(service.store.save(id, &json(&seen.curve)?, plan.as_deref(), feed.spent().as_secs_f64())?)
}

/// What a job ends with.
fn ending(solved: Result<radar::Solution, Refusal>, notes: Vec<Warning>, feed: &Feed) -> Ending {
    let cancelled = feed.was_cancelled_by_caller();
    let written = solved.and_then(|solution| {
        let mut answer = radar_wire::answer(&solution, &[]);
        answer.warnings.splice(0..0, notes);
        json(&answer)
    });
    match written {
        Ok(answer) => {
            let state = if cancelled { State::Cancelled } else { State::Done };
            Ending { state, answer: Some(answer), error: None }
        }
        Err(refusal) => {
            let state = if cancelled { State::Cancelled } else { State::Failed };
            Ending { state, ..failed(&refusal) }
        }
    }
}

/// What an earlier attempt came to.
fn seen_before(record: &Record) -> Seen {
    let plan = record.plan.as_deref().and_then(|text| serde_json::from_str::<Vec<Vec<usize>>>(text).ok());
    let curve = record.curve.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let curve: Vec<Point> = curve.unwrap_or_default();
    let bound = curve.last().and_then(|point| point.bound);
    Seen { total: curve.len(), bound, curve, plan: plan.map(Routes), ended: false }
}

/// An earlier attempt left a plan and has spent some of the time: it is gone on with, not begun again.
fn go_on(record: &Record, work: &mut Work, feed: &Feed) {
    if let Some(time) = &mut work.options.budget.time {
        const LEAST: Duration = Duration::from_millis(100);
        let spent = Duration::try_from_secs_f64(record.spent).unwrap_or_default();
        *time = time.saturating_sub(spent).max(LEAST.min(*time));
    }
    // A search begins with the plan it is given, so that what it found is no worse; other methods may not.
    let is_search = matches!(work.options.method, Method::Auto | Method::Search);
    if let Some(plan) = feed.seen().plan.filter(|_| work.options.freeze.is_none())
        && (is_search || work.options.warm.is_none())
    {
        work.options.warm = Some(plan);
    }
}

fn json(value: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(value).map_err(|error| Refusal::internal(error.to_string()))
}

/// What is kept of a job.
fn kept(service: &Service, id: &str) -> Result<Kept, Refusal> {
    let request = service.store.request(id)?.ok_or_else(|| unknown(id))?;
    serde_json::from_slice(&request).map_err(|error| Refusal::internal(error.to_string()))
}

/// The work of a job, from what is kept of it.
fn restored(service: &Service, id: &str) -> Result<(Work, Vec<Warning>), Refusal> {
    let kept = kept(service, id)?;
    let problem = kept.problem()?;
    let mut options = kept.wishes.options().map_err(Refusal::internal)?;
    options.warm = kept.warm.map(Routes);
    options.freeze = kept.freeze.map(|(routes, lengths)| Freeze { routes: Routes(routes), lengths });
    options.model = work::model(&service.settings, kept.wishes.model.as_deref(), &problem, options.method)?;
    Ok((Work { problem, options }, kept.notes))
}

impl Kept {
    fn problem(&self) -> Result<Problem, Refusal> {
        let loaded = radar_format::read::read_as("json", self.problem.get().as_bytes(), &Given::default())?;
        loaded.problems.into_iter().next().ok_or_else(|| Refusal::internal("a job without a problem"))
    }
}

/// The problem of a job.
pub fn problem(service: &Service, id: &str) -> Result<Problem, Refusal> {
    kept(service, id)?.problem()
}

/// How a job is to be solved, for whoever judges a plan of it.
pub fn wishes(service: &Service, id: &str) -> Result<Wishes, Refusal> {
    let record = service.store.job(id)?.ok_or_else(|| unknown(id))?;
    serde_json::from_str(&record.options).map_err(|error| Refusal::internal(error.to_string()))
}

/// The answer of a job; while there is none, the best plan so far as the checker sees it.
pub fn answer(service: &Service, id: &str) -> Result<Answer, Refusal> {
    let record = service.store.job(id)?.ok_or_else(|| unknown(id))?;
    if let Some(answer) = record.answer.as_deref().and_then(|text| serde_json::from_str(text).ok()) {
        return Ok(answer);
    }
    let seen = service.running.feed(id).map(|feed| feed.seen()).unwrap_or_else(|| seen_before(&record));
    let Some(plan) = seen.plan else {
        let (cause, action) = ("the job has no plan yet, or none at all", "look at its state and its error");
        return Err(Refusal::new(StatusCode::CONFLICT, "no-answer", cause, action));
    };
    let report = problem(service, id)?.validate();
    let Some(instance) = report.instance else {
        return Err(Failure::findings(Blame::Input, &report.findings).into());
    };
    let instance = instance.with_objective(wishes(service, id)?.minimise.into());
    Ok(radar_wire::given(&instance, &plan, &radar_check::check(&instance, &plan)))
}

/// A job as it stands.
pub fn show(service: &Service, id: &str) -> Result<Job, Refusal> {
    let record = service.store.job(id)?.ok_or_else(|| unknown(id))?;
    let position = match record.state {
        State::Queued => Some(service.store.position(id)?),
        _ => None,
    };
    let raw = |text: Option<String>| text.and_then(|text| RawValue::from_string(text).ok());
    let seen = service.running.feed(id).map(|feed| feed.seen());
    let (progress, plan) = match seen {
        Some(seen) => (seen.curve, seen.plan.and_then(|plan| serde_json::to_string(&plan.0).ok())),
        None => {
            let curve = record.curve.and_then(|text| serde_json::from_str(&text).ok());
            (curve.unwrap_or_default(), record.plan)
        }
    };
    Ok(Job {
        id: record.id,
        state: record.state,
        created: moment(record.created),
        started: record.started.map(moment),
        ended: record.ended.map(moment),
        position,
        options: raw(Some(record.options)),
        progress,
        plan: raw(plan),
        answer: raw(record.answer),
        error: raw(record.error),
    })
}

/// Cancels a job; the best plan so far becomes its answer. Waits a little until it has ended.
pub async fn cancel(service: &Arc<Service>, id: &str) -> Result<(), Refusal> {
    const PATIENCE: Duration = Duration::from_secs(5);
    if service.running.feed(id).is_none() {
        let (name, waited) = (id.to_owned(), Ending { state: State::Cancelled, answer: None, error: None });
        let ended =
            stored(service, move |service| service.store.cancel_waiting(&name, &waited, now())).await?;
        if ended {
            service.waiting.call_off(id);
            service.metrics.job_ended(State::Cancelled);
            return Ok(());
        }
    }
    // It runs, it has just begun, or it has ended before.
    if let Some(feed) = service.running.feed(id) {
        feed.cancel_by_caller();
        let mut changes = feed.changes();
        let ended = async { while !feed.seen().ended && changes.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(PATIENCE, ended).await;
    }
    Ok(())
}

fn failed(refusal: &Refusal) -> Ending {
    Ending { state: State::Failed, answer: None, error: Some(refusal.to_json().to_string()) }
}

/// There is no such job.
pub fn unknown(id: &str) -> Refusal {
    let shown: String = id.chars().filter(char::is_ascii_alphanumeric).take(40).collect();
    let cause = format!("there is no job `{shown}`");
    let action = "check its id; ended jobs are kept for a while only";
    Refusal::new(StatusCode::NOT_FOUND, "unknown-job", cause, action)
}

/// Milliseconds of the epoch.
pub fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

fn moment(milliseconds: i64) -> String {
    jiff::Timestamp::from_millisecond(milliseconds).map(|time| time.to_string()).unwrap_or_default()
}
