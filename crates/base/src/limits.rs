//! Limits with names: budgets, sizes and thresholds of the engines, as plain structs.
//!
//! [`limits!`](crate::limits!) defines a struct together with what there is to know of each field:
//! default, unit, range, and why it has this value.  From that one definition come `Default`, the
//! form in JSON, the check of the range, and what [`apply`] needs to find a field by its dotted
//! name, as in `bdd.part-nodes`.
//!
//! Numbers that are no choice stay constants where they are used: widths of words, versions of
//! formats, stacks.

use std::fmt::Write;
use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use super::source::Suggestions;

/// The description of one limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Dotted, each part in kebab case.
    pub name: String,
    pub default: u64,
    /// The unit that is counted.
    pub unit: &'static str,
    pub range: RangeInclusive<u64>,
    /// The purpose of the limit, and the reason for its default.
    pub about: &'static str,
}

/// A struct of [`limits!`](crate::limits!): limits, or groups of them.
pub trait Limits: Default + Serialize + DeserializeOwned {
    /// Appends all limits, their names below `path`, which is empty or ends with a dot.
    fn describe(path: &str, out: &mut Vec<Limit>);
}

/// Why a limit was not set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LimitError {
    #[error("'{0}' does not have the form NAME=VALUE")]
    Form(String),
    #[error("there is no limit '{name}'{}", hint(.near))]
    Unknown { name: String, near: Option<String> },
    #[error("limit '{name}': '{value}' is no whole number")]
    Number { name: String, value: String },
    #[error("limit '{name}': {value} is not in {} to {}", .range.start(), .range.end())]
    Range { name: String, value: u64, range: RangeInclusive<u64> },
}

fn hint(near: &Option<String>) -> String {
    let all = || "; 'help' in its place lists all limits".to_owned();
    near.as_ref().map_or_else(all, |near| format!("; is '{near}' meant?"))
}

/// Limits of one engine, whichever: what [`apply`] needs of them.
pub trait Group {
    /// All limits, their names below `path`.
    fn list(&self, path: &str) -> Vec<Limit>;
    /// Sets the one with this name, to a value that is in its range.
    fn put(&mut self, name: &str, value: u64);
}

impl<T: Limits> Group for T {
    fn list(&self, path: &str) -> Vec<Limit> {
        let mut out = vec![];
        T::describe(path, &mut out);
        out
    }

    fn put(&mut self, name: &str, value: u64) {
        let Ok(mut all) = serde_json::to_value(&*self) else { return };
        let pointer = format!("/{}", name.replace('.', "/"));
        if let Some(place) = all.pointer_mut(&pointer) {
            *place = Value::from(value);
        }
        if let Ok(changed) = serde_json::from_value(all) {
            *self = changed;
        }
    }
}

/// The limits of an engine under the name by which `--limit` knows it.
pub type Named<'a> = (&'static str, &'a mut dyn Group);

/// Sets limits as `engine.bdd.part-nodes=1000` says, one after the other.  Where one of the texts
/// is `help`, nothing is set, and the list of all limits is returned.
///
/// # Errors
/// The first that does not have this form, or names no limit, or has no value in the limit's range.
pub fn apply(groups: &mut [Named], assignments: &[String]) -> Result<Option<String>, LimitError> {
    if assignments.iter().any(|a| a == "help") {
        return Ok(Some(help(groups)));
    }
    set(groups, assignments).map(|()| None)
}

fn set(groups: &mut [Named], assignments: &[String]) -> Result<(), LimitError> {
    for assignment in assignments {
        let form = || LimitError::Form(assignment.clone());
        let (name, value) = assignment.split_once('=').ok_or_else(form)?;
        let all = list(groups);
        let Some(limit) = all.iter().find(|l| l.name == name) else {
            let names = all.iter().map(|l| l.name.as_str());
            let near = Suggestions::default().nearest(name, names).map(str::to_owned);
            return Err(LimitError::Unknown { name: name.to_owned(), near });
        };
        let number = || LimitError::Number { name: name.to_owned(), value: value.to_owned() };
        let value = value.replace('_', "").parse().map_err(|_| number())?;
        in_range(name, value, &limit.range)?;
        for (group, limits) in groups.iter_mut() {
            let rest = name.strip_prefix(*group).and_then(|rest| rest.strip_prefix('.'));
            if let Some(rest) = rest {
                limits.put(rest, value);
            }
        }
    }
    Ok(())
}

/// All limits by name: default, unit, range and what they are for.
fn help(groups: &[Named]) -> String {
    let mut out = String::new();
    for Limit { name, default, unit, range, about } in list(groups) {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{name}={default}  {unit}, {} to {}", range.start(), range.end());
        let about = about.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "    {}", about.trim());
    }
    out
}

fn list(groups: &[Named]) -> Vec<Limit> {
    groups.iter().flat_map(|(name, limits)| limits.list(&format!("{name}."))).collect()
}

/// Checks that a value is in its range, for [`limits!`](crate::limits!).
///
/// # Errors
/// It is not.
pub fn in_range(name: &str, value: u64, range: &RangeInclusive<u64>) -> Result<(), LimitError> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(LimitError::Range { name: name.to_owned(), value, range: range.clone() })
}

/// Whether nothing was chosen: for documents that say only what was.
pub fn is_default<T: Default + PartialEq>(limits: &T) -> bool {
    *limits == T::default()
}

/// A struct of limits, `field: type = default, range, "unit";`, or of groups, `field: Struct;`,
/// each field with a doc comment.  In JSON names are in kebab case, what is missing has its
/// default, and what is out of range or has no such name is refused.
#[macro_export]
macro_rules! limits {
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $type:ty = $default:expr, $range:expr, $unit:literal;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                #[doc = concat!(
                    "\n\nDefault ", stringify!($default), "; unit: ", $unit, "; range ",
                    stringify!($range), "."
                )]
                pub $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        const _: () = {
            /// The struct as it is read, before ranges are checked.
            #[derive(serde::Deserialize)]
            #[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
            struct Raw {
                $($field: $type,)*
            }

            impl Default for Raw {
                fn default() -> Self {
                    Self { $($field: $default),* }
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                    let raw = <Raw as serde::Deserialize>::deserialize(from)?;
                    $(
                        let name = stringify!($field).replace('_', "-");
                        $crate::limits::in_range(&name, raw.$field as u64, &($range))
                            .map_err(serde::de::Error::custom)?;
                    )*
                    Ok(Self { $($field: raw.$field),* })
                }
            }
        };

        impl $crate::limits::Limits for $name {
            fn describe(path: &str, out: &mut Vec<$crate::limits::Limit>) {
                let default = Self::default();
                $(
                    out.push($crate::limits::Limit {
                        name: format!("{path}{}", stringify!($field).replace('_', "-")),
                        default: default.$field as u64,
                        unit: $unit,
                        range: $range,
                        about: concat!($($doc),*),
                    });
                )*
            }
        }
    };
    (
        $(#[doc = $about:literal])*
        pub struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $field:ident: $type:ty;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(
            Debug, Clone, Copy, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
        pub struct $name {
            $(
                $(#[doc = $doc])*
                pub $field: $type,
            )*
        }

        impl $crate::limits::Limits for $name {
            fn describe(path: &str, out: &mut Vec<$crate::limits::Limit>) {
                $(
                    let name = format!("{path}{}.", stringify!($field).replace('_', "-"));
                    <$type as $crate::limits::Limits>::describe(&name, out);
                )*
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::{Group, LimitError, help, set};

    limits! {
        /// Of a test.
        pub struct Inner {
            /// So many tries.
            most_tries: u32 = 3, 1..=10, "tries";
            /// Nodes.
            nodes: usize = 1 << 20, 0..=u64::from(u32::MAX), "nodes";
        }
    }

    limits! {
        /// A group.
        pub struct Outer {
            /// The inner ones.
            inner_part: Inner;
        }
    }

    fn assign(text: &str) -> Result<Outer, String> {
        let mut limits = Outer::default();
        let result = set(&mut [("test", &mut limits)], &[text.to_owned()]);
        result.map(|()| limits).map_err(|e| e.to_string())
    }

    #[test]
    fn a_limit_is_set_by_name() {
        assert_eq!(assign("test.inner-part.most-tries=7").unwrap().inner_part.most_tries, 7);
        assert_eq!(assign("test.inner-part.nodes=4_000").unwrap().inner_part.nodes, 4_000);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, message) in [
            ("test.inner-part.nodes", "'test.inner-part.nodes' does not have the form NAME=VALUE"),
            (
                "test.inner-part.node=1",
                "there is no limit 'test.inner-part.node'; is 'test.inner-part.nodes' meant?",
            ),
            (
                "test.inner-part=1",
                "there is no limit 'test.inner-part'; 'help' in its place lists all limits",
            ),
            ("test.inner-part.nodes=-1", "limit 'test.inner-part.nodes': '-1' is no whole number"),
            (
                "test.inner-part.most-tries=0",
                "limit 'test.inner-part.most-tries': 0 is not in 1 to 10",
            ),
        ] {
            assert_eq!(assign(text).unwrap_err(), message);
        }
    }

    #[test]
    fn json_is_checked_like_assignments() {
        let read = |text| serde_json::from_str::<Outer>(text).map_err(|e| e.to_string());
        assert_eq!(read("{}").unwrap(), Outer::default());
        assert_eq!(read(r#"{"inner-part":{"nodes":9}}"#).unwrap().inner_part.nodes, 9);
        assert!(read(r#"{"inner-part":{"most-tries":11}}"#).unwrap_err().contains("1 to 10"));
        assert!(read(r#"{"inner-part":{"tries":1}}"#).is_err());
    }

    #[test]
    fn every_limit_is_described() {
        let mut limits = Outer::default();
        let names: Vec<String> = limits.list("").into_iter().map(|l| l.name).collect();
        assert_eq!(names, ["inner-part.most-tries", "inner-part.nodes"]);
        let text = help(&[("test", &mut limits)]);
        assert!(
            text.starts_with("test.inner-part.most-tries=3  tries, 1 to 10\n    So many tries.")
        );
        let error = set(&mut [("test", &mut limits)], &["x".into()]);
        assert_eq!(error, Err(LimitError::Form("x".into())));
    }
}
