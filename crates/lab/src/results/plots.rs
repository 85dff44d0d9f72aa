//! Plots of a campaign: those of a comparison, whose contestants are the properties with options.

use super::rows::{Campaign, Row};
use crate::compare::{
    self, CompareOptions, Comparison, Contestant, Measurement, PlotError, Run, cactus, scatter,
};

/// Most plots of two sets of options against each other.
const SCATTERS: usize = 6;

/// The plots in SVG: tasks decided within a time, and sets of options against each other, of which
/// each pair has the same property.
///
/// # Errors
/// [`PlotError`] where one cannot be drawn.
pub fn plots(campaign: &Campaign) -> Result<Vec<String>, PlotError> {
    let columns = campaign.columns();
    let names: Vec<String> = columns.iter().map(|c| c.0.clone()).collect();
    let pairs: Vec<(&str, &str)> = columns.iter().map(|c| c.1).collect();
    let all = comparison(campaign, &names, &pairs);
    let mut plots = vec![cactus(&all)?];
    let at = |i: usize| (0..i).map(move |j| (j, i));
    let same = (0..pairs.len()).flat_map(at).filter(|&(j, i)| pairs[j].0 == pairs[i].0);
    for (x, y) in same.take(SCATTERS) {
        plots.push(scatter(&all, x, y)?);
    }
    Ok(plots)
}

/// The campaign as a comparison.
fn comparison(campaign: &Campaign, names: &[String], pairs: &[(&str, &str)]) -> Comparison {
    let options = CompareOptions {
        time_limit_seconds: campaign.time_limit_seconds,
        memory_limit_bytes: Some(campaign.memory_limit_bytes),
        runs: 1,
        jobs: 1,
    };
    let mut files: Vec<compare::Row> = vec![];
    let mut places = std::collections::HashMap::new();
    for row in &campaign.rows {
        let place = *places.entry(&row.program).or_insert_with(|| {
            let results = vec![None; pairs.len()];
            files.push(compare::Row { file: row.program.clone(), expected: None, results });
            files.len() - 1
        });
        let pair = (row.property.as_str(), row.options.as_str());
        let column = pairs.iter().position(|p| *p == pair);
        let measured = column.and_then(|c| Some((c, measured(&names[c], row)?)));
        if let Some((column, measured)) = measured {
            files[place].results[column] = Some(measured);
        }
    }
    let contestant = |name: &String| Contestant { name: name.clone(), command: String::new() };
    let contestants = names.iter().map(contestant).collect();
    Comparison::new(options, contestants, files, false, campaign.interrupted)
}

fn measured(name: &str, row: &Row) -> Option<Measurement> {
    let result = row.result.as_ref()?;
    let run = Run {
        verdict: result.verdict,
        reason: result.reason.clone(),
        seconds: row.time()?,
        memory_bytes: result.memory_bytes,
        defect: false,
    };
    Some(Measurement::new(name, vec![run], None))
}
