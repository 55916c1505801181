//! What the operator decides. Everything has a safe default.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use radar::{Kind, Model};
use radar_net::decode::Isa;

/// What the operator decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen; loopback unless told otherwise.
    pub listen: SocketAddr,
    /// The folder of the jobs; without one they live as long as the process.
    pub store: Option<PathBuf>,
    /// How much anybody may ask for.
    pub limits: Limits,
    /// Who may ask: one of these keys, or everybody when there are none.
    pub keys: Vec<String>,
    /// Other origins whose pages may call.
    pub origins: Vec<String>,
    /// Names under which this service is reached, beside its address.
    pub hosts: Vec<String>,
    /// Routing engines that may be asked for a matrix.
    pub engines: Vec<Engine>,
    /// A tile layer for the page.
    pub tiles: Option<Tiles>,
    /// Networks by the names on their cards, before those that come along.
    pub models: Vec<Arc<Model>>,
    /// For how long an ended job is kept.
    pub keep: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080),
            store: None,
            limits: Limits::default(),
            keys: Vec::new(),
            origins: Vec::new(),
            hosts: Vec::new(),
            engines: Vec::new(),
            tiles: None,
            models: Vec::new(),
            keep: Duration::from_secs(7 * 24 * 3600),
        }
    }
}

impl Settings {
    /// The operator's networks, then those that come along unless their names are taken.
    pub fn networks(&self) -> Vec<Arc<Model>> {
        let mut networks = self.models.clone();
        for shipped in
            [Kind::Atsp, Kind::Vrp].into_iter().filter_map(|kind| radar::shipped(kind, Isa::best()))
        {
            if networks.iter().all(|model| model.card().name != shipped.card().name) {
                networks.push(shipped);
            }
        }
        networks
    }
}

/// How much anybody may ask for. Past a limit the answer is a refusal, at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a body.
    pub body: usize,
    /// Nodes of a problem.
    pub nodes: usize,
    /// The longest time that `/v1/solve` may take.
    pub solve_time: Duration,
    /// The longest time that a job may take.
    pub job_time: Duration,
    /// The most steps.
    pub steps: u64,
    /// Solves at once, jobs included.
    pub solves: usize,
    /// Jobs at once; fewer than the solves where possible, so that short requests get their turn.
    pub jobs: usize,
    /// Requests and jobs that wait for their turn.
    pub queue: usize,
    /// How long a request without a job waits for its turn.
    pub patience: Duration,
    /// Bytes that all problems at work may take together.
    pub memory: u64,
    /// Connections at once.
    pub connections: usize,
    /// Of them, those that listen to events.
    pub listeners: usize,
    /// Ended jobs that are kept, and their bytes.
    pub kept_jobs: u64,
    /// Bytes of ended jobs that are kept.
    pub kept_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            body: 64 << 20,
            nodes: 2000,
            solve_time: Duration::from_secs(10),
            job_time: Duration::from_secs(600),
            steps: 100_000_000,
            solves: cores,
            jobs: cores.saturating_sub(1).max(1),
            queue: 64,
            patience: Duration::from_secs(30),
            memory: 4 << 30,
            connections: 512,
            listeners: 256,
            kept_jobs: 10_000,
            kept_bytes: 1 << 30,
        }
    }
}

/// A routing engine that the operator allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// How requests call it.
    pub name: String,
    /// What it speaks.
    pub kind: EngineKind,
    /// Its base URL, without a slash at the end.
    pub url: String,
}

/// What a routing engine speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// OSRM's table service.
    Osrm,
    /// Valhalla's matrix service.
    Valhalla,
}

impl EngineKind {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Osrm => "osrm",
            Self::Valhalla => "valhalla",
        }
    }
}

impl std::str::FromStr for Engine {
    type Err = String;

    /// Reads `osrm=http://localhost:5000` or `paris:valhalla=https://host/base`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no engine such as osrm=http://localhost:5000");
        let (label, url) = text.split_once('=').ok_or_else(wrong)?;
        let (name, kind) = label.split_once(':').unwrap_or((label, label));
        let kind = match kind {
            "osrm" => EngineKind::Osrm,
            "valhalla" => EngineKind::Valhalla,
            _ => return Err(format!("`{kind}` is no engine: osrm or valhalla")),
        };
        let url = url.trim_end_matches('/');
        let known = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        if known.is_none_or(str::is_empty) || name.is_empty() || url.contains(['?', '#', ' ']) {
            return Err(wrong());
        }
        Ok(Self { name: name.to_owned(), kind, url: url.to_owned() })
    }
}

/// A tile layer for the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// The address with `{z}`, `{x}` and `{y}`.
    pub url: String,
    /// Whom to thank.
    pub attribution: String,
}

impl Tiles {
    /// Scheme and host, for the page's security policy.
    pub fn origin(&self) -> Option<String> {
        let (scheme, rest) = self.url.split_once("://")?;
        let host = rest.split('/').next()?;
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:".contains(c);
        let is_known = ["http", "https"].contains(&scheme) && !host.is_empty() && host.chars().all(plain);
        is_known.then(|| format!("{scheme}://{host}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_read() {
        let engine: Engine = "osrm=http://localhost:5000/".parse().expect("an engine");
        assert_eq!((engine.name.as_str(), engine.kind), ("osrm", EngineKind::Osrm));
        assert_eq!(engine.url, "http://localhost:5000");
        let engine: Engine = "paris:valhalla=https://host/base".parse().expect("an engine");
        assert_eq!((engine.name.as_str(), engine.kind), ("paris", EngineKind::Valhalla));
        for wrong in
            ["", "osrm", "osrm=", "osrm=ftp://x", "google=http://x", "osrm=http://", "osrm=http://a?b"]
        {
            assert!(wrong.parse::<Engine>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn tiles_name_their_host() {
        let tiles = |url: &str| Tiles { url: url.to_owned(), attribution: String::new() }.origin();
        assert_eq!(
            tiles("https://tile.example:8443/{z}/{x}/{y}.png").as_deref(),
            Some("https://tile.example:8443")
        );
        assert_eq!(tiles("https://{s}.example/{z}"), None);
        assert_eq!(tiles("javascript:alert(1)"), None);
    }
}
