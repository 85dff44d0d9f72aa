//! Messages about mistakes in a text in JSON, in words for those who wrote it.

use serde::de::DeserializeOwned;
use serde_json::error::{Category, Error};

/// Most characters of a text in a message; longer ones are cut.
const TEXT: usize = 40;

/// Reads a value.
///
/// # Errors
/// Reads a value from JSON; the error says what is wrong, and where: the path of fields to it, line
/// and column.
pub fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let error = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let place = format!("line {}, column {}", error.line(), error.column());
    // What only the whole document shows has no place.
    let behind = if error.line() > 0 { format!(" ({place})") } else { String::new() };
    Err(match error.classify() {
        Category::Eof => format!("it is not whole: the text ends in {place}"),
        Category::Syntax | Category::Io => format!("it is no JSON: the mistake is in {place}"),
        Category::Data => {
            // Once more, for the way there.
            let mut reader = serde_json::Deserializer::from_slice(bytes);
            let path = match serde_path_to_error::deserialize::<_, T>(&mut reader) {
                Err(again) if again.path().iter().len() > 0 => format!("'{}': ", again.path()),
                _ => String::new(),
            };
            format!("{path}{}{behind}", json_words(&error))
        }
    })
}

/// An error of reading JSON in words, without the place.
#[must_use]
pub fn json_words(error: &Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    let kinds = ["invalid type: ", "invalid value: "];
    let unfit = kinds.iter().find_map(|kind| text.strip_prefix(kind));
    // What was found may have any text in it, what was expected has not.
    if let Some((found, expected)) = unfit.and_then(|rest| rest.rsplit_once(", expected ")) {
        return format!("{} is needed, not {}", needed(expected), given(found));
    }
    text.replace('`', "'")
}

/// The value that is needed, in words, from what a reader of Rust's types expects.
fn needed(expected: &str) -> String {
    let number = |most: u64| format!("a number from 0 to {most}");
    match expected {
        "u8" => number(u8::MAX.into()),
        "u16" => number(u16::MAX.into()),
        "u32" => number(u32::MAX.into()),
        "u64" | "usize" => number(u64::MAX),
        "i8" | "i16" | "i32" | "i64" | "isize" => "an integer".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a string" | "variant identifier" | "field identifier" => "a text".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "string or map" => "a text or an object".to_owned(),
        other => {
            let objects = ["struct ", "internally tagged enum ", "adjacently tagged enum "];
            if objects.iter().any(|kind| other.starts_with(kind)) {
                return "an object".to_owned();
            }
            if let Some(length) = other.strip_prefix("an array of length ") {
                return format!("a list of {length}");
            }
            other.replace('`', "'")
        }
    }
}

/// The value that was found, in words.
fn given(found: &str) -> String {
    let quoted = |kind: &str| found.strip_prefix(kind).map(|rest| rest.trim_matches('`'));
    match found {
        "null" | "unit value" => "null".to_owned(),
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        _ => {
            if let Some(text) = found.strip_prefix("string ") {
                let short: String = text.chars().take(TEXT).collect();
                let dots = if short.len() < text.len() { "..." } else { "" };
                return format!("the text {short}{dots}");
            }
            let value = ["integer ", "floating point ", "boolean "].into_iter().find_map(quoted);
            value.unwrap_or(found).replace('`', "'")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::from_json;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        #[allow(dead_code)]
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    struct Inner {
        #[allow(dead_code)]
        n: u32,
        #[allow(dead_code)]
        pair: [u32; 2],
    }

    #[test]
    fn words_are_those_of_json() {
        for (text, words) in [
            ("7", "an object is needed, not 7 (line 1, column 1)"),
            ("{\"inner\": 1.5}", "'inner': a list is needed, not 1.5 (line 1, column 13)"),
            (
                "{\"inner\":\n [{\"n\": \"x, expected y\", \"pair\": [1, 2]}]}",
                "'inner[0].n': a number from 0 to 4294967295 is needed, not the text \"x, expected y\" (line 2, column 23)",
            ),
            (
                "{\"inner\": [{\"n\": -1}]}",
                "'inner[0].n': a number from 0 to 4294967295 is needed, not -1",
            ),
            (
                "{\"inner\": [{\"n\": 1, \"pair\": {}}]}",
                "'inner[0].pair': a list of 2 is needed, not an object",
            ),
            ("{\"inner\": [], \"more\": 1}", "unknown field 'more'"),
            ("{\"inner\": [", "it is not whole: the text ends in line 1, column 11"),
            ("{inner}", "it is no JSON: the mistake is in line 1, column 2"),
        ] {
            let said = from_json::<Outer>(text.as_bytes()).expect_err("it is wrong");
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
