//! What was looked for in a program, in counts.

use hardbop_base::errors::Check;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::units::count;

/// The places in the text that could be errors, whatever was found there.  As JSON each name has its count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checked {
    /// Assertions.
    pub assertions: u64,
    /// Calls of functions that must not be called.
    pub calls: u64,
    /// Labels that must not be reached.
    pub labels: u64,
    /// Operations and accesses of the program, by the checks that were asked for.
    pub operations: Vec<(Check, u64)>,
    /// Those of all checks in C code that stands for functions of the library.
    pub library: u64,
}

impl Checked {
    /// What the program states itself: names, words for one and for several, and counts.
    fn stated(&self) -> [(&'static str, [&'static str; 2], u64); 3] {
        [
            ("assertion", ["assertion", "assertions"], self.assertions),
            ("call", ["call of an error function", "calls of error functions"], self.calls),
            ("label", ["error label", "error labels"], self.labels),
        ]
    }

    /// Names, words and counts.
    fn rows(&self) -> impl Iterator<Item = (&'static str, [&'static str; 2], u64)> {
        let operations = self.operations.iter().map(|&(check, places)| {
            let row = check.row();
            (row.name, row.looked_at, places)
        });
        let words = ["operation in code of the C library", "operations in code of the C library"];
        self.stated().into_iter().chain(operations).chain([("library", words, self.library)])
    }

    /// The line for people, without what there is none of.
    ///
    /// ```
    /// use hardbop_base::errors::Check;
    /// use hardbop_report::document::Checked;
    ///
    /// let operations = vec![(Check::Null, 0), (Check::Division, 1)];
    /// let checked = Checked { assertions: 1_200, operations, ..Checked::default() };
    /// assert_eq!(checked.line(), "checked: 1,200 assertions, 1 division");
    /// ```
    #[must_use]
    pub fn line(&self) -> String {
        let words = self.rows().filter(|(_, _, places)| *places > 0).map(|(_, words, places)| {
            format!("{} {}", count(places), words[usize::from(places != 1)])
        });
        let words: Vec<String> = words.collect();
        let asked = self.rows().filter(|(_, _, places)| *places > 0).map(|(name, ..)| name);
        // Nobody should take this for more than it is.
        let more = match asked.eq(["assertion"]) && self.operations.is_empty() {
            true => "; undefined behaviour is looked for with '--check undefined'",
            false => "",
        };
        match words.is_empty() {
            true => "checked: nothing that can be an error".to_owned(),
            false => format!("checked: {}{more}", words.join(", ")),
        }
    }
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        for (name, _, places) in self.rows() {
            map.serialize_entry(name, &places)?;
        }
        map.end()
    }
}
