//! Options as `--json` names them: those of a request in place of the defaults.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::protocol::{Code, ErrorBody};
use crate::base::source::{Suggestions, json_words};

/// `defaults` with the given options in their place.
///
/// # Errors
/// There is no such option, or it has no such value.
pub(super) fn overlay<T: Serialize + DeserializeOwned>(
    defaults: &T,
    given: &Map<String, Value>,
) -> Result<T, ErrorBody> {
    let wrong = |message: String| ErrorBody::new(Code::InvalidParams, message);
    let known = serde_json::to_value(defaults).map_err(|e| wrong(json_words(&e)))?;
    let Value::Object(known) = known else { return Err(wrong("no options".into())) };
    let mut all = known.clone();
    for (name, value) in given {
        if !known.contains_key(name) {
            let near = Suggestions::default().nearest(name, known.keys().map(String::as_str));
            let hint = near.map_or(String::new(), |near| format!("; is '{near}' meant?"));
            return Err(wrong(format!("there is no option '{name}'{hint}")));
        }
        // One at a time, so that the message says which one is wrong.
        let mut one = known.clone();
        one.insert(name.clone(), value.clone());
        let read = serde_json::from_value::<T>(Value::Object(one));
        read.map_err(|e| wrong(format!("option '{name}': {}", json_words(&e))))?;
        all.insert(name.clone(), value.clone());
    }
    serde_json::from_value(Value::Object(all)).map_err(|e| wrong(json_words(&e)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::overlay;
    use crate::boolean::engine::Engine;
    use crate::present::document::RunOptions;

    fn read(given: &serde_json::Value) -> Result<RunOptions, String> {
        let given = given.as_object().expect("an object");
        overlay(&RunOptions::default(), given).map_err(|e| e.message)
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
