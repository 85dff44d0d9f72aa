//! The diagnostics that the client has: those of each file that was checked, which may be in several files, and those of each file,
//! which may be of several checks, as where two files include one header.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lsp_types::Diagnostic;

/// What the checks of files have found, each in which file.
#[derive(Debug, Default)]
pub(super) struct Published {
    of_checks: BTreeMap<PathBuf, BTreeMap<PathBuf, Vec<Diagnostic>>>,
}

impl Published {
    /// Takes what a check has found in place of what it had found before; the result are the files of which the client has to be
    /// told.
    pub fn set(
        &mut self,
        checked: &Path,
        found: BTreeMap<PathBuf, Vec<Diagnostic>>,
    ) -> BTreeSet<PathBuf> {
        let now: Vec<PathBuf> = found.keys().cloned().collect();
        let before = self.of_checks.insert(checked.to_owned(), found).unwrap_or_default();
        before.into_keys().chain(now).chain([checked.to_owned()]).collect()
    }

    /// Forgets what a check has found; the result are the files of which the client has to be told.
    pub fn remove(&mut self, checked: &Path) -> BTreeSet<PathBuf> {
        let changed = self.set(checked, BTreeMap::new());
        self.of_checks.remove(checked);
        changed
    }

    /// The diagnostics of a file: what several checks find at one place is shown once, with the words of the first.
    pub fn of(&self, file: &Path) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = vec![];
        for of_check in self.of_checks.values().filter_map(|found| found.get(file)) {
            let of_others = all.len();
            for found in of_check {
                let is_same = |other: &Diagnostic| {
                    let (own, others) = (&found.code, &other.code);
                    own == others && found.range == other.range && found.severity == other.severity
                };
                if !all[..of_others].iter().any(is_same) {
                    all.push(found.clone());
                }
            }
        }
        all
    }
}
