//! The one table of kinds of error, besides an assertion that fails and a label or call that is
//! reached, and of the checks that look for them.  Options, property files, reports, witnesses and
//! certificates read it.

use std::fmt;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

mod check;
mod kind;

pub use check::{CHECKS, Check, CheckRow, GROUPS, Group};
pub use kind::{ERRORS, ErrorKind, ErrorRow};

/// A set of checks.  In JSON each has its option, `true` or `false`.
///
/// ```
/// use hardbop_base::errors::{Check, Checks};
///
/// let mut checks = Checks::of(&[Check::Bounds]);
/// checks.set(Check::Null, true);
/// assert!(checks.has(Check::Null) && !checks.has(Check::Overflow));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Checks(u32);

impl Checks {
    /// The set of these checks.
    #[must_use]
    pub fn of(checks: &[Check]) -> Self {
        checks.iter().fold(Self::default(), |all, &check| all.with(check))
    }

    /// Accesses and what is freed: what a sanitizer of addresses would look for.
    #[must_use]
    pub fn memory() -> Self {
        Self::of(&[Check::Bounds, Check::Null, Check::Free, Check::Lifetime])
    }

    /// What a program is asked for that states no error itself: what C leaves undefined, as far as looking for it leaves
    /// little else open.
    #[must_use]
    pub fn undefined() -> Self {
        let others =
            [Check::Overflow, Check::Division, Check::Unreachable, Check::Return, Check::FloatCast];
        others.into_iter().fold(Self::memory(), Self::with)
    }

    /// All checks but those of what C, IEEE 754 or POSIX defines.
    #[must_use]
    pub fn all() -> Self {
        let all = CHECKS.iter().fold(Self::default(), |all, row| all.with(row.check));
        all.without(Self::of(&[
            Check::UnsignedOverflow,
            Check::Conversion,
            Check::FloatDivision,
            Check::Deadlock,
        ]))
    }

    /// The checks of a list such as `memory,overflow` or `undefined,no-null`: names, [groups](GROUPS),
    /// and either behind `no-`, which takes away.
    ///
    /// # Errors
    /// The first word that is none of these.
    pub fn of_list(list: &str) -> Result<Self, String> {
        let mut checks = Self::default();
        for word in list.split(',').map(str::trim) {
            let (name, is_on) = word.strip_prefix("no-").map_or((word, true), |name| (name, false));
            let group = GROUPS.iter().find(|group| group.name == name);
            let one = CHECKS.iter().find(|row| row.name == name).map(|row| row.check.as_named());
            let found = one.or_else(|| group.map(|group| (group.checks)()));
            for row in found.ok_or_else(|| word.to_owned())?.rows() {
                checks.set(row.check, is_on);
            }
        }
        Ok(checks)
    }

    /// Is it among them?
    #[must_use]
    pub fn has(self, check: Check) -> bool {
        self.0 & 1 << check as u8 != 0
    }

    /// Is a check asked for together with one that is named (see [`Check::as_named`]), and perhaps not by itself?
    #[must_use]
    pub fn comes_along(self, check: Check) -> bool {
        self.rows().any(|row| row.check != check && row.check.as_named().has(check))
    }

    /// Is one of them about accesses?
    #[must_use]
    pub fn are_of_accesses(self) -> bool {
        self.has(Check::Bounds) || self.has(Check::Null)
    }

    /// Does it matter what calls of the library access?
    #[must_use]
    pub fn look_into_calls(self) -> bool {
        self.are_of_accesses() || self.has(Check::Lifetime) || self.has(Check::Uninitialised)
    }

    /// Is one of them about conversions, or comparisons, which nothing else makes errors?
    #[must_use]
    pub fn are_of_operations(self) -> bool {
        self.has(Check::Conversion) || self.has(Check::FloatCast) || self.has(Check::PointerOrder)
    }

    /// Does it matter into which object a pointer leads, besides what is accessed?
    #[must_use]
    pub fn tell_objects_apart(self) -> bool {
        self.has(Check::Bounds) || self.has(Check::PointerOrder) || self.has(Check::Overlap)
    }

    /// Those that the text decides, rather than what it means: conversions that it does not write, and its own operations.
    #[must_use]
    pub fn of_text() -> Self {
        let kinds = [Check::UnsignedOverflow, Check::Conversion, Check::FloatCast];
        Self::of(&kinds).with(Check::PointerOrder)
    }

    /// Those of this set that are not in another one.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Is one of them about the end of the program?
    #[must_use]
    pub fn are_of_ends(self) -> bool {
        self.has(Check::Cleanup) || self.has(Check::Leak)
    }

    /// This set with one more check.
    #[must_use]
    pub fn with(self, check: Check) -> Self {
        Self(self.0 | 1 << check as u8)
    }

    /// Adds a check or takes it away.
    pub fn set(&mut self, check: Check, is_on: bool) {
        self.0 = if is_on { self.with(check).0 } else { self.0 & !(1 << check as u8) };
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The rows of the checks in this set, in the order of [`CHECKS`].
    pub fn rows(self) -> impl Iterator<Item = &'static CheckRow> {
        CHECKS.iter().filter(move |row| self.has(row.check))
    }
}

/// Checks as certificates have them: by their names rather than their options, and nothing beside them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedChecks(pub Checks);

/// How checks are written: with these names, alone or among other fields.
#[derive(Clone, Copy)]
struct Form {
    name: fn(&CheckRow) -> &'static str,
    is_alone: bool,
}

const OPTIONS: Form = Form { name: |row| row.option, is_alone: false };
const NAMES: Form = Form { name: |row| row.name, is_alone: true };

impl Form {
    fn write<S: Serializer>(self, checks: Checks, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(CHECKS.len()))?;
        for row in &CHECKS {
            map.serialize_entry((self.name)(row), &checks.has(row.check))?;
        }
        map.end()
    }
}

impl<'de> Visitor<'de> for Form {
    type Value = Checks;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checks with true or false")
    }

    /// Each check has to be there, and once.
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Checks, A::Error> {
        let mut given = [None; CHECKS.len()];
        while let Some(field) = map.next_key::<String>()? {
            match CHECKS.iter().position(|row| (self.name)(row) == field) {
                Some(at) if given[at].is_some() => {
                    return Err(A::Error::duplicate_field((self.name)(&CHECKS[at])));
                }
                Some(at) => given[at] = Some(map.next_value()?),
                None if self.is_alone => {
                    return Err(A::Error::custom(format!("unknown field `{field}`")));
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let mut checks = Checks::default();
        for (row, is_on) in CHECKS.iter().zip(given) {
            let is_on = is_on.ok_or_else(|| A::Error::missing_field((self.name)(row)))?;
            checks.set(row.check, is_on);
        }
        Ok(checks)
    }
}

impl Serialize for Checks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        OPTIONS.write(*self, to)
    }
}

impl<'de> Deserialize<'de> for Checks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(OPTIONS)
    }
}

impl Serialize for NamedChecks {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        NAMES.write(self.0, to)
    }
}

impl<'de> Deserialize<'de> for NamedChecks {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(NAMES).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_that_of_its_kind() {
        for row in &ERRORS {
            assert_eq!(row.kind.row().kind, row.kind);
            assert_eq!(ErrorKind::of_code(row.code), Some(row.kind));
        }
        for row in &CHECKS {
            assert_eq!(row.check.row().check, row.check);
            assert_eq!(Check::of_option(row.option), Some(row.check));
            assert!(ERRORS.iter().any(|e| e.checks.contains(&row.check)), "{}", row.name);
        }
    }

    #[test]
    fn checks_are_options_in_json() {
        let checks = Checks::of(&[Check::Bounds]);
        let json = serde_json::to_string(&checks).expect("it is a map");
        let members = |name: fn(&CheckRow) -> &str| {
            let member = |row| format!(r#""{}":{}"#, name(row), row.check == Check::Bounds);
            CHECKS.iter().map(member).collect::<Vec<_>>().join(",")
        };
        let all = members(|row| row.option);
        assert!(
            all.starts_with(r#""overflow-check":false,"check-bounds":true,"check-null":false"#)
        );
        assert_eq!(json, format!("{{{all}}}"));
        let read = |text: &str| serde_json::from_str::<Checks>(text).map_err(|e| e.to_string());
        assert_eq!(read(&format!(r#"{{{all}, "route": "bp"}}"#)), Ok(checks));
        let wrong = |text: String| read(&text).expect_err("it is wrong");
        assert!(wrong(format!("{{{all}, {all}}}")).contains("duplicate field `overflow-check`"));
        assert!(wrong(r#"{"check-null": true}"#.into()).contains("missing field"));
        let named = format!("{{{}}}", members(|row| row.name));
        assert_eq!(serde_json::to_string(&NamedChecks(checks)).ok().as_ref(), Some(&named));
        assert_eq!(serde_json::from_str(&named).ok(), Some(NamedChecks(checks)));
        let more = serde_json::from_str::<NamedChecks>(r#"{"bounds": true, "speed": 3}"#);
        assert!(more.expect_err("no check").to_string().contains("unknown field `speed`"));
    }

    #[test]
    fn lists_name_checks() {
        let names = |list: &str| {
            Checks::of_list(list)
                .map(|checks| checks.rows().map(|row| row.name).collect::<Vec<_>>())
        };
        assert_eq!(
            names("division, memory"),
            Ok(vec!["bounds", "null", "division", "free", "lifetime", "float-division"])
        );
        assert_eq!(
            names("undefined,no-memory"),
            Ok(vec!["overflow", "division", "unreachable", "return", "float-cast"])
        );
        assert_eq!(names("no-null,null"), Ok(vec!["null"]));
        assert_eq!(names("leaks,free"), Ok(vec!["free", "cleanup", "leak"]));
        assert_eq!(names("bounds,nul"), Err("nul".to_owned()));
        assert_eq!(names(""), Err(String::new()));
    }

    #[test]
    fn checks_are_a_set() {
        let mut checks = Checks::of(&[Check::Null, Check::Overflow]);
        let names: Vec<_> = checks.rows().map(|row| row.name).collect();
        assert_eq!(names, ["overflow", "null"]);
        checks.set(Check::Null, false);
        checks.set(Check::Overflow, false);
        assert!(checks.is_empty());
    }
}
