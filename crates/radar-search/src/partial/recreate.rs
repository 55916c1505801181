//! Filling routes anew: stops go where they cost least, in the stead of one or two others if that pays, or
//! stay out if no place is worth it.

use std::cmp::Reverse;

use radar_kernel::random::Stream;

use super::draft::{Draft, Spot};
use super::watch::Watch;
use crate::fleet::Record;

/// How many stops may be put out again for another in one step.
const EJECTIONS: usize = 6;
/// The most stops for which the order of insertion is weighed by regret.
const REGRETTED: usize = 10;

/// A place for a stop: what stands there goes out, and what the energy then changes by.
#[derive(Clone, Copy, Debug)]
struct Place {
    spot: Spot,
    out: usize,
    change: i64,
}

/// How places are looked for.
struct Search<'s, 'w> {
    stream: &'s mut Stream,
    watch: &'s mut Watch<'w>,
    /// One place in so many is passed over.
    blink: u64,
    /// How many stops another may put out.
    reach: usize,
}

/// Tries to put in all of `stops`, which are in the pool. Ends early when the budget is over.
pub(super) fn recreate<R: Record>(
    draft: &mut Draft<'_, R>,
    mut stops: Vec<u32>,
    stream: &mut Stream,
    watch: &mut Watch<'_>,
) {
    arrange(draft, &mut stops, stream);
    let blink = if stream.chance(0.2) { 10 } else { 100 };
    let reach = stream.index(4).min(2);
    let by_regret = stops.len() <= REGRETTED && stream.chance(0.2);
    let mut search = Search { stream, watch, blink, reach };
    if by_regret {
        search.by_regret(draft, stops);
    } else {
        search.in_order(draft, stops);
    }
}

impl Search<'_, '_> {
    /// One after the other. Stops that are put out are tried again at the end.
    fn in_order<R: Record>(&mut self, draft: &mut Draft<'_, R>, mut stops: Vec<u32>) {
        let mut ejections = 0;
        let mut at = 0;
        while let Some(&stop) = stops.get(at) {
            at += 1;
            if ejections >= EJECTIONS {
                self.reach = 0;
            }
            let (best, _) = self.best(draft, stop as usize);
            let Some(place) = best else { continue };
            if place.out > 0 {
                ejections += 1;
                let Spot { route, place: from } = place.spot;
                stops.extend_from_slice(&draft.routes()[route][from..from + place.out]);
            }
            draft.exchange(place.spot, place.out, Some(stop as usize));
            if self.watch.is_over_after(0) {
                return;
            }
        }
    }

    /// Always the one that would lose most if it had to take its second best route.
    fn by_regret<R: Record>(&mut self, draft: &mut Draft<'_, R>, mut stops: Vec<u32>) {
        self.reach = 0;
        while !stops.is_empty() {
            let mut choice: Option<(i64, usize, Place)> = None;
            for (at, &stop) in stops.iter().enumerate() {
                let (best, second) = self.best(draft, stop as usize);
                let Some(place) = best else { continue };
                let regret = second - place.change;
                if choice.is_none_or(|(most, ..)| regret > most) {
                    choice = Some((regret, at, place));
                }
            }
            if self.watch.is_over_after(0) {
                return;
            }
            let Some((_, at, place)) = choice else { return };
            let stop = stops.swap_remove(at);
            draft.exchange(place.spot, 0, Some(stop as usize));
        }
    }

    /// The best place that is better than staying out, and what the best on another route (or staying
    /// out) would change.
    fn best<R: Record>(&mut self, draft: &Draft<'_, R>, stop: usize) -> (Option<Place>, i64) {
        let mut best: Option<Place> = None;
        let mut second = 0;
        let worth = draft.worth;
        let is_sparse = draft.instance().has_missing_arcs();
        let mut seen_empty = false;
        for (route, stops) in draft.routes().iter().enumerate() {
            if stops.is_empty() && std::mem::replace(&mut seen_empty, true) {
                continue;
            }
            let old = draft.toll(route);
            let mut own: Option<Place> = None;
            for place in draft.frozen(route)..=stops.len() {
                let spot = Spot { route, place };
                let mut lost = 0;
                for out in 0..=self.reach.min(stops.len() - place) {
                    if out > 0 {
                        lost += worth.of(stops[place + out - 1] as usize);
                    }
                    // Two gaps for a stop are hardly ever worth it, and on sparse tables nearly all places.
                    if is_sparse && draft.gaps_beside(spot, out, stop) > 1 {
                        continue;
                    }
                    let new = draft.weigh(spot, out, Some(stop));
                    let change =
                        worth.of_cost(new.cost - old.cost) + new.fine - old.fine + lost - worth.of(stop);
                    let bar = own.map_or(0, |place| place.change);
                    if change < bar && !self.stream.bits().is_multiple_of(self.blink) {
                        own = Some(Place { spot, out, change });
                    }
                }
            }
            self.watch.is_over_after((1 + self.reach) * (stops.len() + 1));
            let Some(own) = own else { continue };
            let bar = best.map_or(0, |place| place.change);
            if own.change < bar {
                second = bar;
                best = Some(own);
            } else {
                second = second.min(own.change);
            }
        }
        (best, second)
    }
}

/// In which order stops are put in: at random, by worth, amount, distance or window.
fn arrange<R: Record>(draft: &Draft<'_, R>, stops: &mut [u32], stream: &mut Stream) {
    stream.shuffle(stops);
    let instance = draft.instance();
    let way_out = |stop: &u32| draft.way(0, *stop as usize).0;
    let amount = |stop: &u32| instance.demand(*stop as usize).max(instance.backhaul(*stop as usize));
    match stream.below(12) {
        0..4 => (),
        4 => stops.sort_by_key(|stop| Reverse(amount(stop))),
        5 => stops.sort_by_key(amount),
        6 => stops.sort_by_key(|stop| Reverse(way_out(stop))),
        7 => stops.sort_by_key(way_out),
        8 => stops.sort_by_key(|&stop| instance.closes(stop as usize)),
        9 => stops.sort_by_key(|&stop| instance.closes(stop as usize) - instance.opens(stop as usize)),
        _ => stops.sort_by_key(|&stop| Reverse(draft.worth.of(stop as usize))),
    }
}
