//! A dispatcher's day: what vehicles hold, how far they go and when stops want them, as in the tables that people have rather than
//! as published. Ours; how full a day is, and of what, is drawn anew for every instance.

use radar_kernel::random::Stream;

use super::windows::Days;
use crate::ruler::Ruler;

/// What a vehicle holds: 8 to 24 stops of the mean amount, however many stops there are.
pub(super) fn capacity(stream: &mut Stream) -> f64 {
    stream.between(40, 120) as f64
}

/// Draws a limit: 1.2 to 3 of the largest round trip.
pub(super) fn limit(ruler: &Ruler<'_>, stream: &mut Stream) -> f64 {
    let longest = (1..ruler.nodes()).map(|stop| ruler.round_trip(stop)).max().unwrap_or(0);
    ruler.stated(longest * stream.between(12, 30) / 10)
}

/// Windows lie on so many parts of the day.
const PARTS: i64 = 20;

/// Draws the windows of a day that begins at 0.
///
/// A day has 30 to 90 mean durations. Up to three fifths of the stops take whoever comes, whenever; the others wait for two to ten
/// twentieths of the day, from one of these on. A window that ends before a vehicle can be there, or begins after the last moment
/// from which it gets home in time, is longer by what is missing. A visit usually takes a tenth to a little more than one mean
/// duration, at one stop half as long and at another half as long again.
pub(super) fn windows(ruler: &Ruler<'_>, stream: &mut Stream) -> Days {
    let mean = ruler.mean();
    let (usual, any_time) = (mean * stream.between(10, 120) / 100, stream.uniform(0.0, 0.6));
    let services: Vec<i64> = (1..ruler.nodes()).map(|_| usual * stream.between(50, 150) / 100).collect();
    // A stop much farther away than most may need more than the day has: then the day is longer.
    let alone = |stop: usize| ruler.round_trip(stop) + services[stop - 1];
    let longest = (1..ruler.nodes()).map(alone).max().unwrap_or(0);
    let day = (mean * stream.between(30, 90)).max(longest);
    let mut windows = vec![[0, day]];
    for (stop, service) in (1..).zip(&services) {
        let length = stream.between(2, 10);
        let begins = stream.between(0, PARTS - length);
        let [opens, closes] = [begins, begins + length].map(|part| day * part / PARTS);
        let (first, last) = (ruler.at(0, stop), day - service - ruler.at(stop, 0));
        let window = [opens.min(last), closes.max(first)];
        windows.push(if stream.chance(any_time) { [0, day] } else { window });
    }
    Days {
        windows: windows.into_iter().map(|window| window.map(|steps| ruler.stated(steps))).collect(),
        service: [0].into_iter().chain(services).map(|steps| ruler.stated(steps)).collect(),
    }
}
