//! Witnesses as YAML: strings are written as JSON writes them, which YAML reads.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::text::At;

/// A part of a witness's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// A call returns a value that satisfies an expression over `\result`.
    Returned { at: At, constraint: String },
    /// The error is here.
    Target(At),
    /// An expression of C holds whenever the loop here is at its head.
    Invariant { at: At, formula: String },
}

/// What a witness says of itself.
pub(super) struct Head<'a> {
    pub kind: &'a str,
    /// In seconds since 1970.
    pub time: u64,
    pub version: &'a str,
    /// With the SHA-256 of each.
    pub files: &'a [(&'a str, String)],
    pub specification: &'a str,
    pub data_model: &'a str,
}

/// The text of a witness with one entry.
pub(super) fn written(head: &Head, content: &[Entry]) -> String {
    let content = match content.is_empty() {
        true => "  content: []\n".to_owned(),
        false => format!("  content:\n{}", content.iter().map(entry).collect::<String>()),
    };
    let mut task = String::new();
    // Writing to a string does not fail.
    for (name, _) in head.files {
        let _ = writeln!(task, "        - {}", quoted(name));
    }
    task.push_str("      input_file_hashes:\n");
    for (name, hash) in head.files {
        let _ = writeln!(task, "        {}: {}", quoted(name), quoted(hash));
    }
    format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {uuid}\n    \
         creation_time: {time}\n    producer:\n      name: \"hardbop\"\n      version: {version}\n    \
         task:\n      input_files:\n{task}      specification: {specification}\n      \
         data_model: {model}\n      language: C\n{content}",
        kind = quoted(head.kind),
        uuid = quoted(&uuid(head, &content)),
        time = quoted(&date(head.time)),
        version = quoted(head.version),
        specification = quoted(head.specification),
        model = quoted(head.data_model),
    )
}

fn entry(entry: &Entry) -> String {
    match entry {
        Entry::Returned { at, constraint } => format!(
            "    - segment:\n        - waypoint:\n            type: function_return\n            action: follow\n            \
             constraint:\n              value: {}\n              format: acsl_expression\n{}",
            quoted(constraint),
            location(at, 12),
        ),
        Entry::Target(at) => format!(
            "    - segment:\n        - waypoint:\n            type: target\n            action: follow\n{}",
            location(at, 12),
        ),
        Entry::Invariant { at, formula } => format!(
            "    - invariant:\n        type: loop_invariant\n{}        value: {}\n        format: c_expression\n",
            location(at, 8),
            quoted(formula),
        ),
    }
}

fn location(at: &At, indent: usize) -> String {
    let by = " ".repeat(indent);
    let column = at.column.map_or(String::new(), |column| format!("{by}  column: {column}\n"));
    format!(
        "{by}location:\n{by}  file_name: {}\n{by}  line: {}\n{column}{by}  function: {}\n",
        quoted(&at.file),
        at.line,
        quoted(&at.function),
    )
}

/// A string as JSON has it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A name for the witness that is the same whenever its content is (RFC 9562, version 8).
fn uuid(head: &Head, content: &str) -> String {
    let mut hash = Sha256::new();
    let parts = [head.kind, head.version, head.specification, head.data_model, content];
    let files = head.files.iter().flat_map(|(name, hash)| [*name, hash.as_str()]);
    parts.into_iter().chain(files).for_each(|part| {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    });
    let mut bytes = hash.finalize();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hex(&bytes[..16]);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// `2024-02-29T12:00:00Z` for seconds since 1970, by the calendar's period of 400 years.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0: leap days are at the ends of years.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Bytes as hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        // As `date -u -d @SECONDS` has them.
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(date(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(date(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
