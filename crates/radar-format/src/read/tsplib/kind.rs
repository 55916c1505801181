//! What a `TYPE` declares.

use radar_problem::Kind;

use super::scan::Sheet;
use crate::FormatError;
use crate::read::shown::shown;

/// Tour or routes, and whether those are open.
pub(super) struct Declared {
    pub kind: Kind,
    pub open: bool,
}

/// Reads `TYPE`: a tour, or letters around `VRP`. `O` opens the routes; other letters name features
/// whose keys or sections must then be there.
pub(super) fn declared(sheet: &Sheet<'_>) -> Result<Declared, FormatError> {
    let (line, text) = sheet.text("TYPE")?;
    let name = text.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
    if name == "ATSP" || name == "TSP" {
        return Ok(Declared { kind: Kind::Atsp, open: false });
    }
    let letters = name.split_once("VRP").and_then(|(before, after)| {
        let before = taken(before, &["A", "C", "D", "O"])?;
        let after = taken(after, &["B", "L", "TW"])?;
        Some([before, after].concat())
    });
    let Some(letters) = letters else {
        return Err(FormatError::new(
            "unknown-type",
            format!("line {line}: TYPE is `{}`", shown(&text, 40)),
            "give ATSP, TSP, ACVRP, CVRP, DCVRP, OVRP, VRPTW, CVRPTW, VRPB, VRPBTW or A[O]VRP[B][L][TW]",
        ));
    };
    for letter in &letters {
        let (needed, present) = match *letter {
            "D" | "L" => ("DISTANCE", sheet.entry("DISTANCE").is_some()),
            "B" => ("BACKHAUL_SECTION", sheet.section("BACKHAUL_SECTION").is_some()),
            "TW" => ("TIME_WINDOW_SECTION", sheet.section("TIME_WINDOW_SECTION").is_some()),
            _ => continue,
        };
        if !present {
            return Err(announced(&format!("TYPE {name}"), line, needed));
        }
    }
    Ok(Declared { kind: Kind::Vrp, open: letters.contains(&"O") })
}

/// Refuses routes with a key or section that makes no sense without amounts, and no amounts: a
/// capacity would bind nothing, and those who hand over would have nothing.
pub(super) fn amounts_where_announced(sheet: &Sheet<'_>) -> Result<(), FormatError> {
    let capacity = sheet.entry("CAPACITY").map(|entry| (entry.key, entry.line));
    let backhaul = sheet.section("BACKHAUL_SECTION").map(|section| (section.name, section.line));
    match capacity.or(backhaul).filter(|_| sheet.section("DEMAND_SECTION").is_none()) {
        Some((key, line)) => Err(announced(key, line, "DEMAND_SECTION")),
        None => Ok(()),
    }
}

fn announced(key: &str, line: usize, needed: &str) -> FormatError {
    FormatError::new(
        "missing-key",
        format!("{key} (line {line}) announces `{needed}`, which is not there"),
        format!("add it, or correct {key}; the file may be cut off"),
    )
}

/// Splits `text` into `letters`, each at most once and in any order.
fn taken(mut text: &str, letters: &[&'static str]) -> Option<Vec<&'static str>> {
    let mut taken = Vec::new();
    while !text.is_empty() {
        let letter = letters.iter().find(|letter| text.starts_with(**letter))?;
        if taken.contains(letter) {
            return None;
        }
        taken.push(*letter);
        text = text.strip_prefix(letter)?;
    }
    Some(taken)
}
