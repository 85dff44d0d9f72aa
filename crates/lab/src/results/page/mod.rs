//! A page with the table, which can be filtered and sorted, and plots: one file that needs nothing
//! else.

use std::fmt::Write as _;

use serde_json::json;

use super::diff::Change;
use super::plots::plots;
use super::rows::{Campaign, Row};
use super::table::counts_line;
use crate::compare::PlotError;
use hardbop_report::document::Verdict;
use hardbop_report::markup::{embedded, escaped, policy};
use hardbop_report::units::bytes;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The page.  `pages` is the folder with a page for each task that has one, seen from this page;
/// `changes` since another campaign, where one is given.
///
/// # Errors
/// [`PlotError`] where a plot cannot be drawn.
pub fn page(
    campaign: &Campaign,
    pages: &str,
    changes: Option<&[(Change, &Row, &Row)]>,
) -> Result<String, PlotError> {
    let name = escaped(&campaign.name);
    let end = if campaign.interrupted { " It was interrupted." } else { "" };
    let drawn = plots(campaign)?;
    // Plots bring a style each, the same one; a page has it once.
    let style = drawn.first().and_then(|svg| inner_style(svg)).unwrap_or_default();
    let style = format!("{STYLE}{style}\n");
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{name} - hardbop campaign</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <h1>{name}</h1>\n<p>{}. Limits of each task: {} s and {}. hardbop {}.{end}</p>\n",
        policy(&style, SCRIPT),
        escaped(&counts_line(campaign)),
        campaign.time_limit_seconds,
        bytes(campaign.memory_limit_bytes),
        campaign.version,
    );
    if let Some(changes) = changes {
        differences(changes, &mut out);
    }
    out.push_str("<h2>Plots</h2>\n<div class=\"plots\">\n");
    for svg in &drawn {
        let plain = match inner_style(svg) {
            Some(style) => svg.replace(&format!("<style>{style}</style>\n"), ""),
            None => svg.clone(),
        };
        out.push_str(&plain);
    }
    out.push_str(
        "</div>\n<h2>Tasks</h2>\n<form id=\"filters\">\n\
         <label>program <input id=\"text\" type=\"search\" placeholder=\"part of its name\"></label>\n\
         <label>verdict <select id=\"verdict\"></select></label>\n\
         <label>property <select id=\"property\"></select></label>\n\
         <label>options <select id=\"options\"></select></label>\n\
         <label>reason <select id=\"reason\"></select></label>\n\
         <output id=\"shown\"></output>\n</form>\n\
         <div class=\"wide\"><table id=\"tasks\">\n<thead><tr></tr></thead>\n<tbody></tbody>\n</table></div>\n\
         <p><button id=\"more\" type=\"button\" hidden>Show all</button></p>\n\
         <noscript><p>The table needs JavaScript, of which nothing leaves this page.</p></noscript>\n",
    );
    let _ = write!(
        out,
        "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n",
        embedded(&data(campaign, pages)),
    );
    Ok(out)
}

/// The style within an SVG.
fn inner_style(svg: &str) -> Option<&str> {
    let (_, rest) = svg.split_once("<style>")?;
    rest.split_once("</style>").map(|(style, _)| style)
}

/// The rows for the script.
fn data(campaign: &Campaign, pages: &str) -> String {
    let rows: Vec<_> = campaign
        .rows
        .iter()
        .map(|row| {
            let result = row.result.as_ref();
            let reason = result.and_then(|r| r.reason.as_ref());
            json!({
                "program": row.program,
                "property": row.property,
                "options": row.options,
                "verdict": if row.is_wrong() { "WRONG" } else { row.word() },
                "is": row.word(),
                "expected": row.expected.map(Verdict::word),
                "code": reason.map(|r| r.code.clone()),
                "reason": row.reason(),
                "seconds": row.time(),
                "memory": result.and_then(|r| r.memory_bytes),
                "node": result.and_then(|r| r.node.clone()),
                "how": result.filter(|r| r.by_certificate || r.part.is_some()).map(|_| row.how()),
                "page": row.has_page.then(|| format!("{pages}/{}.html", row.hash)),
            })
        })
        .collect();
    json!({ "rows": rows }).to_string()
}

fn differences(changes: &[(Change, &Row, &Row)], out: &mut String) {
    out.push_str("<h2>Changes</h2>\n<ul class=\"changes\">\n");
    for (change, old, new) in changes {
        let text = format!(
            "{}: {}, {}, {} (was {}{}, is {}{})",
            change.name(),
            new.program,
            new.property,
            new.options,
            old.word(),
            old.time().map_or_else(String::new, |s| format!(" in {s:.2} s")),
            new.word(),
            new.time().map_or_else(String::new, |s| format!(" in {s:.2} s")),
        );
        let _ = writeln!(out, "<li>{}</li>", escaped(&text));
    }
    out.push_str(if changes.is_empty() { "<li>none</li>\n</ul>\n" } else { "</ul>\n" });
}

#[cfg(test)]
mod tests {
    use super::super::sample::{campaign, row};
    use super::*;

    #[test]
    fn names_do_not_break_the_page() {
        let one = row("</script><b>.c", ("p", "o"), Verdict::Safe, 1.0);
        let page = page(&campaign(vec![one]), "pages", None).expect("a page");
        assert_eq!(page.matches("<script").count(), 2, "{page}");
        assert!(!page.contains("<b>"));
    }

    /// Else the hashes would be those of other texts than browsers see.
    #[test]
    fn style_and_script_are_taken_as_they_are() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--") && !text.contains('\r'));
        }
    }
}
