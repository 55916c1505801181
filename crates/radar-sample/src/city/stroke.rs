//! Streets as people name them: links that run on in nearly the same direction.

use super::Place;
use super::near::{dot, heading};
use super::skeleton::Link;

/// A chain of links with the direction each is driven in when the chain is followed.
pub(super) type Stroke = Vec<(usize, bool)>;

/// The cosine of the sharpest bend that is still the same street, 55 degrees.
const BEND: f64 = 0.573;

/// Pairs links at each junction, straightest pair first, and follows the chains.
pub(super) fn strokes(junctions: &[Place], links: &[Link]) -> Vec<Stroke> {
    let onward = continuations(junctions, links);
    let mut taken = vec![false; links.len()];
    let mut strokes = Vec::new();
    for start in 0..links.len() {
        if taken[start] {
            continue;
        }
        // Walk back to one end of the street, or once round if it is a ring; then follow it.
        let (mut link, mut forward) = (start, true);
        while let Some((before, side)) = onward[link][usize::from(!forward)] {
            if before == start {
                break;
            }
            (link, forward) = (before, side == 1);
        }
        let mut stroke = Vec::new();
        loop {
            taken[link] = true;
            stroke.push((link, forward));
            match onward[link][usize::from(forward)] {
                Some((next, side)) if !taken[next] => (link, forward) = (next, side == 0),
                _ => break,
            }
        }
        strokes.push(stroke);
    }
    strokes
}

/// For each link and end, the link that goes on there and which of its own ends is met.
type Continuations = Vec<[Option<(usize, usize)>; 2]>;

fn continuations(junctions: &[Place], links: &[Link]) -> Continuations {
    let mut meeting = vec![Vec::new(); junctions.len()];
    for (number, link) in links.iter().enumerate() {
        for end in 0..2 {
            let away = heading(junctions[link.ends[end]], junctions[link.ends[1 - end]]);
            meeting[link.ends[end]].push((number, end, away));
        }
    }
    let mut onward: Continuations = vec![[None; 2]; links.len()];
    for meeting in meeting {
        let mut pairs = Vec::new();
        for (place, &(first, first_end, first_away)) in meeting.iter().enumerate() {
            for &(second, second_end, second_away) in &meeting[place + 1..] {
                let straight = -dot(first_away, second_away);
                if straight > BEND {
                    pairs.push((straight, (first, first_end), (second, second_end)));
                }
            }
        }
        // A stable sort: equal pairs keep the order of the links.
        pairs.sort_by(|one, other| other.0.total_cmp(&one.0));
        for (_, first, second) in pairs {
            if onward[first.0][first.1].is_none() && onward[second.0][second.1].is_none() {
                onward[first.0][first.1] = Some(second);
                onward[second.0][second.1] = Some(first);
            }
        }
    }
    onward
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(from: usize, to: usize) -> Link {
        Link { ends: [from, to], length: 1.0, bridge: false }
    }

    #[test]
    fn a_crossing_is_two_streets() {
        let junctions = [[0.0, 0.0], [1.0, 0.1], [-1.0, 0.0], [0.0, 1.0], [0.1, -1.0]];
        let links = [link(0, 1), link(0, 3), link(2, 0), link(4, 0)];
        let strokes = strokes(&junctions, &links);
        assert_eq!(strokes, [vec![(2, true), (0, true)], vec![(3, true), (1, true)]]);
    }

    #[test]
    fn a_ring_is_one_street() {
        let junctions: Vec<Place> = (0..12)
            .map(|hour| f64::from(hour) * std::f64::consts::TAU / 12.0)
            .map(|angle| [libm::cos(angle), libm::sin(angle)])
            .collect();
        let links: Vec<Link> = (0..12).map(|hour| link(hour, (hour + 1) % 12)).collect();
        let strokes = strokes(&junctions, &links);
        assert_eq!(strokes.len(), 1);
        assert_eq!(strokes[0].len(), 12);
    }
}
