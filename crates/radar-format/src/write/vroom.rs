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
}

/// The answer to the VROOM problem in `request`, of which `problem` was read.
pub fn vroom(request: &[u8], problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    let asked: Asked = serde_json::from_slice(request)
        .map_err(|error| FormatError::new("json-syntax", error.to_string(), "send a VROOM problem"))?;
    let written = Written { asked: &asked, problem };
    let routes: Vec<Value> = (answer.schedule.iter().zip(&asked.vehicles))
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
    let sum = |key: &str| whole(routes.iter().filter_map(|route| route[key].as_f64()).sum());
    let amounts = |key: &str| match problem.capacity {
        Some(_) => json!([whole(routes.iter().filter_map(|route| route[key][0].as_f64()).sum())]),
        None => json!([]),
    };
    let milliseconds = |phase: &str| (answer.timings.get(phase).copied().unwrap_or(0.0) * 1e3).round() as u64;
    let summary = json!({
        "cost": sum("cost"), "routes": routes.len(), "unassigned": unassigned.len(),
        "setup": 0, "service": sum("service"), "duration": sum("duration"),
        "waiting_time": sum("waiting_time"), "priority": sum("priority"),
        "delivery": amounts("delivery"), "pickup": amounts("pickup"), "amount": amounts("delivery"),
        "violations": [],
        "computing_times": {
            "loading": milliseconds("validate"), "solving": milliseconds("construct"), "routing": 0,
        },
    });
    let whole = json!({ "code": 0, "summary": summary, "unassigned": unassigned, "routes": routes });
    let mut bytes = serde_json::to_vec(&whole)
        .map_err(|error| FormatError::new("json-syntax", error.to_string(), "report this"))?;
    bytes.push(b'\n');
    Ok(bytes)
}

struct Written<'a> {
    asked: &'a Asked,
    problem: &'a Problem,
}

impl Written<'_> {
    /// A vehicle's steps. VROOM counts time on the road apart from waiting and service.
    fn route(&self, route: &RouteSchedule, vehicle: &Map<String, Value>) -> Value {
        let (mut waiting, mut service, mut priority) = (0.0, 0.0, 0.0);
        let mut steps = vec![self.end("start", vehicle, route.departure, 0.0, route.delivered, "start")];
        for stop in &route.stops {
            let mut step = self.place(stop.node);
            step.extend([
                ("type".to_owned(), json!("job")),
                ("job".to_owned(), step["id"].clone()),
                ("setup".to_owned(), json!(0)),
                ("service".to_owned(), whole(stop.leave - stop.start)),
                ("waiting_time".to_owned(), whole(stop.wait)),
                ("arrival".to_owned(), whole(stop.arrival)),
                ("duration".to_owned(), whole(stop.arrival - route.departure - waiting - service)),
                ("load".to_owned(), self.load(stop.load)),
                ("violations".to_owned(), json!([])),
            ]);
            waiting += stop.wait;
            service += stop.leave - stop.start;
            let asked = self.asked.jobs.get(stop.node.wrapping_sub(1)).and_then(|job| job.get("priority"));
            priority += asked.and_then(Value::as_f64).unwrap_or(0.0);
            steps.push(Value::Object(step));
        }
        let travel = route.end - route.departure - waiting - service;
        if let Some(returns) = route.returns {
            steps.push(self.end("end", vehicle, returns, travel, route.picked_up, "end"));
        }
        json!({
            "vehicle": vehicle.get("id"), "cost": whole(route.cost.unwrap_or(0.0)), "setup": 0,
            "service": whole(service), "duration": whole(travel), "waiting_time": whole(waiting),
            "priority": whole(priority), "delivery": self.load(route.delivered),
            "pickup": self.load(route.picked_up), "amount": self.load(route.delivered), "steps": steps,
            "violations": [],
        })
    }

    /// Where a route starts or ends.
    fn end(
        &self,
        kind: &str,
        vehicle: &Map<String, Value>,
        at: f64,
        travel: f64,
        load: f64,
        key: &str,
    ) -> Value {
        let mut step = Map::new();
        if let Some(place) = vehicle.get(key) {
            step.insert("location".to_owned(), place.clone());
        }
        if let Some(index) = vehicle.get(&format!("{key}_index")) {
            step.insert("location_index".to_owned(), index.clone());
        }
        step.extend([
            ("type".to_owned(), json!(kind)),
            ("setup".to_owned(), json!(0)),
            ("service".to_owned(), json!(0)),
            ("waiting_time".to_owned(), json!(0)),
            ("arrival".to_owned(), whole(at)),
            ("duration".to_owned(), whole(travel)),
            ("load".to_owned(), self.load(load)),
            ("violations".to_owned(), json!([])),
        ]);
        Value::Object(step)
    }

    /// What the request says of a job: its name and its place.
    fn place(&self, node: usize) -> Map<String, Value> {
        let job = node.checked_sub(1).and_then(|index| self.asked.jobs.get(index));
        let known = ["id", "location", "location_index", "description"];
        let pairs = known.iter().filter_map(|&key| Some((key.to_owned(), job?.get(key)?.clone())));
        pairs.collect()
    }

    fn load(&self, amount: f64) -> Value {
        match self.problem.capacity {
            Some(_) => json!([whole(amount)]),
            None => json!([]),
        }
    }
}

/// VROOM's numbers are whole; ours are, where the matrices are.
fn whole(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => json!(value as i64),
        false => json!(value),
    }
}
