//! An answer in VROOM's form, for clients that speak VROOM.

use radar_problem::Problem;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::answer::{Answer, RouteSchedule};
use crate::FormatError;

/// What of the request comes back in the answer.
#[derive(Deserialize)]
struct Asked {
    vehicles: Vec<Map<String, Value>>,
    #[serde(default)]
    jobs: Vec<Map<String, Value>>,
    #[serde(default)]
    matrices: Map<String, Value>,
}

/// The answer to the VROOM problem in `request`, of which `problem` was read.
pub fn vroom(request: &[u8], problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    let asked: Asked = serde_json::from_slice(request)
        .map_err(|error| FormatError::new("json-syntax", error.to_string(), "send a VROOM problem"))?;
    let profile =
        asked.vehicles.first().and_then(|vehicle| vehicle.get("profile")?.as_str()).unwrap_or("car");
    let distances = asked.matrices.get(profile).and_then(|tables| tables.get("distances"));
    let written = Written { asked: &asked, has_amounts: problem.capacity.is_some(), distances };
    let routes: Vec<Map<String, Value>> = (answer.schedule.iter().zip(&asked.vehicles))
        .map(|(route, vehicle)| written.route(route, vehicle))
        .collect();
    let unassigned: Vec<Value> = answer
        .unserved
        .iter()
        .map(|stop| {
            let mut task = written.place(stop.node);
            task.insert("type".to_owned(), json!("job"));
            Value::Object(task)
        })
        .collect();
    let milliseconds = |phase: &str| (answer.timings.get(phase).copied().unwrap_or(0.0) * 1e3).round() as u64;
    let times = json!({
        "loading": milliseconds("validate"), "solving": milliseconds("construct"), "routing": 0,
    });
    let sum = |key: &str| number(routes.iter().filter_map(|route| route[key].as_f64()).sum());
    let amounts = |key: &str| match problem.capacity {
        Some(_) => json!([number(routes.iter().filter_map(|route| route[key][0].as_f64()).sum())]),
        None => json!([]),
    };
    let mut summary = json!({
        "cost": sum("cost"), "routes": routes.len(), "unassigned": unassigned.len(),
        "setup": 0, "service": sum("service"), "duration": sum("duration"),
        "waiting_time": sum("waiting_time"), "priority": sum("priority"),
        "delivery": amounts("delivery"), "pickup": amounts("pickup"), "amount": amounts("delivery"),
        "violations": [], "computing_times": times,
    });
    if distances.is_some() {
        summary["distance"] = sum("distance");
    }
    bytes(&json!({ "code": 0, "summary": summary, "unassigned": unassigned, "routes": routes }))
}

/// The answer to a VROOM problem without jobs: nothing to do is done.
pub fn vroom_without_jobs(request: &[u8]) -> Option<Vec<u8>> {
    #[derive(Deserialize)]
    struct Empty {
        vehicles: Vec<Value>,
        #[serde(default)]
        jobs: Vec<Value>,
        #[serde(default)]
        shipments: Vec<Value>,
    }
    let Empty { vehicles, jobs, shipments } = serde_json::from_slice(request).ok()?;
    if vehicles.is_empty() || !jobs.is_empty() || !shipments.is_empty() {
        return None;
    }
    let summary = json!({
        "cost": 0, "routes": 0, "unassigned": 0, "setup": 0, "service": 0, "duration": 0, "waiting_time": 0,
        "priority": 0, "delivery": [], "pickup": [], "amount": [], "violations": [],
        "computing_times": { "loading": 0, "solving": 0, "routing": 0 },
    });
    bytes(&json!({ "code": 0, "summary": summary, "unassigned": [], "routes": [] })).ok()
}

fn bytes(value: &Value) -> Result<Vec<u8>, FormatError> {
    let mut bytes = serde_json::to_vec(value)
        .map_err(|error| FormatError::new("json-syntax", error.to_string(), "report this"))?;
    bytes.push(b'\n');
    Ok(bytes)
}

struct Written<'a> {
    asked: &'a Asked,
    has_amounts: bool,
    /// Lengths that the request states beside its durations, for the report alone.
    distances: Option<&'a Value>,
}

/// Where a vehicle is while its steps are written.
#[derive(Default)]
struct Trip {
    waiting: f64,
    service: f64,
    priority: f64,
    length: f64,
    place: Option<usize>,
}

impl Written<'_> {
    /// A vehicle's steps. VROOM counts time on the road apart from waiting and service.
    fn route(&self, route: &RouteSchedule, vehicle: &Map<String, Value>) -> Map<String, Value> {
        let mut trip = Trip::default();
        let begins = [("load", self.load(route.delivered)), ("arrival", number(route.departure))];
        let mut steps = vec![self.step("start", ends(vehicle, "start"), &mut trip, 0.0, begins)];
        for stop in &route.stops {
            let travel = stop.arrival - route.departure - trip.waiting - trip.service;
            let visit = [("load", self.load(stop.load)), ("arrival", number(stop.arrival))];
            let mut step = self.step("job", self.place(stop.node), &mut trip, travel, visit);
            let service = stop.leave - stop.start;
            step.extend([
                ("job".to_owned(), step["id"].clone()),
                ("service".to_owned(), number(service)),
                ("waiting_time".to_owned(), number(stop.wait)),
            ]);
            trip.waiting += stop.wait;
            trip.service += service;
            trip.priority += self.job(stop.node).and_then(|job| job.get("priority")?.as_f64()).unwrap_or(0.0);
            steps.push(step);
        }
        let travel = route.end - route.departure - trip.waiting - trip.service;
        if let Some(returns) = route.returns {
            let ending = [("load", self.load(route.picked_up)), ("arrival", number(returns))];
            steps.push(self.step("end", ends(vehicle, "end"), &mut trip, travel, ending));
        }
        let mut written = Map::new();
        let mut put = |key: &str, value: Value| written.insert(key.to_owned(), value);
        put("vehicle", vehicle.get("id").cloned().unwrap_or_default());
        put("cost", number(route.cost.unwrap_or(0.0)));
        put("setup", json!(0));
        put("service", number(trip.service));
        put("duration", number(travel));
        put("waiting_time", number(trip.waiting));
        put("priority", number(trip.priority));
        put("delivery", self.load(route.delivered));
        put("pickup", self.load(route.picked_up));
        put("amount", self.load(route.delivered));
        put("steps", json!(steps));
        put("violations", json!([]));
        if self.distances.is_some() {
            put("distance", number(trip.length));
        }
        if let Some(description) = vehicle.get("description") {
            put("description", description.clone());
        }
        written
    }

    /// One step, with what all steps have; `about` says where it is.
    fn step(
        &self,
        kind: &str,
        mut about: Map<String, Value>,
        trip: &mut Trip,
        travel: f64,
        more: [(&str, Value); 2],
    ) -> Map<String, Value> {
        let place =
            about.get("location_index").and_then(Value::as_u64).and_then(|at| usize::try_from(at).ok());
        if let (Some(distances), Some(from), Some(to)) = (self.distances, trip.place, place)
            && from != to
        {
            trip.length += distances[from][to].as_f64().unwrap_or(0.0);
        }
        trip.place = place;
        let mut put = |key: &str, value: Value| about.insert(key.to_owned(), value);
        put("type", json!(kind));
        put("setup", json!(0));
        put("service", json!(0));
        put("waiting_time", json!(0));
        put("duration", number(travel));
        put("violations", json!([]));
        if self.distances.is_some() {
            put("distance", number(trip.length));
        }
        more.into_iter().for_each(|(key, value)| drop(put(key, value)));
        about
    }

    fn job(&self, node: usize) -> Option<&Map<String, Value>> {
        node.checked_sub(1).and_then(|index| self.asked.jobs.get(index))
    }

    /// What the request says of a job: its name and its place.
    fn place(&self, node: usize) -> Map<String, Value> {
        let known = ["id", "location", "location_index", "description"];
        let pair = |&key: &&str| Some((key.to_owned(), self.job(node)?.get(key)?.clone()));
        known.iter().filter_map(pair).collect()
    }

    fn load(&self, amount: f64) -> Value {
        if self.has_amounts { json!([number(amount)]) } else { json!([]) }
    }
}

/// Where a vehicle starts or ends.
fn ends(vehicle: &Map<String, Value>, key: &str) -> Map<String, Value> {
    let pairs = [("location", key.to_owned()), ("location_index", format!("{key}_index"))];
    pairs.into_iter().filter_map(|(name, key)| Some((name.to_owned(), vehicle.get(&key)?.clone()))).collect()
}

/// VROOM's numbers are whole; ours are, where the matrices are.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => json!(value as i64),
        false => json!(value),
    }
}
