//! Options by name: the names and values are those that documents have.

use hardbop_report::document::{OverlayError, overlay};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::errors;

/// The defaults with what is given: an object in JSON, whose names may have `_` in place of `-`.
pub fn given<T: Serialize + DeserializeOwned + Default>(py: Python<'_>, text: &str) -> PyResult<T> {
    let given = serde_json::from_str::<Map<String, Value>>(text);
    let given = given.map_err(|e| errors::option(py, &e.to_string()))?;
    let given = given.into_iter().map(|(name, value)| (name.replace('_', "-"), value)).collect();
    overlay(&T::default(), &given).map_err(|e| match e {
        OverlayError::NoOption { name, known, .. } => errors::no_option(py, &name, known.iter()),
        e => errors::option(py, &e.to_string()),
    })
}
