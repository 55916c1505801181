//! The best plan of a few stops, by weighing every plan there is.
//!
//! First the cheapest route through every set of stops, as one vehicle drives it ([`ways`]); then the cheapest
//! way to give sets to vehicles ([`shares`]). What nobody is given is left out, so that the same tables say
//! whom to serve when not all can be.

mod ground;
mod shares;
mod ways;

use radar_problem::{Instance, Merit, Routes};

use crate::partial::Served;
use ground::Ground;
use shares::Shares;
use ways::Ways;

/// The most stops that are weighed: sets double with every stop, ways to share them out treble.
pub const MOST_WEIGHED: usize = 12;

/// What is to be weighed.
#[derive(Clone, Copy)]
pub struct Exact<'a> {
    /// Routes, not a tour, of at most [`MOST_WEIGHED`] stops that are free to go anywhere.
    pub instance: &'a Instance,
    /// Beginnings of routes that must stay as they are, at least one stop each.
    pub beginnings: &'a [Vec<usize>],
    /// Ends the work when true.
    pub stop: &'a dyn Fn() -> bool,
}

/// What every plan was weighed for.
#[derive(Clone, Debug, PartialEq)]
pub enum Weighed {
    /// No plan misses less, or misses as much and costs less.
    Best(Served),
    /// No legal way goes on from the beginnings that must stay.
    Nothing,
}

/// Weighs every plan. `None` if there are too many of them, or too little time.
pub fn weigh_all(request: &Exact<'_>) -> Option<Weighed> {
    let ground = Ground::of(request)?;
    let begun: Vec<Ways> =
        request.beginnings.iter().map(|stops| Ways::of(&ground, stops)).collect::<Option<_>>()?;
    let others = Ways::of(&ground, &[])?;
    let vehicles = request.instance.vehicles().unwrap_or(usize::MAX).saturating_sub(begun.len());
    let shares = Shares::of(&ground, &begun, &others, vehicles)?;
    let all = ground.sets() - 1;
    let mut best: Option<(Merit, usize)> = None;
    for set in (0..=all).rev() {
        let Some(cost) = shares.cost(set) else { continue };
        let merit = Merit::new(request.instance, &ground.members(all & !set), cost);
        if best.as_ref().is_none_or(|(known, _)| merit.beats(known)) {
            best = Some((merit, set));
        }
    }
    let Some((merit, set)) = best else { return Some(Weighed::Nothing) };
    let routes = shares.split(set).into_iter().map(|(vehicle, part)| match vehicle {
        Some(at) => [request.beginnings[at].clone(), begun[at].route(&ground, part)].concat(),
        None => others.route(&ground, part),
    });
    let (routes, unserved) = (Routes(routes.collect()), ground.members(all & !set));
    Some(Weighed::Best(Served { routes, unserved, merit, steps: 0 }))
}
