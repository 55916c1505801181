//! One chunk of a batch: instances that are encoded together, rolled out, and followed back one by one.

use std::cell::Cell;

use radar_kernel::attention::Chosen;
use radar_kernel::random::Stream;
use radar_net::context::Context;
use radar_net::input::{Draw, Input};
use radar_net::network::{Choices, EncoderTape, Network, Tables, TablesGradient};
use radar_net::policy::{Decode, Pointer, first_stops};
use radar_net::{NetError, Weights};
use radar_problem::{Instance, Routes};
use radar_rollout::{Batch, Policy, Rules, Trajectory, run};

use crate::label::{complete, complete_routes};
use crate::lesson::{FirstNodes, Item, Method, Moment, Tally};
use crate::loss::Loss;
use crate::record::{Record, Recording, Ride, Thinking, Told};

/// Some instances of a batch that are encoded together, and everything they depend on.
pub(crate) struct Class<'a> {
    pub network: &'a Network,
    pub items: &'a [Item],
    pub method: &'a Method,
    pub moment: Moment,
    /// The place of the first of them in the whole batch.
    pub first: usize,
}

/// The memory of a class.
#[derive(Default)]
struct Desk {
    tape: EncoderTape,
    record: Record,
    choices: Choices,
}

thread_local! {
    /// Every thread keeps its own from one class to the next: fresh memory costs more than what is done in it.
    static DESK: Cell<Option<Box<Desk>>> = const { Cell::new(None) };
}

impl Class<'_> {
    /// Adds the gradient of these instances' share of the mean loss. `None` when it was stopped.
    pub fn learn(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        gradient: &mut Weights,
    ) -> Result<Option<Vec<Tally>>, NetError> {
        // A thread that waits for another may begin a class within a class: that one gets a desk of its own.
        let mut desk = DESK.take().unwrap_or_default();
        let tallies = self.learn_at(&mut desk, stop, gradient);
        DESK.set(Some(desk));
        tallies
    }

    fn learn_at(
        &self,
        desk: &mut Desk,
        stop: &(dyn Fn() -> bool + Sync),
        gradient: &mut Weights,
    ) -> Result<Option<Vec<Tally>>, NetError> {
        let Self { network, method, moment, .. } = *self;
        let config = network.weights().config();
        let mut draws: Vec<Stream> = (self.first..self.first + self.items.len())
            .map(|index| Stream::new(moment.seed, "lesson", moment.step << 20 | index as u64))
            .collect();
        let mut inputs = Vec::with_capacity(self.items.len());
        for (item, draw) in self.items.iter().zip(&mut draws) {
            let sketch = Draw { seed: draw.bits(), index: 0 };
            inputs.push(Input::of(config, &item.instance, sketch, network.isa())?);
        }
        let Desk { tape, record, choices } = desk;
        let encodings = network.encode_taping(&inputs, tape);
        let mut of_encodings = Vec::with_capacity(encodings.len());
        let mut tallies = Vec::with_capacity(self.items.len());
        for ((item, input), draw) in self.items.iter().zip(&inputs).zip(&mut draws) {
            if stop() {
                return Ok(None);
            }
            let own = of_encodings.len()..of_encodings.len() + input.nodes() * config.width;
            let tables = network.tables(input, encodings[own].to_vec());
            let pupil = Pupil { tables, item, method, moment, stop };
            let (tally, of_encoding) = pupil.learn(draw, record, choices, gradient);
            tallies.push(tally);
            of_encodings.extend(of_encoding);
        }
        if stop() {
            // The last of them may have been cut short.
            return Ok(None);
        }
        network.encode_backward(&inputs, tape, &mut of_encodings, gradient);
        Ok(Some(tallies))
    }
}

/// One instance of a class.
struct Pupil<'a> {
    tables: Tables<'a>,
    item: &'a Item,
    method: &'a Method,
    moment: Moment,
    /// Once true, what is learned will be dropped.
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Pupil<'_> {
    /// What was seen, and the gradient of the encoding; adds that of the decoder's weights.
    fn learn(
        &self,
        draw: &mut Stream,
        record: &mut Record,
        choices: &mut Choices,
        gradient: &mut Weights,
    ) -> (Tally, Vec<f32>) {
        let instance = &self.item.instance;
        let trajectories = self.roll_out(draw, record);
        let rides = record.rides();

        let scale = instance.cost_scale();
        let costs: Vec<f64> = trajectories.iter().map(|one| scale.undo(one.cost)).collect();
        let log_probs: Vec<f64> = trajectories.iter().map(|one| one.log_prob).collect();
        let complete: Vec<usize> = (0..trajectories.len()).filter(|&at| trajectories[at].complete).collect();
        let pick = |values: &[f64]| complete.iter().map(|&at| values[at]).collect::<Vec<f64>>();
        let compared: Vec<f64> = pick(&costs).iter().map(|cost| cost / self.item.scale).collect();
        let steps_of: Vec<usize> = complete.iter().map(|&at| rides[at].len()).collect();
        let mut slopes = vec![0.0; complete.len()];
        // Imitation learns the log-probabilities on the way back; its weights do not depend on them.
        let mut loss = self.method.loss.weigh(&compared, &pick(&log_probs), &steps_of, &mut slopes);
        let mut weights = vec![0.0; trajectories.len()];
        for (&at, &slope) in complete.iter().zip(&slopes) {
            weights[at] = slope / self.moment.global as f64;
        }

        let (learned, of_encoding) = self.go_back(rides, &weights, draw, choices, gradient);
        let mut gap = 0.0_f64;
        if self.method.loss.imitates() {
            let of = |(&at, slope): (&usize, &f64)| slope * learned[at].unwrap_or(0.0);
            loss = complete.iter().zip(&slopes).map(of).sum();
        } else {
            let apart = |&at: &usize| learned[at].map(|learned| (learned - log_probs[at]).abs());
            gap = complete.iter().filter_map(apart).fold(0.0, f64::max);
        }
        let costs = pick(&costs);
        let least = costs.iter().copied().fold(f64::INFINITY, f64::min);
        let tally = Tally {
            instances: 1,
            unsolved: usize::from(costs.is_empty()),
            loss,
            best: if costs.is_empty() { 0.0 } else { least },
            mean: costs.iter().sum::<f64>() / costs.len().max(1) as f64,
            trajectories: trajectories.len(),
            complete: complete.len(),
            log_prob_gap: gap,
        };
        (tally, of_encoding)
    }

    /// Follows every trajectory back that teaches anything; returns their log-probabilities, and the gradient of the
    /// encoding.
    fn go_back(
        &self,
        rides: &[Ride],
        weights: &[f64],
        draw: &mut Stream,
        choices: &mut Choices,
        gradient: &mut Weights,
    ) -> (Vec<Option<f64>>, Vec<f32>) {
        let tables = &self.tables;
        let clip = tables.network().weights().config().clip as f32;
        let mut of_tables = TablesGradient::new(tables);
        let mut learned = Vec::with_capacity(rides.len());
        let (mut of_rows, mut log_probs, mut among_equals) = (Vec::new(), Vec::new(), Vec::new());
        for (ride, &weight) in rides.iter().zip(weights) {
            if ride.len() == 0 || weight == 0.0 {
                // Nothing was left to choose, or what was chosen counts for nothing.
                learned.push((ride.len() == 0).then_some(0.0));
                continue;
            }
            of_rows.clear();
            of_rows.resize(ride.len(), weight as f32);
            log_probs.clear();
            log_probs.resize(ride.len(), 0.0);
            let (thoughts, columns, above) = match self.method.loss.imitates() {
                true => {
                    tables.follow(&ride.step(), clip, choices);
                    let probability = |row: usize, node: usize| choices.probabilities(row)[node];
                    let above = ride.chosen_among_equals(probability, draw, &mut among_equals);
                    (choices.thoughts(), &among_equals, above)
                }
                false => (&ride.thoughts, &ride.chosen, 0.0),
            };
            let chosen = Chosen { columns, weights: &of_rows };
            of_tables.learn(tables, &ride.step(), thoughts, chosen, &mut log_probs, gradient);
            learned.push(Some(above + log_probs.iter().map(|&log| f64::from(log)).sum::<f64>()));
        }
        (learned, of_tables.finish(tables, gradient))
    }

    /// The trajectories of this instance, drawn or told.
    fn roll_out(&self, draw: &mut Stream, record: &mut Record) -> Vec<Trajectory> {
        let instance = &self.item.instance;
        let context = &Context::of(self.tables.network().weights().config(), instance);
        let rules = [Rules::new(instance)];
        let mut starts = rules[0].starts();
        match &self.item.label {
            Some(label) if self.method.loss.imitates() => {
                let paths = told_paths(instance, label, self.method.starts, draw);
                let paths = self.led_astray(paths, &rules, context, draw);
                let starts = paths.iter().map(|(path, _)| (0, path[0])).collect::<Vec<_>>();
                self.finish(&rules, &starts, Told::new(paths), context, draw, record)
            }
            _ => {
                if let Some(count) = self.method.starts
                    && count < starts.len()
                {
                    let chosen = match self.method.first_nodes {
                        FirstNodes::Likely if !instance.is_tour() => {
                            let likely = first_stops(&self.tables, context, instance, &starts);
                            draw.sample_by(&likely.into_iter().map(f64::from).collect::<Vec<f64>>(), count)
                        }
                        FirstNodes::Any | FirstNodes::Likely => draw.sample(starts.len(), count),
                    };
                    starts = chosen.into_iter().map(|at| starts[at]).collect();
                }
                let starts: Vec<(usize, usize)> = starts.into_iter().map(|start| (0, start)).collect();
                self.finish(&rules, &starts, self.sampling(context), context, draw, record)
            }
        }
    }

    /// Rolls out and records.
    fn finish(
        &self,
        rules: &[Rules<'_>],
        starts: &[(usize, usize)],
        policy: impl Thinking,
        context: &Context,
        draw: &mut Stream,
        record: &mut Record,
    ) -> Vec<Trajectory> {
        record.begin(starts.len());
        let journeys = self.tables.journeys();
        drive(rules, starts, &mut Recording { policy, context, journeys, record }, draw)
    }

    /// The policy that is learned, as it is.
    fn sampling<'a>(&'a self, context: &'a Context) -> Pointer<'a> {
        Pointer::new(&self.tables, context, Decode::Sample { temperature: 1.0 }, None)
    }

    /// Lets some of the paths begin as the policy would, and end as well as they can from there: it also learns what
    /// to do where no best plan comes by. Returns all paths, and how long their own beginnings are.
    fn led_astray(
        &self,
        paths: Vec<Vec<usize>>,
        rules: &[Rules<'_>],
        context: &Context,
        draw: &mut Stream,
    ) -> Vec<(Vec<usize>, usize)> {
        let Loss::Imitation { astray, steps } = self.method.loss else { return Vec::new() };
        let instance = &self.item.instance;
        let mut paths: Vec<(Vec<usize>, usize)> = paths.into_iter().map(|path| (path, 1)).collect();
        if astray == 0.0 || instance.nodes() < 4 {
            return paths;
        }
        let strays: Vec<usize> = (0..paths.len()).filter(|_| draw.chance(astray)).collect();
        if !instance.is_tour() {
            self.routes_led_astray(&mut paths, &strays, rules, (context, steps), draw);
            return paths;
        }
        let starts: Vec<(usize, usize)> = strays.iter().map(|&at| (0, paths[at].0[0])).collect();
        let own = drive(rules, &starts, &mut self.sampling(context), draw);
        for (&at, trajectory) in strays.iter().zip(&own) {
            let count = 2 + draw.index(instance.nodes() - 3);
            let Some(tour) = trajectory.plan().and_then(|plan| plan.0.first()) else { continue };
            let Some(place) = tour.iter().position(|&node| node == trajectory.start) else { continue };
            let beginning: Vec<usize> = tour.iter().cycle().skip(place).take(count).copied().collect();
            if let Some(end) = complete(instance, &beginning, steps, self.stop) {
                paths[at] = ([beginning, end].concat(), count);
            }
        }
        paths
    }

    /// The same of routes. These go greedily, as they will when it counts, from any first stop.
    fn routes_led_astray(
        &self,
        paths: &mut [(Vec<usize>, usize)],
        strays: &[usize],
        rules: &[Rules<'_>],
        (context, steps): (&Context, u64),
        draw: &mut Stream,
    ) {
        let instance = &self.item.instance;
        let from = rules[0].starts();
        let starts: Vec<(usize, usize)> = strays.iter().map(|_| (0, from[draw.index(from.len())])).collect();
        let mut policy = Pointer::new(&self.tables, context, Decode::Greedy, None);
        let own = drive(rules, &starts, &mut policy, draw);
        for (&at, trajectory) in strays.iter().zip(&own) {
            let driven: Vec<usize> =
                trajectory.routes().iter().flat_map(|route| route.iter().copied().chain([0])).collect();
            if driven.len() < 4 {
                continue;
            }
            let count = 1 + draw.index(driven.len() - 2);
            let Some(mut routes) = complete_routes(instance, &driven[..count], steps, self.stop) else {
                continue;
            };
            draw.shuffle(&mut routes[1..]);
            // The first goes on from the last stop, and is over if it has none; so it is where the depot was left just now.
            let is_at_depot = driven[count - 1] == 0;
            let mut path = driven[..count].to_vec();
            for (number, route) in routes.iter().enumerate() {
                if number > 0 || !is_at_depot {
                    path.extend(route.iter().copied().chain([0]));
                }
            }
            paths[at] = (path, count);
        }
    }
}

/// Rolls out, each trajectory with chances of its own.
fn drive(
    rules: &[Rules<'_>],
    starts: &[(usize, usize)],
    policy: &mut impl Policy,
    draw: &mut Stream,
) -> Vec<Trajectory> {
    let mut streams: Vec<Stream> =
        (0..starts.len()).map(|at| Stream::new(draw.bits(), "trajectory", at as u64)).collect();
    run(Batch::new(rules, starts), policy, &mut streams, &|| false)
}

/// The node sequences by which a plan can be built: a tour from any of its nodes; routes in random orders,
/// with the depot between them.
fn told_paths(
    instance: &Instance,
    label: &Routes,
    count: Option<usize>,
    draw: &mut Stream,
) -> Vec<Vec<usize>> {
    if instance.is_tour() {
        let tour = label.0.first().cloned().unwrap_or_default();
        let count = count.unwrap_or(tour.len()).min(tour.len());
        let from_node = |at: usize| [&tour[at..], &tour[..at]].concat();
        return draw.sample(tour.len(), count).into_iter().map(from_node).collect();
    }
    let count = count.unwrap_or(instance.nodes() - 1);
    let build = |_| {
        let mut order: Vec<&Vec<usize>> = label.0.iter().filter(|route| !route.is_empty()).collect();
        draw.shuffle(&mut order);
        order.iter().flat_map(|route| route.iter().copied().chain([0])).collect::<Vec<usize>>()
    };
    (0..count).map(build).filter(|path| path.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::isa::Isa;
    use radar_net::network::Use;
    use radar_net::{Config, Task, Term};
    use radar_sample::Distribution;

    /// A first stop is drawn by what the policy thinks of it.
    #[test]
    fn likely_starts_are_as_frequent_as_they_are_likely() {
        let config = Config { width: 16, heads: 2, layers: 1, hidden: 16, ..Config::default() };
        let config = Config { task: Task::Vrp, terms: vec![Term::Edge], ..config };
        let network = Network::new(Weights::random(&config, 1), Isa::best().precise(), Use::Training);
        let law = Distribution::named("multitask", &[("n", "5"), ("variant", "ACVRP")], None).expect("ours");
        let instance = law.sample(1, 1).problem.validate().instance.expect("sound");
        let input =
            Input::of(&config, &instance, Draw { seed: 1, index: 0 }, network.isa()).expect("it fits");
        let tables = network.tables(&input, network.encode(&input));
        let offered = Rules::new(&instance).starts();
        let likely = first_stops(&tables, &Context::of(&config, &instance), &instance, &offered);
        assert!(likely.iter().any(|&one| one > 0.3) && likely.iter().any(|&one| one < 0.1), "{likely:?}");
        let item = &Item { instance, label: None, scale: 1.0 };
        let moment = Moment { seed: 1, step: 1, first: 0, global: 1 };
        let method =
            &Method { loss: Loss::Reinforce, starts: Some(1), first_nodes: FirstNodes::Likely, chunk: 1 };
        let pupil = Pupil { tables, item, method, moment, stop: &|| false };
        let (mut record, mut counts) = (Record::default(), vec![0; 6]);
        for draw in 0..2000 {
            let drawn = pupil.roll_out(&mut Stream::new(1, "lesson", draw), &mut record);
            counts[drawn[0].start] += 1;
        }
        for (stop, likely) in offered.into_iter().zip(likely) {
            assert!((counts[stop] as f32 / 2000.0 - likely).abs() < 0.04, "{stop}: {counts:?} {likely}");
        }
    }

    /// The network thinks again about what it has drawn, as it does about what it is told.
    #[test]
    fn thoughts_that_were_kept_teach_as_fresh_ones() {
        let config = Config { width: 16, heads: 2, layers: 1, hidden: 16, rank: 3, ..Config::default() };
        let network = Network::new(Weights::random(&config, 1), Isa::best().precise(), Use::Training);
        let tmat = Distribution::named("tmat", &[("n", "9")], None).expect("ours");
        let instance = tmat.sample(1, 1).problem.validate().instance.expect("sound");
        let input =
            Input::of(&config, &instance, Draw { seed: 1, index: 0 }, network.isa()).expect("it fits");
        let inputs = [input];
        let tables = network.tables(&inputs[0], network.encode_taping(&inputs, &mut EncoderTape::default()));
        let item = &Item { instance, label: None, scale: 1.0 };
        let moment = Moment { seed: 1, step: 1, first: 0, global: 1 };
        let method = |loss| Method { loss, starts: None, first_nodes: FirstNodes::Any, chunk: 1 };
        let (draws, tells) = (method(Loss::Reinforce), method(Loss::Imitation { astray: 0.0, steps: 1 }));
        let mut pupil = Pupil { tables, item, method: &draws, moment, stop: &|| false };
        let (mut record, mut choices) = (Record::default(), Choices::default());
        let drawn = pupil.roll_out(&mut Stream::new(1, "lesson", 0), &mut record);
        let weights: Vec<f64> = (0..drawn.len()).map(|at| 0.3 - at as f64 / 9.0).collect();
        let mut back = |pupil: &Pupil<'_>| {
            let mut gradient = Weights::zeros(&config);
            let (logs, of_encoding) = pupil.go_back(
                record.rides(),
                &weights,
                &mut Stream::new(1, "lesson", 1),
                &mut choices,
                &mut gradient,
            );
            (logs, [gradient.values(), &of_encoding].concat())
        };
        let (kept_logs, kept) = back(&pupil);
        pupil.method = &tells;
        let (fresh_logs, fresh) = back(&pupil);
        for (trajectory, (kept, fresh)) in drawn.iter().zip(kept_logs.iter().zip(&fresh_logs)) {
            let (kept, fresh) = (kept.expect("followed"), fresh.expect("followed"));
            assert!(
                (kept - fresh).abs() < 1e-5 && (kept - trajectory.log_prob).abs() < 1e-5,
                "{kept} {fresh}"
            );
        }
        let largest = fresh.iter().fold(0.0_f32, |most, slope| most.max(slope.abs()));
        let apart = kept.iter().zip(&fresh).map(|(kept, fresh)| (kept - fresh).abs()).fold(0.0, f32::max);
        assert!(largest > 0.0 && apart < 1e-5 * largest, "{apart} of {largest}");
    }
}
