//! A service in this process, and a client for it.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use radar_server::{Limits, Settings, serve};
use serde_json::{Value, json};

/// A service that ends with the test.
pub struct Service {
    pub address: SocketAddr,
    end: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What came back.
pub struct Answer {
    pub status: u16,
    pub headers: ureq::http::HeaderMap,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// Status and code of a refusal, which is problem+json.
    pub fn refusal(&self) -> (u16, String) {
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.text());
        let body = self.json();
        assert_eq!(body["status"], self.status);
        for key in ["title", "detail", "action"] {
            assert!(body[key].as_str().is_some_and(|text| !text.is_empty()), "{key} of {body}");
        }
        assert_eq!(body["findings"][0]["code"], body["code"]);
        (self.status, body["code"].as_str().expect("a code").to_owned())
    }
}

pub fn settings() -> Settings {
    Settings { listen: "127.0.0.1:0".parse().expect("an address"), ..Settings::default() }
}

pub fn with_limits(limits: Limits) -> Settings {
    Settings { limits, ..settings() }
}

pub fn stored(folder: &Path) -> Settings {
    Settings { store: Some(folder.to_owned()), ..settings() }
}

impl Service {
    pub fn start(settings: Settings) -> Self {
        let (ready, heard) = mpsc::channel();
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let ended = async {
                let _ = ended.await;
            };
            serve(settings, |address| ready.send(address).expect("somebody listens"), ended).expect("served");
        });
        let address = heard.recv().expect("it starts");
        Self { address, end: Some(end), thread: Some(thread) }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub fn get(&self, path: &str) -> Answer {
        answer(agent().get(self.url(path)).call())
    }

    pub fn delete(&self, path: &str) -> Answer {
        answer(agent().delete(self.url(path)).call())
    }

    pub fn post(&self, path: &str, body: impl AsRef<[u8]>) -> Answer {
        answer(agent().post(self.url(path)).send(body.as_ref()))
    }

    pub fn post_with(&self, path: &str, headers: &[(&str, &str)], body: &Value) -> Answer {
        let mut request = agent().post(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.send(body.to_string().as_bytes()))
    }

    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = agent().get(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        answer(request.call())
    }

    /// A job that was accepted.
    pub fn accept(&self, request: &Value) -> String {
        let answer = self.post("/v1/jobs", request.to_string());
        assert_eq!(answer.status, 202, "{}", answer.text());
        let id = answer.json()["id"].as_str().expect("an id").to_owned();
        assert_eq!(answer.header("location"), format!("/v1/jobs/{id}"));
        id
    }

    /// A job once it has come to a state.
    pub fn wait(&self, id: &str, state: &str) -> Value {
        let begun = Instant::now();
        loop {
            let job = self.get(&format!("/v1/jobs/{id}")).json();
            if job["state"] == state {
                return job;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "never {state}: {job}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Ends it as a signal would, and waits until it has.
    pub fn close(&mut self) {
        if let (Some(end), Some(thread)) = (self.end.take(), self.thread.take()) {
            let _ = end.send(());
            thread.join().expect("it ends in order");
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.close();
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(60))).build().into()
}

fn answer(response: Result<ureq::http::Response<ureq::Body>, ureq::Error>) -> Answer {
    let mut response = response.expect("an answer");
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        body: response.body_mut().with_config().limit(1 << 28).read_to_vec().expect("a body"),
    }
}

/// A problem of `stops` stops in a crooked town, in our JSON.
pub fn town(stops: usize) -> Value {
    let nodes = stops + 1;
    let place = |node: usize| ((node * 37 % 101) as f64, (node * 53 % 97) as f64);
    let distance: Vec<Vec<f64>> = (0..nodes)
        .map(|from| {
            let ((x, y), one_way) = (place(from), from % 3);
            let to = |to: usize| {
                let (u, v) = place(to);
                let length = (x - u).abs() + (y - v).abs() + if to % 3 == one_way { 0.0 } else { 5.0 };
                if from == to { 0.0 } else { length + 0.5 }
            };
            (0..nodes).map(to).collect()
        })
        .collect();
    let demand: Vec<usize> = (0..nodes).map(|node| if node == 0 { 0 } else { 1 + node % 4 }).collect();
    json!({ "version": 1, "kind": "vrp", "distance": distance, "demand": demand, "capacity": 12 })
}

/// An empty folder of this test.
pub fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("radar-server-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
