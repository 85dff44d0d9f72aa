//! The data on steps that the script needs, as JSON: which lines they are at, and the values that
//! change.

use serde_json::{Value as Json, json};

use super::path::{initial, shown};
use super::source::Listing;
use crate::document::Document;
use crate::report::rule::file;
use crate::trace::{Step, Trace, Value};

/// `{"initial": [...], "steps": [...]}`, both empty where there is no trace.
pub(super) fn data(document: &Document, listing: &Listing) -> String {
    let Some(trace) = &document.trace else {
        return json!({ "initial": [], "steps": [] }).to_string();
    };
    let steps: Vec<Json> = shown(trace).map(|s| step(document, trace, listing, s)).collect();
    let initial: Vec<Json> = initial(trace).map(value).collect();
    json!({ "initial": initial, "steps": steps }).to_string()
}

fn step(
    document: &Document,
    trace: &Trace,
    listing: &Listing,
    (position, step): (usize, &Step),
) -> Json {
    let line = step
        .line
        .and_then(|line| listing.anchor(file(document.file.as_deref(), trace, step), line));
    json!({
        "number": position + 1,
        "kind": step.kind,
        "function": step.function,
        "callee": step.callee,
        "depth": step.depth,
        "line": line,
        "changed": step.changed.iter().map(value).collect::<Vec<_>>(),
    })
}

fn value(value: &Value) -> Json {
    json!({ "name": value.name, "value": value.value, "global": value.is_global })
}
