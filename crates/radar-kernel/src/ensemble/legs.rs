//! Arcs as seen from one of their ends.

/// Those of a stop are side by side. S places, the depot first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Legs<Leg> {
    list: Vec<Leg>,
    /// Where those of a stop end (S).
    until: Vec<usize>,
}

impl<Leg: Copy> Legs<Leg> {
    /// From arcs by their near end, which may come in any order: those of a stop stay in theirs.
    pub fn new(count: usize, arcs: impl Iterator<Item = (usize, Leg)>) -> Self {
        let mut arcs: Vec<(usize, Leg)> = arcs.collect();
        arcs.sort_by_key(|arc| arc.0);
        let until = (0..count).map(|near| arcs.partition_point(|arc| arc.0 <= near)).collect();
        Self { list: arcs.into_iter().map(|arc| arc.1).collect(), until }
    }

    /// Those between some of the stops, which have other places now (S): the others have 0, and `far` finds no leg there.
    pub fn among(&self, places: &[usize], far: impl Fn(&Leg) -> Option<Leg>) -> Self {
        let (mut list, mut until) = (Vec::with_capacity(self.list.len()), Vec::with_capacity(places.len()));
        for (near, _) in places.iter().enumerate().filter(|(near, place)| *near == 0 || **place > 0) {
            list.extend(self.of(near).iter().filter_map(&far));
            until.push(list.len());
        }
        Self { list, until }
    }

    /// Those of a stop.
    pub fn of(&self, stop: usize) -> &[Leg] {
        let from = if stop == 0 { 0 } else { self.until[stop - 1] };
        &self.list[from..self.until[stop]]
    }
}
