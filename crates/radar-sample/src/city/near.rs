//! Finding what lies near a place without looking at everything.

use super::Place;

/// Numbered places in square buckets.
pub(super) struct Near {
    cell: f64,
    columns: usize,
    rows: usize,
    buckets: Vec<Vec<(usize, Place)>>,
}

impl Near {
    /// Buckets of side `cell` over the rectangle from the origin to `size`.
    pub fn new(size: Place, cell: f64) -> Self {
        let count = |length: f64| (length / cell).floor().max(0.0) as usize + 1;
        let (columns, rows) = (count(size[0]), count(size[1]));
        Self { cell, columns, rows, buckets: vec![Vec::new(); columns * rows] }
    }

    /// Adds a place under a number.
    pub fn insert(&mut self, number: usize, place: Place) {
        let (column, row) = (self.column(place[0]), self.row(place[1]));
        self.buckets[row * self.columns + column].push((number, place));
    }

    /// Every place at most `reach` away from `place`, in an order that depends only on what was
    /// inserted and when.
    pub fn within(&self, place: Place, reach: f64) -> Vec<(usize, Place)> {
        let mut found = Vec::new();
        for row in self.row(place[1] - reach)..=self.row(place[1] + reach) {
            for column in self.column(place[0] - reach)..=self.column(place[0] + reach) {
                let bucket = &self.buckets[row * self.columns + column];
                found.extend(bucket.iter().filter(|(_, other)| distance(place, *other) <= reach));
            }
        }
        found
    }

    fn column(&self, x: f64) -> usize {
        ((x / self.cell).max(0.0) as usize).min(self.columns - 1)
    }

    fn row(&self, y: f64) -> usize {
        ((y / self.cell).max(0.0) as usize).min(self.rows - 1)
    }
}

/// The straight distance between two places.
pub(super) fn distance(from: Place, to: Place) -> f64 {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    (x * x + y * y).sqrt()
}

/// The direction from one place to another as a unit vector; zero when they coincide.
pub(super) fn heading(from: Place, to: Place) -> Place {
    let length = distance(from, to);
    if length == 0.0 { [0.0, 0.0] } else { [(to[0] - from[0]) / length, (to[1] - from[1]) / length] }
}

/// The cosine of the angle between two unit vectors.
pub(super) fn dot(first: Place, second: Place) -> f64 {
    first[0] * second[0] + first[1] * second[1]
}

/// The place half way between two others.
pub(super) fn middle(first: Place, second: Place) -> Place {
    [(first[0] + second[0]) / 2.0, (first[1] + second[1]) / 2.0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use radar_kernel::random::Stream;

    #[test]
    fn buckets_find_what_a_full_search_finds() {
        let mut stream = Stream::new(1, "near", 0);
        let places: Vec<Place> =
            (0..300).map(|_| [stream.uniform(0.0, 90.0), stream.uniform(0.0, 50.0)]).collect();
        let mut near = Near::new([90.0, 50.0], 7.0);
        places.iter().enumerate().for_each(|(number, &place)| near.insert(number, place));
        for &place in &places {
            let mut found: Vec<usize> =
                near.within(place, 12.0).into_iter().map(|(number, _)| number).collect();
            found.sort_unstable();
            let all = (0..300).filter(|&number| distance(place, places[number]) <= 12.0);
            assert_eq!(found, all.collect::<Vec<_>>());
        }
    }
}
