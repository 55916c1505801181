//! Jobs: accepted, watched, cancelled, kept.

#[allow(dead_code)]
mod common;

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use common::{Service, folder, settings, stored, town, with_limits};
use radar_server::Limits;
use serde_json::{Value, json};

/// The events of a job until it ends: name and data.
fn events(service: &Service, id: &str) -> Vec<(String, Value)> {
    let url = service.url(&format!("/v1/jobs/{id}/events"));
    let mut response = ureq::get(url).call().expect("events");
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let (mut events, mut name) = (Vec::new(), String::new());
    for line in BufReader::new(response.body_mut().as_reader()).lines() {
        let line = line.expect("a line");
        if let Some(text) = line.strip_prefix("event: ") {
            name = text.to_owned();
        }
        if let Some(text) = line.strip_prefix("data: ") {
            events.push((name.clone(), serde_json::from_str(text).expect("JSON")));
        }
    }
    events
}

#[test]
fn a_job_is_watched_from_beginning_to_end() {
    let service = Service::start(settings());
    let id = service.accept(&json!({"problem": town(60), "options": {"time": 1.0}}));
    let told = events(&service, &id);
    let (last, job) = told.last().expect("events");
    assert_eq!((last.as_str(), &job["state"]), ("end", &json!("done")));
    let points: Vec<&Value> =
        told.iter().filter(|(name, _)| name == "progress").map(|(_, data)| data).collect();
    let costs: Vec<f64> = points.iter().map(|point| point["cost"].as_f64().expect("a cost")).collect();
    assert!(costs.windows(2).all(|pair| pair[1] <= pair[0]), "{costs:?}");
    assert_eq!(Some(costs[costs.len() - 1]), job["answer"]["cost"].as_f64());
    assert!(points[0]["bound"].is_number(), "a bound comes early: {}", points[0]);
    assert!(points.iter().any(|point| point["plan"].is_array()));
    assert_eq!(job["progress"].as_array().map(Vec::len), Some(points.len()));
    // Who comes late hears the same.
    let again = events(&service, &id);
    assert_eq!(again.iter().filter(|(name, _)| name == "progress").count(), points.len());
    assert_eq!(again.last().map(|(_, job)| &job["answer"]), Some(&job["answer"]));
    let problem = service.get(&format!("/v1/jobs/{id}/problem")).json();
    assert_eq!(problem["distance"][1][2], town(60)["distance"][1][2]);
    let sol = service.get(&format!("/v1/jobs/{id}/answer?to=sol"));
    assert!(sol.text().starts_with("Route #1:"), "{}", sol.text());
}

#[test]
fn a_cancelled_job_keeps_its_best() {
    let service = Service::start(settings());
    let id = service.accept(&json!({"problem": town(80), "options": {"time": 60}}));
    service.wait(&id, "running");
    while service.get(&format!("/v1/jobs/{id}")).json()["plan"].is_null() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let best = service.get(&format!("/v1/jobs/{id}/answer")).json();
    assert!(best["cost"].is_number(), "the best so far can be had: {best}");
    let begun = Instant::now();
    let job = service.delete(&format!("/v1/jobs/{id}")).json();
    assert!(begun.elapsed() < Duration::from_secs(5));
    assert_eq!(job["state"], "cancelled");
    assert_eq!(job["options"]["time"], 60.0);
    assert!(job["answer"]["cost"].as_f64() <= best["cost"].as_f64());
    let warnings = job["answer"]["warnings"].to_string();
    assert!(warnings.contains("interrupted"), "{warnings}");
    assert_eq!(service.delete(&format!("/v1/jobs/{id}")).json()["state"], "cancelled");
}

#[test]
fn a_job_that_waits_can_be_cancelled() {
    let service = Service::start(with_limits(Limits { solves: 1, jobs: 1, ..Limits::default() }));
    let long = json!({"problem": town(40), "options": {"time": 60}});
    let first = service.accept(&long);
    service.wait(&first, "running");
    let second = service.accept(&long);
    let third = service.accept(&long);
    assert_eq!(service.get(&format!("/v1/jobs/{third}")).json()["position"], 1);
    let job = service.delete(&format!("/v1/jobs/{second}")).json();
    assert_eq!((&job["state"], &job["answer"]), (&json!("cancelled"), &json!(null)));
    assert_eq!(service.get(&format!("/v1/jobs/{third}")).json()["position"], 0);
    service.delete(&format!("/v1/jobs/{first}"));
    service.wait(&third, "running");
    service.delete(&format!("/v1/jobs/{third}"));
    assert_eq!(events(&service, &second).last().map(|(name, _)| name.as_str()), Some("end"));
}

#[test]
fn a_job_without_an_answer_says_why() {
    let service = Service::start(settings());
    let mut malformed = town(8);
    malformed["demand"] = json!([0, 1]);
    let refused = service.post("/v1/jobs", json!({"problem": malformed}).to_string()).refusal();
    assert_eq!(refused, (422, "wrong-length".to_owned()));
    let mut problem = town(8);
    problem["vehicles"] = json!(1);
    let id = service.accept(&json!({"problem": problem}));
    let job = service.wait(&id, "failed");
    assert_eq!((&job["error"]["status"], &job["error"]["code"]), (&json!(422), &json!("fleet-too-small")));
    assert_eq!(service.get(&format!("/v1/jobs/{id}/answer")).refusal(), (409, "no-answer".to_owned()));
    let served = service.accept(&json!({"job": id, "options": {"allow_unserved": true}}));
    let job = service.wait(&served, "done");
    assert!(job["answer"]["unserved"][0]["reasons"][0].is_string(), "{job}");
}

#[test]
fn the_same_job_twice_is_one() {
    let service = Service::start(settings());
    let request = json!({"problem": town(5), "options": {"steps": 10}});
    let send =
        || service.post_with("/v1/jobs", &[("idempotency-key", "monday")], &request).json()["id"].clone();
    let first = send();
    assert_eq!(send(), first);
    let other = json!({"problem": town(6), "options": {"steps": 10}});
    let reused = service.post_with("/v1/jobs", &[("idempotency-key", "monday")], &other);
    assert_eq!(reused.refusal(), (422, "key-reused".to_owned()));
    assert_ne!(service.accept(&request), first);
}

#[test]
fn a_plan_to_start_from_is_never_made_worse() {
    let service = Service::start(settings());
    let problem = town(30);
    let first = service.accept(&json!({"problem": problem, "options": {"steps": 3000}}));
    let answer = service.wait(&first, "done")["answer"].clone();
    let again = json!({"job": first, "warm": answer, "options": {"method": "construct"}});
    let second = service.accept(&again);
    let cost = |answer: &Value| answer["cost"].as_f64().expect("a cost");
    assert!(cost(&service.wait(&second, "done")["answer"]) <= cost(&answer));
    let frozen = json!({"routes": answer["routes"], "freeze": vec![1; answer["routes"].as_array().map_or(0, Vec::len)]});
    let third = service.accept(&json!({"job": first, "freeze": frozen, "options": {"steps": 200}}));
    let kept = service.wait(&third, "done")["answer"]["routes"].clone();
    for route in answer["routes"].as_array().expect("routes") {
        assert!(kept.as_array().expect("routes").iter().any(|other| other[0] == route[0]), "{kept}");
    }
}

#[test]
fn a_service_that_ends_in_order_puts_its_jobs_back() {
    let folder = folder("parked");
    let mut service = Service::start(stored(&folder));
    let id = service.accept(&json!({"problem": town(60), "options": {"time": 4}}));
    let waiting = service.accept(&json!({"problem": town(10), "options": {"steps": 10}}));
    service.wait(&id, "running");
    std::thread::sleep(Duration::from_millis(1500));
    let before = service.get(&format!("/v1/jobs/{id}")).json();
    let begun = Instant::now();
    service.close();
    assert!(begun.elapsed() < Duration::from_secs(2), "it does not wait for the budget of a job");
    let service = Service::start(stored(&folder));
    let begun = Instant::now();
    let after = service.wait(&id, "done");
    assert!(begun.elapsed() < Duration::from_secs(4), "what was spent counts");
    assert_eq!(after["created"], before["created"]);
    let cost = |point: &Value| point["cost"].as_f64().expect("a cost");
    let costs: Vec<f64> = after["progress"].as_array().expect("a list").iter().map(cost).collect();
    assert!(costs.windows(2).all(|pair| pair[1] <= pair[0]), "never worse: {costs:?}");
    assert!(cost(&after["answer"]) <= cost(&before["progress"][0]));
    assert_eq!(service.wait(&waiting, "done")["state"], "done");
    drop(service);
    let _ = std::fs::remove_dir_all(&folder);
}
