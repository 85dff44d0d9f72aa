//! Whether a document has the form in which it would be written, so that what its schema forbids is
//! refused.

use serde_json::Value;

/// The place where a document departs from the form of what was read from it, and how; values may
/// be others.
pub(super) fn departure(given: &Value, canonical: &Value) -> Option<String> {
    let mut path = Vec::new();
    // Documents are nested as deep as their types are.
    let what = departs(given, canonical, &mut path)?;
    let path: String = path.iter().map(String::as_str).collect();
    Some(format!("'{}': {what}", path.trim_start_matches('.')))
}

fn departs(given: &Value, canonical: &Value, path: &mut Vec<String>) -> Option<String> {
    match (given, canonical) {
        (Value::Object(given), Value::Object(canonical)) => {
            for (key, value) in canonical {
                path.push(format!(".{key}"));
                match given.get(key) {
                    None => return Some("it is missing".to_owned()),
                    Some(other) => {
                        if let Some(found) = departs(other, value, path) {
                            return Some(found);
                        }
                    }
                }
                path.pop();
            }
            // What is false may be left out, and is.
            let more = |(key, value): &(&String, &Value)| {
                !canonical.contains_key(*key) && **value != Value::Bool(false)
            };
            let (key, value) = given.iter().find(more)?;
            path.push(format!(".{key}"));
            Some(format!("{} has no place here", kind(value)))
        }
        (Value::Array(given), Value::Array(canonical)) if given.len() == canonical.len() => {
            for (index, (given, canonical)) in given.iter().zip(canonical).enumerate() {
                path.push(format!("[{index}]"));
                if let Some(found) = departs(given, canonical, path) {
                    return Some(found);
                }
                path.pop();
            }
            None
        }
        _ => {
            let same = kind(given) == kind(canonical);
            (!same).then(|| format!("{} is needed, not {}", kind(canonical), kind(given)))
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
