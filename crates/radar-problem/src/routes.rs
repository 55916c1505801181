//! A plan.

/// Routes as lists of nodes in visiting order, the depot left out. A tour (ATSP) is one list that
/// starts at node 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Routes(pub Vec<Vec<usize>>);

impl Routes {
    /// The routes one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, Vec<usize>> {
        self.0.iter()
    }

    /// How many routes there are, empty ones included.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no route at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<Vec<usize>>> for Routes {
    fn from(routes: Vec<Vec<usize>>) -> Self {
        Self(routes)
    }
}

impl<'a> IntoIterator for &'a Routes {
    type Item = &'a Vec<usize>;
    type IntoIter = std::slice::Iter<'a, Vec<usize>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
