//! The page, table by table.

use std::fmt::Write;

use radar_problem::{Features, Variant};

use super::kept::{Figures, Kept, Network};
use super::paper::reported;
use super::worth;
use crate::quality::references::theirs;
use crate::rivals::Rival;

const SIZES: [usize; 4] = [100, 200, 500, 1000];

/// The whole page.
pub fn page(kept: &Kept, has_curves: bool, route: &str) -> String {
    let sections = [
        Some(head(kept)),
        sized(kept, "Tours", "ATSP", TOURS),
        sized(kept, "Capacitated routes", "ACVRP", ROUTES),
        beside(kept),
        variants(kept),
        elsewhere(kept),
        Some(route.to_owned()),
        has_curves.then(|| LEARNING.to_owned()),
        (!kept.worth.is_empty()).then(|| worth::section(&kept.worth)),
        Some(losses(kept)),
    ];
    sections.into_iter().flatten().collect::<Vec<String>>().join("\n")
}

const TOURS: &str = "Random matrices closed under the triangle inequality, as in the paper.\n";
const ROUTES: &str = "The same matrices, demands of 1 to 9, capacities 50, 80, 100 and 250. The paper's gaps are to LKH at 10,000 trials, of which it \
says itself that HGS finds plans 1 to 19 % cheaper: its costs compare, its gaps do not.\n";
const LEARNING: &str = "## Learning\n\nEvery network learned in several runs, each begun with the weights of the one before; where validation sets changed between them, curves \
jump. Metrics and configurations of the runs are in `bench/quality/learning`, the curves' data in [learning.csv](learning.csv).\n\n\
![Validation gap over CPU hours](learning.svg)\n";

fn head(kept: &Kept) -> String {
    let mut text = "# Results\n\nMade by `bench/run results` from what `bench/run references`, `bench/run networks --model FILE` and `bench/run worth --model \
                    FILE` have kept in `bench/quality`.\n\n\
                    A network builds a plan from every first stop, greedily, and the best counts: no search, no augmentation. Every plan is checked. Gaps are means over \
                    instances with their standard errors, against the best plan known: proved optimal, or the best of our own search without a network and of the rivals that \
                    were tried (`bench/quality/references` says of every instance who tried, and what each came to). Test sets are drawn from a seed that nothing was trained or chosen by; of the road windows three were kept from \
                    training.\n\n| network | weights | instances seen | CPU hours | instructions |\n|---|---:|---:|---:|---|\n"
        .to_owned();
    for Network { name, card, isa, .. } in &kept.networks {
        let figure = |key: &str| card[key].as_f64().unwrap_or(f64::NAN);
        let width = card["config"]["width"].as_u64().unwrap_or(0);
        let _ = writeln!(
            text,
            "| `{name}` | width {width} | {:.0} | {:.1} | {isa} |",
            figure("instances"),
            figure("cpu_hours")
        );
    }
    text
}

/// Sets of several sizes, in the paper's form.
fn sized(kept: &Kept, title: &str, variant: &str, about: &str) -> Option<String> {
    let rows: Vec<&Figures> =
        SIZES.iter().filter_map(|nodes| kept.of(&format!("{variant} {nodes}"))).collect();
    if rows.is_empty() {
        return None;
    }
    let mut text = format!(
        "## {title}\n\n{about}\n| set | instances | proved | cost | gap | CPU ms each | memory | the paper's cost | its gap |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for row in rows {
        let (cost, gap) = paper(&row.set);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.4} | {} | {:.0} | {:.0} MB | {cost} | {gap} |",
            row.set,
            row.instances(),
            row.proved(),
            row.cost(),
            shown(row),
            row.milliseconds(),
            1024.0 * row.gigabytes,
        );
    }
    Some(text)
}

/// The gap and its standard error, as text.
fn shown(figures: &Figures) -> String {
    let (gap, error) = figures.gap();
    format!("{:.2} ± {:.2} %", 100.0 * gap, 100.0 * error)
}

/// What the paper reports, as text.
fn paper(set: &str) -> (String, String) {
    match reported(set) {
        Some(row) => (format!("{:.4}", row.cost), format!("{:.2} %", row.gap)),
        None => ("–".to_owned(), "–".to_owned()),
    }
}

/// Capacitated routes beside solvers that search.
fn beside(kept: &Kept) -> Option<String> {
    let rivals = [Rival::PyVrp, Rival::OrTools];
    let mut rows = String::new();
    for nodes in SIZES {
        let Some(figures) = kept.of(&format!("ACVRP {nodes}")) else { continue };
        for rival in rivals {
            let Some((count, cost, network)) = figures.beside(&theirs(rival)) else { continue };
            let _ = writeln!(
                rows,
                "| {} | {} | {count} | {cost:.4} | {network:.4} | {:+.2} % |",
                figures.set,
                theirs(rival),
                100.0 * (network / cost - 1.0)
            );
        }
    }
    (!rows.is_empty()).then(|| {
        format!(
            "### Beside solvers that search for ten seconds\n\nOn the first instances of each set, one core each.\n\n\
             | set | rival | instances | its cost | the network's | difference |\n|---|---|---:|---:|---:|---:|\n{rows}"
        )
    })
}

/// The 16 variants.
fn variants(kept: &Kept) -> Option<String> {
    let (mut rows, mut sums) = (String::new(), [Vec::new(), Vec::new(), Vec::new()]);
    for features in Features::every() {
        let variant = Variant::Vrp(features);
        let Some(usual) = kept.of(&format!("{variant} of 16")) else { continue };
        // Where nothing can be tightened the tight set is the usual one.
        let tight = kept.of(&format!("{variant} tight"));
        let (_, gap) = paper(&usual.set);
        sums[0].push(usual.gap().0);
        sums[1].push(tight.unwrap_or(usual).gap().0);
        sums[2].extend(reported(&usual.set).map(|row| row.gap / 100.0));
        let _ = writeln!(
            rows,
            "| {variant} | {:.4} | {} | {} | {gap} |",
            usual.cost(),
            shown(usual),
            tight.map_or("–".to_owned(), shown),
        );
    }
    let mean = |gaps: &[f64]| 100.0 * gaps.iter().sum::<f64>() / gaps.len() as f64;
    let [usual, tight, paper] = sums;
    (!usual.is_empty()).then(|| {
        format!(
            "## Sixteen variants, 100 stops\n\nOne network for all. `tight`: limits that bind, and windows that make vehicles wait; the paper has none of \
             these, and its gaps are to its own runs of HGS.\n\n| variant | cost | gap | gap, tight | the paper's |\n|---|---:|---:|---:|---:|\n{rows}\
             | **mean** | | **{:.2} %** | **{:.2} %** | **{:.2} %** |\n",
            mean(&usual),
            mean(&tight),
            mean(&paper)
        )
    })
}

/// Sets unlike what is trained on.
fn elsewhere(kept: &Kept) -> Option<String> {
    let is_elsewhere = |set: &str| ["roads", "demands", "asymmetry"].iter().any(|word| set.contains(word));
    let mut rows = String::new();
    for row in kept.figures().filter(|row| is_elsewhere(&row.set)) {
        let (cost, gap) = paper(&row.set);
        let _ = writeln!(
            rows,
            "| {} | `{}` | {} | {:.4} | {} | {cost} | {gap} |",
            row.set,
            row.network,
            row.instances(),
            row.cost(),
            shown(row),
        );
    }
    (!rows.is_empty()).then(|| {
        format!(
            "## Other demands, other matrices, real roads\n\nDemands mostly small or mostly large; distances in the plane with a factor of its own for each direction; \
             travel times between points of Porto, Porto Alegre and Columbus (windows that nothing was trained on).\n\n\
             | set | network | instances | cost | gap | the paper's cost | its gap |\n|---|---|---:|---:|---:|---:|---:|\n{rows}"
        )
    })
}

/// Where networks lose.
fn losses(kept: &Kept) -> String {
    let mut text = "## Where it loses\n\n".to_owned();
    for network in &kept.networks {
        let mut sets: Vec<&Figures> = kept
            .figures()
            .filter(|figures| figures.network == network.name && figures.gap().0.is_finite())
            .collect();
        sets.sort_by(|one, two| two.gap().0.total_cmp(&one.gap().0));
        let worst: Vec<String> =
            sets.iter().take(3).map(|figures| format!("{} ({})", figures.set, shown(figures))).collect();
        let _ =
            writeln!(text, "- `{}` is furthest from the references on {}.", network.name, worst.join(", "));
        let search = "radar 2 s, seed 0";
        let compared: Vec<(&str, f64)> = sets
            .iter()
            .filter_map(|figures| {
                figures.beside(search).map(|(_, cost, ours)| (figures.set.as_str(), ours / cost - 1.0))
            })
            .collect();
        let behind = compared.iter().filter(|(_, difference)| *difference > 0.0).count();
        let _ = writeln!(
            text,
            "- Two seconds of our own search without a network are better than `{}` alone on {behind} of {} sets, on these by {:.2} % in the mean.",
            network.name,
            compared.len(),
            100.0 * compared.iter().map(|(_, difference)| difference.max(0.0)).sum::<f64>()
                / behind.max(1) as f64
        );
        let slower: Vec<&str> = sets
            .iter()
            .filter_map(|figures| reported(&figures.set).map(|row| (figures, row)))
            .filter(|(figures, row)| 100.0 * figures.gap().0 > row.gap)
            .map(|(figures, _)| figures.set.as_str())
            .collect();
        if !slower.is_empty() {
            let _ = writeln!(
                text,
                "- The paper reports smaller gaps (to its own references) than `{}` has here on {} of the sets that both have: {}.",
                network.name,
                slower.len(),
                slower.join(", ")
            );
        }
    }
    for worth in &kept.worth {
        let [better, worse, all] = worth.against_alone("with both");
        let _ = writeln!(
            text,
            "- To go before the search, `{}` takes time that the search would have used. With both, its plan and its arcs, the search is clearly better than alone in \
             {better} of the {all} rows above, and clearly worse in {worse}.",
            worth.name
        );
    }
    text
}
