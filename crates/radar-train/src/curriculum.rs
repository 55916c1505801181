//! Sizes over the course of a run.

use radar_kernel::random::Stream;

use crate::config::Stage;

/// The size of a batch: that of the stage which the run has reached, one of its sizes drawn for each step.
pub fn size(stages: &[Stage], seed: u64, step: u64, instances: u64) -> usize {
    let reached = stages.iter().find(|stage| stage.until.is_none_or(|until| instances < until));
    let sizes = reached.or(stages.last()).map_or(&[] as &[usize], |stage| &stage.nodes);
    match sizes {
        [] => 0,
        [one] => *one,
        several => several[Stream::new(seed, "size", step).index(several.len())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_follow_the_instances() {
        let stages = [
            Stage { until: Some(100), nodes: vec![50] },
            Stage { until: Some(200), nodes: vec![100] },
            Stage { until: None, nodes: vec![20, 50, 100] },
        ];
        assert_eq!([0, 99, 100, 199].map(|seen| size(&stages, 1, seen, seen)), [50, 50, 100, 100]);
        let mixed: Vec<usize> = (0..300).map(|step| size(&stages, 1, step, 200)).collect();
        for wanted in [20, 50, 100] {
            let count = mixed.iter().filter(|&&size| size == wanted).count();
            assert!((60..140).contains(&count), "{count} of {wanted}");
        }
        assert_eq!(mixed, (0..300).map(|step| size(&stages, 1, step, 200)).collect::<Vec<_>>());
    }
}
