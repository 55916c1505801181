use super::*;

/// Points on a line, distances in metres with one-way detours, durations in tenths of seconds.
fn line(nodes: usize) -> Roads {
    let metres = |from: usize, to: usize| (to.abs_diff(from) * 100 + usize::from(from > to) * 30) as f64;
    let table = |scale: f64| {
        let values = (0..nodes * nodes).map(|at| metres(at / nodes, at % nodes) * scale);
        Table::from_values(nodes, nodes, values.map(|value| (value * 10.0).round() / 10.0).collect())
    };
    let points = (0..nodes).map(|node| [node as f64 / 100.0, 8.0]).collect();
    Roads::new(table(1.0), Some(table(0.1)), Some(points), f64::INFINITY).expect("sound")
}

#[test]
fn subsets_are_without_replacement_and_keep_all_parts_together() {
    let roads = line(50);
    for index in 0..40 {
        let ground = roads.ground(Pick::Uniform, 20, 3, index);
        let points = ground.points.expect("kept");
        let duration = ground.duration.expect("kept");
        let places: Vec<usize> = points.iter().map(|point| (point[0] * 100.0).round() as usize).collect();
        for (row, &from) in places.iter().enumerate() {
            for (column, &to) in places.iter().enumerate() {
                assert!(row == column || from != to, "drawn twice");
                let metres = (to.abs_diff(from) * 100 + usize::from(from > to) * 30) as f64;
                assert_eq!(ground.distance.at(row, column), metres);
                assert_eq!(duration.at(row, column), metres / 10.0);
            }
        }
    }
}

#[test]
fn every_point_is_as_likely() {
    let roads = line(10);
    let mut counts = [0_u32; 10];
    for index in 0..3000 {
        let ground = roads.ground(Pick::Uniform, 3, 3, index);
        ground.points.iter().flatten().for_each(|point| counts[(point[0] * 100.0).round() as usize] += 1);
    }
    assert!(counts.iter().all(|&count| (780..1020).contains(&count)), "{counts:?}");
}

#[test]
fn clusters_are_the_nearest_points_around_node_zero() {
    let roads = line(50);
    for index in 0..40 {
        let points = roads.ground(Pick::Cluster, 7, 3, index).points.expect("kept");
        let places: Vec<i64> = points.iter().map(|point| (point[0] * 100.0).round() as i64).collect();
        let centre = places[0];
        let reach = places.iter().map(|place| (place - centre).abs()).max().expect("seven points");
        let edge = centre.min(49 - centre).min(3);
        assert_eq!(reach, 6 - edge, "{places:?}");
        assert!(places.windows(2).all(|two| (two[0] - centre).abs() <= (two[1] - centre).abs()));
    }
}

#[test]
fn coinciding_points_leave_the_centre_first() {
    assert_eq!(nearest(&[[1.0, 1.0]; 4], 2, 3), [2, 0, 1]);
}

#[test]
fn points_that_cannot_be_reached_are_dropped() {
    let far = f64::INFINITY;
    // Node 1 cannot be left, node 3 is 200,000 km away from everything.
    let rows = vec![
        vec![0.0, 1.0, 2.0, 2e5, 5.0],
        vec![far, 0.0, far, 2e5, far],
        vec![2.5, 1.0, 0.0, 2e5, 1.0],
        vec![2e5, 2e5, 2e5, 0.0, 2e5],
        vec![5.0, 1.0, 2.0, 2e5, 0.0],
    ];
    let roads = Roads::new(Table::from_rows(rows), None, None, 1e5).expect("sound");
    assert_eq!(roads.dropped(), [1, 3]);
    assert_eq!(*roads.distance.values(), [0.0, 2.0, 5.0, 2.5, 0.0, 1.0, 5.0, 2.0, 0.0]);
    assert!(!roads.has_points());
}

#[test]
fn nonsense_is_refused() {
    let square = |values: [f64; 4]| Table::from_values(2, 2, values.to_vec());
    let sound = || square([0.0, 1.0, 2.0, 0.0]);
    let new = |distance, duration, points| Roads::new(distance, duration, points, 1e5).map(|_| ());
    assert_eq!(new(Table::from_values(2, 3, vec![0.0; 6]), None, None), Err(BadRoads::Sizes));
    assert_eq!(new(sound(), Some(Table::from_values(1, 1, vec![0.0])), None), Err(BadRoads::Sizes));
    assert_eq!(new(sound(), None, Some(vec![[0.0; 2]; 3])), Err(BadRoads::Sizes));
    assert_eq!(new(square([0.0, -1.0, 1.0, 0.0]), None, None), Err(BadRoads::Values));
    assert_eq!(new(square([0.0, f64::NAN, 1.0, 0.0]), None, None), Err(BadRoads::Values));
    assert_eq!(new(sound(), None, Some(vec![[0.0, f64::NAN]; 2])), Err(BadRoads::Values));
    assert_eq!(new(Table::default(), None, None), Err(BadRoads::Empty));
    assert_eq!(new(square([0.0, 9e99, 1.0, 0.0]), None, None).err(), None, "one node of two is left");
}

#[test]
fn long_decimals_are_rounded_and_short_ones_kept() {
    let table = Table::from_values(2, 2, vec![0.0, 1.0 / 3.0, 2.25, 7.0]);
    let roads = Roads::new(table, None, None, 1e5).expect("sound");
    assert_eq!(*roads.distance.values(), [0.0, 0.333_333, 2.25, 0.0]);
    let single = Table::from_values(2, 2, vec![0.0, f64::from(304.8_f32), 2.25, 0.0]).single();
    let roads = Roads::new(single, None, None, 1e5).expect("sound");
    assert_eq!(*roads.distance.values(), [0.0, 304.8, 2.25, 0.0]);
}
