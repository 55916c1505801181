//! `POST /v1/convert`: a problem of any format in, the same in another out.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;

use super::body::{self, Body};
use crate::refusal::Refusal;
use crate::service::Service;

/// Converts; into our JSON unless `to` says otherwise.
pub async fn convert(State(service): State<Arc<Service>>, request: Request) -> Result<Response, Refusal> {
    let Body { raw, held } = body::read(&service, request).await?;
    let to = raw.query.get("to").cloned().unwrap_or_else(|| "json".to_owned());
    let (to, bytes) = body::read_aside(&service, raw, move |service, raw| {
        let asked = raw.read(&service.settings)?;
        let (problem, _) = body::problem_of(service, asked.problem)?;
        let bytes = radar_format::write::problem(&to, &problem)?;
        drop(held);
        Ok((to, bytes))
    })
    .await?;
    Ok(body::file(&to, bytes))
}
