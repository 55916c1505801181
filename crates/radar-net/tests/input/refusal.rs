//! Instances that a network is not made for.

use radar_kernel::isa::Isa;
use radar_net::{Config, Draw, Init, Input, NetError, Task};
use radar_problem::{Problem, Table};

use super::{config, instance, rich, rows};

fn refusal(config: &Config, problem: &Problem) -> Option<NetError> {
    Input::of(config, &instance(problem), Draw::default(), Isa::best()).err()
}

#[test]
fn tasks_take_what_they_are_made_for() {
    let tour = Problem::atsp(Table::from_rows(rows(5, 1)));
    let routes = Problem { capacity: Some(9.0), ..Problem::vrp(Table::from_rows(rows(5, 1))) };
    for (task, problem, parts) in [
        (Task::Atsp, &routes, ["`task` = atsp", "ACVRP", "vrp"]),
        (Task::Acvrp, &tour, ["`task` = acvrp", "ATSP", "atsp"]),
        (Task::Vrp, &tour, ["`task` = vrp", "ATSP", "atsp"]),
        (Task::Acvrp, &rich(5, 1), ["time windows", "a length limit", "pickups"]),
        (Task::Acvrp, &Problem { open: true, ..routes.clone() }, ["AOVRP", "open routes", "`task` is vrp"]),
    ] {
        let error = refusal(&config(task), problem).expect("refused");
        assert_eq!(error.code, "wrong-task");
        assert!(parts.iter().all(|part| error.to_string().contains(part)), "{error}");
    }
    assert_eq!(refusal(&config(Task::Atsp), &tour), None);
    assert_eq!(refusal(&config(Task::Acvrp), &routes), None);
    assert_eq!(refusal(&config(Task::Vrp), &routes), None);
    assert_eq!(refusal(&config(Task::Vrp), &rich(5, 1)), None);
}

#[test]
fn endless_bounds_are_none_to_refuse() {
    let endless = Problem {
        limit: Some(f64::MAX),
        windows: Some(vec![[0.0, f64::INFINITY]; 5]),
        ..Problem::vrp(Table::from_rows(rows(5, 1)))
    };
    assert_eq!(refusal(&config(Task::Acvrp), &endless), None);
    let mut late = endless.clone();
    late.windows.as_mut().expect("windows")[3][0] = 2.0;
    assert!(refusal(&config(Task::Acvrp), &late).is_some());
}

#[test]
fn unit_vectors_must_suffice() {
    let problem = Problem::atsp(Table::from_rows(rows(17, 1)));
    let narrow = |width| Config { init: Init::OneHot, width, ..config(Task::Atsp) };
    assert_eq!(refusal(&narrow(20), &problem), None);
    let error = refusal(&narrow(16), &problem).expect("refused");
    assert_eq!(error.code, "too-many-nodes");
    assert!(["one-hot", "`width` = 16", "17"].iter().all(|part| error.to_string().contains(part)), "{error}");
}
