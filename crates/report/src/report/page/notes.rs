//! The notes of an answer: invariants as a list, predicates, warnings, assumptions.

use std::fmt::Write as _;

use super::source::Listing;
use crate::document::Document;
use crate::markup::escaped;
use crate::units::counted;

/// The sections, of which each is there only where the answer has something for it.
pub(super) fn sections(document: &Document, listing: &Listing) -> String {
    let mut out = invariants(document, listing);
    list("predicates", "Predicates", &document.predicates, &mut out);
    list("warnings", "Warnings", &document.warnings, &mut out);
    list("assumptions", "Assumptions", &document.assumptions, &mut out);
    out
}

/// All invariants, folded: those at lines are there as well.
fn invariants(document: &Document, listing: &Listing) -> String {
    let all = &document.invariants;
    if all.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "<section class=\"invariants\" aria-labelledby=\"invariants-title\">\n\
         <h2 id=\"invariants-title\">Invariants</h2>\n\
         <details><summary>{}, which prove that no error can be reached</summary>\n\
         <div class=\"wide\"><table>\n\
         <tr><th>function</th><th>place</th><th>formula</th></tr>\n",
        counted(all.len() as u64, "formula"),
    );
    for invariant in all {
        let calls = invariant.calls.iter();
        let calls: Vec<String> = calls.map(|c| format!("{} edge {}", c.function, c.edge)).collect();
        let mut place = escaped(&invariant.place);
        if let Some(anchor) = listing.anchor_of(document, invariant) {
            place = format!("<a href=\"#{anchor}\">{place}</a>");
        }
        if !calls.is_empty() {
            let _ = write!(place, ", called at {}", escaped(&calls.join(", ")));
        }
        let formula = invariant.formula.as_deref().unwrap_or("(a very long formula)");
        // Writing to a string does not fail.
        let _ = writeln!(
            out,
            "<tr><td><code>{}</code></td><td>{place}</td><td><code>{}</code></td></tr>",
            escaped(&invariant.function),
            escaped(formula),
        );
    }
    out.push_str("</table></div>\n");
    let is_at_entry = |f: &String| f.contains("@entry");
    if all.iter().filter_map(|i| i.formula.as_ref()).any(is_at_entry) {
        out.push_str("<p><code>x@entry</code> is the value that <code>x</code> had when its procedure was called.</p>\n");
    }
    out.push_str("</details>\n</section>\n");
    out
}

/// A section of texts, if there are any.
pub(super) fn list(name: &str, title: &str, texts: &[String], out: &mut String) {
    if texts.is_empty() {
        return;
    }
    // Writing to a string does not fail.
    let _ = write!(
        out,
        "<section class=\"{name}\" aria-labelledby=\"{name}-title\">\n\
         <h2 id=\"{name}-title\">{title}</h2>\n<ul>\n"
    );
    for text in texts {
        let _ = writeln!(out, "<li>{}</li>", escaped(text));
    }
    out.push_str("</ul>\n</section>\n");
}
