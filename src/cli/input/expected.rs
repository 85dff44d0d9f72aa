//! Verdicts from elsewhere, in lists that stand beside the programs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::text::read;
use crate::cli::output::error::CliError;
use hardbop_report::document::Verdict;

/// The list that is looked for beside each program.
const LIST: &str = "expected.tsv";

/// Files, by their real paths, with their verdicts.
#[derive(Default)]
pub(crate) struct Expected(HashMap<PathBuf, Verdict>);

impl Expected {
    /// Reads the list that is named, and those beside the programs.
    pub fn read(files: &[PathBuf], list: Option<&Path>) -> Result<Self, CliError> {
        let mut all = Self::default();
        let mut folders: Vec<&Path> = files.iter().filter_map(|f| f.parent()).collect();
        folders.sort_unstable();
        folders.dedup();
        for list in folders.into_iter().map(|f| f.join(LIST)).filter(|list| list.is_file()) {
            all.add(&list)?;
        }
        if let Some(list) = list {
            all.add(list)?;
        }
        Ok(all)
    }

    /// The verdict of a file, if it is known.
    pub fn of(&self, file: &Path) -> Option<Verdict> {
        self.0.get(&file.canonicalize().ok()?).copied()
    }

    fn add(&mut self, list: &Path) -> Result<(), CliError> {
        let text = read(list)?.text;
        let folder = list.parent().unwrap_or(Path::new(""));
        for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let mut fields = line.split('\t').map(str::trim);
            let (file, word) = (fields.next().unwrap_or(""), fields.next().unwrap_or(""));
            let verdict = match word.to_ascii_lowercase().as_str() {
                "safe" => Verdict::Safe,
                "unsafe" => Verdict::Unsafe,
                "unknown" => continue,
                // A line of titles.
                _ if number == 0 => continue,
                _ => {
                    let reason = "use a file and safe, unsafe or unknown, with a tab between";
                    return Err(CliError::Formula {
                        name: list.display().to_string(),
                        line: number + 1,
                        reason: reason.to_owned(),
                    });
                }
            };
            // A list may know files that are not there.
            if let Ok(path) = folder.join(file).canonicalize() {
                self.0.insert(path, verdict);
            }
        }
        Ok(())
    }
}
