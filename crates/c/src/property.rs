//! The property that a program is checked for.

use hardbop_base::errors::Checks;
use serde::{Deserialize, Serialize};

/// What counts as the error.
///
/// ```
/// use hardbop_base::errors::Check;
/// use hardbop_c::Property;
///
/// let mut property = Property::nothing();
/// property.checks.set(Check::Overflow, true);
/// assert_eq!(property.formulas(), ["G ! overflow"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Property {
    /// Calls of these functions are errors, whatever their bodies do.
    pub error_functions: Vec<String>,
    /// Reaching a label with one of these names is an error.
    pub error_labels: Vec<String>,
    /// Whether a failing `assert` without a body (or `__assert_fail`) is an error.
    #[serde(rename = "check-asserts")]
    pub assertions: bool,
    /// Whether assertions in ACSL, which are comments to C, are read, and false ones errors.
    pub acsl: bool,
    /// The kinds of error that are looked for in operations and accesses.
    #[serde(flatten)]
    pub checks: Checks,
}

impl Property {
    /// The error label of most programs, where nothing else is said.
    pub(crate) const DEFAULT_LABEL: &str = "ERROR";

    /// A property that counts nothing as an error.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            error_functions: Vec::new(),
            error_labels: Vec::new(),
            assertions: false,
            acsl: false,
            checks: Checks::default(),
        }
    }

    /// The error labels, where they are not the default one, which programs need not have.
    #[must_use]
    pub fn asked_labels(&self) -> &[String] {
        let is_default =
            matches!(self.error_labels.as_slice(), [label] if label == Self::DEFAULT_LABEL);
        if is_default { &[] } else { &self.error_labels }
    }

    /// The property as formulas: `G ! call(reach_error())`.
    #[must_use]
    pub fn formulas(&self) -> Vec<String> {
        let calls = self.error_functions.iter().map(|name| format!("G ! call({name}())"));
        let labels = self.error_labels.iter().map(|name| format!("G ! label({name})"));
        let texts = [(self.assertions, "G assert"), (self.acsl, "G ACSL assert")];
        let texts = texts.into_iter().filter(|(on, _)| *on).map(|(_, formula)| formula);
        let others = texts.chain(self.checks.rows().map(|row| row.formula)).map(str::to_owned);
        calls.chain(labels).chain(others).collect()
    }
}

impl Default for Property {
    fn default() -> Self {
        Self {
            error_functions: vec!["__VERIFIER_error".to_owned(), "reach_error".to_owned()],
            error_labels: vec![Self::DEFAULT_LABEL.to_owned()],
            assertions: true,
            ..Self::nothing()
        }
    }
}
