//! Options that would be ignored are refused: who gives one expects it to do something.

use super::{Args, Method};
use crate::failure::Failure;

/// Refuses what the method asked for does not use.
pub(super) fn refuse(args: &Args) -> Result<(), Failure> {
    let is_neural = args.method == Method::Neural;
    let is_search = matches!(args.method, Method::Auto | Method::Search);
    let is_guided = args.method == Method::Auto && args.model.is_some();
    let network = "is for a network that is asked for, and none is";
    let constructs = "says where construction or a network starts, and search starts from one plan";
    let searches = "is for search, and this method does not search";
    let given = [
        (
            "--model",
            args.model.is_some() && !is_neural && !is_guided,
            "is for a network, and this method uses none",
            "leave it or --method out",
        ),
        (
            "--model",
            is_guided && args.freeze.is_some(),
            "is for a network, which begins every route anew and cannot keep frozen beginnings",
            "leave it or --freeze out",
        ),
        (
            "--augment",
            args.augment.is_some() && !is_neural && !is_guided,
            network,
            "add --model, or leave it out",
        ),
        ("--isa", args.isa.is_some() && !is_neural && !is_guided, network, "add --model, or leave it out"),
        (
            "--starts",
            args.starts.is_some() && is_search && !is_guided,
            constructs,
            "add --method construct, --method neural or --model, or leave it out",
        ),
        ("--searches", args.searches.is_some() && !is_search, searches, "leave it or --method out"),
        (
            "--steps",
            args.steps.is_some() && is_neural,
            "counts the work of search and construction, and a network does neither",
            "give --time, --starts or --augment, or leave it out",
        ),
        (
            "--freeze",
            args.freeze.is_some() && args.method == Method::Construct,
            "is kept by search alone: construction begins every route anew",
            "leave it or --method out",
        ),
    ];
    match given.into_iter().find(|(_, is_unused, ..)| *is_unused) {
        Some((option, _, why, action)) => Err(unused(option, why, action)),
        None => Ok(()),
    }
}

/// Refuses what only many problems use.
pub(super) fn refuse_for_one(args: &Args) -> Result<(), Failure> {
    match args.to {
        Some(_) => Err(unused(
            "--to",
            "is the form of many answers in a folder, and this is one problem",
            "leave it out: the ending of -o names the form",
        )),
        None => Ok(()),
    }
}

fn unused(option: &str, why: &str, action: &str) -> Failure {
    Failure::input("unused-option", format!("{option} {why}"), action)
}
