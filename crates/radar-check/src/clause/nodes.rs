//! Every stop exactly once, nothing else, and a tour in one piece.

use radar_problem::{Instance, Routes};

use super::{Breach, Clause};

pub(super) fn examine(instance: &Instance, routes: &Routes, breaches: &mut Vec<Breach>) {
    if instance.is_tour() {
        tour(routes, breaches);
    }
    // The route that visited each node first.
    let mut visited: Vec<Option<usize>> = vec![None; instance.nodes()];
    for (route, nodes) in routes.iter().enumerate() {
        for (position, &node) in nodes.iter().enumerate() {
            let breach = |clause| Breach::of_route(clause, route).at(position, node);
            match visited.get_mut(node) {
                None => breaches.push(breach(Clause::UnknownNode)),
                Some(_) if !instance.stops().contains(&node) => breaches.push(breach(Clause::DepotInside)),
                Some(Some(first)) => {
                    breaches.push(Breach { other: Some(*first), ..breach(Clause::RepeatedStop) });
                }
                Some(unvisited) => *unvisited = Some(route),
            }
        }
    }
    for node in instance.stops().filter(|&node| visited[node].is_none()) {
        breaches.push(Breach { node: Some(node), ..Breach::of_plan(Clause::MissingStop) });
    }
}

/// One list that starts at node 0; empty lists are passed over, as everywhere.
fn tour(routes: &Routes, breaches: &mut Vec<Breach>) {
    let lists = routes.iter().filter(|nodes| !nodes.is_empty()).count();
    if lists != 1 {
        breaches.push(Breach::of_plan(Clause::TourShape).measured(lists as i64, 1));
    }
    for (route, nodes) in routes.iter().enumerate() {
        match nodes.first() {
            None | Some(0) => {}
            Some(&node) => breaches.push(Breach::of_route(Clause::TourShape, route).at(0, node)),
        }
    }
}
