//! A table of numbers: what `--stats` prints and what the member `statistics` of a document has.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::units::{bytes, count, milliseconds};

/// A number with its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Number {
    Count(u64),
    /// A part, and the whole with its name in JSON.
    OutOf(u64, u64, &'static str),
    Mean(f64),
    Seconds(f64),
    Bytes(u64),
}

/// A row.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The name in JSON; the unit is its ending, `-seconds` or `-bytes`, where it is no count.
    pub key: Cow<'static, str>,
    /// The name for people; indented where it is a part of the row above.
    pub name: Cow<'static, str>,
    pub number: Number,
    /// Is the row left out of the text where its number is 0?
    pub is_rare: bool,
}

/// The statistics of a run.
///
/// Serialises as an object of its rows, then its parts, each an object of its own.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_session::check::check_bp;
///
/// let text = "decl held, log; void main() begin held := F; lock(); end
///     void lock() begin assert(!held); held, log := T, T; end";
/// let source = Source::new("lock.bp", text);
/// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// let statistics = answer.statistics.expect("an engine has run");
/// let variables = statistics.get("relevant-variables").expect("by its name in JSON");
/// assert_eq!(variables.to_string(), "1 of 2"); // `log` is only written
/// assert!(statistics.text(0.1).contains("relevant variables"));
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Table {
    pub rows: Vec<Row>,
    /// Further tables, by their names in JSON; the text leaves them out.
    pub parts: Vec<(Cow<'static, str>, Table)>,
    /// The steps that were taken, in order.
    pub steps: Vec<Step>,
}

/// A step of a strategy, with what it took and gave.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Step {
    /// The action, behind the lists that it is in.
    pub step: String,
    /// Units of work.
    pub work: u64,
    pub seconds: f64,
    /// A verdict, or `no verdict` with the reason.
    pub gave: String,
}

impl Table {
    /// Rows in order.
    pub(super) fn new(rows: &[(&'static str, &'static str, Number)]) -> Self {
        let row = |&(key, name, number): &(&'static str, &'static str, Number)| Row {
            key: key.into(),
            name: name.into(),
            number,
            is_rare: false,
        };
        Self { rows: rows.iter().map(row).collect(), parts: vec![], steps: vec![] }
    }

    /// A row that the text has only where its number is not 0; the name in JSON is made from the
    /// other one.
    #[cfg(any(feature = "c", test))]
    pub(super) fn rare(&mut self, name: String, number: Number) {
        let key = name.to_lowercase().replace(' ', "-").into();
        self.rows.push(Row { key, name: name.into(), number, is_rare: true });
    }

    /// A part, by its name in JSON.
    #[cfg(any(feature = "c", test))]
    pub(super) fn add(&mut self, key: impl Into<Cow<'static, str>>, part: Self) {
        self.parts.push((key.into(), part));
    }

    /// A number by its name in JSON; of a part, `part/name`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Number> {
        match key.split_once('/') {
            Some((part, rest)) => self.part(part)?.get(rest),
            None => self.rows.iter().find(|row| row.key == key).map(|row| row.number),
        }
    }

    /// A part by its name in JSON.
    #[must_use]
    pub fn part(&self, key: &str) -> Option<&Self> {
        self.parts.iter().find(|(name, _)| *name == key).map(|(_, part)| part)
    }

    /// The table as text, one line per number, names to the left, numbers to the right; the wall
    /// time first.
    #[must_use]
    pub fn text(&self, wall_seconds: f64) -> String {
        let wall = [("wall time", Number::Seconds(wall_seconds).to_string())];
        let own = self.rows.iter().filter(|row| !row.is_rare || !row.number.is_zero());
        let own = own.map(|row| (&*row.name, row.number.to_string()));
        let rows: Vec<(&str, String)> = wall.into_iter().chain(own).collect();
        let left = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let right = rows.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
        let mut out = String::from("Statistics\n");
        for (name, value) in &rows {
            out.push_str(&format!("  {name:<left$}  {value:>right$}\n"));
        }
        out + &self.steps_text()
    }

    /// The steps, one per line.
    fn steps_text(&self) -> String {
        if self.steps.is_empty() {
            return String::new();
        }
        let cell = |s: &Step| (count(s.work), milliseconds(s.seconds * 1e3));
        let cells: Vec<_> = self.steps.iter().map(cell).collect();
        let width = |of: &dyn Fn(usize) -> usize| (0..cells.len()).map(of).max().unwrap_or(0);
        let left = width(&|i| self.steps[i].step.len());
        let (works, times) = (width(&|i| cells[i].0.len()), width(&|i| cells[i].1.len()));
        let mut out = String::from("Steps\n");
        for (step, (work, time)) in self.steps.iter().zip(&cells) {
            let Step { step, gave, .. } = step;
            out.push_str(&format!(
                "  {step:<left$}  {work:>works$} units  {time:>times$}  {gave}\n"
            ));
        }
        out
    }
}

impl Number {
    pub(crate) fn is_zero(self) -> bool {
        match self {
            Self::Count(n) | Self::Bytes(n) => n == 0,
            Self::OutOf(_, whole, _) => whole == 0,
            Self::Mean(x) | Self::Seconds(x) => x == 0.0,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&match *self {
            Self::Count(n) => count(n),
            Self::OutOf(part, whole, _) => format!("{} of {}", count(part), count(whole)),
            Self::Mean(mean) => format!("{mean:.1}"),
            Self::Seconds(seconds) => milliseconds(seconds * 1e3),
            Self::Bytes(n) => bytes(n),
        })
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for row in &self.rows {
            match row.number {
                Number::Count(n) | Number::Bytes(n) => map.serialize_entry(&row.key, &n)?,
                Number::Mean(x) | Number::Seconds(x) => map.serialize_entry(&row.key, &x)?,
                Number::OutOf(part, whole, of) => {
                    map.serialize_entry(&row.key, &part)?;
                    map.serialize_entry(of, &whole)?;
                }
            }
        }
        for (key, part) in &self.parts {
            map.serialize_entry(key, part)?;
        }
        if !self.steps.is_empty() {
            map.serialize_entry("steps", &self.steps)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&[
            ("edges", "path edges", Number::Count(1_234_567)),
            ("cut-nodes", "cut nodes", Number::OutOf(2, 10, "nodes")),
            ("sat-seconds", "  SAT", Number::Seconds(0.012)),
            ("memory-bytes", "memory", Number::Bytes(3 << 29)),
        ]);
        table.rare("wrong interpolants".to_owned(), Number::Count(0));
        table.add("sizes", Table::new(&[("edges", "edges", Number::Count(1))]));
        table
    }

    #[test]
    fn columns_are_aligned() {
        let text = table().text(1.5);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert!(lines.iter().all(|l| l.len() == lines[0].len()), "{text}");
        for part in ["wall time      1.50 s", "1,234,567", "2 of 10", "  SAT", "12 ms", "1.5 GiB"] {
            assert!(text.contains(part), "{part} is not in\n{text}");
        }
        assert!(!text.contains("wrong"));
    }

    #[test]
    fn steps_have_a_line_each() {
        let step = |step: &str, work, gave: &str| {
            let (step, gave) = (step.to_owned(), gave.to_owned());
            Step { step, work, seconds: 0.012, gave }
        };
        let mut table = table();
        assert!(!table.text(1.0).contains("Steps"));
        table.steps = vec![step("tree/search", 9, "no verdict"), step("bp", 1_234, "SAFE")];
        let text = table.text(1.0);
        let steps = "Steps\n  tree/search      9 units  12 ms  no verdict\n  bp           1,234 units  12 ms  SAFE\n";
        assert!(text.ends_with(steps), "{text}");
    }

    #[test]
    fn json_has_all_of_it() {
        let json = serde_json::to_string(&table()).expect("it can be written");
        let wanted = r#"{"edges":1234567,"cut-nodes":2,"nodes":10,"sat-seconds":0.012,"memory-bytes":1610612736,"wrong-interpolants":0,"sizes":{"edges":1}}"#;
        assert_eq!(json, wanted);
        assert_eq!(table().get("sizes/edges"), Some(Number::Count(1)));
    }
}
