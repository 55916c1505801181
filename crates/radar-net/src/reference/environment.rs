//! What the public code's environments show the decoder at every step of given actions.

use crate::config::Task;

/// One decided step of a trajectory.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Which nodes may come next (N).
    pub feasible: Vec<bool>,
    /// Numbers about the route so far.
    pub context: Vec<f64>,
    /// Where the vehicle is.
    pub current: usize,
    /// Where it will end.
    pub home: usize,
}

/// How many first moves of every trajectory are forced: a tour's start; the depot and a first stop.
pub fn forced(task: Task) -> usize {
    match task {
        Task::Atsp => 1,
        Task::Acvrp | Task::Vrp => 2,
    }
}

/// The decided steps of a tour through all `nodes`: whatever was visited is closed.
pub fn tour(nodes: usize, actions: &[usize]) -> Vec<Seen> {
    let mut feasible = vec![true; nodes];
    let mut steps = Vec::new();
    for pair in actions.windows(2) {
        feasible[pair[0]] = false;
        let (feasible, context) = (feasible.clone(), Vec::new());
        steps.push(Seen { feasible, context, current: pair[0], home: actions[0] });
    }
    steps
}

/// The decided steps of capacitated routes. `demand` is that of stops 1, 2, ... over the capacity; the
/// depot is node 0. The depot may come next unless the vehicle stands there; a stop may unless it was
/// visited or is too much for what is left. When all is done the vehicle stays at the depot.
pub fn routes(demand: &[f64], actions: &[usize]) -> Vec<Seen> {
    let mut visited = vec![false; demand.len()];
    let mut load = 1.0;
    let mut steps = Vec::new();
    for (at, pair) in actions.windows(2).enumerate() {
        let current = pair[0];
        match current.checked_sub(1) {
            None => load = 1.0,
            Some(stop) => {
                visited[stop] = true;
                load -= demand[stop];
            }
        }
        if at == 0 {
            continue; // The first stop is forced too.
        }
        let done = visited.iter().all(|&visited| visited);
        let fits = |(&visited, &demand): (&bool, &f64)| !visited && load + 1e-5 >= demand;
        let mut feasible = vec![current != 0 || done];
        feasible.extend(visited.iter().zip(demand).map(fits));
        steps.push(Seen { feasible, context: vec![load], current, home: 0 });
    }
    steps
}

/// What the actions cost, the way back to the first included.
pub fn cost(distance: &[f64], nodes: usize, actions: &[usize]) -> f64 {
    let next = actions.iter().cycle().skip(1);
    actions.iter().zip(next).map(|(&from, &to)| distance[from * nodes + to]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tour_closes_what_it_visits() {
        let steps = tour(3, &[1, 2, 0]);
        assert_eq!(steps.len(), 2);
        assert_eq!(steps[0].feasible, [true, false, true]);
        assert_eq!(steps[1].feasible, [true, false, false]);
        assert_eq!((steps[1].current, steps[1].home), (2, 1));
    }

    #[test]
    fn routes_respect_load_and_depot() {
        let steps = routes(&[0.5, 0.6, 0.5], &[0, 1, 3, 0, 2, 0, 0]);
        let feasible: Vec<&[bool]> = steps.iter().map(|step| step.feasible.as_slice()).collect();
        assert_eq!(
            feasible,
            [
                [true, false, false, true],  // at 1: half is left, exactly enough for 3
                [true, false, false, false], // at 3: full
                [false, false, true, false], // at the depot
                [true, false, false, false], // at 2: all visited
                [true, false, false, false], // done
            ]
        );
        assert_eq!(steps[0].context, [0.5]);
        assert_eq!(steps[2].context, [1.0]);
    }

    #[test]
    fn costs_close_the_circle() {
        let distance = [0.0, 1.0, 2.0, 4.0, 0.0, 8.0, 16.0, 32.0, 0.0];
        assert_eq!(cost(&distance, 3, &[0, 1, 2]), 1.0 + 8.0 + 16.0);
        assert_eq!(cost(&distance, 3, &[0, 1, 0, 2, 0]), 1.0 + 4.0 + 2.0 + 16.0);
    }
}
