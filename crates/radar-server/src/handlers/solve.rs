//! `POST /v1/solve`: a problem in, an answer out, on one connection.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::Response;
use radar_format::Note;

use super::body::{self, Body};
use crate::desk::Who;
use crate::feed::{Feed, Seen};
use crate::refusal::Refusal;
use crate::service::Service;
use crate::work::{self, Work};

/// Ends a solve whose caller has gone.
struct Leash(Arc<Feed>);

impl Drop for Leash {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Solves.
pub async fn solve(State(service): State<Arc<Service>>, request: Request) -> Result<Response, Refusal> {
    let (place, request) = body::admitted(service.desk.stand(Who::Caller), request)?;
    let Body { raw, held } = body::read(&service, request).await?;
    let to = raw.query.get("to").cloned().unwrap_or_else(|| "json".to_owned());
    let format = to.clone();
    let (work, notes) = body::read_aside(&service, raw, move |service, raw| {
        let mut asked = raw.read(&service.settings)?;
        let source = std::mem::replace(&mut asked.problem, crate::request::Source::Job(String::new()));
        let (problem, notes) = body::problem_of(service, source)?;
        radar_format::write::answerable(&format, &problem)?;
        let work = Work::new(&service.settings, problem, &asked, service.settings.limits.solve_time)?;
        Ok((work, notes))
    })
    .await?;
    drop(held);
    let bytes = run(&service, place, work, notes, move |solution, notes| {
        Ok(radar_wire::bytes(solution, notes, &to).map(|bytes| (to, bytes))?)
    })
    .await?;
    Ok(body::file(&bytes.0, bytes.1))
}

/// Waits for a turn, solves, and writes the answer.
pub async fn run<T>(
    service: &Arc<Service>,
    place: crate::desk::Place,
    work: Work,
    notes: Vec<Note>,
    write: impl FnOnce(&radar::Solution, &[Note]) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    let turn = service.desk.turn(place, work.memory()).await?;
    service.metrics.solved(work.problem.nodes());
    let until = work::until(service.settings.limits.solve_time);
    let feed = Arc::new(Feed::new(until, Duration::ZERO, Seen::default()));
    let leash = Leash(Arc::clone(&feed));
    let solution = work.run(turn, feed).await?;
    drop(leash);
    write(&solution, &notes)
}
