//! One instance through the network: a plan, checked, and where the time went.

use std::time::{Duration, Instant};

use radar::{Instance, Objective, Routes};
use radar_net::decode::Stage;
use radar_net::{Card, Decoding, Network};
use radar_problem::Problem;

use super::confidence::Tables;
use super::references::{Reference, References, digest};
use crate::commands::{check, model};
use crate::failure::{Exit, Failure};
use crate::input::Named;
use crate::{machine, plan, watch};

/// What instances are measured with.
pub struct Measure<'a> {
    /// The weights as they run.
    pub network: &'a Network,
    /// What they say about themselves.
    pub card: &'a Card,
    /// How plans are decoded.
    pub decoding: Decoding,
    /// What is minimised.
    pub objective: Objective,
    /// What costs are held against.
    pub references: &'a References,
    /// Whether all plans that are kept are reported, and not the best alone.
    pub keeps: bool,
    /// Where to say how sure the network was of every arc, if anywhere.
    pub tables: Option<Tables>,
    /// Bytes that may be used; without it, whatever is asked for.
    pub memory: Option<u64>,
}

/// What came of one instance.
pub struct Outcome {
    /// The file's stem, with the number within a set.
    pub name: String,
    /// The depot included.
    pub nodes: usize,
    /// The name of the variant, if the problem is not malformed.
    pub variant: String,
    /// The unit of the cost, with a space before it, if it has a name.
    pub unit: String,
    /// What is worth knowing: of the weights in front of this instance, of its reference.
    pub warnings: Vec<String>,
    /// The plan, or why there is none.
    pub result: Result<Decoded, Failure>,
}

/// A checked plan.
#[derive(Clone)]
pub struct Plan {
    /// The plan.
    pub routes: Routes,
    /// Its cost in stated units.
    pub cost: f64,
}

/// What the network built.
pub struct Decoded {
    /// The best plan.
    pub best: Plan,
    /// All that are kept, the best first, if they were asked for.
    pub plans: Option<Vec<Plan>>,
    /// How many plans were built, and how many of them were complete.
    pub trajectories: usize,
    /// See above.
    pub complete: usize,
    /// What its cost is held against.
    pub reference: Option<Reference>,
    /// Wall time of each stage.
    pub stages: [Duration; 4],
}

impl Decoded {
    /// How far the cost is above the reference.
    pub fn gap(&self) -> Option<f64> {
        self.reference.as_ref()?.gap(self.best.cost)
    }
}

impl Measure<'_> {
    /// Measures one problem; nothing when somebody pressed Ctrl-C meanwhile.
    pub fn one(&self, named: Result<Named, Failure>, threads: usize) -> Option<Outcome> {
        let named = match named {
            Ok(named) => named,
            Err(failure) => return Some(Outcome::unread(failure)),
        };
        if watch::interrupted() {
            return None;
        }
        let Named { name, problem, file, .. } = named;
        let mut outcome = Outcome {
            nodes: problem.nodes(),
            variant: String::new(),
            unit: String::new(),
            warnings: Vec::new(),
            result: Err(no_plan(0)),
            name,
        };
        let decoded = self.fits(&problem, threads).and_then(|()| {
            let report = problem.validate();
            let blocked = report.is_blocked();
            let findings = report.findings;
            let exit = if report.instance.is_some() { Exit::Blocked } else { Exit::BadInput };
            let instance = report.instance.filter(|_| !blocked);
            let instance = instance.ok_or_else(|| Failure::findings(exit, &findings))?;
            let instance = instance.with_objective(self.objective);
            outcome.variant = instance.variant().to_string();
            outcome.unit = plan::unit(&instance);
            outcome.warnings = self.card.doubts(&instance);
            let mut decoded = self.decode(&outcome.name, &instance)?;
            // A set has no file of its own for each plan.
            let beside = (!outcome.name.contains('#')).then(|| file.with_extension("sol"));
            let reference = self.reference(&outcome.name, &instance, beside.filter(|path| path.is_file()));
            match reference {
                Ok(None) if !self.references.is_empty() => {
                    outcome
                        .warnings
                        .push("no reference of that name, so it does not count in the mean gap".to_owned());
                }
                Ok(reference) => decoded.reference = reference,
                Err(warning) => outcome.warnings.push(warning),
            }
            let beaten = |one: &Reference| one.optimal && decoded.best.cost < one.cost * (1.0 - 1e-9);
            if decoded.reference.as_ref().is_some_and(beaten) {
                let warning = "the plan costs less than its reference, which is called optimal";
                outcome.warnings.push(warning.to_owned());
            }
            Ok(decoded)
        });
        if watch::interrupted() {
            return None;
        }
        outcome.result = decoded.map_err(|failure| failure.of(&outcome.name));
        Some(outcome)
    }

    /// Decodes and checks.
    fn decode(&self, name: &str, instance: &Instance) -> Result<Decoded, Failure> {
        let mut stages = [Duration::ZERO; 4];
        let mut mark = Instant::now();
        let mut ended = |stage: Stage| {
            stages[stage as usize] += mark.elapsed();
            mark = Instant::now();
        };
        let decoded = self
            .network
            .decode_in_stages(instance, &self.decoding, &watch::interrupted, &mut ended)
            .map_err(model::refused)?;
        let (trajectories, complete) = (decoded.trajectories, decoded.complete);
        let plans = decoded.plans.into_iter().map(|(routes, _)| checked(instance, routes));
        let plans = plans.collect::<Result<Vec<Plan>, Failure>>()?;
        let best = plans.first().cloned().ok_or_else(|| no_plan(trajectories))?;
        // What was broken off is no mean over all starts.
        if let (Some(tables), Some(confidence), false) =
            (&self.tables, &decoded.confidence, watch::interrupted())
        {
            tables.write(name, confidence, instance.nodes())?;
        }
        let plans = self.keeps.then_some(plans);
        Ok(Decoded { best, plans, trajectories, complete, reference: None, stages })
    }

    /// What the cost of an instance is held against, or what is wrong with that.
    fn reference(
        &self,
        name: &str,
        instance: &Instance,
        plan: Option<std::path::PathBuf>,
    ) -> Result<Option<Reference>, String> {
        if let Some(known) = self.references.get(name) {
            return match &known.instance {
                Some(wanted) if *wanted != digest(instance) => {
                    Err("its reference is of another instance of that name and was not used".to_owned())
                }
                _ => Ok(Some(known.clone())),
            };
        }
        let Some(path) = plan else { return Ok(None) };
        let shown = path.display();
        let routes =
            check::read_plan(&path, instance.input()).map_err(|_| format!("{shown} cannot be read"))?;
        let verdict = radar_check::check(instance, &routes);
        let cost =
            verdict.cost.filter(|_| verdict.feasible()).ok_or(format!("{shown} breaks a constraint"))?;
        Ok(Some(Reference { cost, bound: None, optimal: false, instance: None }))
    }

    /// About how many bytes an instance takes.
    pub fn need(&self, problem: &Problem, threads: usize) -> u64 {
        let nodes = problem.nodes();
        // The instance: whole numbers, and what validation works with.
        let tables = 8 * (2 + 2 * u64::from(problem.duration.is_some())) * (nodes as u64).pow(2);
        tables + self.network.memory_of(nodes, &self.decoding, threads)
    }

    /// Refuses what would not fit, before the system ends the program.
    fn fits(&self, problem: &Problem, threads: usize) -> Result<(), Failure> {
        let need = self.need(problem, threads);
        match self.memory {
            Some(memory) if need > memory => Err(Failure::input(
                "too-little-memory",
                format!(
                    "{} nodes with this network take about {}, and {} are free",
                    problem.nodes(),
                    machine::shown(need),
                    machine::shown(memory)
                ),
                "give fewer --starts or --threads, close other programs, or allow more with --memory",
            )),
            _ => Ok(()),
        }
    }
}

impl Outcome {
    /// A file that could not be read.
    fn unread(failure: Failure) -> Self {
        let name = failure.to_json()["source"].as_str().unwrap_or_default().to_owned();
        let (variant, unit) = (String::new(), String::new());
        Self { name, nodes: 0, variant, unit, warnings: Vec::new(), result: Err(failure) }
    }
}

/// A plan with its cost; that it is refused is a defect.
fn checked(instance: &Instance, routes: Routes) -> Result<Plan, Failure> {
    let verdict = radar_check::check(instance, &routes);
    verdict.cost.filter(|_| verdict.feasible()).map(|cost| Plan { routes, cost }).ok_or_else(|| {
        let broken: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
        let cause = format!("the decoded plan is refused: {}", broken.join("; "));
        Failure::new(Exit::Internal, "internal", cause, "please report it with the input file")
    })
}

fn no_plan(trajectories: usize) -> Failure {
    Failure::new(
        Exit::Blocked,
        "no-complete-plan-found",
        format!("none of {trajectories} plans that the network built serves every stop"),
        "try --decode sample, more --augment, or `radar solve`",
    )
}
