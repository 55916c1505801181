//! `GET /v1/jobs/{id}/events`: a job as it goes, by server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::body::{self, Name};
use crate::feed::{Feed, Seen};
use crate::jobs;
use crate::refusal::Refusal;
use crate::service::Service;

/// No more often than this is anything said.
const PAUSE: Duration = Duration::from_millis(50);
/// How often a job that waits is looked at.
const GLANCE: Duration = Duration::from_millis(200);

type Events = ReceiverStream<Result<Event, Infallible>>;

/// Everything so far, then everything as it comes, then the job as it ended.
pub async fn events(
    State(service): State<Arc<Service>>,
    Name(id): Name,
) -> Result<Sse<impl futures_core::Stream<Item = Result<Event, Infallible>>>, Refusal> {
    let listener = service.listen()?;
    let job = body::aside(&service, {
        let id = id.clone();
        move |service| jobs::show(service, &id)
    });
    job.await?;
    let (sender, receiver) = mpsc::channel(16);
    tokio::spawn(async move {
        tell(&service, &id, &sender).await;
        drop(listener);
    });
    let events: Events = ReceiverStream::new(receiver);
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

/// Tells until the job has ended, the service closes or nobody listens any more.
async fn tell(service: &Arc<Service>, id: &str, to: &mpsc::Sender<Result<Event, Infallible>>) -> Option<()> {
    let mut told = 0;
    let mut state = None;
    loop {
        if let Some(feed) = service.running.feed(id) {
            say(to, "state", &json!({ "state": "running" })).await?;
            follow(&feed, &mut told, to).await?;
        }
        let id = id.to_owned();
        let job = body::aside(service, move |service| jobs::show(service, &id)).await.ok()?;
        if job.state().is_ended() {
            if told == 0 {
                for point in job.progress() {
                    say(to, "progress", &json!(point)).await?;
                }
            }
            return say(to, "end", &json!(job)).await;
        }
        if state != Some(job.state()) {
            state = Some(job.state());
            say(to, "state", &json!({ "state": job.state(), "position": job.position() })).await?;
        }
        if service.desk.is_closing() {
            return None;
        }
        tokio::select! {
            () = tokio::time::sleep(GLANCE) => {}
            () = to.closed() => return None,
        }
    }
}

/// Tells what is new in a feed until it ends.
async fn follow(feed: &Feed, told: &mut usize, to: &mpsc::Sender<Result<Event, Infallible>>) -> Option<()> {
    let mut changes = feed.changes();
    loop {
        changes.mark_unchanged();
        let Seen { curve, plan, total, ended, .. } = feed.seen();
        let new = total.saturating_sub(*told).min(curve.len());
        for (at, point) in curve.iter().enumerate().skip(curve.len() - new) {
            let mut data = json!(point);
            // Only the last plan is worth its bytes.
            if let (Some(plan), true) = (&plan, at + 1 == curve.len()) {
                data["plan"] = json!(plan.0);
            }
            say(to, "progress", &data).await?;
        }
        *told = total;
        if ended {
            return Some(());
        }
        tokio::select! {
            changed = changes.changed() => changed.ok()?,
            () = to.closed() => return None,
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn say(to: &mpsc::Sender<Result<Event, Infallible>>, name: &str, data: &Value) -> Option<()> {
    to.send(Ok(Event::default().event(name).data(data.to_string()))).await.ok()
}
