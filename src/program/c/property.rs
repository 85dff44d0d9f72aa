//! The property that a program is checked for.

/// What counts as the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Calls of these functions are errors, whatever their bodies do.
    pub error_functions: Vec<String>,
    /// Reaching a label with one of these names is an error.
    pub error_labels: Vec<String>,
    /// Whether a failing `assert` without a body (or `__assert_fail`) is an error.
    pub assertions: bool,
    /// Whether assertions in ACSL, which are comments to C, are read, and false ones errors.
    pub acsl: bool,
    /// Whether a signed overflow is an error.
    pub overflow: bool,
    /// Whether an access outside its object is an error.
    pub bounds: bool,
    /// Whether an access through a null pointer is an error.
    pub null: bool,
}

impl Property {
    /// The error label of most programs, where nothing else is said.
    pub(in crate::program::c) const DEFAULT_LABEL: &str = "ERROR";

    /// A property that counts nothing as an error.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            error_functions: Vec::new(),
            error_labels: Vec::new(),
            assertions: false,
            acsl: false,
            overflow: false,
            bounds: false,
            null: false,
        }
    }

    /// The error labels, where they are not the default one, which programs need not have.
    #[must_use]
    pub fn asked_labels(&self) -> &[String] {
        let is_default =
            matches!(self.error_labels.as_slice(), [label] if label == Self::DEFAULT_LABEL);
        if is_default { &[] } else { &self.error_labels }
    }

    /// Whether operations or accesses can be errors, not only places in the text.
    #[must_use]
    pub fn checks(&self) -> bool {
        self.overflow || self.bounds || self.null
    }

    /// The property as formulas: `G ! call(reach_error())`.
    #[must_use]
    pub fn formulas(&self) -> Vec<String> {
        let calls = self.error_functions.iter().map(|name| format!("G ! call({name}())"));
        let labels = self.error_labels.iter().map(|name| format!("G ! label({name})"));
        let others = [
            (self.assertions, "G assert"),
            (self.acsl, "G ACSL assert"),
            (self.overflow, "G ! overflow"),
            (self.bounds, "G in-bounds"),
            (self.null, "G not-null"),
        ];
        let others = others.into_iter().filter(|(on, _)| *on).map(|(_, text)| text.to_owned());
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
