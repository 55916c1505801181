//! How much of the day a vehicle has left, and when stops let it in.

use radar_kernel::ensemble::TICKS;
use radar_problem::{Instance, UNREACHABLE};

use super::{Reach, SHARE, Spent};
use crate::context::TIME;
use crate::features::{Bounds, Loads};
use crate::input::rides::UNLADEN;

/// Windows are told apart by the hour if they leave the order of such a share of all pairs of stops open. Where they decide most of
/// them, which stops may follow which says enough.
const OPEN_ORDERS: f64 = 0.25;

/// When stops let vehicles in, from the depot's opening on; infinite is never.
pub(super) struct Hours<'a> {
    instance: &'a Instance,
    bounds: Bounds,
    /// When nodes open, and the last moment to get there: before a node closes, and before it is too late to be home in time (N).
    opens: Vec<f64>,
    latest: Vec<f64>,
    /// When the day ends.
    end: f64,
    /// Whether any stop has a window of its own.
    pub has_windows: bool,
}

impl<'a> Hours<'a> {
    /// Those of an instance of routes, of which at least so many are needed, if a vehicle can be too early or too late anywhere.
    pub fn of(instance: &'a Instance, routes: usize) -> Option<Self> {
        let bounds = Bounds::of(instance);
        let nodes = instance.nodes();
        let infinite = |time: Option<i64>| time.map_or(f64::INFINITY, |time| time as f64);
        let shift = infinite(bounds.shift);
        let of_day = |stop: usize| match instance.is_open() {
            true => shift - instance.service(stop) as f64,
            false => {
                shift.min(infinite(bounds.closes(instance, 0)))
                    - instance.service(stop) as f64
                    - drive(instance, stop, 0)
            }
        };
        let closes = |node: usize| infinite(bounds.closes(instance, node));
        let last =
            |node: usize| if node == 0 { shift.min(closes(0)) } else { closes(node).min(of_day(node)) };
        let latest: Vec<f64> = (0..nodes).map(last).collect();
        let opens: Vec<f64> = (0..nodes).map(|node| bounds.opens(instance, node) as f64).collect();

        let is_own = |stop: usize| opens[stop] > drive(instance, 0, stop) || closes(stop) < of_day(stop);
        let has_windows = instance.stops().any(is_own);
        let of_stops = || instance.stops().flat_map(|stop| [opens[stop], latest[stop]]);
        let mut end = of_stops().filter(|time| time.is_finite()).fold(0.0, f64::max);
        if of_stops().any(f64::is_infinite) {
            // What comes after the last of these moments has its time as well.
            let stops = instance.stops().len().max(1);
            let unladen = Loads::of(instance).capacity == 0;
            let routes = if unladen { routes.max(stops.div_ceil(UNLADEN as usize)) } else { routes };
            let service = instance.stops().map(|stop| instance.service(stop) as f64).sum::<f64>();
            let drives = instance.stops().map(|stop| drive(instance, 0, stop));
            let drives = drives.filter(|drive| drive.is_finite()).sum::<f64>();
            end += if end > 0.0 { (service + drives) / routes.clamp(1, stops) as f64 } else { 0.0 };
        }
        (end > 0.0).then_some(Self { instance, bounds, opens, latest, end, has_windows })
    }

    /// Whether windows leave enough to decide.
    pub fn leave_open(&self) -> bool {
        let Self { instance, opens, latest, .. } = self;
        let can_follow = |first: usize, second: usize| {
            let begins = opens[first].max(drive(instance, 0, first));
            begins + instance.service(first) as f64 + drive(instance, first, second) <= latest[second]
        };
        let pairs = || instance.stops().flat_map(|one| instance.stops().map(move |other| (one, other)));
        let is_open = |&(one, other): &(usize, usize)| can_follow(one, other) && can_follow(other, one);
        let others = |pair: &(usize, usize)| pair.0 < pair.1;
        let open = pairs().filter(others).filter(is_open).count();
        open as f64 >= OPEN_ORDERS * pairs().filter(others).count() as f64
    }

    /// What vehicles have left of the day.
    pub fn reach(&self) -> (Reach, Spent) {
        let Self { instance, bounds, opens, latest, end, has_windows } = self;
        let nodes = instance.nodes();
        let last = (TICKS - 1) as f64;
        let ticks = |time: f64| (last * time / end) as f32;
        let square = |time: &dyn Fn(usize) -> f64| (0..nodes * nodes).map(|at| ticks(time(at))).collect();
        let takes = |at: usize| match (at / nodes, at % nodes) {
            (_, 0) => 0.0,
            (0, stop) => drive(instance, 0, stop),
            (from, to) => instance.service(from) as f64 + drive(instance, from, to),
        };
        let reach = Reach {
            nodes,
            number: TIME,
            begin: last as f32,
            per_unit: -ticks(1e9) / bounds.time(1_000_000_000),
            ways: square(&|at| drive(instance, at / nodes, at % nodes)),
            is_lenient: true,
        };
        let windows = (0..nodes).map(|node| [ticks(opens[node]), ticks(latest[node])]).collect();
        let idle = if *has_windows { 0.0 } else { (SHARE * last) as f32 };
        (reach, Spent { takes: square(&takes), idle, windows: Some(windows) })
    }
}

/// How long it takes from a node to a node.
fn drive(instance: &Instance, from: usize, to: usize) -> f64 {
    match instance.duration().at(from, to) {
        _ if from == to => 0.0,
        UNREACHABLE => f64::INFINITY,
        time => time as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_problem::{Problem, Table};

    /// Five stops, each a drive of 1 from all others and the depot.
    fn problem() -> Problem {
        let mut problem = Problem::vrp(Table::from_values(6, 6, vec![1.0; 36]));
        (problem.capacity, problem.demand) = (Some(5.0), Some(vec![0.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
        problem
    }

    /// Calls `look` with its hours, times as they are stated.
    fn look(problem: Problem, look: impl FnOnce(Option<&Hours<'_>>, &dyn Fn(f64) -> f64)) {
        let instance = problem.validate().instance.expect("sound");
        let factor = instance.scales().duration.factor();
        look(Hours::of(&instance, 1).as_ref(), &|time| time / factor);
    }

    #[test]
    fn a_day_without_end_has_no_hours() {
        look(problem(), |hours, _| assert!(hours.is_none()));
        let windows = Some(vec![[0.0, 1e6]; 6]);
        look(Problem { windows, ..problem() }, |hours, _| assert!(hours.is_none()));
    }

    #[test]
    fn whoever_has_to_be_home_leaves_before() {
        let day = vec![[0.0, 4.0], [0.0, 4.0], [0.0, 4.0], [0.0, 4.0], [0.0, 4.0], [0.0, 4.0]];
        let service = Some(vec![0.0, 0.5, 0.5, 0.5, 0.5, 0.5]);
        for open in [false, true] {
            let problem = Problem { windows: Some(day.clone()), service: service.clone(), open, ..problem() };
            look(problem, |hours, stated| {
                let hours = hours.expect("a day");
                let latest: Vec<f64> = hours.latest.iter().skip(1).map(|&time| stated(time)).collect();
                // Nobody comes home on open routes: then stops have the hours that were said.
                assert_eq!((latest, hours.has_windows), (vec![if open { 4.0 } else { 2.5 }; 5], open));
            });
            let shift =
                Problem { max_duration: Some(4.0), service: service.clone(), open, ..self::problem() };
            look(shift, |hours, stated| {
                let hours = hours.expect("a shift");
                assert_eq!(stated(hours.latest[1]), if open { 3.5 } else { 2.5 });
                assert!(!hours.has_windows);
                assert!(hours.reach().1.idle > 0.0);
            });
        }
    }

    #[test]
    fn what_has_no_last_moment_has_its_time_after_all_others() {
        let never = [0.0, f64::INFINITY];
        let windows = Some(vec![never, [1.0, 3.0], never, never, never, never]);
        look(Problem { windows, ..problem() }, |hours, stated| {
            let hours = hours.expect("a window");
            assert!(hours.has_windows && hours.leave_open());
            assert_eq!(stated(hours.end), 8.0);
            let (_, spent) = hours.reach();
            assert_eq!(spent.windows.expect("hours")[2], [0.0, f32::INFINITY]);
        });
    }

    #[test]
    fn windows_that_decide_the_order_leave_nothing_open() {
        let windows = (0..6)
            .map(|node| if node == 0 { [0.0, 20.0] } else { [3.0 * node as f64, 3.0 * node as f64 + 1.0] });
        look(Problem { windows: Some(windows.collect()), ..problem() }, |hours, _| {
            let hours = hours.expect("windows");
            assert!(hours.has_windows && !hours.leave_open());
        });
    }
}
