//! An ensemble of routes: all routes at once, each as likely as it is cheap, at prices at which every stop is on one
//! of them on the average.
//!
//! A vehicle leaves the depot with all its room, every stop takes some of it, and where the route ends some may be left.
//! Routes are all walks that the room allows, at a weight of `e^((prices of its stops - its cost) / temperature)`. What
//! that comes to is summed by levels of the room that is left: backward from home for all ways on, forward from the
//! depot for all ways there, so that it takes no more time than levels times arcs. Entropic [`crate::transport`] asks where
//! one goes from a stop when all stops have to be left and reached; this asks the same of a vehicle with so much room.
//!
//! Nobody goes straight back to where he came from where that would matter ([`pairs`]).
//!
//! Prices begin with those of transport, and rise where a stop is on less than one route. Between stops those arcs
//! count that are among the least surprising of either end. Vehicles that have delivered may pick up with all of their room
//! again. Where the length of routes has a limit that they come near to, sums are by room and by what is left of the length; where
//! stops have hours, by room and by what is left of the day.
//!
//! When some stops are served, the rest have other prices ([`Outlook::rest`]): a few rounds from those before find them.

mod legs;
mod limited;
mod pairs;
mod prices;
mod sums;
#[cfg(test)]
mod tests;
mod ticks;

use crate::isa::Isa;
use crate::transport::{Prices, Transport};
use limited::{Limited, Rows};
use sums::{Plan, Sums};

/// How many ticks of a slack are told apart; all of it is the last of them.
pub const TICKS: usize = ticks::TICKS;

/// How often prices are changed: at first, and when some stops were served.
const ROUNDS: usize = 60;
const ROUNDS_OF_SLACK: usize = 30;
const ROUNDS_LATER: usize = 3;
/// The same where stops have hours: prices that know of none are farther off.
const ROUNDS_OF_HOURS: usize = 60;
const ROUNDS_OF_HOURS_LATER: usize = 6;

/// The arcs of a stop that count: so many of those that leave it and of those that reach it, and where slack counts.
const ARCS: usize = 12;
const ARCS_OF_SLACK: usize = 8;
/// The same where stops have hours, of which surprise knows nothing.
const ARCS_OF_HOURS: usize = 16;

/// The way to a stop and back is at most so many temperatures: the weight of half of it, and one over that, are numbers of f32 yet.
const FARTHEST: f64 = 160.0;

/// What routes there are.
#[derive(Clone, Copy, Debug)]
pub struct Ensemble<'a> {
    /// The depot, which is the first, and the stops.
    pub nodes: usize,
    /// What arcs cost, row by row (nodes, nodes); none below 0.
    pub costs: &'a [f32],
    /// Which arcs there are between stops (nodes, nodes); none counts that leads from a pickup to anything else.
    pub may: &'a [bool],
    /// All of a vehicle's room, in levels.
    pub top: usize,
    /// How many levels each stop takes (nodes): from 1 to `top`.
    pub takes: &'a [u16],
    /// Which stops are pickups (nodes).
    pub gives: &'a [bool],
    /// How many routes there are at least, so far as is known.
    pub routes: f32,
    /// The temperature, as a part of what an arc costs.
    pub coolness: f32,
    /// What else runs out on the way, where the length of a route has a limit or stops have hours.
    pub slack: Option<Slack<'a>>,
}

/// How much farther a vehicle may drive than straight home, in ticks: [`TICKS`] - 1 of them are the most with which any stop can be
/// reached. Or the time that is left of the day, with its windows.
#[derive(Clone, Copy, Debug)]
pub struct Slack<'a> {
    /// What an arc takes of it (nodes, nodes): from the depot what the first stop has less than the most, to the depot nothing.
    pub arcs: &'a [f32],
    /// It has no say if routes that do not know of it take less than this on the average.
    pub idle: f32,
    /// Of each node, how much is spent at least when a vehicle goes on there, for it waits, and at most when it arrives (nodes);
    /// nothing if nobody has to wait or can be late.
    pub windows: Option<&'a [[f32; 2]]>,
}

/// What arcs are worth to vehicles at the first prices. Weights have a gauge: what leads from one node to another counts the difference
/// of theirs, so that no sum is too large or too small for a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Fleet {
    nodes: usize,
    top: usize,
    /// Which stops are pickups (nodes).
    gives: Vec<bool>,
    /// What an arc costs less the first price of where it ends, in temperatures, with that one's gauge (nodes, nodes).
    steps: Vec<f32>,
    /// Whether slack has a say.
    has_slack: bool,
}

/// What the routes of some stops come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlook(Kind);

/// By room alone, or by room and slack.
#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Plain(Box<Sums>),
    Limited(Box<Limited>),
}

/// Memory that serves again.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Rows);

impl Ensemble<'_> {
    /// What it comes to, or nothing when it was stopped: asked in every round.
    pub fn found_until(&self, isa: Isa, stop: &dyn Fn() -> bool) -> Option<(Fleet, Outlook)> {
        let Self { nodes, costs, routes, coolness, .. } = *self;
        let squares =
            [costs.len(), self.may.len()].into_iter().chain(self.slack.map(|slack| slack.arcs.len()));
        assert!(nodes > 0 && squares.into_iter().all(|length| length == nodes * nodes), "one per pair");
        let windows = self.slack.and_then(|slack| slack.windows).map_or(nodes, <[_]>::len);
        assert!([self.takes.len(), self.gives.len(), windows] == [nodes; 3], "one per node");
        let stops = self.takes.iter().skip(1);
        assert!(
            stops.clone().all(|&takes| (1..=self.top).contains(&takes.into())),
            "every stop takes some room"
        );
        let transport = Transport { nodes, costs, depot: Some(routes), coolness };
        let prices = transport.prices_until(isa, stop)?;
        let worth = self.worth(&prices);
        let sums = found(Sums::new(isa, &self.plan(&worth, &prices, ARCS)), ROUNDS, stop)?;
        let fleet = Fleet {
            nodes,
            top: self.top,
            gives: self.gives.to_vec(),
            steps: worth.steps(),
            has_slack: false,
        };
        let slack = self.slack.filter(|slack| taken(&sums, nodes, slack.arcs) >= slack.idle);
        let Some(slack) = slack else { return Some((fleet, Outlook(Kind::Plain(Box::new(sums))))) };
        let arcs = if slack.windows.is_some() { ARCS_OF_HOURS } else { ARCS_OF_SLACK };
        let (plan, prices) = (self.plan(&worth, &prices, arcs), sums.prices().of(0..nodes));
        let rounds = if slack.windows.is_some() { ROUNDS_OF_HOURS } else { ROUNDS_OF_SLACK };
        let limited = Limited::new(isa, &plan, &slack, prices).found(rounds, &mut Rows::default(), stop)?;
        Some((Fleet { has_slack: true, ..fleet }, Outlook(Kind::Limited(Box::new(limited)))))
    }

    /// What arcs are worth at the prices of transport.
    fn worth(&self, begun: &Prices) -> Worth<'_> {
        let nodes = self.nodes;
        let cost = |from: usize, to: usize| f64::from(self.costs[from * nodes + to]);
        let farthest = (1..nodes).map(|stop| cost(0, stop) + cost(stop, 0)).fold(0.0, f64::max);
        let temperature =
            f64::from(begun.temperature).max(farthest / FARTHEST).max(f64::from(f32::MIN_POSITIVE));

        // What the depot's price is, stops pay by what they take.
        let all: f64 = self.takes.iter().skip(1).map(|&takes| f64::from(takes)).sum();
        let depot = f64::from(begun.rows[0] + begun.columns[0]) * f64::from(begun.amount) / all.max(1.0);
        // No stop is worth more than a route of its own costs, nor less than nothing.
        let price = |stop: usize| {
            let alone = cost(0, stop) + cost(stop, 0);
            let price =
                f64::from(begun.rows[stop] + begun.columns[stop]) + depot * f64::from(self.takes[stop]);
            if stop == 0 { 0.0 } else { price.clamp(0.0, alone) }
        };
        let prices: Vec<f64> = (0..nodes).map(|node| price(node) / temperature).collect();
        let gauge = |stop: usize| 0.5 * (prices[stop] + (cost(stop, 0) - cost(0, stop)) / temperature);
        let gauge: Vec<f64> = (0..nodes).map(|node| if node == 0 { 0.0 } else { gauge(node) }).collect();
        Worth { nodes, costs: self.costs, temperature, prices, gauge }
    }

    /// What sums are made of, with so many arcs of either end.
    fn plan(&self, worth: &Worth<'_>, begun: &Prices, arcs: usize) -> Plan<'_> {
        let nodes = self.nodes;
        let surprise =
            |from: usize, to: usize| self.costs[from * nodes + to] - begun.rows[from] - begun.columns[to];
        let mut arcs = least_surprising(nodes, arcs, &surprise);
        // Whoever picks up does nothing else afterwards: not even a stop without any load.
        let is_in_order = |from: usize, to: usize| self.gives[to] || !self.gives[from];
        arcs.retain(|&(from, to)| self.may[from * nodes + to] && is_in_order(from, to));
        let first: Vec<f64> = (0..nodes).map(|stop| worth.weight(0, stop)).collect();
        let home: Vec<f64> = (0..nodes).map(|stop| worth.weight(stop, 0)).collect();
        let arcs: Vec<_> = arcs.into_iter().map(|(from, to)| (from, to, worth.weight(from, to))).collect();
        Plan { top: self.top, takes: self.takes, gives: self.gives, first, home, arcs }
    }
}

/// What arcs are worth at the first prices.
struct Worth<'a> {
    nodes: usize,
    costs: &'a [f32],
    temperature: f64,
    /// Those of the nodes, in temperatures, and their gauges (nodes).
    prices: Vec<f64>,
    gauge: Vec<f64>,
}

impl Worth<'_> {
    fn step(&self, from: usize, to: usize) -> f64 {
        let cost = f64::from(self.costs[from * self.nodes + to]);
        cost / self.temperature - self.prices[to] + self.gauge[to]
    }

    fn weight(&self, from: usize, to: usize) -> f64 {
        (self.gauge[from] - self.step(from, to)).clamp(-FARTHEST, 0.5 * FARTHEST).exp()
    }

    /// As a [`Fleet`] has them (nodes, nodes).
    fn steps(&self) -> Vec<f32> {
        (0..self.nodes * self.nodes).map(|at| self.step(at / self.nodes, at % self.nodes) as f32).collect()
    }
}

impl Fleet {
    /// What arcs from a node cost in temperatures, less the first prices of where they end, with their gauges (nodes): less
    /// the logarithm of [`Outlook::ahead`] it is how surprising they are, but for what is the same for all of them.
    pub fn steps(&self, from: usize) -> &[f32] {
        &self.steps[from * self.nodes..(from + 1) * self.nodes]
    }

    /// All of a vehicle's room, in levels.
    pub fn top(&self) -> usize {
        self.top
    }

    /// Whether slack has a say.
    pub fn has_slack(&self) -> bool {
        self.has_slack
    }

    /// Whether a stop is a pickup.
    pub fn gives(&self, stop: usize) -> bool {
        self.gives[stop]
    }
}

/// Changes prices for some rounds and sums; nothing when it was stopped: asked in every round.
fn found(mut sums: Sums, rounds: usize, stop: &dyn Fn() -> bool) -> Option<Sums> {
    for _ in 0..rounds {
        if stop() {
            return None;
        }
        sums.backward();
        sums.forward();
        sums.reprice();
    }
    sums.backward();
    sums.forward();
    Some(sums)
}

/// For how many rounds prices are changed when some stops were served.
fn later(limited: &Limited) -> usize {
    if limited.has_hours() { ROUNDS_OF_HOURS_LATER } else { ROUNDS_LATER }
}

/// What a route takes on the average, if arcs take so much (nodes, nodes); none takes more than there is.
fn taken(sums: &Sums, nodes: usize, arcs: &[f32]) -> f32 {
    let (mut all, mut routes) = (0.0, 0.0);
    for (place, &stop) in (1..).zip(sums.stops()) {
        let arc = |from: usize, to: usize| f64::from(arcs[from * nodes + to].min((TICKS - 1) as f32));
        let begins = sums.begins(place);
        all += begins * arc(0, stop);
        all += sums.used_from(place).map(|(to, used)| used * arc(stop, to)).sum::<f64>();
        routes += begins;
    }
    (all / routes.max(f64::MIN_POSITIVE)) as f32
}

impl Outlook {
    /// What the routes of those stops come to that are left (nodes).
    pub fn rest(&self, is_left: &[bool], scratch: &mut Scratch) -> Self {
        let never = || false;
        let kind = match &self.0 {
            Kind::Plain(sums) => {
                found(sums.among(is_left), ROUNDS_LATER, &never).map(|rest| Kind::Plain(Box::new(rest)))
            }
            Kind::Limited(limited) => {
                let rest = limited.among(is_left).found(later(limited), &mut scratch.0, &never);
                rest.map(|rest| Kind::Limited(Box::new(rest)))
            }
        };
        kind.map_or_else(|| self.clone(), Self)
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        match &self.0 {
            Kind::Plain(sums) => sums.bytes(),
            Kind::Limited(limited) => limited.bytes(),
        }
    }

    /// Its stops.
    fn stops(&self) -> &[usize] {
        match &self.0 {
            Kind::Plain(sums) => sums.stops(),
            Kind::Limited(limited) => limited.stops(),
        }
    }

    /// The place of a stop among them, if it is one of them.
    fn place(&self, stop: usize) -> Option<usize> {
        self.stops().binary_search(&stop).ok().map(|at| at + 1)
    }

    /// The weight of all ways on from a stop where a vehicle comes from such a node with so much room, and with so much slack if
    /// that has a say; the least there is of stops that are not among these, or take more.
    pub fn ahead(&self, from: usize, stop: usize, room: usize, slack: f32) -> f64 {
        let from = self.place(from).unwrap_or(0);
        let weight = self.place(stop).map_or(0.0, |place| match &self.0 {
            Kind::Plain(sums) => sums.ahead_from(from, place)[room],
            Kind::Limited(limited) => limited.ahead(from, place, room, slack),
        });
        // What is no number any more was too large for one.
        if weight.is_nan() { f64::MAX } else { weight.clamp(f64::MIN_POSITIVE, f64::MAX) }
    }

    /// On how many routes each of its stops is.
    pub fn visits(&self) -> impl Iterator<Item = (usize, f32)> {
        let visits = |place: usize| match &self.0 {
            Kind::Plain(sums) => sums.visits(place),
            Kind::Limited(limited) => limited.visits(place),
        };
        (1..).zip(self.stops()).map(move |(place, &stop)| (stop, visits(place) as f32))
    }

    /// Tells arcs from one of its stops to others, and how often each is used.
    pub fn used_from(&self, stop: usize, tell: &mut dyn FnMut(usize, f32)) {
        let Some(place) = self.place(stop) else { return };
        match &self.0 {
            Kind::Plain(sums) => sums.used_from(place).for_each(|(to, used)| tell(to, used as f32)),
            Kind::Limited(limited) => limited.used_from(place).for_each(|(to, used)| tell(to, used as f32)),
        }
    }
}

/// The arcs between stops that are among so many least surprising ones of either end, in order.
fn least_surprising(
    nodes: usize,
    count: usize,
    surprise: &dyn Fn(usize, usize) -> f32,
) -> Vec<(usize, usize)> {
    let mut arcs = Vec::new();
    for node in 1..nodes {
        for leaves in [true, false] {
            let arc = |other: usize| if leaves { (node, other) } else { (other, node) };
            let others = (1..nodes).filter(|&other| other != node).map(arc);
            let mut rated: Vec<(f32, (usize, usize))> =
                others.map(|(from, to)| (surprise(from, to), (from, to))).collect();
            if rated.len() > count {
                rated.select_nth_unstable_by(count, |one, other| {
                    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
                });
                rated.truncate(count);
            }
            arcs.extend(rated.into_iter().map(|(_, arc)| arc));
        }
    }
    arcs.sort_unstable();
    arcs.dedup();
    arcs
}
