//! Instances are published by name and seed: their bytes may never change, on any number of threads.

mod common;

use radar_problem::Problem;
use radar_sample::{FlowShop, Sample};

/// FNV-1a over the bits of all that a problem states, each part led by its length.
fn hash(problem: &Problem) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |values: &[f64]| {
        let lengths = (values.len() as u64).to_le_bytes();
        for byte in lengths.into_iter().chain(values.iter().flat_map(|value| value.to_bits().to_le_bytes())) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let pairs = |pairs: &Option<Vec<[f64; 2]>>| pairs.iter().flatten().flatten().copied().collect::<Vec<_>>();
    let list = |list: &Option<Vec<f64>>| list.clone().unwrap_or_default();
    take(&problem.distance.values());
    take(&problem.duration.as_ref().map_or_else(Default::default, |table| table.values()));
    take(&list(&problem.demand));
    take(&list(&problem.backhaul));
    take(&list(&problem.service));
    take(&pairs(&problem.windows));
    take(&pairs(&problem.points));
    for value in
        [problem.capacity, problem.limit, problem.max_duration, Some(f64::from(u8::from(problem.open)))]
    {
        take(value.as_slice());
    }
    hash
}

#[test]
fn first_instances_are_frozen() {
    let all: [&[(&str, &str)]; 2] = [&[("n", "23"), ("variant", "AOVRPBLTW")], &[]];
    let tight = [("n", "23"), ("variant", "AOVRPBLTW"), ("preset", "tight")];
    let day = [("n", "23"), ("variant", "AOVRPBLTW"), ("preset", "day")];
    let cluster = [("n", "23"), ("variant", "AOVRPBLTW"), ("pick", "cluster")];
    let found = [
        ("tmat", hash(&common::named("tmat", &[]).sample(1, 0).problem)),
        ("acvrp", hash(&common::named("acvrp", &[]).sample(1, 0).problem)),
        ("skewed small", hash(&common::named("skewed", &[]).sample(1, 0).problem)),
        ("skewed large", hash(&common::named("skewed", &[("skew", "large")]).sample(1, 0).problem)),
        ("asymmetry", hash(&common::named("asymmetry", all[1]).sample(1, 0).problem)),
        ("multitask", hash(&common::named("multitask", all[0]).sample(1, 0).problem)),
        ("multitask mix", hash(&common::named("multitask", all[1]).sample(1, 0).problem)),
        ("multitask tight", hash(&common::named("multitask", &tight).sample(1, 0).problem)),
        ("roads", hash(&common::named("roads", all[0]).sample(1, 0).problem)),
        ("roads tight", hash(&common::named("roads", &tight).sample(1, 0).problem)),
        ("city", hash(&common::named("city", all[0]).sample(1, 0).problem)),
        ("roads day", hash(&common::named("roads", &day).sample(1, 0).problem)),
        ("roads cluster", hash(&common::named("roads", &cluster).sample(1, 0).problem)),
    ];
    assert_eq!(found, FROZEN);
}

const FROZEN: [(&str, u64); 13] = [
    ("tmat", 3_033_355_910_701_593_965),
    ("acvrp", 12_682_758_972_285_841_470),
    ("skewed small", 13_327_043_777_187_878_220),
    ("skewed large", 14_491_183_146_844_103_232),
    ("asymmetry", 9_860_788_620_276_574_067),
    ("multitask", 3_380_453_536_984_324_447),
    ("multitask mix", 861_051_729_881_751_367),
    ("multitask tight", 1_143_055_048_900_973_286),
    ("roads", 7_684_181_922_183_239_637),
    ("roads tight", 18_335_766_156_701_494_076),
    ("city", 17_785_724_452_631_515_499),
    ("roads day", 7_689_300_958_961_971_279),
    ("roads cluster", 18_321_402_588_172_790_080),
];

#[test]
fn the_first_flow_shop_is_frozen() {
    let shop = FlowShop::sample(3, 20, 4, 1, 0);
    assert_eq!(shop.times()[..12], [9, 5, 8, 9, 6, 3, 5, 8, 5, 5, 7, 6]);
}

#[test]
fn threads_do_not_matter() {
    for (name, distribution, _) in common::every(12) {
        // One setting of each distribution is enough for the cities, which take longest.
        if name.starts_with("city") && !name.contains("mix") {
            continue;
        }
        let alone: Vec<Sample> = (3..12).map(|index| distribution.sample(77, index)).collect();
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let together = pool.install(|| distribution.sample_many(77, 3..12));
            assert!(alone == together, "{name} on {threads} threads");
        }
    }
}

#[test]
fn instances_differ_by_seed_and_index() {
    let tmat = common::named("tmat", &[("n", "10")]);
    let first = tmat.sample(1, 0).problem.distance;
    assert_ne!(first, tmat.sample(1, 1).problem.distance);
    assert_ne!(first, tmat.sample(2, 0).problem.distance);
}
