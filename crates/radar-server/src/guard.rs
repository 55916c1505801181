//! Who may come in: known hosts, known origins, known keys. And a line in the log for everybody who did.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use subtle::ConstantTimeEq;
use tracing::{info, warn};

use crate::refusal::{Code, Refusal};
use crate::service::Service;

/// Names every request, lets it in or not, and notes how it ended.
pub async fn watch(State(service): State<Arc<Service>>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let id = uuid::Uuid::new_v4().simple().to_string();
    let route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned();
    let method = request.method().clone();
    let mut response = match admit(&service, &request, &route) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let took = begun.elapsed();
    let status = response.status();
    let code = response.extensions().get::<Code>().map(|code| code.0.clone());
    // Anybody may invent a method; a series of counts for each would never end.
    let known = [Method::GET, Method::POST, Method::DELETE, Method::HEAD, Method::OPTIONS];
    let counted = if known.contains(&method) { method.as_str() } else { "other" };
    service.metrics.answered(&route, counted, status.as_u16(), took, code.as_deref());
    let milliseconds = took.as_secs_f64() * 1e3;
    match &code {
        Some(code) => {
            warn!(request = %id, %method, route, status = status.as_u16(), milliseconds, code, "refused")
        }
        None => info!(request = %id, %method, route, status = status.as_u16(), milliseconds, "answered"),
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn admit(service: &Service, request: &Request, route: &str) -> Result<(), Refusal> {
    let settings = &service.settings;
    let headers = request.headers();
    // What is no text is no name that is known here.
    let names = |name: header::HeaderName| headers.get_all(name).iter().map(|it| it.to_str().unwrap_or("?"));
    let authority = request.uri().authority().map(|authority| authority.as_str());
    let is_known = |host: &str| is_known_host(host, settings.listen, &settings.hosts);
    if !names(header::HOST).chain(authority).all(is_known) {
        return Err(Refusal::new(
            StatusCode::MISDIRECTED_REQUEST,
            "unknown-host",
            "this service is not known by that name",
            "call it by its address, or ask the operator for a --host",
        ));
    }
    let host = names(header::HOST).next().or(authority);
    let is_friend =
        |origin: &str| is_same_origin(origin, host) || settings.origins.iter().any(|known| known == origin);
    if !names(header::ORIGIN).all(is_friend) {
        return Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "foreign-origin",
            "pages of another origin may not call this service",
            "ask the operator for an --allow-origin",
        ));
    }
    let is_open = matches!(route, "/" | "/assets/{name}" | "/health" | "/ready" | "/openapi.json" | "none");
    if !is_open && request.method() != Method::OPTIONS && !is_known_key(headers, &settings.keys) {
        return Err(Refusal::new(
            StatusCode::UNAUTHORIZED,
            "key-missing",
            "a key is needed, and none that is known came with the request",
            "send it as `Authorization: Bearer KEY`",
        ));
    }
    Ok(())
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// A page elsewhere may point a name of its own at this machine: only names that belong here are answered.
/// Who listens on all addresses is reached by any address, and by the names that the operator gives.
fn is_known_host(host: &str, listen: SocketAddr, hosts: &[String]) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || hosts.iter().any(|known| known.eq_ignore_ascii_case(name))
        || name.parse::<IpAddr>().is_ok_and(|address| !listen.ip().is_loopback() || address.is_loopback())
}

fn is_same_origin(origin: &str, host: Option<&str>) -> bool {
    let rest = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    rest.is_some() && rest == host
}

/// Compares with every key; how long that takes depends on lengths alone.
fn is_known_key(headers: &HeaderMap, keys: &[String]) -> bool {
    if keys.is_empty() {
        return true;
    }
    let bearer = text(headers, header::AUTHORIZATION).and_then(|value| value.split_once(' '));
    let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, key)| key);
    let given = bearer.or_else(|| text(headers, header::HeaderName::from_static("x-api-key"))).unwrap_or("");
    let mut known = subtle::Choice::from(0);
    for key in keys {
        known |= key.as_bytes().ct_eq(given.trim().as_bytes());
    }
    known.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_known_by_address_or_name() {
        let local: SocketAddr = "127.0.0.1:8080".parse().expect("an address");
        let wide: SocketAddr = "0.0.0.0:8080".parse().expect("an address");
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080"] {
            assert!(is_known_host(host, local, &[]), "{host}");
        }
        for host in ["evil.example", "192.168.1.5:8080", "localhost.evil.example:8080", ""] {
            assert!(!is_known_host(host, local, &[]), "{host}");
        }
        assert!(is_known_host("192.168.1.5:8080", wide, &[]));
        assert!(!is_known_host("evil.example", wide, &[]));
        assert!(is_known_host("routes.example:443", wide, &["Routes.Example".to_owned()]));
    }

    #[test]
    fn keys_are_compared_whole() {
        let keys = ["secret".to_owned(), "other".to_owned()];
        let with = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_static(value));
            is_known_key(&headers, &keys)
        };
        assert!(with("authorization", "Bearer secret") && with("x-api-key", "other"));
        for wrong in ["Bearer secre", "Bearer secrets", "secret", "Bearer "] {
            assert!(!with("authorization", wrong), "{wrong}");
        }
        assert!(!is_known_key(&HeaderMap::new(), &keys));
        assert!(is_known_key(&HeaderMap::new(), &[]));
    }

    #[test]
    fn origins_are_the_same_or_foreign() {
        assert!(is_same_origin("http://localhost:8080", Some("localhost:8080")));
        for origin in ["null", "http://localhost:81", "https://evil.example", "file://localhost:8080"] {
            assert!(!is_same_origin(origin, Some("localhost:8080")), "{origin}");
        }
    }
}
