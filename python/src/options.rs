//! Options by name: the names and values are those that documents have.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors;

/// The defaults with what is given: an object in JSON, where `_` and `-` in names are the same.
pub fn given<T: Serialize + DeserializeOwned + Default>(py: Python<'_>, text: &str) -> PyResult<T> {
    let wrong = |e: serde_json::Error| errors::option(py, &e.to_string());
    let mut all: Map<String, Value> = match serde_json::to_value(T::default()).map_err(wrong)? {
        Value::Object(all) => all,
        _ => return Err(errors::internal(py, "options are no object")),
    };
    for (name, value) in serde_json::from_str::<Map<String, Value>>(text).map_err(wrong)? {
        match all.get_mut(&name.replace('_', "-")) {
            Some(place) => *place = value,
            None => return Err(errors::no_option(py, &name, all.keys())),
        }
    }
    // Each by itself has no names of others around it: a message about it is about it.
    serde_json::from_value(Value::Object(all)).map_err(wrong)
}
