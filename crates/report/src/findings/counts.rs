//! How many findings are new, known and silenced.

use std::collections::BTreeSet;

use super::baseline::Baseline;
use crate::document::Verdict;
use crate::kept::{Count, Counts, Earlier, Gone};
use crate::properties::{Properties, Property};

impl Properties {
    /// The properties with what an earlier run says of them, if one is asked, and how many are new, known and silenced.
    #[must_use]
    pub fn compared(mut self, baseline: Option<&Baseline>) -> Self {
        if let Some(baseline) = baseline {
            baseline.tell(&mut self.properties);
            self.gone = baseline.gone(&self.properties);
        }
        for property in &mut self.properties {
            property.baseline_state = property.state();
        }
        let is_silenced = |p: &&Property| p.silenced.is_some();
        let all = self.properties.iter();
        let counts = Counts {
            new: count(all.clone().filter(|p| p.is_new())),
            known: count(all.clone().filter(|p| !is_silenced(p) && !p.is_new())),
            silenced: count(all.clone().filter(is_silenced)),
            gone: self.gone.len(),
        };
        let is_told = baseline.is_some() || all.clone().any(|p| is_silenced(&p));
        self.counts = is_told.then_some(counts);
        self
    }

    /// The counts as a line, where something is compared or silenced: `findings: 2 new, 5 known, 1 silenced`.
    #[must_use]
    pub fn counts_line(&self) -> Option<String> {
        let Counts { new, known, silenced, gone } = self.counts?;
        // Without properties, there are counts because an earlier run is asked.
        let is_silenced_only = self.properties.iter().any(|p| p.earlier == Earlier::NotAsked);
        let mut parts = vec![];
        if !is_silenced_only {
            parts.extend([new.words("new"), known.words("known")]);
        } else {
            parts.push(new.words("not silenced"));
        }
        if silenced != Count::default() {
            parts.push(silenced.words("silenced"));
        }
        if gone > 0 {
            parts.push(format!("{gone} gone"));
        }
        Some(format!("findings: {}\n", parts.join(", ")))
    }

    /// The findings of the earlier run of which this one has nothing.
    pub(crate) fn absent(&self) -> impl Iterator<Item = &Gone> {
        let there = self.properties.iter().filter_map(|p| p.fingerprint.as_ref());
        let there: BTreeSet<&String> = there.collect();
        self.gone.iter().filter(move |gone| !there.contains(&gone.fingerprint))
    }
}

/// The number of those in a list.
fn count<'a>(all: impl Iterator<Item = &'a Property>) -> Count {
    let mut count = Count::default();
    for property in all {
        match property.verdict {
            Verdict::Unsafe => count.errors += 1,
            Verdict::Unknown => count.undecided += 1,
            Verdict::Safe => {}
        }
    }
    count
}
