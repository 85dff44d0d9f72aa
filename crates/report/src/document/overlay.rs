//! Options by name, as documents name them: those that are given in place of the defaults.

use hardbop_base::source::{Suggestions, json_words};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use thiserror::Error;

/// Why given options are none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OverlayError {
    #[error("there is no option '{name}'{}", near.as_ref().map_or(String::new(), |near| format!("; is '{near}' meant?")))]
    NoOption {
        name: String,
        /// A known name that is nearly that one.
        near: Option<String>,
        /// All known names.
        known: Vec<String>,
    },
    #[error("option '{name}': {why}")]
    Value { name: String, why: String },
    /// Each value is right, and all together are not.
    #[error("{0}")]
    Together(String),
}

/// `defaults` with the given options in their place.
///
/// # Errors
/// There is no such option, or it has no such value.
pub fn overlay<T: Serialize + DeserializeOwned>(
    defaults: &T,
    given: &Map<String, Value>,
) -> Result<T, OverlayError> {
    let together = |e: serde_json::Error| OverlayError::Together(json_words(&e));
    let known = match serde_json::to_value(defaults).map_err(together)? {
        Value::Object(known) => known,
        _ => return Err(OverlayError::Together("options are an object".to_owned())),
    };
    let mut all = known.clone();
    for (name, value) in given {
        if !known.contains_key(name) {
            let near = Suggestions::default().nearest(name, known.keys().map(String::as_str));
            let (name, near) = (name.clone(), near.map(str::to_owned));
            return Err(OverlayError::NoOption {
                name,
                near,
                known: known.keys().cloned().collect(),
            });
        }
        // One at a time, so that the message says which one is wrong.
        let mut one = known.clone();
        one.insert(name.clone(), value.clone());
        let read = serde_json::from_value::<T>(Value::Object(one));
        let why = |e| OverlayError::Value { name: name.clone(), why: json_words(&e) };
        read.map_err(why)?;
        all.insert(name.clone(), value.clone());
    }
    serde_json::from_value(Value::Object(all)).map_err(together)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::overlay;
    use crate::document::RunOptions;
    use hardbop_bp::engine::Engine;

    fn read(given: &serde_json::Value) -> Result<RunOptions, String> {
        let given = given.as_object().expect("an object");
        overlay(&RunOptions::default(), given).map_err(|e| e.to_string())
    }

    #[test]
    fn options_have_the_names_of_json() {
        let options = read(&json!({"engine": "bdd", "entry": "start", "time-limit-seconds": 2.5}));
        let options = options.expect("they are options");
        assert_eq!((options.engine.engine, options.resolve.entry.as_str()), (Engine::Bdd, "start"));
        assert_eq!(options.limits.time_limit_seconds, Some(2.5));
        assert_eq!(options.engine.universal_limit, 4_000);
        let wrong = |given| read(&given).expect_err("it is wrong");
        assert_eq!(
            wrong(json!({"engin": "bdd"})),
            "there is no option 'engin'; is 'engine' meant?"
        );
        assert!(
            wrong(json!({"engine": "fast"})).contains("option 'engine': unknown variant 'fast'")
        );
        assert!(wrong(json!({"seed": -1})).contains("option 'seed'"));
    }
}
