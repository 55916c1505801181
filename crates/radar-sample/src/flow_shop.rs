//! Flexible flow shops: a scheduling problem of the paper's appendix, and no routing problem.

use radar_kernel::random::Stream;

/// Processing times per stage, job and machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowShop {
    stages: usize,
    jobs: usize,
    machines: usize,
    times: Vec<u8>,
}

impl FlowShop {
    /// Shop number `index` under `seed`: times are independent and uniform on 2..=9. The paper has 3
    /// stages of 4 machines and 20, 50 or 100 jobs.
    pub fn sample(stages: usize, jobs: usize, machines: usize, seed: u64, index: u64) -> Self {
        let mut stream = Stream::new(seed, "flow shop", index);
        let times = (0..stages * jobs * machines).map(|_| 2 + stream.below(8) as u8).collect();
        Self { stages, jobs, machines, times }
    }

    /// How many stages each job passes, in order.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// How many jobs there are.
    pub fn jobs(&self) -> usize {
        self.jobs
    }

    /// How many machines each stage has.
    pub fn machines(&self) -> usize {
        self.machines
    }

    /// How long `machine` of `stage` works on `job`.
    pub fn time(&self, stage: usize, job: usize, machine: usize) -> u32 {
        assert!(stage < self.stages && job < self.jobs && machine < self.machines, "outside of the shop");
        u32::from(self.times[(stage * self.jobs + job) * self.machines + machine])
    }

    /// All times: stages, within them jobs, within them machines.
    pub fn times(&self) -> &[u8] {
        &self.times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_uniform_from_two_to_nine() {
        let mut counts = [0_u32; 12];
        for index in 0..100 {
            let shop = FlowShop::sample(3, 20, 4, 1, index);
            assert_eq!(shop.times().len(), 240);
            shop.times().iter().for_each(|&time| counts[usize::from(time)] += 1);
        }
        assert_eq!(counts[..2], [0, 0]);
        assert_eq!(counts[10..], [0, 0]);
        assert!(counts[2..10].iter().all(|&count| (2800..3200).contains(&count)), "{counts:?}");
    }

    #[test]
    fn times_are_read_stage_by_stage() {
        let shop = FlowShop::sample(3, 5, 4, 1, 0);
        assert_eq!((shop.stages(), shop.jobs(), shop.machines()), (3, 5, 4));
        assert_eq!(shop.time(1, 2, 3), u32::from(shop.times()[20 + 8 + 3]));
        assert_ne!(shop, FlowShop::sample(3, 5, 4, 1, 1));
    }
}
