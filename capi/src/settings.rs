//! Options by name: the names and values are those that `--json` writes, so they are written down nowhere else.

use std::collections::BTreeSet;
use std::time::Duration;

use hardbop_base::budget::Budget;
use hardbop_base::errors::Check;
use hardbop_bp::engine;
use hardbop_bp::language::parser::Dialect;
use hardbop_bp::language::resolve::ResolveOptions;
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Property};
use hardbop_report::document::LimitOptions;
use hardbop_verify as verify;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::border::User;
use crate::cancel::Cancel;
use crate::handle::Kind;
use crate::status::{Error, Status};

/// `hardbop_progress`: seconds, a line for people, statistics as JSON, the user's pointer.
pub type Callback = extern "C" fn(
    f64,
    *const std::ffi::c_char,
    *const std::ffi::c_char,
    *mut std::ffi::c_void,
) -> i32;

/// `hardbop_options`
#[derive(Clone)]
pub struct Settings {
    pub boolean: engine::Options,
    pub resolve: ResolveOptions,
    pub dialect: Dialect,
    pub c: verify::Options,
    pub model: Option<DataModel>,
    pub property: Property,
    pub time: Option<f64>,
    pub memory: Option<u64>,
    pub cancel: Cancel,
    pub progress: Option<(Callback, User)>,
    /// What has been set, by its name.
    given: BTreeSet<String>,
}

impl Kind for Settings {
    const NAME: &'static str = "set of options";
}

impl Default for Settings {
    /// As the command line does it.
    fn default() -> Self {
        Self {
            boolean: engine::Options::default(),
            resolve: ResolveOptions::default(),
            dialect: Dialect::default(),
            c: verify::Options::default(),
            model: None,
            property: Property::default(),
            time: None,
            memory: None,
            cancel: Cancel::default(),
            progress: None,
            given: BTreeSet::new(),
        }
    }
}

fn invalid(name: &str, value: &str, why: impl std::fmt::Display) -> Error {
    Error::new(Status::InvalidValue, format!("'{value}' is no value for '{name}': {why}"))
}

fn parsed<T: std::str::FromStr>(name: &str, value: &str, expected: &str) -> Result<T, Error> {
    value.trim().parse().map_err(|_| invalid(name, value, format!("expected {expected}")))
}

fn list(value: &str) -> Vec<String> {
    value.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

impl Settings {
    /// Sets an option; `-` and `_` in names are the same.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let key = name.replace('_', "-");
        let flag = || parsed::<bool>(name, value, "true or false");
        match key.as_str() {
            "time-limit-seconds" => {
                let seconds = parsed::<f64>(name, value, "a number of seconds")?;
                Duration::try_from_secs_f64(seconds).map_err(|e| invalid(name, value, e))?;
                self.time = Some(seconds);
            }
            "memory-limit-bytes" => self.memory = Some(parsed(name, value, "a number of bytes")?),
            "dialect" => self.dialect = value.parse().map_err(|e| invalid(name, value, e))?,
            "data-model" => {
                self.model = match value {
                    "32" | "ilp32" => Some(DataModel::Ilp32),
                    "64" | "lp64" => Some(DataModel::Lp64),
                    _ => return Err(invalid(name, value, "expected 32 or 64")),
                }
            }
            "acsl" => self.property.acsl = flag()?,
            "error-functions" => self.property.error_functions = list(value),
            _ => {
                let check = Check::of_option(&key);
                if let Some(check) = check {
                    self.property.checks.set(check, flag()?);
                }
                let known = check.is_some()
                    | set_in(&mut self.boolean, name, &key, value)?
                    | set_in(&mut self.resolve, name, &key, value)?
                    | set_in(&mut self.c, name, &key, value)?;
                if !known {
                    let message = format!("there is no option '{name}'");
                    return Err(Error::new(Status::UnknownOption, message));
                }
            }
        }
        self.given.insert(key);
        Ok(())
    }

    /// Was it set?
    pub fn is_given(&self, key: &str) -> bool {
        self.given.contains(key)
    }

    /// All of them, as JSON.
    pub fn json(&self) -> Result<String, Error> {
        let mut all = serde_json::Map::new();
        let property = json!({
            "acsl": self.property.acsl,
            "error-functions": self.property.error_functions,
            "dialect": self.dialect,
            "data-model": self.model,
            "time-limit-seconds": self.time,
            "memory-limit-bytes": self.memory,
        });
        // Who decides Boolean programs is said once, for those of C programs, too.
        let parts = [
            value_of(&self.c)?,
            value_of(&self.boolean)?,
            value_of(&self.resolve)?,
            value_of(&self.property.checks)?,
            property,
        ];
        for part in parts {
            if let Value::Object(map) = part {
                all.extend(map);
            }
        }
        serde_json::to_string_pretty(&all).map_err(Error::internal)
    }

    /// The limits, for documents.
    pub fn limits(&self) -> LimitOptions {
        LimitOptions { time_limit_seconds: self.time, memory_limit_bytes: self.memory }
    }

    /// How C programs and automata are checked: what was said of Boolean programs holds for theirs, too.
    pub fn c_options(&self) -> verify::Options {
        verify::Options { engine: self.boolean.clone(), ..self.c.clone() }
    }

    /// The limits of a run that begins now.
    pub fn budget(&self) -> Budget {
        let mut budget = Budget::with_cancel_flag(self.cancel.0.clone());
        if let Some(seconds) = self.time {
            // Invariant: it was checked when it was set.
            let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            budget = budget.with_time_limit(limit);
        }
        match self.memory {
            Some(bytes) => budget.with_memory_limit(bytes),
            None => budget,
        }
    }

    /// How C is read: what was said of errors holds for C, too.
    pub fn parse_options(&self) -> ParseOptions {
        let mut property = self.property.clone();
        if self.is_given("error-labels") {
            property.error_labels.clone_from(&self.resolve.error_labels);
        }
        property.assertions = self.resolve.check_asserts;
        let entry = self.is_given("entry").then(|| self.resolve.entry.clone());
        ParseOptions { model: self.model, property, entry, ..ParseOptions::default() }
    }
}

fn value_of(options: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(options).map_err(Error::internal)
}

/// Sets a field of options, if there is one of that name.
fn set_in<T: Serialize + DeserializeOwned>(
    options: &mut T,
    name: &str,
    key: &str,
    text: &str,
) -> Result<bool, Error> {
    let mut all = value_of(options)?;
    let fields = all.as_object_mut().into_iter().flatten();
    let field = fields.into_iter().find(|(field, _)| *field == key);
    let Some((_, value)) = field else { return Ok(false) };
    *value = match value {
        Value::Bool(_) => Value::Bool(parsed(name, text, "true or false")?),
        Value::Array(_) => json!(list(text)),
        // `null`: a number that need not be there.
        Value::Number(_) | Value::Null if text == "none" => Value::Null,
        Value::Number(_) | Value::Null => json!(parsed::<u64>(name, text, "a number")?),
        Value::String(_) | Value::Object(_) => Value::String(text.to_owned()),
    };
    *options = serde_json::from_value(all).map_err(|e| invalid(name, text, e))?;
    Ok(true)
}
