//! Problems as Python holds them.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use radar::{Instance, Kind, Report, Units};
use radar_wire::{Blame, Failure, Message};

use crate::attend::apart;
use crate::failure::{bad_option, messages, raised};
use crate::table::{given_back, table};

/// A problem, validated when that is first asked for. Copies share everything.
#[pyclass(frozen, module = "radar._radar")]
pub struct Problem {
    stated: Arc<radar::Problem>,
    notes: Vec<(String, String)>,
    report: OnceLock<Report>,
}

impl Problem {
    /// What was read from a file, and what is worth saying about it.
    pub fn new(stated: radar::Problem, notes: Vec<(String, String)>) -> Self {
        Self { stated: Arc::new(stated), notes, report: OnceLock::new() }
    }

    /// The problem as it was stated.
    pub fn stated(&self) -> &radar::Problem {
        &self.stated
    }

    /// What validation says.
    pub fn report(&self) -> &Report {
        self.report.get_or_init(|| Arc::clone(&self.stated).validate_shared())
    }

    /// The instance, or what is wrong with the problem.
    pub fn instance(&self) -> Result<&Instance, Failure> {
        let report = self.report();
        report.instance.as_ref().ok_or_else(|| Failure::findings(Blame::Input, &report.findings))
    }

    /// Worth saying about the file.
    pub fn notes(&self) -> Vec<radar_format::write::Warning> {
        let warning = |(code, text): &(String, String)| radar_format::write::Warning {
            code: code.clone(),
            text: text.clone(),
        };
        self.notes.iter().map(warning).collect()
    }
}

#[pymethods]
impl Problem {
    #[new]
    #[pyo3(signature = (kind, distance, *, duration=None, demand=None, backhaul=None, capacity=None, windows=None,
        service=None, limit=None, max_duration=None, open=false, vehicles=None, priority=None, points=None, ids=None,
        name=None, distance_unit=None, duration_unit=None))]
    #[allow(clippy::too_many_arguments)]
    fn stating(
        py: Python<'_>,
        kind: &str,
        distance: &Bound<'_, PyAny>,
        duration: Option<&Bound<'_, PyAny>>,
        demand: Option<Vec<f64>>,
        backhaul: Option<Vec<f64>>,
        capacity: Option<f64>,
        windows: Option<Vec<[f64; 2]>>,
        service: Option<Vec<f64>>,
        limit: Option<f64>,
        max_duration: Option<f64>,
        open: bool,
        vehicles: Option<usize>,
        priority: Option<Vec<f64>>,
        points: Option<Vec<[f64; 2]>>,
        ids: Option<Vec<String>>,
        name: Option<String>,
        distance_unit: Option<String>,
        duration_unit: Option<String>,
    ) -> PyResult<Self> {
        let kind = match kind {
            "atsp" => Kind::Atsp,
            "vrp" => Kind::Vrp,
            other => return Err(raised(py, &bad_option(format!("`{other}` is no kind: atsp or vrp")))),
        };
        let stated = radar::Problem {
            name,
            kind,
            distance: table(distance)?,
            duration: duration.map(table).transpose()?,
            demand,
            backhaul,
            capacity,
            windows,
            service,
            limit,
            max_duration,
            open,
            vehicles,
            priority,
            points,
            ids,
            units: Units { distance: distance_unit, duration: duration_unit },
        };
        Ok(Self::new(stated, Vec::new()))
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.stated.nodes()
    }

    #[getter]
    fn kind(&self) -> &'static str {
        match self.stated.kind {
            Kind::Atsp => "atsp",
            Kind::Vrp => "vrp",
        }
    }

    #[getter]
    fn variant(&self) -> String {
        match self.stated.kind {
            Kind::Atsp => radar::Variant::Atsp.to_string(),
            Kind::Vrp => radar::Variant::Vrp(self.stated.features()).to_string(),
        }
    }

    #[getter]
    fn name(&self) -> Option<&str> {
        self.stated.name.as_deref()
    }

    #[getter(notes)]
    fn said(&self) -> Vec<(String, String)> {
        self.notes.clone()
    }

    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        given_back(py, &self.stated.distance)
    }

    fn duration<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.stated.duration.as_ref().map(|duration| given_back(py, duration)).transpose()
    }

    /// Everything that was stated.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let fields = self.parts(py)?;
        fields.set_item("distance", self.distance(py)?)?;
        fields.set_item("duration", self.duration(py)?)?;
        Ok(fields)
    }

    /// Everything but the matrices, which are large.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let stated = &*self.stated;
        let fields = PyDict::new(py);
        fields.set_item("kind", self.kind())?;
        fields.set_item("demand", &stated.demand)?;
        fields.set_item("backhaul", &stated.backhaul)?;
        fields.set_item("capacity", stated.capacity)?;
        fields.set_item("windows", &stated.windows)?;
        fields.set_item("service", &stated.service)?;
        fields.set_item("limit", stated.limit)?;
        fields.set_item("max_duration", stated.max_duration)?;
        fields.set_item("open", stated.open)?;
        fields.set_item("vehicles", stated.vehicles)?;
        fields.set_item("priority", &stated.priority)?;
        fields.set_item("points", &stated.points)?;
        fields.set_item("ids", &stated.ids)?;
        fields.set_item("name", &stated.name)?;
        fields.set_item("distance_unit", &stated.units.distance)?;
        fields.set_item("duration_unit", &stated.units.duration)?;
        Ok(fields)
    }

    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let report = apart(py, || Ok(self.report()))?;
        let all: Vec<Message> = report.findings.iter().map(Message::from).collect();
        messages(py, &all)
    }

    fn label(&self, node: usize) -> String {
        self.stated.id(node)
    }
}
