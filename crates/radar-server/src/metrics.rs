//! What is counted, in the form that Prometheus reads.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use crate::store::State;

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    route: String,
    method: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    route: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Refused {
    code: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    state: &'static str,
}

/// What is counted.
pub struct Metrics {
    registry: Registry,
    answered: Family<Answered, Counter>,
    took: Family<Route, Histogram>,
    refused: Family<Refused, Counter>,
    ended: Family<Ended, Counter>,
    waiting: Gauge<f64, AtomicU64>,
    running: Gauge<f64, AtomicU64>,
    nodes: Histogram,
}

impl Metrics {
    /// Nothing counted yet.
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("radar");
        let answered = Family::<Answered, Counter>::default();
        registry.register("requests", "Requests answered", answered.clone());
        let took = Family::<Route, Histogram>::new_with_constructor(|| {
            Histogram::new(exponential_buckets(0.001, 2.0, 18))
        });
        registry.register_with_unit("request", "Time from request to answer", Unit::Seconds, took.clone());
        let refused = Family::<Refused, Counter>::default();
        registry.register("refusals", "Refusals by their code", refused.clone());
        let ended = Family::<Ended, Counter>::default();
        registry.register("jobs_ended", "Jobs by how they ended", ended.clone());
        let waiting = Gauge::default();
        registry.register("waiting", "Requests and jobs that wait for their turn", waiting.clone());
        let running = Gauge::default();
        registry.register("running", "Requests and jobs that have their turn", running.clone());
        let nodes = Histogram::new(exponential_buckets(5.0, 2.0, 12));
        registry.register("nodes", "Nodes of the problems solved", nodes.clone());
        Self { registry, answered, took, refused, ended, waiting, running, nodes }
    }

    /// A request was answered.
    pub fn answered(&self, route: &str, method: &str, status: u16, took: Duration, code: Option<&str>) {
        let (route, method) = (route.to_owned(), method.to_owned());
        self.took.get_or_create(&Route { route: route.clone() }).observe(took.as_secs_f64());
        self.answered.get_or_create(&Answered { route, method, status }).inc();
        if let Some(code) = code {
            self.refused.get_or_create(&Refused { code: code.to_owned() }).inc();
        }
    }

    /// A job ended.
    pub fn job_ended(&self, state: State) {
        self.ended.get_or_create(&Ended { state: state.as_str() }).inc();
    }

    /// A problem of so many nodes is solved.
    pub fn solved(&self, nodes: usize) {
        self.nodes.observe(nodes as f64);
    }

    /// Everything, for Prometheus.
    pub fn text(&self, (waiting, running): (usize, usize)) -> String {
        self.waiting.set(waiting as f64);
        self.running.set(running as f64);
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
