//! Where junctions stand: a patchwork of districts, each a turned grid or a web of rings and spokes.

use super::Place;
use super::ground::Ground;
use super::near::{Near, distance};
use super::plan::Plan;
use radar_kernel::random::Stream;
use std::f64::consts::TAU;

struct District {
    centre: Place,
    angle: f64,
    /// Distances between neighbouring junctions along the two axes, or along and across rings.
    block: [f64; 2],
    radial: bool,
}

/// Junctions on the open ground. A place belongs to the district whose centre is nearest.
pub(super) fn junctions(plan: &Plan, ground: &Ground, stream: &mut Stream) -> Vec<Place> {
    let districts: Vec<District> = (0..plan.districts).map(|_| District::found(plan, stream)).collect();
    let crowded = 0.4 * plan.block;
    let mut near = Near::new(ground.size, plan.block);
    let mut junctions: Vec<Place> = Vec::new();
    for (number, district) in districts.iter().enumerate() {
        for lattice in district.lattice(distance([0.0, 0.0], ground.size)) {
            let shift = plan.jitter * plan.block;
            let place =
                [lattice[0] + stream.uniform(-shift, shift), lattice[1] + stream.uniform(-shift, shift)];
            let own = distance(place, district.centre);
            let mut others = districts.iter().enumerate().filter(|&(other, _)| other != number);
            let nearest = others.all(|(_, other)| own < distance(place, other.centre));
            if nearest && ground.is_open(place) && near.within(place, crowded).is_empty() {
                near.insert(junctions.len(), place);
                junctions.push(place);
            }
        }
    }
    junctions
}

impl District {
    fn found(plan: &Plan, stream: &mut Stream) -> Self {
        let size = plan.size();
        let radial = stream.chance(plan.radial);
        // Old radial centres lie near the middle, otherwise their rings are mere arcs.
        let (low, high) = if radial { (0.3, 0.7) } else { (0.0, 1.0) };
        let ratio = stream.uniform(1.0, plan.block_ratio);
        let short = plan.block * stream.uniform(0.85, 1.15) / ratio.sqrt();
        Self {
            centre: [stream.uniform(low, high) * size[0], stream.uniform(low, high) * size[1]],
            angle: stream.uniform(0.0, TAU / 4.0),
            block: [short, short * ratio],
            radial,
        }
    }

    /// The regular pattern out to a radius, nearest rings or rows first.
    fn lattice(&self, radius: f64) -> Vec<Place> {
        let (sine, cosine) = (libm::sin(self.angle), libm::cos(self.angle));
        let turned =
            |x: f64, y: f64| [self.centre[0] + cosine * x - sine * y, self.centre[1] + sine * x + cosine * y];
        let mut places = Vec::new();
        if self.radial {
            places.push(self.centre);
            let spacing = self.block[0];
            for ring in 1..=(radius / spacing) as u32 {
                // Spokes split in two whenever the rings have doubled, so that blocks keep their size
                // and spokes run on.
                let spokes = 8_u32 << ring.ilog2();
                for spoke in 0..spokes {
                    let angle = TAU * f64::from(spoke) / f64::from(spokes);
                    let reach = f64::from(ring) * spacing;
                    places.push(turned(reach * libm::cos(angle), reach * libm::sin(angle)));
                }
            }
        } else {
            let count = self.block.map(|side| (radius / side) as i32);
            for row in -count[1]..=count[1] {
                for column in -count[0]..=count[0] {
                    places.push(turned(f64::from(column) * self.block[0], f64::from(row) * self.block[1]));
                }
            }
        }
        places
    }
}
