//! Hooks: functions that run before and after each direct call of another one, which rules consist of.
//!
//! A file that defines `hardbop_before_f`, `hardbop_after_f` or `hardbop_done_f` is a rule in C.  They are called with the first
//! arguments of each call of `f` in other files; the second one with the result in front of these, where there is one.

use crate::flow::{Flow, Function};

/// When a hook runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    Before,
    /// With the result.
    After,
    /// After the call, and without the result, of which nothing need be known then.
    Done,
}

/// What the names of hooks begin with.
const PREFIXES: [(&str, Moment); 3] = [
    ("hardbop_before_", Moment::Before),
    ("hardbop_after_", Moment::After),
    ("hardbop_done_", Moment::Done),
];

/// What ends the function's name in that of a hook, so that a function may have several.
const NUMBER: char = '$';

/// The name of a hook of a function, one of several.
#[must_use]
pub(crate) fn hook(moment: Moment, function: &str, number: usize) -> String {
    let (prefix, _) = PREFIXES[moment as usize];
    format!("{prefix}{function}{NUMBER}{number}")
}

/// The moment and the function of a hook of this name.
#[must_use]
pub fn moment_of(name: &str) -> Option<(Moment, &str)> {
    let named = |(prefix, moment)| Some((moment, name.strip_prefix(prefix)?));
    let (moment, rest) = PREFIXES.into_iter().find_map(named)?;
    let function = rest.split(NUMBER).next().filter(|function| !function.is_empty())?;
    Some((moment, function))
}

/// What the names begin with that a translated rule defines beside its hooks.
pub(super) const OWN: &str = "hardbop_rule_";
/// What the names of functions begin with that run where the program ends.
pub(super) const END: &str = "hardbop_rule_end_";

/// What a function is in a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleFunction {
    /// An event, in words: `before fclose`, `end`.
    Event(String),
    /// What events call to follow an object.
    Helper,
}

impl RuleFunction {
    /// The part of the function of this name, where it is one of a rule.
    ///
    /// ```
    /// use hardbop_c::RuleFunction;
    ///
    /// let event = RuleFunction::Event("before fclose".to_owned());
    /// assert_eq!(RuleFunction::of("hardbop_before_fclose"), Some(event));
    /// assert_eq!(RuleFunction::of("fclose"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match moment_of(name) {
            Some((Moment::Before, function)) => Some(Self::Event(format!("before {function}"))),
            Some((Moment::After | Moment::Done, function)) => {
                Some(Self::Event(format!("after {function}")))
            }
            None if name.starts_with(END) => Some(Self::Event("end".to_owned())),
            None => name.starts_with(OWN).then_some(Self::Helper),
        }
    }
}

/// Whether a function of a program is one of a rule.
pub(crate) fn is_of_rule(function: &Function) -> bool {
    RuleFunction::of(&function.name).is_some()
}

impl Flow {
    /// Whether rules are told of what the program does: it is checked for these then, also where they have nothing to say.
    #[must_use]
    pub fn is_told_to_rules(&self) -> bool {
        self.functions.iter().any(is_of_rule)
    }
}

/// The hooks of a function, by their names, in the order in which they run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hooks {
    pub before: Vec<String>,
    pub after: Vec<String>,
    pub done: Vec<String>,
}

impl Hooks {
    /// Adds one more.
    pub fn add(&mut self, moment: Moment, name: String) {
        match moment {
            Moment::Before => self.before.push(name),
            Moment::After => self.after.push(name),
            Moment::Done => self.done.push(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_function() {
        assert_eq!(moment_of("hardbop_before_fclose"), Some((Moment::Before, "fclose")));
        assert_eq!(moment_of(&hook(Moment::After, "f_g", 12)), Some((Moment::After, "f_g")));
        assert_eq!(moment_of("hardbop_before_"), None);
        assert_eq!(moment_of("fclose"), None);
    }
}
