//! Who comes in, how many at once, and what happens to those who do not.

#[allow(dead_code)]
mod common;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use common::{Service, settings, town, with_limits};
use radar_server::{Limits, Settings};
use serde_json::json;

#[test]
fn keys_hosts_and_origins_are_asked_for() {
    let key = "a-key-of-some-length";
    let origins = vec!["https://friend.example".to_owned()];
    let service = Service::start(Settings { keys: vec![key.to_owned()], origins, ..settings() });
    assert_eq!(service.get("/health").status, 200);
    assert_eq!(service.get("/").status, 200);
    let locked = service.get("/v1/about");
    assert_eq!(locked.refusal(), (401, "key-missing".to_owned()));
    assert_eq!(locked.header("www-authenticate"), "Bearer");
    assert_eq!(service.get_with("/v1/about", &[("authorization", "Bearer wrong")]).status, 401);
    let bearer = format!("Bearer {key}");
    assert_eq!(service.get_with("/v1/about", &[("authorization", &bearer)]).status, 200);
    assert_eq!(service.get_with("/v1/about", &[("x-api-key", key)]).status, 200);
    assert_eq!(service.get_with("/v1/about", &[("authorization", &format!("bearer {key}"))]).status, 200);
    let from =
        |origin: &str| service.get_with("/v1/about", &[("authorization", &bearer), ("origin", origin)]);
    assert_eq!(from("https://evil.example").refusal(), (403, "foreign-origin".to_owned()));
    let friend = from("https://friend.example");
    assert_eq!(
        (friend.status, friend.header("access-control-allow-origin")),
        (200, "https://friend.example")
    );
    assert_eq!(from(&format!("http://{}", service.address)).status, 200);
    let named = service.get_with("/health", &[("host", "evil.example")]);
    assert_eq!(named.refusal(), (421, "unknown-host".to_owned()));
}

#[test]
fn who_ends_it_is_heard_before_anybody_is_told_the_address() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let listening = std::sync::Arc::new(AtomicBool::new(false));
    let heard = std::sync::Arc::clone(&listening);
    let mut polls = 0;
    let ended = std::future::poll_fn(move |context| {
        listening.store(true, Ordering::SeqCst);
        polls += 1;
        context.waker().wake_by_ref();
        if polls > 3 { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    });
    radar_server::serve(settings(), |_| assert!(heard.load(Ordering::SeqCst)), ended).expect("served");
    radar_server::serve(settings(), |_| panic!("it was over before"), std::future::ready(()))
        .expect("served");
}

#[test]
fn too_many_are_turned_away_at_once_and_nobody_loses_an_answer() {
    let limits = Limits { solves: 1, jobs: 1, queue: 2, ..Limits::default() };
    let service = Service::start(with_limits(limits));
    let body = town(40).to_string();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let callers: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let begun = Instant::now();
                    let answer = service.post("/v1/solve?time=0.4", &body);
                    (answer, begun.elapsed())
                })
            })
            .collect();
        callers.into_iter().map(|caller| caller.join().expect("answered")).collect()
    });
    let (served, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|(answer, _)| answer.status == 200);
    assert!((2..=4).contains(&served.len()), "{} served", served.len());
    for (answer, _) in &served {
        assert!(answer.json()["cost"].is_number());
    }
    for (answer, took) in &refused {
        assert_eq!(answer.refusal(), (429, "queue-full".to_owned()));
        assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| seconds >= 1));
        assert!(*took < Duration::from_millis(300), "refused only after {took:?}");
    }
    assert_eq!(service.get("/ready").json()["waiting"], 0);
}

#[test]
fn who_hangs_up_is_not_worked_for() {
    let service = Service::start(settings());
    let body = town(60).to_string();
    let mut stream = std::net::TcpStream::connect(service.address).expect("connected");
    let head = format!(
        "POST /v1/solve?time=9 HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let until = |running: u64| {
        let begun = Instant::now();
        while service.get("/ready").json()["running"] != running {
            assert!(begun.elapsed() < Duration::from_secs(5), "never {running} at work");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    until(1);
    drop(stream);
    until(0);
}

#[test]
fn a_job_that_waits_for_memory_takes_it_from_nobody() {
    let limits = Limits { solves: 3, jobs: 2, memory: 40 << 20, ..Limits::default() };
    let service = Service::start(with_limits(limits));
    let long = json!({"problem": town(300), "options": {"time": 20}});
    let first = service.accept(&long);
    service.wait(&first, "running");
    let second = service.accept(&long);
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(service.get(&format!("/v1/jobs/{second}")).json()["state"], "queued");
    let plan = json!({"problem": town(5), "plan": [[1, 2], [3, 4, 5]]});
    assert_eq!(service.post("/v1/check", plan.to_string()).status, 200);
    service.delete(&format!("/v1/jobs/{first}"));
    service.wait(&second, "running");
    service.delete(&format!("/v1/jobs/{second}"));
}

#[test]
fn jobs_are_accepted_until_the_line_is_full() {
    let limits = Limits { solves: 4, jobs: 1, queue: 3, ..Limits::default() };
    let service = Service::start(with_limits(limits));
    let long = json!({"problem": town(20), "options": {"time": 60}});
    let first = service.accept(&long);
    service.wait(&first, "running");
    let rest: Vec<String> = (0..3).map(|_| service.accept(&long)).collect();
    let refused = service.post("/v1/jobs", long.to_string());
    assert_eq!(refused.refusal(), (429, "queue-full".to_owned()));
    assert_eq!(service.post("/v1/solve?steps=10", town(5).to_string()).status, 200, "cores are idle");
    service.delete(&format!("/v1/jobs/{}", rest[0]));
    let again = Instant::now();
    while service.post("/v1/jobs", long.to_string()).status != 202 {
        assert!(again.elapsed() < Duration::from_secs(2), "who is cancelled gives its place to others");
    }
    for id in rest.iter().chain([&first]) {
        service.delete(&format!("/v1/jobs/{id}"));
    }
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let service = Service::start(with_limits(Limits { connections: 4, ..Limits::default() }));
    let silent: Vec<std::net::TcpStream> =
        (0..3).map(|_| std::net::TcpStream::connect(service.address).expect("connected")).collect();
    assert_eq!(service.get("/health").status, 200);
    drop(silent);
}

#[test]
fn memory_is_forecast() {
    let service = Service::start(with_limits(Limits { memory: 18 << 20, ..Limits::default() }));
    assert_eq!(service.post("/v1/solve?steps=10", town(20).to_string()).status, 200);
    assert_eq!(
        service.post("/v1/solve", town(300).to_string()).refusal(),
        (422, "too-much-memory".to_owned())
    );
}

/// A routing engine that answers once with `body`.
fn engine(status: &'static str, body: String) -> (String, std::thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a caller");
        let mut request = vec![0; 65536];
        let read = stream.read(&mut request).expect("a request");
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).expect("answered");
        stream.write_all(body.as_bytes()).expect("answered");
        String::from_utf8_lossy(&request[..read]).into_owned()
    });
    (url, thread)
}

#[test]
fn an_engine_is_asked_only_if_it_is_allowed() {
    let table = json!({
        "code": "Ok",
        "durations": [[0, 60, 90], [70, 0, 30], [80, 40, 0]],
        "distances": [[0, 600, 900], [700, 0, 300], [800, 400, 0]],
        "sources": [{"location": [2.0, 48.0]}, {"location": [2.1, 48.1]}, {"location": [2.2, 48.2]}],
        "destinations": [{"location": [2.0, 48.0]}, {"location": [2.1, 48.1]}, {"location": [2.2, 48.2]}],
    });
    let (url, thread) = engine("200 OK", table.to_string());
    let allowed = format!("town:osrm={url}").parse().expect("an engine");
    let service = Service::start(Settings { engines: vec![allowed], ..settings() });
    let problem = json!({
        "version": 1, "kind": "vrp", "points": [[48.0, 2.0], [48.1, 2.1], [48.2, 2.2]],
        "demand": [0, 1, 1], "capacity": 2,
    });
    let refused = json!({"problem": problem, "engine": "http://169.254.169.254"});
    let refused = service.post("/v1/solve", refused.to_string()).refusal();
    assert_eq!(refused, (422, "engine-not-allowed".to_owned()));
    let answer = service.post("/v1/solve", json!({"problem": problem, "engine": "town"}).to_string());
    assert_eq!((answer.status, &answer.json()["cost"]), (200, &json!(1700.0)), "{}", answer.text());
    let asked = thread.join().expect("asked");
    assert!(asked.starts_with("GET /table/v1/driving/2,48;2.1,48.1;2.2,48.2?annotations="), "{asked}");
}

#[test]
fn an_engine_that_fails_is_named() {
    let (url, thread) = engine("400 Bad Request", "{\"code\":\"TooBig\"}".to_owned());
    let allowed = format!("valhalla={url}").parse().expect("an engine");
    let service = Service::start(Settings { engines: vec![allowed], ..settings() });
    let problem = json!({"version": 1, "kind": "atsp", "points": [[48.0, 2.0], [48.1, 2.1]]});
    let answer = service.post("/v1/solve", json!({"problem": problem, "engine": url}).to_string());
    assert_eq!(answer.refusal(), (502, "engine-failed".to_owned()));
    assert!(
        answer.json()["detail"].as_str().is_some_and(|text| text.contains("TooBig")),
        "{}",
        answer.text()
    );
    assert!(thread.join().expect("asked").starts_with("POST /sources_to_targets"));
}
