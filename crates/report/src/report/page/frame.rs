//! The frame around the content: the head with its policy, the banner, style and script.

use std::fmt::Write as _;

use crate::document::{AnsweredBy, Document, Language, Verdict};
use crate::markup::{embedded, escaped, policy};
use crate::report::rule::sentence;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page.  `data` is JSON for the script.
pub(super) fn page(version: &str, title: &str, body: &str, data: &str) -> String {
    let policy = policy(STYLE, SCRIPT);
    let data = embedded(data);
    format!(
        "<!DOCTYPE html>\n\
         <html lang=\"en\">\n\
         <head>\n\
         <meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"generator\" content=\"hardbop {version}\">\n\
         <title>{title} - hardbop</title>\n\
         <style>{STYLE}</style>\n\
         </head>\n\
         <body>\n\
         {body}\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>{SCRIPT}</script>\n\
         </body>\n\
         </html>\n",
        version = escaped(version),
        title = escaped(title),
    )
}

/// The banner: the question, and the answer.
pub(super) fn banner(document: &Document) -> String {
    let mut facts = Vec::new();
    let mut fact = |name: &'static str, value: &str| facts.push((name, value.to_owned()));
    fact("Property", &codes(&document.property));
    if !document.files.is_empty() {
        fact("Files", &codes(&document.files));
    }
    #[cfg(feature = "c")]
    if let Some(expected) = &document.expected {
        let word = if expected.holds { "SAFE" } else { "UNSAFE" };
        fact("Expected", word);
    }
    let language = match document.language {
        Language::BooleanProgram => "Boolean program",
        Language::C => "C",
        Language::Automata => "control-flow automata",
    };
    fact("Language", language);
    let by = match document.answered_by {
        AnsweredBy::Executions => "executions".to_owned(),
        AnsweredBy::Tree => "abstract reachability tree".to_owned(),
        AnsweredBy::Bp => "Boolean programs".to_owned(),
        AnsweredBy::Engine(engine) => format!("engine {}", format!("{engine:?}").to_lowercase()),
    };
    fact("Found by", &escaped(&by));
    fact("Version", &format!("hardbop {}", escaped(document.version)));
    header(document.verdict, &name(document), &reason(document), &facts)
}

/// The banner of a verdict on a program: why, without its full stop, and facts in HTML.
pub(super) fn header(
    verdict: Verdict,
    name: &str,
    reason: &str,
    facts: &[(&str, String)],
) -> String {
    let mut out = format!(
        "<header class=\"banner {}\">\n\
         <h1><span class=\"verdict\">{}</span> <span class=\"name\">{}</span></h1>\n\
         <p class=\"reason\">{}.</p>\n<dl>\n",
        verdict.word().to_lowercase(),
        verdict.word(),
        escaped(name),
        escaped(reason),
    );
    for (name, value) in facts {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    out.push_str("</dl>\n</header>\n");
    out
}

/// Texts of programs, side by side.
pub(super) fn codes(all: &[String]) -> String {
    let all: Vec<String> = all.iter().map(|p| format!("<code>{}</code>", escaped(p))).collect();
    all.join(", ")
}

/// The file; automata that others describe have none.
pub(super) fn name(document: &Document) -> String {
    document.file.clone().unwrap_or_else(|| "program".to_owned())
}

/// Why, without its full stop.
fn reason(document: &Document) -> String {
    match (document.verdict, &document.trace, &document.reason) {
        (Verdict::Safe, ..) => "No error can be reached".to_owned(),
        (Verdict::Unsafe, Some(trace), _) => sentence(trace),
        (Verdict::Unsafe, None, _) => "An error can be reached".to_owned(),
        (Verdict::Unknown, _, Some(reason)) => format!("No verdict: {}", reason.message),
        (Verdict::Unknown, _, None) => "No verdict".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Else the hashes would be those of other texts than browsers see.
    #[test]
    fn style_and_script_are_taken_as_they_are() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--") && !text.contains('\r'));
        }
    }
}
