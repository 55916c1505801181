//! The best of all constructors.

use std::fmt;

use radar_problem::{Instance, Merit};
use rayon::prelude::*;

use super::plan::Plan;
use super::serve::serve;
use super::yard::Yard;
use super::{Construction, Order, Weight, filling, insertion, regret, savings};
use crate::Stop;
use crate::mask::Rules;
use crate::policy::Nearest;
use crate::rollout::rollout_from;
use crate::starts::Starts;

/// How much to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// From which starts the nearest stop is followed.
    pub starts: Starts,
    /// How many random orders of insertion are tried on a tour; on routes they are never worth it.
    pub shuffles: usize,
    /// How many plans are made in all, each start counted as one.
    pub most: usize,
}

impl Effort {
    /// What is sensible when nobody says otherwise: all starts of an instance of up to 512 nodes, and as
    /// many of a larger one as the same time allows.
    pub fn modest(instance: &Instance) -> Self {
        let square = instance.nodes().saturating_mul(instance.nodes()).max(1);
        Self {
            starts: Starts::AtMost(((1 << 27) / square).max(1)),
            shuffles: ((1 << 22) / square).min(16),
            most: usize::MAX,
        }
    }
}

/// Who made a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Nobody: every stop has a route of its own, as far as the fleet goes.
    Alone,
    /// Always to the nearest stop, from this start.
    Nearest(usize),
    /// Savings with this weight.
    Savings(Weight),
    /// One route filled after the other.
    Filling,
    /// Regret insertion.
    Regret,
    /// Insertion in this order.
    Insertion(Order),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Alone => "alone",
            Self::Nearest(_) => "nearest",
            Self::Savings(_) => "savings",
            Self::Filling => "filling",
            Self::Regret => "regret",
            Self::Insertion(_) => "insertion",
        })
    }
}

/// Weights of savings on routes and on a tour, in the order of what they have been worth.
const ROUTE_WEIGHTS: &[i64] = &[10, 8, 12, 6, 14, 9, 11, 7, 13, 16];
const TOUR_WEIGHTS: &[i64] = &[8, 0, 6, 10];
/// Above so many nodes only two weights are tried, and nothing but savings and nearest.
const LARGE: usize = 3000;
/// Above so many nodes regret insertion takes seconds.
const REGRETTED: usize = 1000;

/// One constructor to run.
#[derive(Clone, Debug)]
enum Task {
    Nearest(Vec<usize>),
    Savings(Weight),
    Filling,
    Regret,
    Insertion(Order),
}

/// The best plan, who made it, and how many were made.
#[derive(Clone, Debug)]
pub struct Best {
    /// The plan.
    pub construction: Construction,
    /// Who made it.
    pub method: Method,
    /// How many plans were made.
    pub tried: usize,
}

/// Runs every constructor and keeps the plan of the greatest merit: it serves most (by priority, then by
/// number), then costs least. `better` hears of each plan that is the best so far. Always answers: when
/// `stop` says so, with the best so far, in which stops that nobody got round to are served alone.
pub fn construct(
    instance: &Instance,
    effort: Effort,
    seed: u64,
    stop: Stop<'_>,
    better: &mut dyn FnMut(&Construction, Method),
) -> Best {
    let yard = Yard::new(instance);
    let mut alone = Plan::new(&yard);
    alone.settle(&yard);
    let best = Entry::new(instance, alone.finish(&yard), Method::Alone);
    let mut contest = Contest { best, tried: 0, most: effort.most, stop, better };
    if !stop() {
        let rules = [Rules::new(instance)];
        let mut starts = effort.starts.of(&rules[0].starts());
        let later = starts.split_off(starts.len().min(1));
        // The first plan is not to wait for anything else.
        contest.round(&yard, &rules, vec![Task::Nearest(starts)]);
        contest.round(&yard, &rules, quick(instance));
        contest.round(&yard, &rules, thorough(instance, effort, seed, &later));
    }
    if !instance.is_tour() && instance.nodes() <= LARGE {
        narrow_fleet(instance, &mut contest);
    }
    Best { construction: contest.best.construction, method: contest.best.method, tried: contest.tried }
}

/// A fleet may be too large for its own good: what fewer vehicles are made to do is often cheaper. Begins
/// with the vehicles in use and goes down while something is gained.
fn narrow_fleet(instance: &Instance, contest: &mut Contest<'_>) {
    let used = |contest: &Contest<'_>| contest.best.construction.routes.len();
    let mut fleet = instance.vehicles().unwrap_or(usize::MAX).min(used(contest) + 1);
    while fleet > 1 && contest.tried < contest.most && !(contest.stop)() {
        fleet -= 1;
        let narrow = instance.clone().with_vehicles(Some(fleet));
        let gained = contest.round(&Yard::new(&narrow), &[], pressed(&narrow));
        if !gained && fleet < used(contest) {
            return;
        }
    }
}

/// The best plan so far, and what is left of the effort.
struct Contest<'a> {
    best: Entry,
    tried: usize,
    most: usize,
    stop: Stop<'a>,
    better: &'a mut dyn FnMut(&Construction, Method),
}

impl Contest<'_> {
    /// Runs tasks side by side; whether one of their plans is the best so far.
    fn round(&mut self, yard: &Yard<'_>, rules: &[Rules<'_>], tasks: Vec<Task>) -> bool {
        let tasks = within(tasks, self.most - self.tried);
        self.tried += tasks.iter().map(Task::plans).sum::<usize>();
        let stop = self.stop;
        let entries = tasks.into_par_iter().filter_map(|task| run(yard, rules, task, stop));
        // Ties go to the earlier task, whichever thread is done first.
        let entry = entries.reduce_with(Entry::better).filter(|entry| entry.merit.beats(&self.best.merit));
        let gained = entry.is_some();
        if let Some(entry) = entry {
            (self.better)(&entry.construction, entry.method);
            self.best = entry;
        }
        gained
    }
}

/// The first tasks that make at most `most` plans together.
fn within(tasks: Vec<Task>, most: usize) -> Vec<Task> {
    let mut left = most;
    let mut kept = Vec::new();
    for mut task in tasks {
        if let Task::Nearest(starts) = &mut task {
            starts.truncate(left);
        }
        if task.plans() == 0 || task.plans() > left {
            continue;
        }
        left -= task.plans();
        kept.push(task);
    }
    kept
}

impl Task {
    /// How many plans it makes.
    fn plans(&self) -> usize {
        match self {
            Self::Nearest(starts) => starts.len(),
            Self::Savings(_) | Self::Filling | Self::Regret | Self::Insertion(_) => 1,
        }
    }
}

fn weights(instance: &Instance) -> impl Iterator<Item = Task> {
    let weights = if instance.is_tour() { TOUR_WEIGHTS } else { ROUTE_WEIGHTS };
    let count = if instance.nodes() <= LARGE { weights.len() } else { 2 };
    weights.iter().take(count).map(|&weight| Task::Savings(Weight(weight)))
}

/// What gives most for its time.
fn quick(instance: &Instance) -> Vec<Task> {
    let mut tasks: Vec<Task> = weights(instance).take(1).collect();
    if instance.nodes() <= LARGE {
        if instance.is_tour() {
            tasks.push(Task::Insertion(Order::Farthest));
        } else if instance.vehicles().is_some() {
            tasks.push(Task::Insertion(Order::Packed));
        }
    }
    tasks
}

fn thorough(instance: &Instance, effort: Effort, seed: u64, starts: &[usize]) -> Vec<Task> {
    let mut tasks: Vec<Task> = weights(instance).skip(1).collect();
    if instance.nodes() <= LARGE && instance.is_tour() {
        let shuffled = (0..effort.shuffles as u64).map(|number| Order::Shuffled(seed, number));
        tasks.extend(shuffled.map(Task::Insertion));
    }
    if instance.nodes() <= LARGE && !instance.is_tour() {
        tasks.push(Task::Filling);
    }
    if instance.nodes() <= REGRETTED && !instance.is_tour() {
        tasks.push(Task::Regret);
    }
    tasks.extend(starts.chunks(64).map(|starts| Task::Nearest(starts.to_vec())));
    tasks
}

/// What is worth trying with a fleet that is barely large enough.
fn pressed(instance: &Instance) -> Vec<Task> {
    let thorough = instance.nodes() <= REGRETTED;
    let mut tasks: Vec<Task> = weights(instance).take(if thorough { usize::MAX } else { 2 }).collect();
    tasks.push(Task::Insertion(Order::Packed));
    if thorough {
        tasks.extend([Task::Filling, Task::Regret]);
    }
    tasks
}

fn run(yard: &Yard<'_>, rules: &[Rules<'_>], task: Task, stop: Stop<'_>) -> Option<Entry> {
    let instance = yard.instance;
    if stop() {
        return None;
    }
    let (construction, method) = match task {
        Task::Nearest(starts) => return nearest(yard, rules, &starts, stop),
        Task::Savings(weight) => (savings(instance, weight, stop), Method::Savings(weight)),
        Task::Filling => (filling(instance, stop), Method::Filling),
        Task::Regret => (regret(instance, stop), Method::Regret),
        Task::Insertion(order) => (insertion(instance, order, stop), Method::Insertion(order)),
    };
    Some(Entry::new(instance, construction, method))
}

/// The best of some starts. What the best leaves out is fitted in afterwards.
fn nearest(yard: &Yard<'_>, rules: &[Rules<'_>], starts: &[usize], stop: Stop<'_>) -> Option<Entry> {
    let instance = yard.instance;
    let starts: Vec<(usize, usize)> = starts.iter().map(|&start| (0, start)).collect();
    let trajectories = rollout_from(rules, &starts, 0, || Nearest, stop);
    let entries = trajectories.into_iter().map(|trajectory| {
        let method = Method::Nearest(trajectory.start);
        let construction = match trajectory.complete {
            true => Construction { routes: trajectory.into_routes(), unserved: Vec::new() },
            false => Plan::from_routes(yard, &trajectory.into_routes()).finish(yard),
        };
        Entry::new(instance, construction, method)
    });
    let best = entries.reduce(Entry::better)?;
    if best.construction.unserved.is_empty() {
        return Some(best);
    }
    let mut plan = Plan::from_routes(yard, &best.construction.routes);
    serve(yard, &mut plan, stop);
    plan.settle(yard);
    Some(Entry::new(instance, plan.finish(yard), best.method))
}

/// A plan with what it is judged by.
struct Entry {
    construction: Construction,
    method: Method,
    merit: Merit,
}

impl Entry {
    fn new(instance: &Instance, construction: Construction, method: Method) -> Self {
        let merit = Merit::new(instance, &construction.unserved, construction.cost(instance));
        Self { construction, method, merit }
    }

    /// The better one; `self` when they are equal.
    fn better(self, other: Self) -> Self {
        if other.merit.beats(&self.merit) { other } else { self }
    }
}
