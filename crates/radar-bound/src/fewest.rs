//! How many routes a plan needs at least.

use radar_problem::{Instance, NEVER, Objective};

/// What one route may cost at most, where cost is what a constraint measures as well: with `k` routes, the
/// cost of a plan and what is spent `besides` are at most `k` times `per_route`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    pub per_route: i64,
    pub besides: i64,
}

impl Allowance {
    /// All that hold on the costs of an instance. The way back of an open route costs nothing and is
    /// measured by nothing.
    pub fn all(instance: &Instance) -> Vec<Self> {
        let is_single = std::ptr::eq(instance.distance(), instance.duration());
        let by_length = instance.objective() == Objective::Distance || is_single;
        let by_time = instance.objective() == Objective::Duration || is_single;
        let mut all = Vec::new();
        if by_length && instance.limit() < NEVER {
            all.push(Self { per_route: instance.limit(), besides: 0 });
        }
        if let Some(longest) = longest(instance).filter(|_| by_time) {
            // Waiting comes on top, so that travel and service alone fit into the time of all routes.
            let service = instance.stops().map(|stop| instance.service(stop)).fold(0, i64::saturating_add);
            all.push(Self { per_route: longest, besides: service });
        }
        all
    }

    /// The fewest routes of plans that cost at least `base` and `more` with every route.
    pub fn fewest(self, base: i64, more: i64) -> usize {
        let need = i128::from(base) + i128::from(self.besides);
        let room = i128::from(self.per_route) - i128::from(more);
        // Without room there is no plan at all, which is not for a bound to say.
        if need <= 0 || room <= 0 { 0 } else { usize::try_from((need + room - 1) / room).unwrap_or(0) }
    }
}

/// The longest time from the depot's opening to the end of any route, if that is bounded.
fn longest(instance: &Instance) -> Option<i64> {
    let opening = instance.opens(0);
    let end = |stop: usize| instance.closes(stop).saturating_add(instance.service(stop));
    let last = match instance.is_open() {
        true => instance.stops().map(end).max()?,
        false => instance.closes(0),
    };
    let longest = last.saturating_sub(opening).min(instance.max_duration());
    (longest < NEVER / 2).then_some(longest)
}

/// The fewest routes that hold all amounts.
pub(crate) fn by_amounts(instance: &Instance) -> usize {
    let fewest = |amount: fn(&Instance, usize) -> i64| {
        bins(instance.stops().map(|stop| amount(instance, stop)).collect(), instance.capacity())
    };
    let some = usize::from(!instance.stops().is_empty());
    fewest(Instance::demand).max(fewest(Instance::backhaul)).max(some)
}

/// How many bins of a capacity the sizes need at least (Martello and Toth's second bound).
///
/// For any threshold up to half the capacity: what exceeds half needs a bin each; of these bins, those with
/// more than the capacity less the threshold take nothing else of at least the threshold; so what lies
/// between the threshold and half must fit into the room of the other bins, or into further ones.
fn bins(mut sizes: Vec<i64>, capacity: i64) -> usize {
    sizes.retain(|&size| size > 0);
    if sizes.is_empty() || capacity <= 0 {
        return 0;
    }
    sizes.sort_unstable();
    let capacity = i128::from(capacity);
    let mut sums = vec![0_i128];
    for &size in &sizes {
        sums.push(sums[sums.len() - 1] + i128::from(size));
    }
    let small = sizes.partition_point(|&size| 2 * i128::from(size) <= capacity);
    let mut most = 1;
    for from in 0..=small {
        // Where none of the small ones counts, the large ones alone do.
        let threshold = if from < small { i128::from(sizes[from]) } else { 0 };
        let lone = sizes.partition_point(|&size| i128::from(size) <= capacity - threshold).max(small);
        let room = (lone - small) as i128 * capacity - (sums[lone] - sums[small]);
        let rest = (sums[small] - sums[from] - room).max(0);
        let further = usize::try_from((rest + capacity - 1) / capacity).unwrap_or(0);
        most = most.max(sizes.len() - small + further);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    #[test]
    fn known_bins() {
        assert_eq!(bins(vec![], 10), 0);
        assert_eq!(bins(vec![0, 0], 10), 0);
        assert_eq!(bins(vec![5, 5, 5], 10), 2);
        assert_eq!(bins(vec![6, 6, 6], 10), 3); // the sum alone says 2
        assert_eq!(bins(vec![6, 6, 6, 5, 5], 10), 4); // none of the fives fits beside a six
        assert_eq!(bins(vec![6, 6, 6, 4, 4, 4], 10), 3);
        assert_eq!(bins(vec![1; 10], i64::MAX), 1);
        assert_eq!(bins(vec![3], 0), 0);
    }

    /// The fewest bins, by putting each size into each bin.
    fn pack(sizes: &[i64], capacity: i64, loads: &mut Vec<i64>, fewest: &mut usize) {
        if loads.len() >= *fewest {
            return;
        }
        let Some((&size, rest)) = sizes.split_first() else {
            *fewest = loads.len();
            return;
        };
        for bin in 0..loads.len() {
            if loads[bin] + size <= capacity {
                loads[bin] += size;
                pack(rest, capacity, loads, fewest);
                loads[bin] -= size;
            }
        }
        loads.push(size);
        pack(rest, capacity, loads, fewest);
        loads.pop();
    }

    #[test]
    fn never_more_bins_than_needed() {
        let mut stream = Stream::new(1, "bins", 0);
        let mut tight = 0;
        for _ in 0..2000 {
            let capacity = stream.between(1, 30);
            let sizes: Vec<i64> = (0..stream.between(1, 8)).map(|_| stream.between(1, capacity)).collect();
            let mut fewest = usize::MAX;
            pack(&sizes, capacity, &mut Vec::new(), &mut fewest);
            let sum: i64 = sizes.iter().sum();
            let found = bins(sizes.clone(), capacity);
            assert!(found <= fewest, "{sizes:?} in {capacity}: {found} above {fewest}");
            assert!(found as i64 >= (sum + capacity - 1) / capacity);
            tight += usize::from(found == fewest);
        }
        assert!(tight > 1900, "{tight}");
    }
}
