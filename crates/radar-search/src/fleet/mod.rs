//! Search on routes: local search with penalised excess, kicked and ruined, annealed.

mod cross;
mod exchange;
mod insertion;
mod kick;
mod penalty;
mod plan;
mod record;
mod reversal;
mod ruin;
mod sequential;
mod start;
mod yard;

use radar_bound::{Reduced, Weight};
use radar_kernel::random::Stream;

use crate::anneal::Anneal;
use crate::candidates::Neighbours;
use crate::pace::Pace;
use crate::prior::EdgePrior;
use insertion::Places;
pub(crate) use penalty::Penalties;
use plan::Plan;
pub(crate) use record::{Excess, Full, Load, Record};
pub(crate) use ruin::Ruin;
pub(crate) use sequential::Reach;
pub(crate) use start::savings;
pub(crate) use yard::{Needs, Yard};

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub reach: Reach,
    /// The longest stretch that is tried backwards; 0 for none.
    pub reversal: usize,
    /// The share of steps that ruin and recreate instead of kicking.
    pub ruined: f64,
    pub ruin: Ruin,
    /// First and last temperature, in mean arcs.
    pub heat: (f64, f64),
    /// The first temperature from a plan that is good already: what makes a poor one good ruins it.
    pub warm: f64,
}

impl Settings {
    /// What measured best, at every budget from 0.02 s on, on random matrices and on roads; of shares, and up to 200 stops of
    /// temperatures, the differences were within the noise.
    pub fn usual(nodes: usize) -> Self {
        let places = if nodes <= 150 { Places::All } else { Places::Near };
        Self {
            reach: Reach { breadth: [10, 8, 5], depth: 3, cross: true, returns: 48 },
            reversal: 50,
            ruined: 0.1,
            ruin: Ruin { stops: 10.0, longest: 10.0, places },
            heat: (1.0, 0.02),
            warm: 0.3,
        }
    }
}

/// After so many steps the pace is asked again.
const ASKED: u64 = 8;
/// After so many stops of local search, likewise.
const POLLED: u32 = 64;

/// A search on routes.
pub(crate) struct FleetSearch<'a, W, R> {
    plan: Plan<'a, W, R>,
    neighbours: &'a Neighbours<W>,
    prior: Option<&'a dyn EdgePrior>,
    settings: Settings,
    anneal: Anneal,
    stream: Stream,
    steps: u64,
    /// The mean cost of an arc, which temperatures and fines are measured by.
    mean_arc: f64,
    best: Vec<Vec<u32>>,
    best_cost: Option<i64>,
    /// No plan costs as much unless it drives where one cannot.
    ceiling: i64,
}

impl<'a, W: Weight, R: Record> FleetSearch<'a, W, R> {
    /// A search that starts from `routes`; stops on none of them are put where they cost least.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        reduced: &'a Reduced<W>,
        yard: &'a Yard<'a>,
        neighbours: &'a Neighbours<W>,
        routes: Vec<Vec<u32>>,
        frozen: &[u32],
        prior: Option<&'a dyn EdgePrior>,
        settings: Settings,
        stream: Stream,
    ) -> Self {
        let instance = yard.instance();
        let mean_arc = mean_cost(reduced, &routes);
        let penalties = Penalties::new(typical_fines(yard, mean_arc, &routes));
        let mut plan = Plan::new(reduced, yard, penalties, routes, frozen);
        let missing: Vec<usize> = (1..plan.nodes()).filter(|&stop| !plan.is_placed(stop)).collect();
        // Many stops to place in a large plan get the places near their candidates only.
        let places = if missing.len() * plan.nodes() > 4_000_000 { Places::Near } else { Places::All };
        for stop in missing {
            if let Some(place) = insertion::best_place(&plan, neighbours, places, stop, None) {
                insertion::insert(&mut plan, stop, place);
                plan.ensure_spare();
            }
        }
        plan.keep();
        let heat = (settings.heat.0 * mean_arc, settings.heat.1 * mean_arc);
        let ceiling = if instance.has_missing_arcs() { reduced.absent() } else { i64::MAX };
        let mut search = Self {
            plan,
            neighbours,
            prior,
            settings,
            anneal: Anneal::new(heat.0, heat.1),
            stream,
            steps: 0,
            mean_arc,
            best: Vec::new(),
            best_cost: None,
            ceiling,
        };
        search.note();
        search
    }

    /// Draws from another stream from now on.
    pub fn seed(&mut self, stream: Stream) {
        self.stream = stream;
    }

    /// Begins at the temperature for a plan that is good already.
    pub fn begin_warm(&mut self) {
        let Settings { heat, warm, .. } = self.settings;
        self.anneal = Anneal::new(warm * self.mean_arc, heat.1 * self.mean_arc);
    }

    /// Local search of everything.
    pub fn settle(&mut self, pace: &dyn Pace) {
        self.plan.mark_all();
        self.local_search(pace);
        self.plan.keep();
        self.note();
    }

    /// Takes steps until this much of the budget is spent.
    pub fn advance(&mut self, until: f64, pace: &dyn Pace) {
        if self.plan.nodes() < 3 {
            return;
        }
        loop {
            if self.steps.is_multiple_of(ASKED) {
                let spent = pace.spent(self.steps);
                if spent >= until {
                    return;
                }
                self.anneal.cool(spent);
            }
            self.steps += 1;
            self.step(pace);
        }
    }

    /// How many steps were taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The best feasible plan, one list per vehicle, and its cost; `None` before there is one.
    pub fn best(&self) -> Option<(&[Vec<u32>], i64)> {
        self.best_cost.map(|cost| (self.best.as_slice(), cost))
    }

    /// The plan as it stands, feasible or not.
    pub fn current(&self) -> &[Vec<u32>] {
        self.plan.routes()
    }

    /// Goes on from another plan.
    pub fn adopt(&mut self, routes: &[Vec<u32>]) {
        let frozen: Vec<u32> =
            (0..self.plan.routes().len()).map(|route| self.plan.frozen(route) as u32).collect();
        let penalties = self.plan.penalties.clone();
        self.plan = Plan::new(self.plan.reduced, self.plan.yard, penalties, routes.to_vec(), &frozen);
        self.plan.keep();
        self.note();
    }

    fn step(&mut self, pace: &dyn Pace) {
        let before = self.plan.cost() + self.plan.fine();
        let most = (2.0 * self.mean_arc) as i64;
        let ruins = self.stream.chance(self.settings.ruined);
        if ruins || !kick::kick(&mut self.plan, self.neighbours, self.prior, most, &mut self.stream) {
            ruin::ruin_and_recreate(&mut self.plan, self.neighbours, &self.settings.ruin, &mut self.stream);
        }
        // Local search may leave a feasible plan for one that breaks something cheaply.
        self.note();
        self.local_search(pace);
        self.note();
        let worse = self.plan.cost() + self.plan.fine() - before;
        if worse <= 0 || worse <= self.anneal.allowance(&mut self.stream) {
            self.plan.ensure_spare();
            self.plan.keep();
        } else {
            self.plan.undo();
        }
        self.plan.learn();
    }

    /// Improves around everything that is marked.
    fn local_search(&mut self, pace: &dyn Pace) {
        let out = &self.neighbours.out;
        let Settings { reach, reversal, .. } = self.settings;
        let plan = &mut self.plan;
        let mut polled = 0;
        while let Some(stop) = plan.next_marked() {
            polled += 1;
            if polled % POLLED == 0 && pace.is_over() {
                plan.unmark();
                return;
            }
            while plan.is_placed(stop) {
                let next = plan.after(stop);
                let mut improved = sequential::improve(plan, out, &reach, next)
                    || (reversal > 0 && reversal::improve(plan, out, reach.breadth[0], reversal, next));
                if !improved && plan.spot(stop as u32).place == 0 {
                    let first = stop as u32;
                    improved = sequential::improve(plan, out, &reach, first)
                        || (reversal > 0 && reversal::improve(plan, out, reach.breadth[0], reversal, first));
                }
                if !improved {
                    break;
                }
            }
        }
    }

    /// Remembers the plan if it is the best so far.
    fn note(&mut self) {
        if !self.plan.excess().is_none() {
            return;
        }
        let cost = self.plan.full_cost();
        if cost < self.ceiling && self.best_cost.is_none_or(|best| cost < best) {
            self.best_cost = Some(cost);
            self.best.truncate(self.plan.routes().len());
            for (route, stops) in self.plan.routes().iter().enumerate() {
                match self.best.get_mut(route) {
                    Some(best) => {
                        best.clear();
                        best.extend_from_slice(stops);
                    }
                    None => self.best.push(stops.clone()),
                }
            }
        }
    }
}

/// Every arc of some routes.
fn arcs(routes: &[Vec<u32>]) -> impl Iterator<Item = (usize, usize)> {
    routes.iter().flat_map(|stops| {
        let from = std::iter::once(0).chain(stops.iter().map(|&stop| stop as usize));
        from.zip(stops.iter().map(|&stop| stop as usize).chain([0]))
    })
}

/// The mean cost of an arc of a plan, at least a little.
fn mean_cost<W: Weight>(reduced: &Reduced<W>, routes: &[Vec<u32>]) -> f64 {
    let dear = reduced.absent();
    let costs = arcs(routes).filter(|arc| arc.0 != arc.1).map(|(from, to)| reduced.cost(from, to));
    let (sum, count) =
        costs.filter(|&cost| cost < dear).fold((0, 0), |(sum, count), cost| (sum + cost, count + 1));
    (sum as f64 / f64::from(count.max(1))).max(1.0)
}

/// What a unit of each excess is fined at first.
fn typical_fines(yard: &Yard<'_>, mean_arc: f64, routes: &[Vec<u32>]) -> [f64; 4] {
    let instance = yard.instance();
    let amounts = instance.stops().map(|stop| instance.demand(stop).max(instance.backhaul(stop)));
    let amounts: Vec<f64> = amounts.filter(|&amount| amount > 0).map(|amount| amount as f64).collect();
    let mean_amount = amounts.iter().sum::<f64>() / amounts.len().max(1) as f64;
    let count = arcs(routes).filter(|arc| arc.0 != arc.1).count().max(1) as f64;
    let mean_of = |value: &dyn Fn(usize, usize) -> i64| {
        let sum = arcs(routes).map(|(from, to)| value(from, to) as f64).sum::<f64>();
        (sum / count).max(1.0)
    };
    let length = if yard.is_limited() { mean_of(&|from, to| yard.length(from, to)) } else { 1.0 };
    let time = if yard.needs() == Needs::All { mean_of(&|from, to| yard.travel(from, to)) } else { 1.0 };
    [2.75 * mean_arc / mean_amount.max(1.0), 2.0 * mean_arc, 5.0 * mean_arc / length, 5.0 * mean_arc / time]
}

#[cfg(test)]
mod tests;
