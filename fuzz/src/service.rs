//! The service under damaged bodies: whatever is sent, it answers, and never with a defect of its own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

use radar_server::{Limits, Settings};

/// How often anything in this process panicked.
pub static PANICS: AtomicUsize = AtomicUsize::new(0);

/// Where bodies are sent. The same body always goes to the same address, so that a finding can be replayed.
const ADDRESSES: [&str; 8] = [
    "/v1/solve?steps=5",
    "/v1/jobs?steps=5",
    "/v1/check",
    "/v1/explain",
    "/v1/convert?to=vrplib",
    "/v1/confidence",
    "/vroom",
    "/v1/solve?steps=5&kind=atsp&to=svg",
];

/// Sends one body; whether it was understood, or what was wrong with the answer.
pub fn run(bytes: &[u8]) -> Result<bool, String> {
    let sum = bytes.iter().fold(0_usize, |sum, &byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let path = ADDRESSES[sum % ADDRESSES.len()];
    let before = PANICS.load(Ordering::SeqCst);
    let status = send(path, bytes).map_err(|error| format!("{path}: no answer: {error}"))?;
    // Jobs fail behind the answer: what they did to the body before may show with this one.
    if PANICS.load(Ordering::SeqCst) > before {
        return Err(format!("{path}: something panicked here, or in the job before"));
    }
    match status {
        200 | 202 => Ok(true),
        400 | 404 | 413 | 422 | 429 => Ok(false),
        status => Err(format!("{path}: {status}")),
    }
}

fn send(path: &str, bytes: &[u8]) -> std::io::Result<u16> {
    let mut stream = TcpStream::connect(address())?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    let length = bytes.len();
    let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n");
    stream.write_all(format!("{head}content-length: {length}\r\n\r\n").as_bytes())?;
    stream.write_all(bytes)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let text = String::from_utf8_lossy(&answer[..answer.len().min(64)]).into_owned();
    let status = text.split_whitespace().nth(1).and_then(|status| status.parse().ok());
    status.ok_or_else(|| std::io::Error::other(format!("`{text}`")))
}

/// The service, started with the first body.
fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let (ready, heard) = mpsc::channel();
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        // Small problems: what is fuzzed is what the service does with them, not how well they are solved.
        let limits = Limits { nodes: 60, queue: 1000, ..Limits::default() };
        let settings = Settings { listen, limits, ..Settings::default() };
        std::thread::spawn(move || {
            let never = std::future::pending::<()>();
            let served = radar_server::serve(
                settings,
                |address| {
                    let _ = ready.send(address);
                },
                never,
            );
            println!("service: ended: {served:?}");
        });
        heard.recv().unwrap_or(listen)
    })
}
