//! The choices that are no parts: what they change lies in several places, or inside one part.

use crate::family::choice;

choice! {
    /// What the decoder builds.
    Task {
        /// One tour; the query knows the first node.
        Atsp = "atsp",
        /// Routes with a capacity; the query knows the load left.
        Acvrp = "acvrp",
        /// Routes with any of the features; the query knows the state of the route.
        Vrp = "vrp",
    }
}

choice! {
    /// How singular vectors are found.
    Sketch {
        /// By power iterations on a random block.
        Randomised = "randomised",
        /// To machine precision.
        Exact = "exact",
    }
}

choice! {
    /// The sign of each pair of singular vectors.
    Signs {
        /// As it comes.
        Free = "free",
        /// The entry of largest magnitude in each left vector is positive.
        Fixed = "fixed",
    }
}

choice! {
    /// Which normalisation comes last in each iteration of Sinkhorn's, and so holds exactly.
    Ends {
        /// Each iteration does rows, then columns.
        Columns = "columns",
        /// Each iteration does columns, then rows.
        Rows = "rows",
    }
}
