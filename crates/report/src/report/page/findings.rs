//! The page of many findings: a table with places, ways into errors, and the text of the program.

use std::fmt::Write as _;

use super::frame::{codes, header, page};
use super::notes::list;
use super::source::{Listing, Named};
use crate::document::Verdict;
use crate::markup::escaped;
use crate::properties::{Properties, Property};
use crate::report::rule::statement;
use crate::units::counted;

impl Properties {
    /// The page: what is known of each property, with links to its places in the text, and the way into each error.
    ///
    /// `read` gives the text of a file that the properties name, or says in words why there is none.
    #[must_use]
    pub fn html(&self, read: impl FnMut(&str) -> Result<String, String>) -> String {
        let places = self.properties.iter().flat_map(|property| {
            let named = match property.verdict {
                Verdict::Unsafe => Named::Error,
                Verdict::Safe | Verdict::Unknown => Named::Only,
            };
            property.positions().map(move |(file, line, _)| (file, line, named))
        });
        let places: Vec<(&str, usize, Named)> = places.collect();
        let listing = Listing::of(self.files.iter().map(String::as_str), &places, read);
        let name = self.files.first().map_or("program", String::as_str);
        let mut notes = String::new();
        list("warnings", "Warnings", &self.warnings(), &mut notes);
        list("assumptions", "Assumptions", &self.assumptions(), &mut notes);
        let version = format!("hardbop {}", escaped(self.version));
        let facts = [("Files", codes(&self.files)), ("Version", version)];
        let body = [
            header(self.verdict, name, &self.summary(), &facts),
            "<main>\n".to_owned(),
            table(&self.properties, &listing),
            listing.section(None),
            notes,
            "</main>\n".to_owned(),
        ];
        let title = format!("{}: {name}", self.verdict.word());
        page(self.version, &title, &body.concat(), "{\"initial\": [], \"steps\": []}")
    }

    /// How many properties have which verdict.
    fn summary(&self) -> String {
        let of = |verdict| self.properties.iter().filter(|p| p.verdict == verdict).count() as u64;
        let all = counted(self.properties.len() as u64, "finding");
        let (safe, wrong) = (of(Verdict::Safe), counted(of(Verdict::Unsafe), "error"));
        let counts =
            self.counts_line().map_or_else(String::new, |line| format!("; {}", line.trim_end()));
        format!("{all}: {safe} proved, {wrong}, {} undecided{counts}", of(Verdict::Unknown))
    }
}

fn table(all: &[Property], listing: &Listing) -> String {
    let mut out = String::from(
        "<section class=\"findings\" aria-labelledby=\"findings-title\">\n\
         <h2 id=\"findings-title\">Findings</h2>\n<div class=\"wide\"><table>\n\
         <tr><th>check</th><th>text</th><th>place</th><th>verdict</th><th>why</th></tr>\n",
    );
    for property in all {
        let positions = property.positions();
        let places: Vec<String> = positions
            .zip(&property.places)
            .map(|((file, line, _), place)| match listing.anchor(Some(file), line) {
                Some(anchor) => format!("<a href=\"#{anchor}\">{}</a>", escaped(place)),
                None => escaped(place),
            })
            .collect();
        let mut why = escaped(&statement(property));
        if let Some(trace) = property.trace() {
            let trace = escaped(&trace.text());
            why = format!("<details><summary>{why}</summary><pre>{trace}</pre></details>");
        }
        let word = property.verdict.word();
        let mark =
            property.mark().map_or_else(String::new, |mark| format!("<br>{}", escaped(&mark)));
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr class=\"{}\"><td>{}</td><td><code>{}</code></td><td>{}</td><td class=\"verdict\">{word}{mark}</td><td>{why}</td></tr>",
            word.to_lowercase(),
            property.kind.name(),
            escaped(&property.name),
            places.join(", "),
        );
    }
    out.push_str("</table></div>\n</section>\n");
    out
}
