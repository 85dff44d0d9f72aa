//! The scores of each contestant over all files.

use serde::Serialize;

use super::measurement::{Contestant, Row};

/// A long time, in seconds: below it, starting a process is most of it.
const LONG: f64 = 0.1;

/// How a contestant did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Score {
    pub name: String,
    /// Files decided.
    pub solved: usize,
    /// Files in all.
    pub files: usize,
    /// Mean seconds, an undecided file counting twice the limit.
    pub par2_seconds: f64,
    /// Files decided faster than by any other contestant.
    pub wins: usize,
    /// Geometric mean of the time over that of the first contestant, on files that both decide.
    pub ratio: Option<f64>,
    /// The same geometric mean over the files on which one of them takes 0.1 s or more, and the
    /// number of those files.
    pub long_ratio: Option<f64>,
    pub long_files: usize,
}

/// The scores, over files on which all were measured.
pub(super) fn scores(rows: &[Row], contestants: &[Contestant], limit: f64) -> Vec<Score> {
    let rows: Vec<&Row> = rows.iter().filter(|r| r.is_complete()).collect();
    let score = |(c, contestant): (usize, &Contestant)| {
        let times: Vec<Option<f64>> = rows.iter().map(|r| r.seconds(c)).collect();
        let pairs: Vec<(f64, f64)> =
            rows.iter().filter_map(|r| Some((r.seconds(c)?, r.seconds(0)?))).collect();
        let long: Vec<f64> =
            pairs.iter().filter(|(own, first)| own.max(*first) >= LONG).map(quotient).collect();
        Score {
            name: contestant.name.clone(),
            solved: times.iter().flatten().count(),
            files: rows.len(),
            par2_seconds: par2(&times, limit),
            wins: rows.iter().filter(|r| wins(r, c)).count(),
            ratio: geometric_mean(&pairs.iter().map(quotient).collect::<Vec<_>>()),
            long_ratio: geometric_mean(&long),
            long_files: long.len(),
        }
    };
    contestants.iter().enumerate().map(score).collect()
}

fn quotient((own, first): &(f64, f64)) -> f64 {
    // No process takes less than a microsecond.
    own.max(1e-6) / first.max(1e-6)
}

fn wins(row: &Row, contestant: usize) -> bool {
    let others = (0..row.results.len()).filter(|&c| c != contestant);
    row.seconds(contestant)
        .is_some_and(|own| others.filter_map(|c| row.seconds(c)).all(|other| own < other))
}

/// The value in the middle, or the mean of the two there; none of nothing.  Infinity is allowed.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some(f64::midpoint(sorted[middle - 1], sorted[middle])),
    }
}

/// Mean seconds, where those that are missing count twice the limit; 0 of nothing.
pub fn par2(times: &[Option<f64>], limit: f64) -> f64 {
    let sum: f64 = times.iter().map(|t| t.unwrap_or(2.0 * limit)).sum();
    sum / times.len().max(1) as f64
}

/// The geometric mean of positive numbers; none of nothing.
pub fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|v| v.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::super::sample::{comparison, row};
    use super::*;

    #[test]
    fn medians() {
        let cases: [(&[f64], Option<f64>); 5] = [
            (&[], None),
            (&[3.0], Some(3.0)),
            (&[4.0, 1.0], Some(2.5)),
            (&[9.0, 1.0, 2.0], Some(2.0)),
            (&[f64::INFINITY, 1.0], Some(f64::INFINITY)),
        ];
        for (values, expected) in cases {
            assert_eq!(median(values), expected, "{values:?}");
        }
    }

    #[test]
    fn means() {
        assert_eq!(par2(&[Some(1.0), None, Some(3.0), None], 10.0), 11.0);
        assert_eq!(par2(&[], 10.0), 0.0);
        let mean = geometric_mean(&[1.0, 4.0, 16.0]).expect("a mean");
        assert!((mean - 4.0).abs() < 1e-12, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }

    #[test]
    fn scores_of_two() {
        let scores = comparison(vec![
            row("both", [Some(2.0), Some(1.0)]),
            row("quick", [Some(0.01), Some(0.08)]),
            row("a alone", [Some(3.0), None]),
            row("nobody", [None, None]),
        ])
        .scores;
        let of = |i: usize| (scores[i].solved, scores[i].files, scores[i].wins);
        assert_eq!((of(0), of(1)), ((3, 4, 2), (2, 4, 1)));
        assert_eq!(scores[0].ratio, Some(1.0));
        // 1/2 and 8 have the mean 2; only the first takes long.
        assert!((scores[1].ratio.expect("a ratio") - 2.0).abs() < 1e-9);
        assert!((scores[1].long_ratio.expect("a ratio") - 0.5).abs() < 1e-9);
        assert_eq!(scores[1].long_files, 1);
        assert!((scores[0].par2_seconds - 25.01 / 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_tie_is_no_win() {
        let scores = comparison(vec![row("tie", [Some(1.0), Some(1.0)])]).scores;
        assert_eq!((scores[0].wins, scores[1].wins), (0, 0));
    }
}
