//! The parameters of one city, drawn from the ranges of a family.

use super::City;
use radar_kernel::random::Stream;
use std::ops::RangeInclusive;

/// What is fixed about a city before a single street is laid. Metres, seconds, metres per second.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Width and height of the window that points lie in.
    pub window: [f64; 2],
    /// How far streets go on beyond the window.
    pub margin: f64,
    pub latitude: f64,
    pub districts: usize,
    pub radial: f64,
    pub block: f64,
    pub block_ratio: f64,
    pub jitter: f64,
    pub sparsity: f64,
    pub missing: f64,
    pub winding: f64,
    pub parks: usize,
    pub bridges: usize,
    pub local_speed: f64,
    pub collector_speed: f64,
    pub arterial_speed: f64,
    pub express_speed: f64,
    pub expressways: usize,
    /// Whether points may lie on expressways.
    pub frontage: bool,
    pub speed_spread: f64,
    pub arterial_spacing: f64,
    pub one_way: f64,
    pub seclusion: f64,
    pub alternating: bool,
    pub divided: f64,
    pub turn: f64,
    pub light: f64,
    pub lights: f64,
    pub give_way: f64,
}

impl Plan {
    /// Draws every parameter, in a fixed order, and keeps it where a city can exist at all.
    pub fn draw(city: &City, stream: &mut Stream) -> Self {
        let mut draw = |range: &RangeInclusive<f64>| stream.uniform(*range.start(), *range.end());
        let skew = |range: &RangeInclusive<f64>, unit: f64| {
            range.start() + unit * unit * (range.end() - range.start())
        };
        let squeezed = draw(&(0.0..=1.0)) < city.squeezed;
        let (aspect, missing) = if squeezed {
            (&city.squeezed_aspect, &city.squeezed_missing)
        } else {
            (&city.aspect, &city.missing)
        };
        let long = draw(&city.extent).max(300.0);
        let short = (long / draw(aspect).max(1.0)).max(300.0);
        let upright = draw(&(0.0..=1.0)) < 0.5;
        let kilometres_per_hour = 1.0 / 3.6;
        let local_speed = draw(&city.local_speed).max(1.0) * kilometres_per_hour;
        let arterial_speed = (draw(&city.arterial_speed) * kilometres_per_hour).max(local_speed);
        Self {
            window: if upright { [short, long] } else { [long, short] },
            margin: draw(&city.margin).clamp(0.0, long),
            latitude: draw(&city.latitude).clamp(-80.0, 80.0),
            districts: draw(&city.districts).clamp(1.0, 50.0) as usize,
            radial: draw(&city.radial),
            block: draw(&city.block).clamp(20.0, short / 4.0),
            block_ratio: draw(&city.block_ratio).clamp(1.0, 3.0),
            jitter: draw(&city.jitter).clamp(0.0, 0.5),
            sparsity: draw(&city.sparsity).clamp(1.0, 2.0),
            missing: draw(missing).clamp(0.0, 0.5),
            winding: draw(&city.winding).clamp(0.0, 2.0),
            parks: draw(&city.parks).clamp(0.0, 20.0) as usize,
            bridges: if draw(&(0.0..=1.0)) < city.river {
                draw(&city.bridges).clamp(1.0, 50.0) as usize
            } else {
                0
            },
            local_speed,
            collector_speed: local_speed + draw(&(0.2..=0.7)) * (arterial_speed - local_speed),
            arterial_speed,
            express_speed: (draw(&city.express_speed) * kilometres_per_hour).max(arterial_speed),
            expressways: draw(&city.expressways).clamp(0.0, 20.0) as usize,
            frontage: draw(&(0.0..=1.0)) < city.frontage,
            speed_spread: draw(&city.speed_spread).clamp(0.0, 0.9),
            arterial_spacing: draw(&city.arterial_spacing).max(50.0),
            // Squared: towns with hardly any one-way street are common.
            one_way: skew(&city.one_way, draw(&(0.0..=1.0))),
            seclusion: draw(&city.seclusion).clamp(0.0, 0.9),
            alternating: draw(&(0.0..=1.0)) < city.alternating,
            divided: draw(&city.divided),
            turn: draw(&city.turn).clamp(0.0, 300.0),
            light: draw(&city.light).clamp(0.0, 300.0),
            lights: draw(&city.lights),
            give_way: draw(&city.give_way).clamp(0.0, 300.0),
        }
    }

    /// Width and height of all that has streets; the window lies in its middle.
    pub fn size(&self) -> [f64; 2] {
        self.window.map(|side| side + 2.0 * self.margin)
    }
}
