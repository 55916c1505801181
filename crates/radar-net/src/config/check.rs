//! What a key may be, and the words for when it is not.

use serde_json::Value;

use super::Config;
use crate::error::NetError;

/// What a key may be.
pub(super) enum Valid<'a> {
    /// A whole number between two others, both included.
    Whole(u64, u64),
    /// A number above 0 and at most this.
    Positive(f64),
    /// One of some names.
    One(&'a [&'a str]),
    /// Some of some names, each at most once.
    Several(&'a [&'a str]),
}

impl Valid<'_> {
    pub(super) fn check(&self, key: &str, value: &Value) -> Result<(), NetError> {
        let named = |value: &Value, names: &[&str]| value.as_str().is_some_and(|name| names.contains(&name));
        let good = match self {
            Self::Whole(low, high) => value.as_u64().is_some_and(|number| (*low..=*high).contains(&number)),
            Self::Positive(high) => value.as_f64().is_some_and(|number| number > 0.0 && number <= *high),
            Self::One(names) => named(value, names),
            Self::Several(names) => value.as_array().is_some_and(|list| {
                list.iter().enumerate().all(|(at, item)| named(item, names) && !list[..at].contains(item))
            }),
        };
        if good { Ok(()) } else { Err(self.refusal(key, value)) }
    }

    pub(super) fn refusal(&self, key: &str, value: &Value) -> NetError {
        let valid = match self {
            Self::Whole(low, high) => format!("a whole number from {low} to {high}"),
            Self::Positive(high) => format!("a number above 0, at most {high}"),
            Self::One(names) => format!("one of {}", names.join(", ")),
            Self::Several(names) => format!("a list of {}, each at most once", names.join(", ")),
        };
        NetError::new("config", format!("`{key}` is {value}"), format!("give {valid}"))
    }
}

pub(super) fn unknown_key(key: &str) -> NetError {
    let known = format!("known are {}", Config::KEYS.join(", "));
    let near = Config::KEYS.iter().copied().find(|known| resembles(key, known));
    let action = match near {
        Some(near) => format!("did you mean `{near}`? {known}"),
        None => known,
    };
    let key: String = key.chars().take(40).collect();
    NetError::new("config", format!("`{key}` is no key of a network"), action)
}

/// Whether two words have the same letters, in any order: what slips of the fingers leave intact.
fn resembles(word: &str, other: &str) -> bool {
    let letters = |word: &str| {
        let mut letters: Vec<char> =
            word.to_lowercase().chars().filter(|letter| letter.is_alphabetic()).collect();
        letters.sort_unstable();
        letters
    };
    letters(word) == letters(other)
}
