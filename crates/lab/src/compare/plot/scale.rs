//! The axes of the plots: times on a logarithmic scale, and counts on a linear one, each with ticks
//! at round numbers.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

/// The shortest time that is shown, in seconds; shorter ones are shown as this one.
const SHORTEST: f64 = 0.001;
/// Most ticks of an axis of counts.
const TICKS: f64 = 8.0;

/// An axis.  Invariant: it is not empty, and above 0 where it is logarithmic.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    logarithmic: bool,
}

impl Scale {
    /// Seconds: from a power of ten below all times to a bit above the limit.
    pub fn times(all: impl Iterator<Item = f64>, limit: f64) -> Self {
        let limit = limit.max(10.0 * SHORTEST);
        let least = all.fold(limit / 10.0, f64::min).max(SHORTEST);
        // Rounded, for 10^-3 is to be on the axis.
        let low = 10f64.powf((least.log10() + 1e-9).floor());
        Self { low, high: limit * 1.6, logarithmic: true }
    }

    /// A scale from 0 to a bit above a number.
    pub fn counts(last: f64) -> Self {
        Self { low: 0.0, high: last.max(1.0) * 1.03, logarithmic: false }
    }

    pub fn low(self) -> f64 {
        self.low
    }

    pub fn high(self) -> f64 {
        self.high
    }

    /// Multiples of powers of ten, or of a round step.
    fn ticks(self, multiples: &[u32]) -> Vec<f64> {
        if !self.logarithmic {
            let step = round_step(self.high / TICKS);
            let count = (self.high / step).floor() as u32;
            return (0..=count).map(|i| f64::from(i) * step).collect();
        }
        let decades = self.low.log10().round() as i32..=self.high.log10().floor() as i32;
        let all =
            decades.flat_map(|d| multiples.iter().map(move |&m| f64::from(m) * 10f64.powi(d)));
        all.filter(|t| (self.low * 0.999..=self.high).contains(t)).collect()
    }
}

/// The least of 1, 2, 5, 10, 20, 50, ... that is not below.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|s| *s >= least).unwrap_or(10.0 * power)
}

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let place = |v: f64| if self.logarithmic { v.max(self.low).ln() } else { v };
        let share = (place(*value) - place(self.low)) / (place(self.high) - place(self.low));
        start + (f64::from(end - start) * share).round() as i32
    }

    fn key_points<H: KeyPointHint>(&self, hint: H) -> Vec<f64> {
        let fine = self.logarithmic && hint.weight().allow_light_points();
        self.ticks(if fine { &[1, 2, 3, 4, 5, 6, 7, 8, 9] } else { &[1] })
    }

    fn range(&self) -> Range<f64> {
        self.low..self.high
    }
}

impl ValueFormatter<f64> for Scale {
    fn format_ext(&self, value: &f64) -> String {
        match *value {
            v if !self.logarithmic => format!("{v:.0}"),
            v if v < 0.999 => format!("{:.0} ms", v * 1e3),
            v => format!("{v:.0} s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let times = Scale::times([0.004, 3.0].into_iter(), 60.0);
        let labels: Vec<String> = times.ticks(&[1]).iter().map(|t| times.format_ext(t)).collect();
        assert_eq!(labels, ["1 ms", "10 ms", "100 ms", "1 s", "10 s"]);
        assert_eq!(Scale::counts(17.0).ticks(&[]), [0.0, 5.0, 10.0, 15.0]);
        assert_eq!(Scale::counts(3.0).ticks(&[]), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn shorter_than_the_shortest_is_on_the_edge() {
        let times = Scale::times([1e-6].into_iter(), 10.0);
        assert_eq!(times.map(&1e-6, (0, 100)), 0);
        assert_eq!(times.map(&16.0, (0, 100)), 100);
    }
}
