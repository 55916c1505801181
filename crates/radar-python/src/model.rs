//! Networks.

use std::sync::Arc;

use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use radar::{Instance, Kind, Objective};
use radar_net::checkpoint::Precision;
use radar_net::decode::{Isa, Starts, Trajectory};
use radar_net::{Card, Checkpoint, Config, Decode, Decoding, Draw, Input, Weights};
use radar_wire::{Blame, Failure, Minimise};
use serde::Deserialize;
use serde_json::Value;

use crate::attend::{Attended, Line, apart, attend};
use crate::failure::{bad_option, cut_short, of_network, raised};
use crate::memory;
use crate::pool;
use crate::problem::Problem;
use crate::table::array;

/// A network that is ready to decode.
#[pyclass(frozen, module = "radar._radar")]
pub struct Model(Arc<radar::Model>);

impl Model {
    /// The network as the library holds it.
    pub fn network(&self) -> &Arc<radar::Model> {
        &self.0
    }
}

/// How trajectories are decoded.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    temperature: Option<f32>,
    starts: Option<usize>,
    augment: usize,
    clip: Option<f32>,
    seed: u64,
    confidence: bool,
    minimise: Minimise,
}

impl Options {
    fn decoding(&self) -> Result<Decoding, Failure> {
        // Beyond these a score is no number any more, or decides nothing.
        let sensible = |name: &str, number: Option<f32>| match number {
            Some(number) if !(1e-3..=1e6).contains(&number) => {
                Err(bad_option(format!("`{name}` is {number}, but goes from 0.001 to 1000000")))
            }
            number => Ok(number),
        };
        let within = |name: &str, number: usize, most: usize| match (1..=most).contains(&number) {
            true => Ok(number),
            false => Err(bad_option(format!("`{name}` is {number}, but goes from 1 to {most}"))),
        };
        let starts = self.starts.map(|starts| within("starts", starts, u32::MAX as usize)).transpose()?;
        let temperature = sensible("temperature", self.temperature)?;
        Ok(Decoding {
            decode: temperature.map_or(Decode::Greedy, |temperature| Decode::Sample { temperature }),
            starts: starts.map_or(Starts::All, Starts::AtMost),
            augment: within("augment", self.augment, 1024)?,
            keep: 1,
            clip: sensible("clip", self.clip)?,
            seed: self.seed,
            confidence: self.confidence,
        })
    }
}

/// Number of the sketch, first node, whether it is complete, its cost, log-probability, routes.
type Told = (u64, usize, bool, Option<f64>, f64, Vec<Vec<usize>>);

/// How sure the network was of every arc, (nodes, nodes).
type Sure<'py> = Bound<'py, PyArray2<f32>>;

#[pymethods]
impl Model {
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8], isa: Option<&str>) -> PyResult<Self> {
        apart(py, || {
            let checkpoint = Checkpoint::from_bytes(data).map_err(of_network)?;
            Ok(Self(Arc::new(radar::Model::new(checkpoint, chosen(isa)?))))
        })
    }

    #[staticmethod]
    fn new(py: Python<'_>, config: &str, seed: u64, isa: Option<&str>) -> PyResult<Self> {
        apart(py, || {
            let config = configured(config)?;
            config.validate().map_err(of_network)?;
            let weights = Weights::random(&config, seed);
            let card = Card { seed, notes: "not trained".to_owned(), ..Card::new("random", config) };
            Ok(Self(Arc::new(radar::Model::new(Checkpoint { card, weights }, chosen(isa)?))))
        })
    }

    /// The network that comes along for tours, or for routes; `None` if there is none.
    #[staticmethod]
    fn shipped(py: Python<'_>, tours: bool, isa: Option<&str>) -> PyResult<Option<Self>> {
        let kind = if tours { Kind::Atsp } else { Kind::Vrp };
        apart(py, || Ok(radar::shipped(kind, chosen(isa)?).map(Self)))
    }

    fn card(&self, py: Python<'_>) -> PyResult<String> {
        serde_json::to_string(self.0.card()).map_err(|error| {
            raised(py, &Failure::new(Blame::Program, "internal", error.to_string(), "please report it"))
        })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.card().name
    }

    #[getter]
    fn isa(&self) -> String {
        self.0.isa().to_string()
    }

    #[getter]
    fn width(&self) -> usize {
        self.0.card().config.width
    }

    /// The file: weights with their card, in half precision or in full.
    fn to_bytes<'py>(&self, py: Python<'py>, half: bool) -> PyResult<Bound<'py, PyBytes>> {
        let precision = if half { Precision::Half } else { Precision::Full };
        let bytes = apart(py, || {
            let weights = self.0.network().weights().clone();
            Checkpoint { card: self.0.card().clone(), weights }.to_bytes(precision).map_err(of_network)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn encode<'py>(
        &self,
        py: Python<'py>,
        problem: &Problem,
        seed: u64,
        sketch: u64,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let encoded = apart(py, || {
            self.fits(problem.stated().nodes(), &Decoding::default())?;
            let instance = problem.instance()?;
            let network = self.0.network();
            let draw = Draw { seed, index: sketch };
            let encode = || {
                let input = Input::of(network.weights().config(), instance, draw, network.isa())?;
                Ok(network.encode(&input))
            };
            pool::lent()?.install(encode).map_err(of_network)
        })?;
        array(py, encoded, [problem.stated().nodes(), self.width()])
    }

    fn decode<'py>(
        &self,
        py: Python<'py>,
        problem: &Problem,
        options: &str,
    ) -> PyResult<(Vec<Told>, Option<Sure<'py>>)> {
        let work = |line: Line<'_, ()>| {
            let options: Options =
                serde_json::from_str(options).map_err(|error| bad_option(error.to_string()))?;
            let decoding = options.decoding()?;
            self.fits(problem.stated().nodes(), &decoding)?;
            let instance = problem.instance()?.clone().with_objective(Objective::from(options.minimise));
            let network = self.0.network();
            let decode = || network.trajectories(&instance, &decoding, &|| line.stopped());
            let (every, confidence) = pool::lent()?.install(decode).map_err(of_network)?;
            let told = every.iter().map(|(sketch, one)| told(&instance, *sketch, one));
            Ok((told.collect::<Result<Vec<Told>, Failure>>()?, confidence))
        };
        let Attended { result: (told, confidence), ended } = attend(py, work, |_, ()| Ok(true))?;
        if let Some(ended) = ended {
            return Err(cut_short(py, ended));
        }
        let nodes = problem.stated().nodes();
        let confidence = confidence.map(|sure| {
            let values = (0..nodes).flat_map(|from| (0..nodes).map(move |to| (from, to)));
            array(py, values.map(|(from, to)| sure.at(from, to)).collect(), [nodes, nodes])
        });
        Ok((told, confidence.transpose()?))
    }

    fn doubts(&self, py: Python<'_>, problem: &Problem) -> PyResult<Vec<String>> {
        apart(py, || Ok(self.0.card().doubts(problem.instance()?)))
    }
}

impl Model {
    /// Refuses what there is no room for, before the system ends the program.
    fn fits(&self, nodes: usize, decoding: &Decoding) -> Result<(), Failure> {
        let threads = pool::lent()?.current_num_threads();
        let need = self.0.network().memory_of(nodes, decoding, threads);
        let what = format!("{nodes} nodes with this network");
        memory::refuse_beyond(need, &what, "give fewer starts, or close other programs")
    }
}

/// The network of a JSON object: a preset, and keys that differ.
fn configured(text: &str) -> Result<Config, Failure> {
    let mut keys: serde_json::Map<String, Value> = serde_json::from_str(text)
        .map_err(|error| Failure::input("config", error.to_string(), "give a dictionary of keys"))?;
    let mut config = match keys.remove("preset") {
        Some(Value::String(name)) => Config::preset(&name).map_err(of_network)?,
        Some(other) => {
            let action = format!("give one of {}", Config::preset_names().join(", "));
            return Err(Failure::input("config", format!("`preset` is {other}"), action));
        }
        None => Config::default(),
    };
    for (key, value) in keys {
        config.set(&key, value).map_err(of_network)?;
    }
    Ok(config)
}

/// The instruction set of a name; the best without one.
fn chosen(isa: Option<&str>) -> Result<Isa, Failure> {
    let Some(name) = isa else { return Ok(Isa::best()) };
    let available: Vec<String> = Isa::available().map(|isa| isa.to_string()).collect();
    let refused = |cause: String| {
        Failure::input("isa-unavailable", cause, format!("give one of {}, or none", available.join(", ")))
    };
    match name.parse::<Isa>() {
        Ok(isa) if isa.is_available() => Ok(isa),
        Ok(isa) => Err(refused(format!("this machine has no {isa}"))),
        Err(_) => Err(refused(format!("`{name}` is no instruction set"))),
    }
}

/// A trajectory, its plan checked if it is complete.
fn told(instance: &Instance, sketch: u64, one: &Trajectory) -> Result<Told, Failure> {
    let mut cost = None;
    if one.complete {
        let verdict = radar_check::check(instance, one.routes());
        cost = verdict.cost.filter(|_| verdict.feasible());
        if cost.is_none() {
            let broken: Vec<String> = verdict.violations.iter().map(ToString::to_string).collect();
            let cause = format!("a decoded plan is refused: {}", broken.join("; "));
            return Err(Failure::new(Blame::Program, "internal", cause, "please report it"));
        }
    }
    Ok((sketch, one.start, one.complete, cost, one.log_prob, one.routes().0.clone()))
}
