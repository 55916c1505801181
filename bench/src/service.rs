//! The service under load: a process of its own, called over loopback from this one. Requests a second and the time until the
//! answer at one and four times what it can take, answers lost, and memory after many requests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use radar_sample::Distribution;
use serde_json::Value;

use crate::Row;

/// How long each load lasts.
const SPAN: Duration = Duration::from_secs(10);
/// Constructions after which memory is looked at, in tenths.
const MANY: usize = 100_000;

pub fn run() -> Result<Vec<Row>, String> {
    let program = std::env::var("RADAR").unwrap_or_else(|_| {
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../target").to_owned();
        let target = std::env::var("CARGO_TARGET_DIR").unwrap_or(own);
        format!("{target}/release/radar")
    });
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut rows = Vec::new();
    for nodes in [20, 100] {
        for times in [1, 4] {
            let service = Service::start(&program, cores)?;
            let load = load(&service, &tour(nodes)?, "/v1/solve", cores * times, SPAN);
            let name = format!("ATSP{nodes}, {times}x capacity ({} callers)", cores * times);
            rows.push(Row::plain(format!("{name}: answers"), load.served as f64 / SPAN.as_secs_f64(), "/s"));
            rows.push(Row::plain(format!("{name}: time to the answer, p50"), load.percentile(50), "ms"));
            rows.push(Row::plain(format!("{name}: time to the answer, p99"), load.percentile(99), "ms"));
            rows.push(Row::plain(format!("{name}: turned away with Retry-After"), load.refused as f64, ""));
            rows.push(Row::at_most(format!("{name}: answers lost"), load.lost as f64, "", 0.0));
        }
    }
    let service = Service::start(&program, cores)?;
    let path = "/v1/solve?method=construct&steps=1";
    let mut memory = Vec::new();
    for _ in 0..10 {
        let left = AtomicUsize::new(MANY / 10);
        let lost = counted(&service, &tour(20)?, path, 2 * cores, &left);
        if lost > 0 {
            return Err(format!("{lost} constructions were lost"));
        }
        memory.push(service.memory()?);
    }
    rows.push(Row::plain(format!("memory after {} constructions", MANY / 10), memory[0], "MB"));
    rows.push(Row::at_most(
        format!("memory after {MANY} constructions"),
        memory[9],
        "MB",
        1.5 * memory[0] + 16.0,
    ));
    Ok(rows)
}

/// The service as a process.
struct Service {
    process: Child,
    address: String,
}

impl Service {
    /// One that turns away whoever would wait behind twice as many as are served.
    fn start(program: &str, cores: usize) -> Result<Self, String> {
        let queue = (2 * cores).to_string();
        let mut process = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "off", "--queue", &queue])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}; build it: cargo build --release -p radar-cli"))?;
        let mut line = String::new();
        let out = process.stdout.take().ok_or("no standard output")?;
        BufReader::new(out).read_line(&mut line).map_err(|error| error.to_string())?;
        Ok(Self { process, address: line.trim().trim_start_matches("http://").to_owned() })
    }

    /// Megabytes that the process holds.
    fn memory(&self) -> Result<f64, String> {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("no VmRSS")?;
        let kilobytes = line.trim().trim_end_matches("kB").trim().parse::<f64>();
        Ok(kilobytes.map_err(|error| error.to_string())? / 1e3)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A tour of the paper's distribution, as JSON.
fn tour(nodes: usize) -> Result<Vec<u8>, String> {
    let nodes = nodes.to_string();
    let tmat = Distribution::named("tmat", &[("n", &nodes), ("variant", "ATSP")], None);
    let problem = tmat.map_err(|error| error.to_string())?.sample(5, 0).problem;
    radar_format::write::problem("json", &problem).map_err(|error| error.to_string())
}

/// What came of a load.
#[derive(Default)]
struct Load {
    served: usize,
    refused: usize,
    lost: usize,
    milliseconds: Vec<f64>,
}

impl Load {
    fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.milliseconds.clone();
        sorted.sort_by(f64::total_cmp);
        sorted
            .get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1)))
            .copied()
            .unwrap_or(f64::NAN)
    }

    fn add(&mut self, other: Self) {
        self.served += other.served;
        self.refused += other.refused;
        self.lost += other.lost;
        self.milliseconds.extend(other.milliseconds);
    }
}

/// So many callers, each of whom sends the next request when it has its answer; who is turned away waits a little.
fn load(service: &Service, body: &[u8], path: &str, callers: usize, span: Duration) -> Load {
    let until = Instant::now() + span;
    let one = || {
        let mut load = Load::default();
        let mut line = Line::new(service);
        while Instant::now() < until {
            let begun = Instant::now();
            match line.call(path, body) {
                Some((200, answer)) if answer["cost"].is_number() => {
                    load.served += 1;
                    load.milliseconds.push(1e3 * begun.elapsed().as_secs_f64());
                }
                Some((429, _)) => {
                    load.refused += 1;
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => load.lost += 1,
            }
        }
        load
    };
    let mut all = Load::default();
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..callers).map(|_| scope.spawn(one)).collect();
        for thread in threads {
            all.add(thread.join().unwrap_or_default());
        }
    });
    all
}

/// As many requests as are left, and how many were lost.
fn counted(service: &Service, body: &[u8], path: &str, callers: usize, left: &AtomicUsize) -> usize {
    let one = || {
        let (mut line, mut lost) = (Line::new(service), 0);
        let take = |left: usize| left.checked_sub(1);
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_ok() {
            lost += usize::from(line.call(path, body).is_none_or(|(status, _)| status != 200));
        }
        lost
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..callers).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(1)).sum()
    })
}

/// A connection that is kept, and made anew when it breaks.
struct Line<'a> {
    service: &'a Service,
    stream: Option<BufReader<TcpStream>>,
}

impl<'a> Line<'a> {
    fn new(service: &'a Service) -> Self {
        Self { service, stream: None }
    }

    /// Status and body of the answer; nothing when there is none.
    fn call(&mut self, path: &str, body: &[u8]) -> Option<(u16, Value)> {
        let answer = self.try_call(path, body);
        if answer.is_none() {
            self.stream = None;
        }
        answer
    }

    fn try_call(&mut self, path: &str, body: &[u8]) -> Option<(u16, Value)> {
        if self.stream.is_none() {
            self.stream = Some(BufReader::new(TcpStream::connect(&self.service.address).ok()?));
        }
        let stream = self.stream.as_mut()?;
        let length = body.len();
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n");
        let mut request = head.into_bytes();
        request.extend_from_slice(body);
        stream.get_mut().write_all(&request).ok()?;
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        let status = line.split_whitespace().nth(1)?.parse().ok()?;
        let mut length = 0;
        loop {
            line.clear();
            stream.read_line(&mut line).ok()?;
            if line.trim().is_empty() {
                break;
            }
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).ok()?;
        Some((status, serde_json::from_slice(&body).ok()?))
    }
}
