//! What a run keeps of its validation set: references, and what tells whose they are.

use radar_problem::Objective;
use serde::{Deserialize, Serialize};

use crate::config::{Config, Minimise, References, Validation};
use crate::error::TrainError;
use crate::fingerprint;
use crate::folder::Folder;
use crate::label::Reference;

/// References that a session found. Those of runs before there was this do not say what they are the least of, nor of
/// which file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// Where they come from, in words.
    #[serde(default)]
    pub origin: String,
    /// What they are the least of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimise: Option<Minimise>,
    /// What tells the file of the set from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// What tells the set and the search for references from others.
    set: String,
    /// What tells the references themselves from others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sum: Option<String>,
    /// One for each instance, where there is any.
    pub references: Vec<Option<Reference>>,
}

impl Kept {
    /// Of the references to a set, whose file has this content.
    pub(super) fn new(config: &Config, content: &[u8], references: Vec<Option<Reference>>) -> Self {
        Self {
            origin: origin(config),
            minimise: Some(config.data.minimise),
            file: Some(fingerprint::of([content])),
            set: print(config, content),
            sum: sum(&references),
            references,
        }
    }

    /// Reads a file's content; `None` when it is no such file.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    /// Those of a folder; what is no such file, or not as it was written, counts as none.
    pub(super) fn get(folder: &Folder) -> Result<Option<Self>, TrainError> {
        match folder.has(Folder::REFERENCES) {
            true => Ok(Self::from_bytes(&folder.get(Folder::REFERENCES)?).filter(Self::are_whole)),
            false => Ok(None),
        }
    }

    /// Whether they are as they were written; of those before there was a sum nobody knows.
    fn are_whole(&self) -> bool {
        self.sum.is_none() || self.sum == sum(&self.references)
    }

    pub(super) fn put(&self, folder: &Folder) -> Result<(), TrainError> {
        let internal =
            |error: serde_json::Error| TrainError::new("internal", error.to_string(), "please report it");
        folder.put(Folder::REFERENCES, &serde_json::to_vec(self).map_err(internal)?)
    }

    /// Whether they are what a run would find for a set of so many instances, whose file has this content.
    pub(super) fn are_of(&self, config: &Config, content: &[u8], count: usize) -> bool {
        self.set == print(config, content) && self.references.len() == count
    }

    /// Refuses to be held against costs of another kind, or of another set than the one whose file has this content.
    pub fn refuse_others(&self, content: &[u8], objective: Objective) -> Result<(), TrainError> {
        let other = |cause: String, action: String| Err(TrainError::new("other-references", cause, action));
        if !self.are_whole() {
            return other(
                "the references have been changed or damaged".to_owned(),
                "have the run find them again (--resume), or give references of your own (--references)"
                    .to_owned(),
            );
        }
        if let Some(minimise) = self.minimise.filter(|&minimise| Objective::from(minimise) != objective) {
            return other(
                format!("the references are of the least {minimise}, and something else is minimised"),
                format!("give --minimise {minimise}, or references of your own (--references)"),
            );
        }
        if self.file.as_ref().is_some_and(|file| *file != fingerprint::of([content])) {
            return other(
                "the references are of another set than this one".to_owned(),
                "bring back the set of the run (--resume writes it), or give references of your own (--references)"
                    .to_owned(),
            );
        }
        Ok(())
    }
}

/// What tells a set and the search for its references from others.
fn print(config: &Config, content: &[u8]) -> String {
    let Validation { references, search_steps, .. } = &config.validation;
    let how = format!("{:?} {references:?} {search_steps}", config.data.minimise);
    fingerprint::of([content, how.as_bytes()])
}

/// What tells references from others.
fn sum(references: &[Option<Reference>]) -> Option<String> {
    Some(fingerprint::of([&serde_json::to_vec(references).ok()?[..]]))
}

/// Where references come from, in words.
fn origin(config: &Config) -> String {
    match config.validation.references {
        References::None => "none".to_owned(),
        References::Search => format!(
            "search, {} steps each, of the least {}",
            config.validation.search_steps, config.data.minimise
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_held_against_their_own() {
        let config = |set: &str| Config::from_toml("", &[set.to_owned()]).expect("sound");
        let kept = Kept::new(&config("data.minimise=duration"), b"the set", vec![None]);
        let refused = |kept: &Kept, set: &[u8], objective| {
            kept.refuse_others(set, objective).map_err(|error| error.to_string())
        };
        assert_eq!(refused(&kept, b"the set", Objective::Duration), Ok(()));
        let text = refused(&kept, b"the set", Objective::Distance).expect_err("another cost");
        assert!(text.contains("[other-references]") && text.contains("--minimise duration"), "{text}");
        let text = refused(&kept, b"a set", Objective::Duration).expect_err("another set");
        assert!(text.contains("[other-references]") && text.contains("another set"), "{text}");
        // As it was written before there was this.
        let old =
            Kept::from_bytes(br#"{"origin": "search", "set": "ff", "references": [null]}"#).expect("JSON");
        assert_eq!(refused(&old, b"a set", Objective::Distance), Ok(()));
        let written = serde_json::to_vec(&kept).expect("JSON");
        assert_eq!(Kept::from_bytes(&written), Some(kept));
        let plan = Reference { cost: 0.1 + 0.2, optimal: true, routes: vec![vec![0, 1]] };
        let mut kept = Kept::new(&config("seed=1"), b"the set", vec![Some(plan), None]);
        let written = serde_json::to_vec(&kept).expect("JSON");
        assert!(Kept::from_bytes(&written).is_some_and(|kept| kept.are_whole()));
        kept.references[0].as_mut().expect("a plan").cost = 1000.0;
        let text = refused(&kept, b"the set", Objective::Distance).expect_err("a changed cost");
        assert!(text.contains("changed or damaged"), "{text}");
    }

    #[test]
    fn where_nothing_was_searched_nothing_is_said_to_be() {
        let config = |set: &[&str]| {
            let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
            Config::from_toml("", &set).expect("sound")
        };
        assert_eq!(origin(&config(&["validation.references=none"])), "none");
        assert_eq!(
            origin(&config(&["validation.search_steps=7"])),
            "search, 7 steps each, of the least distance"
        );
    }

    #[test]
    fn there_are_as_many_as_instances() {
        let config = Config::default();
        let kept = Kept::new(&config, b"the set", vec![None, None]);
        assert!(kept.are_of(&config, b"the set", 2));
        assert!(!kept.are_of(&config, b"the set", 3) && !kept.are_of(&config, b"a set", 2));
    }
}
