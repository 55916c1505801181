//! A road matrix for tests, and every distribution there is.
#![allow(dead_code)] // Each test file uses its part.

use std::sync::Arc;

use radar_problem::{Table, Variant};
use radar_sample::{Atlas, Distribution, Roads, catalogue};

/// Places on a bent grid of streets, some of them one-way: metres and seconds, one decimal. Three
/// places cannot be reached or left.
pub fn roads() -> Arc<Atlas> {
    let places = 84;
    let place = |node: usize| [(node % 12) as f64, (node / 12) as f64 + 0.1 * (node % 5) as f64];
    let metres = |from: usize, to: usize| {
        let [across, along] = [0, 1].map(|axis| (place(from)[axis] - place(to)[axis]).abs());
        let detour = if (from * 7 + to * 13) % 10 < 3 && from != to { 90.0 } else { 0.0 };
        100.0 * (across + along) + detour
    };
    let table = |value: &dyn Fn(usize, usize) -> f64| {
        let cut = |node: usize| [5, 40, 77].contains(&node);
        let values =
            (0..places * places).map(|at| (at / places, at % places)).map(|(from, to)| match from == to {
                true => 0.0,
                false if cut(from) && from % 2 == 1 || cut(to) && to % 2 == 0 => f64::INFINITY,
                false => (value(from, to) * 10.0).round() / 10.0,
            });
        Table::from_values(places, places, values.collect())
    };
    let distance = table(&metres);
    let duration = table(&|from, to| metres(from, to) / 8.0 + 3.0 * ((from + 2 * to) % 4) as f64);
    let points = (0..places).map(|node| [41.0 + 0.001 * place(node)[1], -8.0 + 0.001 * place(node)[0]]);
    let roads = Roads::new(distance, Some(duration), Some(points.collect()), 1e5).expect("sound");
    assert_eq!(roads.dropped(), [5, 40, 77]);
    Arc::new(roads.into())
}

/// A distribution by name, on the roads above if it needs any.
pub fn named(name: &str, parameters: &[(&str, &str)]) -> Distribution {
    Distribution::named(name, parameters, Some(roads())).expect("sound")
}

/// Every distribution with every choice of its parameters but the size, with the variant expected.
pub fn every(stops: usize) -> Vec<(String, Distribution, Option<Variant>)> {
    let (stops, roads) = (stops.to_string(), roads());
    let mut all = Vec::new();
    for entry in catalogue::ALL {
        let variants: Vec<String> =
            Variant::every().map(|variant| variant.to_string()).chain(["mix".to_owned()]).collect();
        let choices = |key: &str| -> Vec<String> {
            let owned = |choices: &[&str]| choices.iter().map(|&choice| choice.to_owned()).collect();
            match key {
                "n" => vec![stops.clone()],
                "variant" => variants.clone(),
                "preset" => owned(&["paper", "tight", "day"]),
                "skew" => owned(&["small", "large"]),
                "sigma" => owned(&["0.1", "0.3", "2"]),
                "pick" => owned(&["uniform", "cluster"]),
                other => panic!("no choices for `{other}`"),
            }
        };
        let mut settings: Vec<Vec<(&str, String)>> = vec![Vec::new()];
        for parameter in entry.parameters {
            settings = settings
                .iter()
                .flat_map(|setting| {
                    choices(parameter.name).into_iter().map(move |choice| {
                        setting.iter().cloned().chain([(parameter.name, choice)]).collect()
                    })
                })
                .collect();
        }
        for setting in settings {
            let given: Vec<(&str, &str)> =
                setting.iter().map(|(key, value)| (*key, value.as_str())).collect();
            let distribution =
                Distribution::named(entry.name, &given, Some(Arc::clone(&roads))).expect("sound");
            let default = if entry.name == "multitask" { "mix" } else { "ACVRP" };
            let variant =
                given.iter().find(|(key, _)| *key == "variant").map_or(default, |(_, value)| *value);
            all.push((format!("{} {given:?}", entry.name), distribution, variant.parse().ok()));
        }
    }
    all
}
