//! What is said when something is not done: problem+json with the codes, causes and actions of the command.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use radar_format::FormatError;
use radar_wire::{Blame, Failure, Message};
use serde_json::{Value, json};

/// A refusal; the body is problem+json.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    status: StatusCode,
    /// Everything that was found, the most important first.
    findings: Vec<Message>,
    /// Seconds after which another attempt is worth it.
    retry_after: Option<u64>,
}

impl Refusal {
    /// A refusal with one error.
    pub fn new(status: StatusCode, code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self { status, findings: vec![Message::error(code, cause, action)], retry_after: None }
    }

    /// The request is not one that is understood.
    pub fn bad_request(code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, cause, action)
    }

    /// The request is understood, but asks for what is not there or not allowed.
    pub fn unprocessable(code: &str, cause: impl Into<String>, action: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, cause, action)
    }

    /// It may be done later.
    pub fn not_now(code: &str, cause: impl Into<String>, action: impl Into<String>, seconds: u64) -> Self {
        let refusal = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, cause, action);
        refusal.after(seconds)
    }

    /// A defect of this program.
    pub fn internal(cause: impl Into<String>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", cause, "please report it with the request")
    }

    /// Another attempt is worth it after so many seconds.
    pub fn after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// Seconds after which another attempt is worth it.
    #[cfg(test)]
    pub fn retry_after(&self) -> Option<u64> {
        self.retry_after
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        self.findings.first().map_or("internal", |first| first.code.as_str())
    }

    /// The cause.
    pub fn cause(&self) -> &str {
        self.findings.first().map_or("", |first| first.cause.as_str())
    }

    /// What to do.
    pub fn action(&self) -> &str {
        self.findings.first().map_or("", |first| first.action.as_str())
    }

    /// The body.
    pub fn to_json(&self) -> Value {
        json!({
            "type": "about:blank",
            "title": self.status.canonical_reason().unwrap_or("Error"),
            "status": self.status.as_u16(),
            "code": self.code(),
            "detail": self.cause(),
            "action": self.action(),
            "findings": self.findings,
        })
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let status = match failure.blame {
            Blame::Input | Blame::Problem => StatusCode::UNPROCESSABLE_ENTITY,
            Blame::Program => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self { status, findings: failure.messages, retry_after: None }
    }
}

impl From<FormatError> for Refusal {
    fn from(error: FormatError) -> Self {
        Failure::from(error).into()
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let kind = HeaderValue::from_static("application/problem+json");
        let body = self.to_json().to_string();
        let mut response = (self.status, [(header::CONTENT_TYPE, kind)], body).into_response();
        self.mark(&mut response);
        response
    }
}

impl Refusal {
    /// Puts into a response what others look at on its way out: when to come again, how to get in, the code.
    pub fn mark(self, response: &mut Response) {
        let headers = response.headers_mut();
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(Code(self.code().to_owned()));
    }
}

/// The code of a refusal, for whoever looks at the response on its way out.
#[derive(Clone, Debug)]
pub struct Code(pub String);
