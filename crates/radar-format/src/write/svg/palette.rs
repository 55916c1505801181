//! Colours that people with any colour vision can tell apart, and that show on white.

const COLOURS: [&str; 9] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#332288", "#882255", "#56b4e9", "#777733"];

const DASHES: [&str; 4] = ["", "7 3", "2 3", "9 3 2 3"];

/// The colour of a route.
pub(crate) fn colour(route: usize) -> &'static str {
    COLOURS[route % COLOURS.len()]
}

/// The dashes of a route's line: solid until the colours repeat.
pub(super) fn dashes(route: usize) -> &'static str {
    DASHES[route / COLOURS.len() % DASHES.len()]
}
