//! A batch learned from by all ranks: each takes its own chunks, their sums meet on rank 0, and what the batch
//! taught goes back to all. One rank by itself does the same without a word.

use std::time::Duration;

use radar_kernel::isa::Isa;
use radar_net::Network;
use radar_problem::Instance;
use serde::{Deserialize, Serialize};

use super::Outside;
use crate::error::TrainError;
use crate::label::{self, Reference};
use crate::lesson::{Item, Lesson, Method, Moment, Part, Tally, teach_part};
use crate::ranks::{self, Ranks};
use crate::tree::{Node, Tree};

/// What a rank says of its part, before the sums.
#[derive(Serialize, Deserialize)]
struct Report {
    /// Which sums follow, and what was seen of each instance; `None` when it was stopped.
    learned: Option<(Vec<Node>, Vec<Digits>)>,
    /// The CPU time that the rank has used.
    cpu: Duration,
    /// What tells its weights from others.
    weights: u64,
}

/// A tally bit for bit: JSON has no infinities.
type Digits = [u64; 8];

fn digits(tally: &Tally) -> Digits {
    let Tally { instances, unsolved, loss, best, mean, trajectories, complete, log_prob_gap } = *tally;
    let [instances, unsolved, trajectories, complete] =
        [instances, unsolved, trajectories, complete].map(|count| count as u64);
    let [loss, best, mean, gap] = [loss, best, mean, log_prob_gap].map(f64::to_bits);
    [instances, unsolved, trajectories, complete, loss, best, mean, gap]
}

fn tally(&[instances, unsolved, trajectories, complete, loss, best, mean, gap]: &Digits) -> Tally {
    let [instances, unsolved, trajectories, complete] =
        [instances, unsolved, trajectories, complete].map(|count| count as usize);
    let [loss, best, mean, log_prob_gap] = [loss, best, mean, gap].map(f64::from_bits);
    Tally { instances, unsolved, loss, best, mean, trajectories, complete, log_prob_gap }
}

/// What came of a batch.
pub(super) struct Learned {
    /// What it taught; `None` when a rank was stopped.
    pub lesson: Option<Lesson>,
    /// On rank 0 the CPU time of all other ranks.
    pub cpu: Duration,
}

/// Learns from a batch that all ranks have drawn alike; `None` if one was stopped before it had drawn.
pub(super) fn learn(
    network: &Network,
    drawn: Result<Option<&[Item]>, TrainError>,
    method: &Method,
    moment: Moment,
    outside: &Outside<'_>,
) -> Result<Learned, TrainError> {
    let ranks = outside.ranks;
    let chunks = moment.global.div_ceil(method.chunk.max(1));
    let part = drawn.and_then(|items| match items {
        None => Ok(None),
        Some(items) => {
            let place = |chunk: usize| (chunk * method.chunk.max(1)).min(items.len());
            let own = ranks::share(ranks, chunks);
            let (first, end) = (place(own.start), place(own.end));
            let moment = Moment { first, ..moment };
            Ok(teach_part(network, &items[first..end], method, moment, outside.stop)?)
        }
    });
    if ranks.size() == 1 {
        return Ok(Learned { lesson: part?.map(Part::whole), cpu: Duration::ZERO });
    }
    let weights = fingerprint(network.weights().values());
    let report = part.and_then(|part| report(part, outside.clock.cpu(), weights));
    let mut cpu = Duration::ZERO;
    let merged = ranks::confer(ranks, report, |all| merge(all, Tree::new(chunks), weights, &mut cpu))?;
    let (tallies, gradient) = ranks::unpack::<Option<Vec<Digits>>>(&merged)?;
    let tallies = tallies.map(|all| all.iter().map(tally).collect::<Vec<_>>());
    Ok(Learned { lesson: tallies.map(|tallies| Lesson::of(gradient, &tallies)), cpu })
}

fn report(part: Option<Part>, cpu: Duration, weights: u64) -> Result<Vec<u8>, TrainError> {
    let Some(part) = part else {
        return ranks::pack(&Report { learned: None, cpu, weights }, std::iter::empty());
    };
    let (nodes, sums): (Vec<Node>, Vec<Vec<f32>>) = part.gradient.into_sums().unzip();
    let learned = Some((nodes, part.tallies.iter().map(digits).collect()));
    ranks::pack(&Report { learned, cpu, weights }, sums.iter().map(Vec::as_slice))
}

/// What all parts together taught, on rank 0.
fn merge(all: Vec<Vec<u8>>, mut tree: Tree, weights: u64, cpu: &mut Duration) -> Result<Vec<u8>, TrainError> {
    let mut tallies = Some(Vec::<Digits>::new());
    for (rank, bytes) in all.into_iter().enumerate() {
        let (report, sums) = ranks::unpack::<Report>(&bytes)?;
        if report.weights != weights {
            return Err(TrainError::new(
                "ranks-differ",
                format!("rank {rank} computes other weights than rank 0"),
                "use machines of one kind, with the same version of the program and of the system",
            ));
        }
        if rank > 0 {
            *cpu += report.cpu;
        }
        match report.learned {
            None => tallies = None,
            Some((nodes, seen)) => {
                let length = (sums.len() / nodes.len().max(1)).max(1);
                nodes
                    .into_iter()
                    .zip(sums.chunks(length))
                    .for_each(|(node, sum)| tree.add(node, sum.to_vec()));
                tallies.iter_mut().for_each(|tallies| tallies.extend(&seen));
            }
        }
    }
    let lost = || TrainError::new("internal", "a rank did not send all of its part", "please report it");
    let total = tallies.is_some().then(|| tree.total().ok_or_else(lost)).transpose()?;
    ranks::pack(&tallies, total.as_deref().into_iter())
}

/// Tells weights from others: a bit that differs anywhere shows.
fn fingerprint(weights: &[f32]) -> u64 {
    weights.iter().fold(0xcbf2_9ce4_8422_2325, |print, weight| {
        (print ^ u64::from(weight.to_bits())).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Plans to imitate, for instances that all ranks have drawn alike, unless they were stopped over that: each
/// searches for some. `None` when a rank was stopped.
pub(super) fn labels(
    instances: Result<Option<&[Instance]>, TrainError>,
    steps: u64,
    outside: &Outside<'_>,
) -> Result<Labels, TrainError> {
    let Outside { ranks, stop, .. } = *outside;
    let own = instances.map(|instances| {
        let instances = instances?;
        let own = &instances[ranks::share(ranks, instances.len())];
        let labels = label::solve_all(own, steps, stop, &|| ());
        // A search that was stopped has given up; a batch without its labels would be another batch.
        (!stop()).then_some(labels)
    });
    if ranks.size() == 1 {
        return own;
    }
    let merge = |all: Vec<Vec<u8>>| {
        let all = all.iter().map(|bytes| ranks::read::<Labels>(bytes)).collect::<Result<Vec<_>, _>>()?;
        ranks::write(&all.into_iter().collect::<Option<Vec<_>>>().map(|labels| labels.concat()))
    };
    ranks::read(&ranks::confer(ranks, own.and_then(|own| ranks::write(&own)), merge)?)
}

type Labels = Option<Vec<Option<Reference>>>;

/// The instruction set that all machines have. Ranks that compute differently would soon have different weights.
pub(super) fn instructions(ranks: &dyn Ranks, own: Result<Isa, TrainError>) -> Result<Isa, TrainError> {
    if ranks.size() == 1 {
        return own;
    }
    let parse = |bytes: &Vec<u8>| {
        let name: String = ranks::read(bytes)?;
        name.parse().map_err(|_| unknown(&name))
    };
    let poorest = |all: Vec<Vec<u8>>| {
        let all = all.iter().map(parse).collect::<Result<Vec<Isa>, TrainError>>()?;
        ranks::write(&all.into_iter().min().unwrap_or(Isa::Portable).to_string())
    };
    parse(&ranks::confer(ranks, own.and_then(|isa| ranks::write(&isa.to_string())), poorest)?)
}

fn unknown(name: &str) -> TrainError {
    let cause = format!("a rank computes with \"{name}\", which this one does not know");
    TrainError::new("ranks-differ", cause, "run the same version of the program on all machines")
}
