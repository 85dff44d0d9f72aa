//! What is around the content: the head with its policy, the banner, style and script.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::present::document::{AnsweredBy, Document, Language, Verdict};
use crate::present::markup::escaped;
use crate::present::report::rule::sentence;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The whole page.  `data` is JSON for the script.
pub(super) fn page(document: &Document, body: &str, data: &str) -> String {
    // By their hashes, so that nothing that a program contains can ever be run.
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        base64(&Sha256::digest(STYLE)),
        base64(&Sha256::digest(SCRIPT)),
    );
    let title = format!("{}: {}", word(document), name(document));
    // In JSON this sign occurs in strings only; without it, no text ends the element.
    let data = data.replace('<', "\\u003c");
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
        version = escaped(document.version),
        title = escaped(&title),
    )
}

/// What was asked, and what the answer is.
pub(super) fn banner(document: &Document) -> String {
    let class = word(document).to_lowercase();
    let mut out = format!(
        "<header class=\"banner {class}\">\n\
         <h1><span class=\"verdict\">{}</span> <span class=\"name\">{}</span></h1>\n\
         <p class=\"reason\">{}.</p>\n<dl>\n",
        word(document),
        escaped(&name(document)),
        escaped(&reason(document)),
    );
    let mut fact = |name: &str, value: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    };
    let codes = |all: &[String]| {
        let all: Vec<String> = all.iter().map(|p| format!("<code>{}</code>", escaped(p))).collect();
        all.join(", ")
    };
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
    out.push_str("</dl>\n</header>\n");
    out
}

fn word(document: &Document) -> &'static str {
    match document.verdict {
        Verdict::Safe => "SAFE",
        Verdict::Unsafe => "UNSAFE",
        Verdict::Unknown => "UNKNOWN",
    }
}

/// The file; automata that others describe have none.
fn name(document: &Document) -> String {
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

/// Base 64 (RFC 4648), as policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for part in bytes.chunks(3) {
        let byte = |i: usize| u32::from(part.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            if digit > part.len() {
                out.push('=');
            } else {
                out.push(char::from(DIGITS[(bits >> (18 - 6 * digit) & 63) as usize]));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_of_the_rfc() {
        let cases =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (text, wanted) in cases {
            assert_eq!(base64(text.as_bytes()), wanted);
        }
    }

    /// Else the hashes would be those of other texts than browsers see.
    #[test]
    fn style_and_script_are_taken_as_they_are() {
        for text in [STYLE, SCRIPT] {
            assert!(!text.contains("</") && !text.contains("<!--") && !text.contains('\r'));
        }
    }
}
