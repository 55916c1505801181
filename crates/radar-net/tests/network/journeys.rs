//! What vehicles are told on their way against the naive ensemble, and what follows from it.

use radar_kernel::isa::Isa;
use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::input::{Draw, Input, may_run_out};
use radar_net::journey::Journeys;
use radar_net::reference::Trips;
use radar_net::{Config, Task, Term};
use radar_problem::{Instance, Problem, Table};
use radar_rollout::{Batch, Policy, Rules, State, run};
use radar_sample::Distribution;

use crate::scene::small;

fn config() -> Config {
    Config { terms: vec![Term::Room], ..small(Task::Vrp) }
}

/// The same with distances that are the same there and back.
fn symmetric(instance: &Instance) -> Instance {
    let (mut problem, nodes) = (instance.input().clone(), instance.nodes());
    let rows = (0..nodes).map(|from| {
        (0..nodes).map(|to| problem.distance.at(from, to).min(problem.distance.at(to, from))).collect()
    });
    problem.distance = Table::from_rows(rows.collect());
    problem.validate().instance.expect("sound")
}

fn instance(stops: usize, variant: &str, seed: u64) -> Instance {
    drawn(stops, variant, "tight", seed)
}

fn drawn(stops: usize, variant: &str, preset: &str, seed: u64) -> Instance {
    let count = stops.to_string();
    let parameters = [("n", count.as_str()), ("variant", variant), ("preset", preset)];
    let distribution = Distribution::named("multitask", &parameters, None).expect("ours");
    distribution.sample(seed, 0).problem.validate().instance.expect("sound")
}

/// Goes anywhere, and compares what it is told with what is so.
struct Wanderer<'a> {
    journeys: Journeys<'a>,
    trips: Trips,
    context: Context,
    driven: Vec<Vec<usize>>,
    compared: usize,
}

impl Policy for Wanderer<'_> {
    fn choose(&mut self, batch: &Batch<'_>, streams: &mut [Stream], actions: &mut [usize], _: &mut [f32]) {
        for at in (0..batch.len()).filter(|&at| !batch.ended(at)) {
            let (state, mask) = (&batch.states()[at], batch.mask(at));
            let nodes = self.journeys.numbers();
            let mut context = vec![0.0; self.context.numbers()];
            self.context.fill(state, &mut context);
            self.driven[at].push(state.node);
            self.journeys.see(at, state.node);
            let mut told = vec![f32::NAN; nodes];
            self.journeys.fill(at, &context, mask.words(), &mut told);
            let feasible: Vec<bool> = (0..nodes).map(|node| mask.contains(node)).collect();
            let rooms = [context[0].into(), context[1].into()];
            let naive = self.trips.surprises(&self.driven[at], rooms, &feasible);
            for (node, (told, naive)) in told.iter().zip(&naive).enumerate() {
                // Prices of 60 rounds in the digits of transport's; what little is left of ways there, in those of f32.
                assert!(
                    (f64::from(*told) - naive).abs() < 0.03,
                    "{node} after {:?}: {told} {naive}",
                    self.driven[at]
                );
            }
            self.compared += 1;
            actions[at] = mask.nth(streams[at].index(mask.count())).expect("somewhere to go");
        }
    }
}

#[test]
fn vehicles_are_told_what_is_so() {
    let cases = [(14, "ACVRP", 1), (12, "AOVRPB", 2), (12, "AVRPBLTW", 3), (11, "AVRPL", 4)];
    let cases = cases.map(|(stops, variant, seed)| (stops, variant, seed, instance(stops, variant, seed)));
    // Where ways are the same there and back, most pairs of near stops are such.
    let roads = [(9, "ACVRP", 5), (9, "AVRPL", 6), (9, "AVRPB", 7)];
    let roads = roads
        .map(|(stops, variant, seed)| (stops, variant, seed, symmetric(&instance(stops, variant, seed))));
    for (stops, variant, seed, instance) in cases.into_iter().chain(roads) {
        let compared = compared(&instance, variant, seed);
        assert!(compared > 2 * stops, "{variant}: {compared}");
    }
}

#[test]
fn so_they_are_where_hours_run_out() {
    // Where stops have hours; where all but one never close, which are what is left when that one is served; and where only the day
    // ends.
    let days = [("AVRPTW", 8), ("AOVRPTW", 9), ("AVRPBTW", 10)];
    let days = days.map(|(variant, seed)| drawn(6, variant, "day", seed));
    let changed = |change: &dyn Fn(&mut Problem)| {
        let mut problem = drawn(5, "AVRPTW", "day", 12).input().clone();
        change(&mut problem);
        problem.validate().instance.expect("sound")
    };
    let never = changed(&|problem| {
        let windows = problem.windows.iter_mut().flatten().enumerate().filter(|(node, _)| *node != 1);
        windows.for_each(|(_, window)| *window = [0.0, f64::INFINITY]);
    });
    let shift = changed(&|problem| {
        let day = problem.windows.take().expect("windows")[0];
        problem.max_duration = Some(0.3 * (day[1] - day[0]));
    });
    for (seed, instance) in (8..).zip(days.into_iter().chain([never, shift])) {
        assert!(may_run_out(&instance));
        // Two trajectories, every stop but the first and the way home.
        let (compared, stops) = (compared(&instance, "a day", seed), instance.stops().len());
        assert!(compared >= 2 * stops, "{seed}: {compared}");
    }
}

/// How often two wanderers were told what is so on the way.
fn compared(instance: &Instance, name: &str, seed: u64) -> usize {
    let config = config();
    let input = Input::of(&config, instance, Draw { seed: 1, index: 0 }, Isa::best()).expect("it fits");
    let mut policy = Wanderer {
        journeys: Journeys::new(&input),
        trips: Trips::of(instance).expect("routes"),
        context: Context::of(&config, instance),
        driven: vec![Vec::new(); 2],
        compared: 0,
    };
    let rules = [Rules::new(instance)];
    let mut streams = [Stream::new(seed, "one", 0), Stream::new(seed, "other", 0)];
    let starts = [(0, 3), (0, instance.stops().len().min(7))];
    let driven = run(Batch::new(&rules, &starts), &mut policy, &mut streams, &|| false);
    assert!(driven.iter().all(|one| one.complete), "{name}");
    policy.compared
}

#[test]
fn more_than_room_runs_out_under_a_limit_and_on_days_with_hours() {
    let may = |variant: &str, preset: &str| may_run_out(&drawn(40, variant, preset, 4));
    assert!(may("AVRPL", "tight") && may("AVRPTW", "day") && may("AOVRPBTW", "day"));
    // Windows of the paper decide by themselves who comes first.
    assert!(!may("ACVRP", "paper") && !may("AVRPTW", "paper"));
    let tour = Distribution::named("tmat", &[("n", "9"), ("variant", "ATSP")], None).expect("ours");
    assert!(!may_run_out(&tour.sample(1, 0).problem.validate().instance.expect("sound")));
}

#[test]
fn what_is_left_of_a_limit_counts_where_it_is_tight() {
    let config = config();
    let tight = instance(12, "AVRPL", 4);
    let limit = tight.input().limit.map(|limit| 3.0 * limit);
    let loose = Problem { limit, ..tight.input().clone() }.validate().instance.expect("sound");
    for (instance, is_tight) in [(tight, true), (loose, false)] {
        let input = Input::of(&config, &instance, Draw { seed: 1, index: 0 }, Isa::best()).expect("it fits");
        let context = Context::of(&config, &instance);
        let mut numbers = vec![0.0; context.numbers()];
        context.fill(&State::new(&instance, 0), &mut numbers);
        let mut journeys = Journeys::new(&input);
        journeys.see(0, 0);
        let mut told = [vec![0.0; 13], vec![0.0; 13]];
        let [with_all, with_less] = &mut told;
        journeys.fill(0, &numbers, &[0b1_1111_1111_1110], with_all);
        // The fifth number is what is left of the limit.
        numbers[4] *= 0.8;
        journeys.fill(0, &numbers, &[0b1_1111_1111_1110], with_less);
        assert_eq!(with_all != with_less, is_tight, "{told:?}");
    }
}

#[test]
fn a_limit_of_nothing_is_kept_on_ways_of_no_length() {
    // The second stop is far from the depot, but not by way of the first.
    let distance = Table::from_values(3, 3, vec![0.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let limit = Some(0.0);
    let problem =
        Problem { demand: Some(vec![0.0, 1.0, 1.0]), capacity: Some(3.0), limit, ..Problem::vrp(distance) };
    let instance = problem.validate().instance.expect("sound");
    let config = config();
    let input = Input::of(&config, &instance, Draw { seed: 1, index: 0 }, Isa::best()).expect("it fits");
    let mut journeys = Journeys::new(&input);
    journeys.see(0, 0);
    let mut told = vec![f32::NAN; 3];
    journeys.fill(0, &vec![0.0; Context::of(&config, &instance).numbers()], &[0b110], &mut told);
    assert!(told.iter().all(|amount| amount.is_finite()), "{told:?}");
}

#[test]
fn tours_have_nothing_to_tell() {
    let instance = Distribution::named("tmat", &[("n", "9"), ("variant", "ATSP")], None).expect("ours");
    let instance = instance.sample(1, 0).problem.validate().instance.expect("sound");
    let config = Config { terms: vec![Term::Room], ..small(Task::Atsp) };
    let input = Input::of(&config, &instance, Draw { seed: 1, index: 0 }, Isa::best()).expect("it fits");
    let mut journeys = Journeys::new(&input);
    journeys.see(0, 3);
    journeys.fill(0, &[], &[0b111], &mut []);
    assert_eq!(journeys.numbers(), 0);
}
