//! Which stops may follow which.

use radar_problem::{Instance, UNREACHABLE};

/// Whether a route of two stops, the row's and then the column's, is legal (N, N). Whatever begins or ends at the
/// depot is.
pub(crate) fn may_follow(instance: &Instance) -> Vec<bool> {
    let nodes = instance.nodes();
    let mut may = vec![true; nodes * nodes];
    for first in instance.stops() {
        let begun = Begun::at(instance, first);
        for second in instance.stops().filter(|&second| second != first) {
            may[first * nodes + second] =
                begun.is_some_and(|begun| begun.ends_after(instance, first, second));
        }
    }
    may
}

/// A route that has served its first stop.
#[derive(Clone, Copy)]
struct Begun {
    length: i64,
    time: i64,
}

impl Begun {
    fn at(instance: &Instance, stop: usize) -> Option<Self> {
        let begun = Self { length: 0, time: instance.opens(0) };
        begun.drive(instance, 0, stop)?.serve(instance, stop)
    }

    fn drive(self, instance: &Instance, from: usize, to: usize) -> Option<Self> {
        let (length, time) = (instance.distance().at(from, to), instance.duration().at(from, to));
        (length != UNREACHABLE && time != UNREACHABLE).then(|| Self {
            length: self.length.saturating_add(length),
            time: self.time.saturating_add(time),
        })
    }

    fn serve(self, instance: &Instance, stop: usize) -> Option<Self> {
        (self.time <= instance.closes(stop)).then(|| Self {
            time: self.time.max(instance.opens(stop)).saturating_add(instance.service(stop)),
            ..self
        })
    }

    fn ends_after(self, instance: &Instance, first: usize, second: usize) -> bool {
        let amounts = |of: &dyn Fn(usize) -> i64| of(first).saturating_add(of(second)) <= instance.capacity();
        let is_in_order = instance.backhaul(first) == 0 || instance.demand(second) == 0;
        if !is_in_order
            || !amounts(&|stop| instance.demand(stop))
            || !amounts(&|stop| instance.backhaul(stop))
        {
            return false;
        }
        let served = self.drive(instance, first, second).and_then(|route| route.serve(instance, second));
        let Some(served) = served else { return false };
        let ended = if instance.is_open() { Some(served) } else { served.drive(instance, second, 0) };
        ended.is_some_and(|ended| {
            let in_time = instance.is_open() || ended.time <= instance.closes(0);
            let shift = ended.time.saturating_sub(instance.opens(0));
            in_time && ended.length <= instance.limit() && shift <= instance.max_duration()
        })
    }
}
