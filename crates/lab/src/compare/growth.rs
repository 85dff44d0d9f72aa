//! Families of programs in a parameter: how time grows with it, and where the lead changes.
//!
//! The parameter is in the name of the file: `counter-12.bp` is the member 12 of `counter`, and
//! `driver-safe-50a.bp`, `driver-safe-50b.bp` are two members 50 of `driver-safe`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::measurement::Row;
use super::score::median;

/// The lead: a contestant leads if it is faster by this factor, and by this time in seconds.
const LEAD_FACTOR: f64 = 1.25;
const LEAD_SECONDS: f64 = 0.02;

/// A file's place in its family.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    pub family: String,
    pub parameter: u64,
}

/// The place that the name of the file tells, if it does.
pub fn member(file: &Path) -> Option<Member> {
    let (family, rest) = file.file_stem()?.to_str()?.rsplit_once('-')?;
    let digits = rest.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(rest);
    if family.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(Member { family: family.to_owned(), parameter: digits.parse().ok()? })
}

/// The members with one parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Point {
    pub parameter: u64,
    /// Median seconds over the members, in the order of the contestants; none where most
    /// members were not decided.
    pub seconds: Vec<Option<f64>>,
}

/// The parameter from which on another contestant is clearly the fastest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Crossing {
    pub parameter: u64,
    /// The contestant that led before; none at the first lead.
    pub from: Option<String>,
    pub to: String,
}

/// A family.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Growth {
    pub family: String,
    /// The points, with ascending parameters.
    pub points: Vec<Point>,
    /// The contestants that take the lead, and where; the first one need not be at the smallest
    /// parameter.
    pub crossings: Vec<Crossing>,
}

/// The families among the files on which all were measured.
pub(super) fn growth(rows: &[Row], names: &[&str]) -> Vec<Growth> {
    let mut families: BTreeMap<String, BTreeMap<u64, Vec<&Row>>> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.is_complete()) {
        if let Some(Member { family, parameter }) = member(Path::new(&row.file)) {
            families.entry(family).or_default().entry(parameter).or_default().push(row);
        }
    }
    let point = |(parameter, members): (u64, Vec<&Row>)| {
        let time = |c| {
            let times: Vec<f64> =
                members.iter().map(|r| r.seconds(c).unwrap_or(f64::INFINITY)).collect();
            median(&times).filter(|t| t.is_finite())
        };
        Point { parameter, seconds: (0..names.len()).map(time).collect() }
    };
    families
        .into_iter()
        .map(|(family, members)| {
            let points: Vec<Point> = members.into_iter().map(point).collect();
            let crossings = crossings(&points, names);
            Growth { family, points, crossings }
        })
        .collect()
}

/// The points where the lead changes.
fn crossings(points: &[Point], names: &[&str]) -> Vec<Crossing> {
    let mut crossings = Vec::new();
    let mut before: Option<usize> = None;
    for point in points {
        let Some(now) = leader(&point.seconds).filter(|&now| before != Some(now)) else { continue };
        let (from, to) = (before.map(|b| names[b].to_owned()), names[now].to_owned());
        crossings.push(Crossing { parameter: point.parameter, from, to });
        before = Some(now);
    }
    crossings
}

/// The contestant that is clearly the fastest, if there is one.
fn leader(seconds: &[Option<f64>]) -> Option<usize> {
    let mut order: Vec<(f64, usize)> =
        seconds.iter().enumerate().filter_map(|(c, s)| Some(((*s)?, c))).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    match order[..] {
        [] => None,
        // All others did not make it.
        [(_, only)] => (seconds.len() > 1).then_some(only),
        [(best, first), (second, _), ..] => {
            let clearly = second >= best * LEAD_FACTOR && second >= best + LEAD_SECONDS;
            clearly.then_some(first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{comparison, row};
    use super::*;

    #[test]
    fn names_tell_the_parameter() {
        let of = |name| member(Path::new(name)).map(|m| (m.family, m.parameter));
        let expected = |family: &str, parameter| Some((family.to_owned(), parameter));
        assert_eq!(of("x/counter-012.bp"), expected("counter", 12));
        assert_eq!(of("shift-register-bug-8b.bp"), expected("shift-register-bug", 8));
        for name in ["counter.bp", "-3.bp", "a-.bp", "a-b.bp", "a-3bb.bp", "a-b/c.bp"] {
            assert_eq!(of(name), None, "{name}");
        }
    }

    #[test]
    fn the_lead_changes() {
        let growth = comparison(vec![
            row("f-4.bp", [Some(0.010), Some(0.011)]), // nobody leads
            row("f-8.bp", [Some(0.02), Some(0.05)]),
            row("f-16a.bp", [Some(0.3), Some(0.5)]),
            row("f-16b.bp", [Some(5.0), Some(0.2)]),
            row("f-16c.bp", [None, Some(0.1)]),
            row("f-32.bp", [None, Some(1.0)]),
            row("f-64.bp", [None, None]),
            row("other.bp", [Some(1.0), Some(2.0)]),
        ])
        .growth;
        assert_eq!(growth.len(), 1);
        let parameters: Vec<u64> = growth[0].points.iter().map(|p| p.parameter).collect();
        assert_eq!(parameters, [4, 8, 16, 32, 64]);
        assert_eq!(growth[0].points[2].seconds, [Some(5.0), Some(0.2)]);
        assert_eq!(growth[0].points[4].seconds, [None, None]);
        let crossing = |parameter, from: Option<&str>, to: &str| Crossing {
            parameter,
            from: from.map(str::to_owned),
            to: to.to_owned(),
        };
        let expected = [crossing(8, None, "a"), crossing(16, Some("a"), "b")];
        assert_eq!(growth[0].crossings, expected);
    }
}
