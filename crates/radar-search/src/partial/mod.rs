//! Whom to serve when not all can be: large neighbourhoods of plans that leave stops out.
//!
//! Stops are taken off and put back where they cost least, sometimes in the stead of others; whom no place
//! is worth stays in the pool. Constraints may be broken on the way, at a fine: on tables with few arcs the
//! second of two stops is often what makes the first one possible.

mod draft;
mod mend;
mod prune;
mod recreate;
mod ruin;
mod watch;
mod worth;

use radar_kernel::random::Stream;
use radar_problem::{Instance, Merit, Routes};
use rayon::prelude::*;

use crate::anneal::Anneal;
use crate::fleet::{Full, Load, Needs, Record, Yard};
use crate::pace::Pace;
use draft::Draft;
use watch::Watch;
use worth::Worth;

/// What is asked of a search of whom to serve.
#[derive(Clone, Copy)]
pub struct Partial<'a> {
    /// What is to be served; routes, not a tour.
    pub instance: &'a Instance,
    /// Where to start from: each stop at most once. They may break something; the search goes on from the
    /// most promising.
    pub starts: &'a [Routes],
    /// How many stops at the beginning of each route must stay, in all starts; missing entries: none.
    pub frozen: &'a [usize],
    /// Whether the starts are good already, so that only what costs little more is accepted on the way.
    pub settled: bool,
    /// How many searches run side by side, each with the budget; the best counts.
    pub searches: usize,
    /// Where randomness comes from.
    pub seed: u64,
    /// The budget.
    pub pace: &'a dyn Pace,
}

/// A plan of some stops.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    /// Routes that break nothing.
    pub routes: Routes,
    /// The stops on none of them, ascending.
    pub unserved: Vec<usize>,
    /// How good that is.
    pub merit: Merit,
    /// How many steps were taken.
    pub steps: u64,
}

/// First and last temperature: in stops and in mean arcs; and the first from a good plan, in mean arcs.
const HEAT: (f64, f64) = (0.1, 0.02);
const SETTLED_HEAT: f64 = 0.3;
/// How many places are looked at in a step for stops that were left out before, about.
const LOOKED: usize = 4000;
/// The share of steps that only exchange stretches of routes, where arcs are missing.
const MENDED: f64 = 0.5;

/// Searches for the plan that misses least, then costs least, within the budget; ends early when every stop
/// is served. `better` hears of every plan that is better than all before. `None` if no plan was met that
/// breaks nothing: frozen beginnings may have no legal way on.
pub fn serve_most(request: &Partial<'_>, better: &mut dyn FnMut(&Served)) -> Option<Served> {
    let yard = Yard::of(request.instance);
    match yard.needs() {
        Needs::Load => serve::<Load>(request, &yard, better),
        Needs::Timeless => serve::<Full<false>>(request, &yard, better),
        Needs::All => serve::<Full<true>>(request, &yard, better),
    }
}

/// One search, or the best of several; ties go to the first.
fn serve<R: Record>(
    request: &Partial<'_>,
    yard: &Yard<'_>,
    better: &mut dyn FnMut(&Served),
) -> Option<Served> {
    let worth = Worth::of_instance(request.instance);
    if request.searches <= 1 {
        return Search::<R>::new(request, yard, &worth, 0).run(better);
    }
    let alone = |index| Search::<R>::new(request, yard, &worth, index).run(&mut |_| ());
    let found: Vec<Option<Served>> = (0..request.searches as u64).into_par_iter().map(alone).collect();
    let steps = found.iter().flatten().map(|served| served.steps).sum();
    let best = found
        .into_iter()
        .flatten()
        .reduce(|best, served| if served.merit.beats(&best.merit) { served } else { best })?;
    better(&best);
    Some(Served { steps, ..best })
}

struct Search<'a, R> {
    draft: Draft<'a, R>,
    /// Other plans to start from.
    drafts: Vec<Draft<'a, R>>,
    pace: &'a dyn Pace,
    watch: Watch<'a>,
    stream: Stream,
    anneal: Anneal,
    steps: u64,
    best: Option<Served>,
}

impl<'a, R: Record> Search<'a, R> {
    fn new(request: &Partial<'a>, yard: &'a Yard<'a>, worth: &'a Worth, index: u64) -> Self {
        let first = if request.settled { SETTLED_HEAT * worth.arc } else { HEAT.0 * worth.stop };
        let draft = |start: &Routes| Self::draft(request, start, yard, worth);
        let mut drafts: Vec<Draft<'a, R>> = request.starts.iter().map(draft).collect();
        drafts.sort_by_key(Draft::energy);
        drafts.reverse();
        Self {
            draft: drafts.pop().unwrap_or_else(|| draft(&Routes::default())),
            drafts,
            pace: request.pace,
            watch: Watch::new(request.pace),
            stream: Stream::new(request.seed, "whom to serve", index),
            anneal: Anneal::new(first, (HEAT.1 * worth.arc).max(1.0)),
            steps: 0,
            best: None,
        }
    }

    fn draft(request: &Partial<'a>, start: &Routes, yard: &'a Yard<'a>, worth: &'a Worth) -> Draft<'a, R> {
        let known = |&&stop: &&usize| request.instance.stops().contains(&stop);
        let with_lengths = start.iter().enumerate().map(|(at, stops)| {
            let length = request.frozen.get(at).copied().unwrap_or(0).min(stops.len());
            (stops.iter().filter(known).map(|&stop| stop as u32).collect::<Vec<u32>>(), length)
        });
        let mut routes: Vec<(Vec<u32>, usize)> =
            with_lengths.filter(|(stops, _)| !stops.is_empty()).collect();
        // Vehicles that have set out come first: there may be fewer than the start has routes.
        routes.sort_by_key(|(_, length)| *length == 0);
        routes.truncate(request.instance.vehicles().unwrap_or(usize::MAX));
        let (routes, frozen) = routes.into_iter().unzip();
        Draft::new(yard, worth, worth.penalties(yard), routes, frozen)
    }

    fn run(mut self, better: &mut dyn FnMut(&Served)) -> Option<Served> {
        for draft in std::mem::take(&mut self.drafts) {
            let first = std::mem::replace(&mut self.draft, draft);
            self.note(better);
            self.draft = first;
        }
        self.note(better);
        // From what breaks nothing there is a way at any budget; from what breaks much there may be none.
        if let Some(best) = &self.best {
            let narrow = |stops: &Vec<usize>| stops.iter().map(|&stop| stop as u32).collect();
            self.draft = self.draft.with(best.routes.iter().map(narrow).collect());
        }
        let is_sparse = self.draft.instance().has_missing_arcs();
        while !self.best.as_ref().is_some_and(|best| best.unserved.is_empty()) {
            let spent = self.pace.spent(self.steps);
            if spent >= 1.0 {
                break;
            }
            self.anneal.cool(spent);
            self.steps += 1;
            let before = self.draft.energy();
            if is_sparse && self.stream.chance(MENDED) {
                mend::mend(&mut self.draft, &mut self.stream);
            } else {
                self.step();
            }
            let worse = self.draft.energy() - before;
            if worse > 0 && worse > self.anneal.allowance(&mut self.stream) {
                self.draft.undo();
            } else {
                self.draft.keep();
                self.note(better);
            }
            self.draft.learn();
        }
        let steps = self.steps;
        self.best.map(|best| Served { steps, ..best })
    }

    /// Takes stops off, and tries to put in those and some that were left out.
    fn step(&mut self) {
        let mut left_out = self.draft.pool().to_vec();
        self.stream.shuffle(&mut left_out);
        let places = self.draft.served() + self.draft.routes().len();
        left_out.truncate((LOOKED / places).max(4));
        let taken = ruin::ruin(&mut self.draft, &mut self.stream);
        left_out.extend(taken);
        recreate::recreate(&mut self.draft, left_out, &mut self.stream, &mut self.watch);
    }

    /// Remembers the plan, or what is left of it without what it breaks, if that is the best so far.
    fn note(&mut self, better: &mut dyn FnMut(&Served)) {
        let is_whole = self.draft.total().excess.is_none();
        // Pruning is worth its time only if fewer are missed now than in the best.
        let missed = Merit::new(self.draft.instance(), &self.unserved(), self.draft.total().cost);
        let hopeful = self.best.as_ref().is_none_or(|best| match is_whole {
            true => missed.beats(&best.merit),
            false => Merit { cost: 0, ..missed }.beats(&Merit { cost: 0, ..best.merit }),
        });
        if !hopeful {
            return;
        }
        if is_whole || prune::prune(&mut self.draft, &mut self.watch) {
            let unserved = self.unserved();
            let merit = Merit::new(self.draft.instance(), &unserved, self.draft.total().cost);
            if self.best.as_ref().is_none_or(|best| merit.beats(&best.merit)) {
                let plain = |stops: &Vec<u32>| stops.iter().map(|&stop| stop as usize).collect();
                let used = self.draft.routes().iter().filter(|stops| !stops.is_empty());
                let routes = Routes(used.map(plain).collect());
                let served = Served { routes, unserved, merit, steps: self.steps };
                better(&served);
                self.best = Some(served);
            }
        }
        self.draft.undo();
    }

    fn unserved(&self) -> Vec<usize> {
        let mut unserved: Vec<usize> = self.draft.pool().iter().map(|&stop| stop as usize).collect();
        unserved.sort_unstable();
        unserved
    }
}
