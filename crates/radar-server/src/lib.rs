//! The service: solving over HTTP, jobs that survive a crash, and the page.
//!
//! Read `handlers/mod.rs` for what is answered, `desk.rs` for who gets a turn, `jobs.rs` for what happens to a
//! job, `guard.rs` for who may come in.

mod connections;
mod desk;
mod engine;
mod feed;
mod guard;
mod handlers;
mod jobs;
mod leash;
mod limits;
mod memory;
mod metrics;
mod openapi;
mod refusal;
mod request;
mod service;
mod settings;
mod store;
mod work;

use std::future::Future;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::cors::CorsLayer;
use tracing::{info, warn};

use crate::service::Service;

pub use settings::{Engine, EngineKind, Limits, Settings, Tiles};
pub use store::StoreError;

/// Why the service did not start, or ended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be had.
    #[error("cannot listen on {0}: {1}")]
    Listen(std::net::SocketAddr, std::io::Error),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An origin is none.
    #[error("`{0}` is no origin such as https://routes.example")]
    Origin(String),
    /// Anything else that the system refuses.
    #[error(transparent)]
    System(#[from] std::io::Error),
}

/// How often ended jobs are looked through.
const SWEEP: Duration = Duration::from_secs(60);

/// Serves until `ended`; `ready` is told the address.
pub fn serve(
    settings: Settings,
    ready: impl FnOnce(std::net::SocketAddr),
    ended: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(run(settings, ready, ended))?;
    // Nothing that is left may keep the process: what was accepted is on the disk.
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(())
}

/// Ends at Ctrl-C and at SIGTERM.
pub async fn signalled() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<Option<()>>();
    tokio::select! {
        () = interrupted => {}
        _ = terminated => {}
    }
}

async fn run(
    settings: Settings,
    ready: impl FnOnce(std::net::SocketAddr),
    ended: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    // A future listens from its first poll on: without one here, a signal that comes with the first callers would
    // kill the process instead of ending the service.
    let mut ended = Box::pin(ended);
    if std::future::poll_fn(|context| Poll::Ready(ended.as_mut().poll(context).is_ready())).await {
        return Ok(());
    }
    let (address, connections) = (settings.listen, settings.limits.connections);
    let cors = cors(&settings.origins)?;
    let service = Service::new(settings)?;
    let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Listen(address, error))?;
    match jobs::recover(&service)? {
        0 => {}
        count => info!(count, "jobs of an earlier run go on"),
    }
    let sweeper = tokio::spawn(sweep(Arc::clone(&service)));
    let address = listener.local_addr()?;
    ready(address);
    info!(%address, "listening");
    let closing = {
        let service = Arc::clone(&service);
        async move {
            ended.await;
            info!("closing: running jobs are put back, requests at work end");
            service.desk.close();
            service.running.cancel_all();
        }
    };
    connections::serve(listener, router(Arc::clone(&service), cors), connections, closing).await;
    let parked = async {
        while service.running.count() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    if tokio::time::timeout(connections::GRACE, parked).await.is_err() {
        warn!("jobs did not end in time; they begin again with the next start");
    }
    sweeper.abort();
    info!("closed");
    Ok(())
}

/// Everything that is answered, with everything that watches over it.
fn router(service: Arc<Service>, cors: Option<CorsLayer>) -> Router {
    let watched = middleware::from_fn_with_state(Arc::clone(&service), guard::watch);
    let mut router = handlers::routes()
        .layer(CatchPanicLayer::custom(|_| {
            axum::response::IntoResponse::into_response(refusal::Refusal::internal("this request failed"))
        }))
        .layer(watched)
        .layer(CompressionLayer::new());
    if let Some(cors) = cors {
        router = router.layer(cors);
    }
    router.with_state(service)
}

fn cors(origins: &[String]) -> Result<Option<CorsLayer>, ServeError> {
    if origins.is_empty() {
        return Ok(None);
    }
    let is_origin = |origin: &str| {
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || ".-:[]".contains(c);
        host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
    };
    let mut allowed = Vec::new();
    for origin in origins {
        match HeaderValue::from_str(origin) {
            Ok(value) if is_origin(origin) => allowed.push(value),
            _ => return Err(ServeError::Origin(origin.clone())),
        }
    }
    let headers = [
        header::CONTENT_TYPE,
        header::AUTHORIZATION,
        HeaderName::from_static("x-api-key"),
        HeaderName::from_static("x-file-name"),
        HeaderName::from_static("idempotency-key"),
    ];
    Ok(Some(
        CorsLayer::new()
            .allow_origin(allowed)
            .allow_methods([Method::GET, Method::POST, Method::DELETE])
            .allow_headers(headers)
            .expose_headers([header::LOCATION, header::RETRY_AFTER, HeaderName::from_static("x-request-id")]),
    ))
}

/// Forgets ended jobs that are too old, too many or too large.
async fn sweep(service: Arc<Service>) {
    let limits = &service.settings.limits;
    let age = i64::try_from(service.settings.keep.as_millis()).unwrap_or(i64::MAX);
    loop {
        let since = jobs::now().saturating_sub(age);
        let keep = store::Keep { since, count: limits.kept_jobs, bytes: limits.kept_bytes };
        let swept = Arc::clone(&service);
        match tokio::task::spawn_blocking(move || swept.store.forget(keep)).await {
            Ok(Ok(0)) | Err(_) => {}
            Ok(Ok(count)) => info!(count, "ended jobs forgotten"),
            Ok(Err(error)) => warn!(%error, "ended jobs could not be forgotten"),
        }
        tokio::time::sleep(SWEEP).await;
    }
}
