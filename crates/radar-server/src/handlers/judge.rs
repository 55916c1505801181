//! Plans judged and explained, and what a network thinks of the arcs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use radar::{Instance, Method, Problem};
use radar_wire::{Blame, Failure, Wishes};
use serde_json::{Value, json};

use super::body::{self, Body};
use crate::desk::Who;
use crate::leash::Leash;
use crate::limits;
use crate::refusal::Refusal;
use crate::request::{self, Source};
use crate::service::Service;
use crate::{jobs, work};

/// How many stops are explained at once.
const MOST_STOPS: usize = 50;

/// `POST /v1/check`: the checker's verdict; with `to`, the plan with its schedule as a file.
pub async fn check(State(service): State<Arc<Service>>, request: Request) -> Result<Response, Refusal> {
    let Body { raw, held } = body::read(&service, request).await?;
    body::read_aside(&service, raw, move |service, raw| {
        let to = raw.query.get("to").cloned();
        let mut asked = raw.read(&service.settings)?;
        if let (Source::Job(id), true) = (&asked.problem, asked.wishes == Wishes::default()) {
            asked.wishes = jobs::wishes(service, id)?;
        }
        let (problem, _) = body::problem_of(service, asked.problem)?;
        let plan = asked.plan.ok_or_else(no_plan)?;
        let routes = request::plan(&plan, &problem)?;
        let instance = instance(problem)?.with_objective(asked.wishes.minimise.into());
        let verdict = radar_check::check(&instance, &routes);
        drop(held);
        match to {
            None => Ok(Json(radar_wire::verdict(&instance, &routes, &verdict)).into_response()),
            Some(to) => {
                let answer = radar_wire::given(&instance, &routes, &verdict);
                let bytes = radar_format::write::answer(&to, instance.input(), &answer)?;
                Ok(body::file(&to, bytes))
            }
        }
    })
    .await
}

/// `POST /v1/explain`: what is in the way, and the least change that would help.
pub async fn explain(State(service): State<Arc<Service>>, request: Request) -> Result<Json<Value>, Refusal> {
    let Body { raw, held } = body::read(&service, request).await?;
    body::read_aside(&service, raw, move |service, raw| {
        let asked = raw.read(&service.settings)?;
        let (problem, _) = body::problem_of(service, asked.problem)?;
        let plan = asked.plan.map(|plan| request::plan(&plan, &problem)).transpose()?;
        let stops: Result<BTreeSet<usize>, Refusal> =
            asked.stops.iter().map(|stop| stop.node(&problem)).collect();
        let stops: Vec<usize> = stops?.into_iter().collect();
        if stops.len() > MOST_STOPS {
            let cause = format!("{} stops are to be explained", stops.len());
            let action = format!("ask for at most {MOST_STOPS} at a time");
            return Err(Refusal::unprocessable("too-many-stops", cause, action));
        }
        let said = radar_wire::explain(problem, plan.as_ref(), &stops)?;
        drop(held);
        Ok(Json(Value::Array(said.items)))
    })
    .await
}

/// `POST /v1/confidence`: how sure a network is of every arc.
pub async fn confidence(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Result<Json<Value>, Refusal> {
    let (place, request) = body::admitted(service.desk.stand(Who::Caller), request)?;
    let Body { raw, held } = body::read(&service, request).await?;
    let (model, problem, need) = body::read_aside(&service, raw, move |service, raw| {
        let asked = raw.read(&service.settings)?;
        let (problem, _) = body::problem_of(service, asked.problem)?;
        let model = work::model(&service.settings, asked.wishes.model.as_deref(), &problem, Method::Neural)?;
        let Some(model) = model else { return Err(Refusal::internal("no network, and no refusal")) };
        let need = model.memory(problem.nodes(), Method::Neural, None, limits::threads());
        limits::fits(need, service.settings.limits.memory)?;
        Ok((model, problem, need))
    })
    .await?;
    drop(held);
    let turn = service.desk.turn(place, need).await?;
    let leash = Leash::default();
    let gone = leash.ends();
    body::aside(&service, move |_| {
        let instance = instance(problem)?;
        let arcs = model.confidence(&instance, &|| gone.load(Ordering::Relaxed));
        let arcs =
            arcs.map_err(|error| Refusal::from(Failure::input(error.code, error.cause, error.action)))?;
        drop(turn);
        Ok(Json(json!({ "model": model.card().name, "arcs": arcs })))
    })
    .await
}

fn instance(problem: Problem) -> Result<Instance, Refusal> {
    let report = problem.validate();
    report.instance.ok_or_else(|| Failure::findings(Blame::Input, &report.findings).into())
}

fn no_plan() -> Refusal {
    Refusal::bad_request(
        "bad-request",
        "there is no `plan` to check",
        "send {\"problem\": ..., \"plan\": [[3, 1], [2]]}",
    )
}
