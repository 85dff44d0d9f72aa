//! Witnesses as YAML: strings are written as JSON writes them, which YAML reads.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::head::{Head, Kind, date, hex};
use super::text::At;
use hardbop_c::types::DataModel;

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
        kind = quoted(kind(head)),
        uuid = quoted(&uuid(head, &content)),
        time = quoted(&date(head.time)),
        version = quoted(head.version),
        specification = quoted(head.specification),
        model = quoted(model(head)),
    )
}

fn kind(head: &Head) -> &'static str {
    match head.kind {
        Kind::Violation => "violation_sequence",
        Kind::Correctness => "invariant_set",
    }
}

fn model(head: &Head) -> &'static str {
    match head.data_model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
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
    let parts = [kind(head), head.version, head.specification, model(head), content];
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
