//! When stops let vehicles in, and what is left of the day.

use radar_problem::Problem;

/// Times as stated, from the depot's opening on; infinite is never.
#[derive(Clone, Debug)]
pub(super) struct Hours {
    nodes: usize,
    /// (N, N)
    durations: Vec<f64>,
    pub service: Vec<f64>,
    pub opens: Vec<f64>,
    /// The last moment to get to a node (N).
    pub latest: Vec<f64>,
    pub end: f64,
    pub has_windows: bool,
}

impl Hours {
    /// Those of a problem with so many routes at least, if anybody can be too early or too late.
    pub fn of(problem: &Problem, routes: usize) -> Option<Self> {
        let nodes = problem.nodes();
        let stated = problem.duration.as_ref().unwrap_or(&problem.distance);
        let entry =
            |at: usize| if at / nodes == at % nodes { 0.0 } else { stated.at(at / nodes, at % nodes) };
        let durations: Vec<f64> = (0..nodes * nodes).map(entry).collect();
        let service = problem.service.clone().unwrap_or_else(|| vec![0.0; nodes]);
        let window = |node: usize| problem.windows.as_ref().map_or([0.0, f64::INFINITY], |list| list[node]);
        let begin = window(0)[0];
        let opens: Vec<f64> = (0..nodes).map(|node| (window(node)[0] - begin).max(0.0)).collect();

        // Nobody is anywhere later than this.
        let longest = durations.iter().copied().filter(|time| time.is_finite()).fold(0.0, f64::max);
        let last_opening = opens.iter().copied().fold(0.0, f64::max);
        let never = last_opening + nodes as f64 * longest + service.iter().sum::<f64>();
        let bound = |time: f64| if time < never { time.max(0.0) } else { f64::INFINITY };
        let closes: Vec<f64> = (0..nodes)
            .map(
                |node| {
                    if node == 0 && problem.open { f64::INFINITY } else { bound(window(node)[1] - begin) }
                },
            )
            .collect();
        let home = closes[0].min(problem.max_duration.map_or(f64::INFINITY, bound));
        let of_day = |stop: usize| match problem.open {
            true => home - service[stop],
            false => home - service[stop] - durations[stop * nodes],
        };
        let last = |node: usize| if node == 0 { home } else { closes[node].min(of_day(node)) };
        let latest: Vec<f64> = (0..nodes).map(last).collect();
        let has_windows = (1..nodes).any(|stop| opens[stop] > durations[stop] || closes[stop] < of_day(stop));

        let mut end = (1..nodes)
            .flat_map(|stop| [opens[stop], latest[stop]])
            .filter(|time| time.is_finite())
            .fold(0.0, f64::max);
        if end > 0.0 && latest[1..].iter().any(|time| time.is_infinite()) {
            let work = |stop: usize| {
                service[stop] + Some(durations[stop]).filter(|time| time.is_finite()).unwrap_or(0.0)
            };
            end += (1..nodes).map(work).sum::<f64>() / routes as f64;
        }
        (end > 0.0).then_some(Self { nodes, durations, service, opens, latest, end, has_windows })
    }

    pub fn drive(&self, from: usize, to: usize) -> f64 {
        self.durations[from * self.nodes + to]
    }

    /// Whether either of two stops may come first, for a quarter of all pairs or more.
    pub fn leave_open(&self) -> bool {
        let can_follow = |one: usize, other: usize| {
            let begins = self.opens[one].max(self.drive(0, one));
            begins + self.service[one] + self.drive(one, other) <= self.latest[other]
        };
        let (mut pairs, mut open) = (0, 0);
        for (one, other) in (1..self.nodes).flat_map(|one| (1..one).map(move |other| (one, other))) {
            pairs += 1;
            open += usize::from(can_follow(one, other) && can_follow(other, one));
        }
        4 * open >= pairs
    }
}
