//! Whose turn it is: solves at once, a line of bounded length, and memory. Who is turned away is told at
//! once; who has been let in keeps what was promised.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits;
use crate::memory::{Hold, Memory};
use crate::refusal::Refusal;
use crate::settings::Limits;

/// How many may ask routing engines at once.
const FAR_SEATS: usize = 8;

/// Gives out turns.
pub struct Desk {
    limits: Limits,
    solves: Arc<Semaphore>,
    jobs: Arc<Semaphore>,
    memory: Arc<Memory>,
    seats: Arc<Semaphore>,
    far_seats: Arc<Semaphore>,
    waiting: AtomicUsize,
    running: AtomicUsize,
    closing: AtomicBool,
    /// How long a turn takes of late, in milliseconds.
    usual: AtomicUsize,
}

/// A turn: for as long as it is held, a core and its memory belong to the holder.
pub struct Turn {
    desk: Arc<Desk>,
    begun: Instant,
    _permits: Vec<OwnedSemaphorePermit>,
    _memory: Hold,
}

/// A place in the line.
pub struct Place(Arc<Desk>);

/// Who stands in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// A request whose caller waits.
    Caller,
    /// A job.
    Job,
}

/// Where something short is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// On this machine.
    Near,
    /// With somebody else, who may take long to answer.
    Far,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.desk.running.fetch_sub(1, Ordering::Relaxed);
        let took = usize::try_from(self.begun.elapsed().as_millis()).unwrap_or(usize::MAX);
        let usual = self.desk.usual.load(Ordering::Relaxed);
        self.desk.usual.store((usual.saturating_mul(7).saturating_add(took)) / 8, Ordering::Relaxed);
    }
}

impl Desk {
    /// A desk with nobody before it.
    pub fn new(limits: Limits) -> Arc<Self> {
        let solves = limits.solves.max(1);
        Arc::new(Self {
            limits,
            solves: Arc::new(Semaphore::new(solves)),
            jobs: Arc::new(Semaphore::new(limits.jobs.max(1))),
            memory: Memory::new(limits.memory),
            seats: Arc::new(Semaphore::new(2 * solves)),
            far_seats: Arc::new(Semaphore::new(FAR_SEATS)),
            waiting: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            usual: AtomicUsize::new(1000),
        })
    }

    /// A place in the line, if it is not full. Whose turn comes at once does not count as waiting.
    pub fn stand(self: &Arc<Self>, who: Who) -> Result<Place, Refusal> {
        self.refuse_when_closing()?;
        let free = self.solves.available_permits();
        let idle = match who {
            Who::Caller => free,
            Who::Job => free.min(self.jobs.available_permits()),
        };
        let most = self.limits.queue.saturating_add(idle);
        let taken = self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |waiting| {
            (waiting < most).then_some(waiting + 1)
        });
        match taken {
            Ok(_) => Ok(Place(Arc::clone(self))),
            Err(_) => Err(limits::queue_full(&self.limits, self.patience_needed())),
        }
    }

    /// A place for somebody who was promised one.
    pub fn stand_again(self: &Arc<Self>) -> Place {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        Place(Arc::clone(self))
    }

    /// The turn of a request whose caller waits on the line.
    pub async fn turn(self: &Arc<Self>, place: Place, need: u64) -> Result<Turn, Refusal> {
        let memory = self.portion(need)?;
        let turn = tokio::time::timeout(self.limits.patience, Arc::clone(&self.solves).acquire_owned());
        let solve = match turn.await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(closing()),
            Err(_) => {
                let cause = format!("no turn came within {} s", self.limits.patience.as_secs_f64());
                let action = "try again later, or send a job to /v1/jobs, which waits";
                return Err(Refusal::not_now("busy", cause, action, self.patience_needed()));
            }
        };
        drop(place);
        self.refuse_when_closing()?;
        Ok(self.begin(vec![solve], memory))
    }

    /// The turn of a job, which waits for as long as it takes; `None` when the service closes.
    pub async fn job_turn(self: &Arc<Self>, place: Place, need: u64) -> Option<Turn> {
        let job = Arc::clone(&self.jobs).acquire_owned().await.ok()?;
        let memory = self.memory.take(need).await;
        let solve = Arc::clone(&self.solves).acquire_owned().await.ok()?;
        drop(place);
        (!self.is_closing()).then(|| self.begin(vec![job, solve], memory))
    }

    /// A seat for something short: reading, judging, looking up. Few sit at once, so that solves keep their cores.
    pub async fn seat(&self, seat: Seat) -> Result<OwnedSemaphorePermit, Refusal> {
        let seats = match seat {
            Seat::Near => &self.seats,
            Seat::Far => &self.far_seats,
        };
        Arc::clone(seats).acquire_owned().await.map_err(|_| closing())
    }

    /// Memory for something that is read or judged right now, or a refusal at once.
    pub fn portion(&self, need: u64) -> Result<Hold, Refusal> {
        limits::fits(need, self.memory.total())?;
        self.memory.try_take(need).ok_or_else(|| self.no_memory_now())
    }

    /// Memory for something that turns out to be larger.
    pub fn grow(&self, hold: &mut Hold, more: u64) -> Result<(), Refusal> {
        if hold.grow(more) { Ok(()) } else { Err(self.no_memory_now()) }
    }

    fn no_memory_now(&self) -> Refusal {
        let cause = "requests before this one hold the memory that it needs";
        Refusal::not_now("no-memory-now", cause, "try again later", self.patience_needed())
    }

    fn begin(self: &Arc<Self>, permits: Vec<OwnedSemaphorePermit>, memory: Hold) -> Turn {
        self.running.fetch_add(1, Ordering::Relaxed);
        Turn { desk: Arc::clone(self), begun: Instant::now(), _permits: permits, _memory: memory }
    }

    /// From here on nobody is let in, and jobs that wait go on waiting until the next start.
    pub fn close(&self) {
        self.closing.store(true, Ordering::SeqCst);
        self.jobs.close();
    }

    /// Whether it closes.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::SeqCst)
    }

    fn refuse_when_closing(&self) -> Result<(), Refusal> {
        if self.is_closing() { Err(closing()) } else { Ok(()) }
    }

    /// How many wait, and how many have their turn.
    pub fn counts(&self) -> (usize, usize) {
        (self.waiting.load(Ordering::Relaxed), self.running.load(Ordering::Relaxed))
    }

    /// About how many seconds until somebody new would be served.
    fn patience_needed(&self) -> u64 {
        let (waiting, _) = self.counts();
        let rounds = waiting / self.limits.solves.max(1) + 1;
        let usual = Duration::from_millis(self.usual.load(Ordering::Relaxed) as u64);
        (usual.as_secs_f64() * rounds as f64).ceil().clamp(1.0, 600.0) as u64
    }
}

/// The service goes down.
pub fn closing() -> Refusal {
    let (cause, action) = ("the service is going down", "try again when it is back");
    Refusal::not_now("closing", cause, action, 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk(solves: usize, queue: usize) -> Arc<Desk> {
        let patience = Duration::from_millis(20);
        Desk::new(Limits { solves, jobs: 1, queue, patience, memory: 100 << 20, ..Limits::default() })
    }

    #[tokio::test]
    async fn a_full_line_is_refused_at_once() {
        let desk = desk(1, 1);
        let turn = desk.turn(desk.stand(Who::Caller).expect("free"), 1).await.expect("a turn");
        let place = desk.stand(Who::Caller).expect("one may wait");
        let refusal = desk.stand(Who::Caller).map(|_| ()).expect_err("full");
        assert_eq!((refusal.status().as_u16(), refusal.code()), (429, "queue-full"));
        assert!(refusal.retry_after().is_some());
        let late = desk.turn(place, 1).await.map(|_| ()).expect_err("nobody leaves");
        assert_eq!((late.status().as_u16(), late.code()), (503, "busy"));
        drop(turn);
        assert_eq!(desk.counts(), (0, 0));
        desk.turn(desk.stand(Who::Caller).expect("free again"), 1).await.expect("a turn");
    }

    #[tokio::test]
    async fn jobs_do_not_wait_in_the_room_of_idle_cores() {
        let desk = desk(4, 2);
        let _turn = desk.job_turn(desk.stand(Who::Job).expect("free"), 1).await.expect("a turn");
        let _places: Vec<Place> = (0..2).map(|_| desk.stand(Who::Job).expect("two may wait")).collect();
        assert_eq!(desk.stand(Who::Job).map(|_| ()).expect_err("full").code(), "queue-full");
        desk.turn(desk.stand(Who::Caller).expect("cores are idle"), 1).await.expect("a turn");
    }

    #[tokio::test]
    async fn memory_is_not_promised_twice() {
        let desk = desk(2, 4);
        let stand = || desk.stand(Who::Caller).expect("free");
        let turn = desk.turn(stand(), 80 << 20).await.expect("a turn");
        let refusal = desk.turn(stand(), 80 << 20).await.map(|_| ()).expect_err("too much");
        assert_eq!((refusal.status().as_u16(), refusal.code()), (503, "no-memory-now"));
        drop(turn);
        desk.turn(stand(), 80 << 20).await.expect("a turn");
        let never = desk.turn(stand(), 101 << 20).await.map(|_| ()).expect_err("never");
        assert_eq!((never.status().as_u16(), never.code()), (422, "too-much-memory"));
    }

    #[tokio::test]
    async fn a_closed_desk_lets_nobody_in() {
        let desk = desk(1, 4);
        let place = desk.stand(Who::Job).expect("free");
        desk.close();
        assert_eq!(desk.stand(Who::Caller).map(|_| ()).expect_err("closed").code(), "closing");
        assert!(desk.job_turn(place, 1).await.is_none());
    }
}
