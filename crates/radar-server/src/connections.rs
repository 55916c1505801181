//! Connections: a bounded number, each of which has to say what it wants in time.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::warn;

/// How long a connection may take to send the head of a request.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long requests at work may take to end after the service was asked to.
pub const GRACE: Duration = Duration::from_secs(15);

/// Serves until `closing` has come; then ends what is at work, and nothing else begins.
pub async fn serve(listener: TcpListener, app: Router, most: usize, closing: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(most.max(1)));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    let mut closing = std::pin::pin!(closing);
    loop {
        let next = async {
            let place = Arc::clone(&places).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            next = next => next,
            () = &mut closing => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!(%error, "a connection could not be taken");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Answers are whole when they are written; waiting for more only delays them.
        let _ = stream.set_nodelay(true);
        let answering = TowerToHyperService::new(app.clone());
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), answering));
        tokio::spawn(async move {
            // Who hangs up has nobody to be told.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(GRACE, graceful.shutdown()).await.is_err() {
        warn!("requests did not end in time");
    }
}
