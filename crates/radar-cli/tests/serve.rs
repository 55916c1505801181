//! The service as a process: it may be killed at any moment.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

struct Service {
    process: Child,
    address: String,
}

impl Service {
    fn start(store: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_radar"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--store"])
            .arg(store)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("standard output");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let address = line.trim().trim_start_matches("http://").to_owned();
        Self { process, address }
    }

    fn call(&self, method: &str, path: &str, body: &str) -> Option<Value> {
        let mut stream = TcpStream::connect(&self.address).ok()?;
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
        stream.write_all(format!("{head}content-length: {length}\r\n\r\n{body}").as_bytes()).ok()?;
        let mut text = String::new();
        stream.read_to_string(&mut text).ok()?;
        let (head, body) = text.split_once("\r\n\r\n")?;
        assert!(head.starts_with("HTTP/1.1 20"), "{text}");
        serde_json::from_str(body).ok()
    }

    fn job(&self, id: &str) -> Value {
        self.call("GET", &format!("/v1/jobs/{id}"), "").expect("a job")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("radar-serve-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn town(nodes: usize) -> Value {
    let row = |from: usize| {
        (0..nodes).map(|to| if from == to { 0 } else { 1 + (from * 17 + to * 31) % 97 }).collect()
    };
    json!({ "version": 1, "kind": "atsp", "distance": (0..nodes).map(row).collect::<Vec<Vec<usize>>>() })
}

#[test]
fn no_accepted_job_is_lost_when_the_service_is_killed() {
    let store = folder("killed");
    let mut accepted: Vec<String> = Vec::new();
    let kill_after = [30, 400, 1300];
    for milliseconds in kill_after {
        let service = Service::start(&store);
        for budget in [json!({"time": 2.0}), json!({"steps": 20}), json!({"steps": 50})] {
            let mut problem = town(60);
            problem["kind"] = json!("vrp");
            problem["capacity"] = json!(10);
            problem["demand"] = (0..60).map(|node| if node == 0 { 0 } else { 1 }).collect();
            let request = json!({ "problem": problem, "options": budget }).to_string();
            let job = service.call("POST", "/v1/jobs", &request).expect("accepted");
            accepted.push(job["id"].as_str().expect("an id").to_owned());
        }
        std::thread::sleep(Duration::from_millis(milliseconds));
        drop(service);
    }
    let service = Service::start(&store);
    let begun = Instant::now();
    for id in &accepted {
        loop {
            let job = service.job(id);
            if !["queued", "running"].contains(&job["state"].as_str().expect("a state")) {
                assert_eq!(job["state"], "done", "{job}");
                assert!(job["answer"]["cost"].is_number(), "{job}");
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "never ended: {job}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    drop(service);
    let _ = std::fs::remove_dir_all(&store);
}

#[test]
fn two_services_do_not_share_a_folder() {
    let store = folder("shared");
    let service = Service::start(&store);
    let second = Command::new(env!("CARGO_BIN_EXE_radar"))
        .args(["serve", "--listen", "127.0.0.1:0", "--store"])
        .arg(&store)
        .output()
        .expect("it runs");
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(said.contains("store-taken"), "{said}");
    drop(service);
    let _ = std::fs::remove_dir_all(&store);
}

#[test]
fn a_signal_ends_it_in_order() {
    let store = folder("signal");
    // Again and again: the signal comes with the address, when a service that listens late would be killed by it.
    for _ in 0..10 {
        let mut service = Service::start(&store);
        let pid = service.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().expect("kill runs").success());
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = service.process.try_wait().expect("waited") {
                break status;
            }
            assert!(begun.elapsed() < Duration::from_secs(10), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(0));
    }
    let _ = std::fs::remove_dir_all(&store);
}
