//! A whole search: prices, a start, local search, proof or annealing, and a bound.

use std::time::Duration;

use radar_bound::{Arcs, Reduced, Weight, Width, ascend, is_promising, patch, prove, shortest_tour, width};
use radar_kernel::random::Stream;
use radar_problem::{Instance, Routes};

use crate::candidates::Neighbours;
use crate::engine::{Engine, Touring};
use crate::entering;
use crate::fleet::{self, FleetSearch, Full, Load, Needs, Record, Yard};
use crate::forecast;
use crate::greedy;
use crate::pace::{Pace, Part};
use crate::prior::EdgePrior;
use crate::team;
use crate::tour::{self, TourSearch};

/// What is asked of a search.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// What is to be solved; at least one stop.
    pub instance: &'a Instance,
    /// Plans to start from, the more promising first: each visits stops at most once. Stops that are
    /// missing are put in.
    pub starts: &'a [Routes],
    /// How many stops at the beginning of each route of the first start must stay as they are (counting
    /// the first node of a tour).
    pub frozen: &'a [usize],
    /// Asked for a complete plan when neither the starts nor the search's own beginning is feasible.
    pub rescue: Option<&'a (dyn Fn() -> Option<Routes> + Sync)>,
    /// What somebody believes about the arcs of a good plan.
    pub prior: Option<&'a dyn EdgePrior>,
    /// How many searches run side by side.
    pub searches: usize,
    /// Where randomness comes from.
    pub seed: u64,
    /// The budget.
    pub pace: &'a dyn Pace,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The best feasible plan; a tour starts at node 0.
    pub routes: Option<Routes>,
    /// Without one: the plan the search ended with, which serves every stop and breaks something.
    pub broken: Option<Routes>,
    /// Its scaled cost.
    pub cost: Option<i64>,
    /// No plan costs less, in scaled units. Not for frozen problems, of which it is a bound all the same.
    pub bound: i64,
    /// Whether the plan is proved to be the best.
    pub optimal: bool,
    /// How many nodes the proof by branching took, if there was one.
    pub proof_nodes: Option<u64>,
    /// How many steps all searches took together.
    pub steps: u64,
}

/// Hears of every plan that is better than all before: the plan and its scaled cost.
pub type Better<'a> = dyn FnMut(&Routes, i64) + 'a;

/// The share of the time by which the prices of an assignment must be there.
const FOR_TOUR_PRICES: f64 = 0.85;
const FOR_FLEET_PRICES: f64 = 0.5;
/// The share of the budget that is left for the bound at the end: of a tour that has no proof, if there is
/// time to speak of; of any other tour; and of routes, where its ascent brings little.
const FOR_PATIENT_BOUND: f64 = 0.2;
const FOR_TOUR_BOUND: f64 = 0.08;
const FOR_FLEET_BOUND: f64 = 0.02;
/// The share of the budget by which a proof by branching must be done, and how many nodes it may open: where
/// it is likely to end, and where it is just worth a try.
const LIKELY_PROOF: (f64, u64) = (0.85, 20_000);
const TRIED_PROOF: (f64, u64) = (0.2, 4_000);
/// The most rounds of the ascent of the bound, when time ends it and when nothing does.
const TIMED_ROUNDS: u64 = 4000;
const ROUNDS: u64 = 1000;
/// How many of the cheapest arcs in each direction are candidates.
const TOUR_CANDIDATES: usize = 6;
const ROAD_CANDIDATES: usize = 8;
const PATIENT_CANDIDATES: usize = 10;
const FLEET_CANDIDATES: usize = 10;

/// A plan to start from is good if it costs so much less than the search's own beginning.
const GOOD: f64 = 0.9;

/// Searches for a good plan within the budget. Given a start that is feasible, the answer is never worse.
pub fn search(request: &Request<'_>, better: &mut Better<'_>) -> Outcome {
    match width(request.instance) {
        Width::Narrow => search_in::<i32>(request, better),
        Width::Wide => search_in::<i64>(request, better),
    }
}

fn search_in<W: Weight + Send + Sync>(request: &Request<'_>, better: &mut Better<'_>) -> Outcome {
    let instance = request.instance;
    let reduced = reduce::<W>(instance, request.pace);
    request.pace.bounded(reduced.bound());
    // The first node of a tour is where it is anyway.
    let is_frozen = request.frozen.iter().any(|&count| count > usize::from(instance.is_tour()));
    if instance.is_tour() && !is_frozen {
        return search_tour(request, &reduced, better);
    }
    let neighbours = Neighbours::of(&reduced, FLEET_CANDIDATES, request.prior);
    let yard = Yard::of(instance);
    let scene = Scene { request, reduced: &reduced, neighbours: &neighbours };
    match yard.needs() {
        Needs::Load => scene.search_fleet::<Load>(&yard, better),
        Needs::Timeless => scene.search_fleet::<Full<false>>(&yard, better),
        Needs::All => scene.search_fleet::<Full<true>>(&yard, better),
    }
}

/// Costs less prices: those of an assignment if there is time for it.
fn reduce<W: Weight>(instance: &Instance, pace: &dyn Pace) -> Reduced<W> {
    let arcs = Arcs::<W>::of(instance);
    let share = if instance.is_tour() { FOR_TOUR_PRICES } else { FOR_FLEET_PRICES };
    match forecast::affords_assignment(instance, pace.left()) {
        true => Reduced::by_assignment_until(arcs, &|| is_late(pace, share)),
        false => Reduced::by_minima(arcs),
    }
}

/// What no plan costs less than, in scaled units, by prices alone: the bound of a search that takes no step.
/// One pass over the table if there is no time at all.
pub fn lower_bound(instance: &Instance, pace: &dyn Pace) -> i64 {
    if !forecast::affords_search(instance, pace.left()) {
        return entering::bound(instance);
    }
    match width(instance) {
        Width::Narrow => reduce::<i32>(instance, pace).bound(),
        Width::Wide => reduce::<i64>(instance, pace).bound(),
    }
}

/// One tour.
fn search_tour<W: Weight + Send + Sync>(
    request: &Request<'_>,
    reduced: &Reduced<W>,
    better: &mut Better<'_>,
) -> Outcome {
    let (instance, pace) = (request.instance, request.pace);
    let ceiling = if instance.has_missing_arcs() { reduced.absent() } else { i64::MAX };
    let cost_of = |tour: &[u32]| {
        let next = tour.iter().cycle().skip(1);
        tour.iter().zip(next).map(|(&from, &to)| reduced.at(from as usize, to as usize).to_i64()).sum::<i64>()
    };
    let exact = shortest_tour(reduced);
    let patched = reduced.successor().map(|successor| patch(reduced, successor));
    // What an assignment leaves open tells roads from random matrices.
    let is_roadlike = patched.as_ref().is_none_or(|tour| {
        let rest = cost_of(tour);
        rest > (rest + reduced.worth(1)) / 20
    });
    let left = pace.left().or_else(|| forecast::time_of(pace));
    let settings = tour::Settings::for_budget(instance.nodes(), left, is_roadlike);
    let candidates = match left {
        _ if !is_roadlike => TOUR_CANDIDATES,
        Some(left) if left.as_secs_f64() < 1e-3 * instance.nodes() as f64 => ROAD_CANDIDATES,
        _ => PATIENT_CANDIDATES,
    };
    let neighbours = Neighbours::of(reduced, candidates, request.prior);
    let known = exact.as_deref().map(|tour| cost_of(tour) + reduced.worth(1));
    let own = exact.or(patched).unwrap_or_else(|| greedy::tour(reduced, &neighbours, pace));
    let mut starts: Vec<Vec<u32>> =
        request.starts.iter().filter_map(|routes| tour::given(reduced, routes)).collect();
    starts.push(own);
    starts.sort_by_key(|tour| cost_of(tour));
    let mut team: Vec<Box<dyn Engine + '_>> = (0..request.searches.max(1))
        .map(|index| {
            let tour = starts[index % starts.len()].clone();
            let search = TourSearch::new(
                reduced,
                &neighbours,
                tour,
                request.seed,
                index as u64,
                request.prior,
                settings.clone(),
            );
            Box::new(Touring { search, reduced, ceiling }) as Box<dyn Engine + '_>
        })
        .collect();
    let mut hear = |plan: &[Vec<u32>], cost: i64| better(&routes_of(instance, plan), cost);
    team::each(&mut team, |engine| engine.settle(pace));
    // A few nodes are solved exactly, so that their cost is the bound.
    let mut finish = Finish { bound: known.unwrap_or(reduced.bound()), proof_nodes: None };
    if let Some((leader, cost)) = team::best_of(&team) {
        let mut best = team[leader].best().map(|best| best.0).unwrap_or_default();
        hear(&best, cost);
        let effort = proof_effort(reduced, cost, left);
        if cost > finish.bound
            && best.len() == 1
            && let Some((share, most_nodes)) = effort
        {
            let mut improve = |tour: &[u32]| {
                let (tour, settings) = (tour.to_vec(), settings.clone());
                let mut local = TourSearch::new(reduced, &neighbours, tour, request.seed, 0, None, settings);
                local.settle(pace);
                local.best().0.to_vec()
            };
            let is_late = || is_late(pace, share);
            let proof = prove(reduced, &best[0], &mut improve, most_nodes, &is_late);
            finish.bound = finish.bound.max(proof.bound);
            pace.bounded(finish.bound);
            finish.proof_nodes = proof.optimal.then_some(proof.nodes);
            if proof.cost < cost {
                best[0] = proof.tour;
                hear(&best, proof.cost);
                team[leader].adopt(&best);
            }
        }
    }
    let proved = finish.bound;
    let for_bound = match pace.left() {
        Some(left) if left >= Duration::from_millis(80) => {
            let useful = forecast::ascent_time(instance.nodes(), TIMED_ROUNDS).as_secs_f64();
            FOR_PATIENT_BOUND.min(useful / left.as_secs_f64())
        }
        _ => FOR_TOUR_BOUND,
    };
    let search_pace = Part { whole: pace, share: 1.0 - for_bound };
    team::advance(&mut team, &search_pace, &mut hear, &|cost| cost <= proved);
    finish.outcome(request, reduced, &team)
}

/// How much a proof by branching is worth: much if the assignment is nearly a tour, something if the tour is
/// small and within a tenth of the bound, and nothing otherwise.
fn proof_effort<W: Weight>(reduced: &Reduced<W>, cost: i64, left: Option<Duration>) -> Option<(f64, u64)> {
    const SMALL: usize = 200;
    let has_time = left.is_none_or(|left| left >= Duration::from_millis(50));
    if is_promising(reduced, cost) {
        Some(LIKELY_PROOF)
    } else if reduced.nodes() <= SMALL && has_time && 10 * (cost - reduced.bound()) < cost {
        Some(TRIED_PROOF)
    } else {
        None
    }
}

/// Whether this share of a time is over, or all of a budget.
fn is_late(pace: &dyn Pace, share: f64) -> bool {
    pace.left().is_some_and(|left| left.is_zero() || pace.spent(0) >= share)
}

/// What a search on routes has at hand.
struct Scene<'a, 'r, W> {
    request: &'a Request<'r>,
    reduced: &'a Reduced<W>,
    neighbours: &'a Neighbours<W>,
}

impl<W: Weight + Send + Sync> Scene<'_, '_, W> {
    fn search_fleet<R: Record>(&self, yard: &Yard<'_>, better: &mut Better<'_>) -> Outcome {
        let Self { request, reduced, neighbours } = *self;
        let (instance, pace) = (request.instance, request.pace);
        let most = reduced.most_routes().max(1);
        let mut frozen: Vec<u32> = request
            .frozen
            .iter()
            .map(|&count| count.saturating_sub(usize::from(instance.is_tour())) as u32)
            .collect();
        let mut starts: Vec<Vec<Vec<u32>>> =
            request.starts.iter().map(|routes| vehicles_of(instance, routes)).collect();
        let is_frozen = frozen.iter().any(|&count| count > 0);
        if is_frozen {
            starts.truncate(1);
            // Vehicles that have set out come first: there may be fewer than were planned with.
            for start in &mut starts {
                let lengths = frozen.iter().copied().chain(std::iter::repeat(0));
                let routes = std::mem::take(start).into_iter().zip(lengths);
                let within = |(stops, length): (Vec<u32>, u32)| {
                    let length = length.min(stops.len() as u32);
                    (stops, length)
                };
                let mut routes: Vec<(Vec<u32>, u32)> = routes.map(within).collect();
                routes.sort_by_key(|route| route.1 == 0);
                (*start, frozen) = routes.into_iter().unzip();
            }
        } else if !instance.is_tour() {
            starts.push(fleet::savings::<W, R>(reduced, yard, neighbours));
        }
        if starts.is_empty() {
            starts.push(Vec::new());
        }
        let begin = |mut start: Vec<Vec<u32>>| {
            // A route without stops takes no vehicle.
            start.retain(|stops| !stops.is_empty());
            start.truncate(most);
            let settings = fleet::Settings::usual(reduced.nodes());
            let stream = Stream::new(request.seed, "fleet search", 0);
            FleetSearch::<W, R>::new(
                reduced,
                yard,
                neighbours,
                start,
                &frozen,
                request.prior,
                settings,
                stream,
            )
        };
        let mut team: Vec<FleetSearch<'_, W, R>> = starts.into_iter().map(begin).collect();
        if team.iter().all(|search| search.best().is_none()) {
            // Local search may mend what the start breaks; if not, somebody else's plan is worth its time.
            team.iter_mut().for_each(|search| search.settle(pace));
            let is_hopeless = team.iter().all(|search| search.best().is_none()) && !is_frozen;
            let rescued = request.rescue.filter(|_| is_hopeless).and_then(|rescue| rescue());
            team.extend(rescued.map(|routes| begin(vehicles_of(instance, &routes))));
        }
        let cost = |search: &FleetSearch<'_, W, R>| search.best().map(|best| best.1 as f64);
        let least = team.last().filter(|_| !is_frozen).and_then(cost).map(|own| GOOD * own);
        let is_good = |search: &FleetSearch<'_, W, R>| {
            least.zip(cost(search)).is_some_and(|(least, given)| given <= least)
        };
        team.iter_mut().filter(|search| is_good(search)).for_each(FleetSearch::begin_warm);
        // The best start first; those that break something last.
        team.sort_by_key(|search| search.best().map_or(i64::MAX, |best| best.1));
        let known = team[0].best().map(|best| best.1);
        let best_start: Vec<Vec<u32>> = match team[0].best() {
            Some((routes, _)) => routes.to_vec(),
            None => team[0].current().to_vec(),
        };
        team.truncate(request.searches.max(1));
        while team.len() < request.searches.max(1) {
            let mut search = begin(best_start.clone());
            if is_good(&search) {
                search.begin_warm();
            }
            team.push(search);
        }
        let mut hear = |plan: &[Vec<u32>], cost: i64| better(&routes_of(instance, plan), cost);
        if let Some(cost) = known {
            hear(&best_start, cost);
        }
        let mut team: Vec<Box<dyn Engine + '_>> = team
            .into_iter()
            .enumerate()
            .map(|(index, mut search)| {
                search.seed(Stream::new(request.seed, "fleet search", index as u64));
                Box::new(search) as Box<dyn Engine + '_>
            })
            .collect();
        team::each(&mut team, |engine| engine.settle(pace));
        if let Some((leader, cost)) = team::best_of(&team)
            && known.is_none_or(|known| cost < known)
            && let Some((plan, cost)) = team[leader].best()
        {
            hear(&plan, cost);
        }
        let finish = Finish { bound: reduced.bound(), proof_nodes: None };
        let search_pace = Part { whole: pace, share: 1.0 - FOR_FLEET_BOUND };
        let proved = finish.bound;
        team::advance(&mut team, &search_pace, &mut hear, &|cost| cost <= proved);
        finish.outcome(request, reduced, &team)
    }
}

/// What is known when the search has ended.
struct Finish {
    bound: i64,
    proof_nodes: Option<u64>,
}

impl Finish {
    fn outcome<W: Weight>(
        mut self,
        request: &Request<'_>,
        reduced: &Reduced<W>,
        team: &[Box<dyn Engine + '_>],
    ) -> Outcome {
        let best = team::best_of(team).and_then(|(leader, _)| team[leader].best());
        if let Some((_, cost)) = best
            && cost > self.bound
            && request.pace.wants_bound()
        {
            let nodes = reduced.nodes();
            let is_enough = || !forecast::affords_ascent(nodes, request.pace.left());
            if !is_enough() {
                let rounds = match request.pace.left() {
                    Some(left) => forecast::ascent_rounds(nodes, left).min(TIMED_ROUNDS),
                    None => ROUNDS,
                };
                self.bound = self.bound.max(ascend(reduced, cost, rounds, &is_enough).bound);
            }
        }
        let cost = best.as_ref().map(|best| best.1);
        let broken = team.first().filter(|_| best.is_none());
        Outcome {
            broken: broken.map(|engine| routes_of(request.instance, &engine.current())),
            routes: best.map(|(plan, _)| routes_of(request.instance, &plan)),
            cost,
            bound: self.bound,
            optimal: cost.is_some_and(|cost| cost <= self.bound),
            proof_nodes: self.proof_nodes,
            steps: team.iter().map(|engine| engine.steps()).sum(),
        }
    }
}

/// A plan of a search in public form: without empty routes, a tour from node 0.
fn routes_of(instance: &Instance, plan: &[Vec<u32>]) -> Routes {
    let plain = |stops: &Vec<u32>| stops.iter().map(|&stop| stop as usize).collect::<Vec<usize>>();
    if !instance.is_tour() {
        return Routes(plan.iter().filter(|stops| !stops.is_empty()).map(plain).collect());
    }
    let mut tour: Vec<usize> = plan.iter().flat_map(plain).collect();
    match tour.iter().position(|&node| node == 0) {
        Some(start) => tour.rotate_left(start),
        None => tour.insert(0, 0),
    }
    Routes(vec![tour])
}

/// Routes as a search on routes wants them: without the depot.
fn vehicles_of(instance: &Instance, routes: &Routes) -> Vec<Vec<u32>> {
    let known = |&&stop: &&usize| stop != 0 && stop < instance.nodes();
    routes.iter().map(|stops| stops.iter().filter(known).map(|&stop| stop as u32).collect()).collect()
}
