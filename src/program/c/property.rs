//! The property that a program is checked for.

/// What counts as the error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// A call of one of these is the error, whatever their bodies do.
    pub error_functions: Vec<String>,
    /// Reaching a label of one of these names is the error.
    pub error_labels: Vec<String>,
    /// A failing `assert` without a body (also as `__assert_fail`) is the error.
    pub assertions: bool,
    /// Signed overflow is an error.
    pub overflow: bool,
    /// An access outside of its object is an error.
    pub bounds: bool,
    /// An access through a null pointer is an error.
    pub null: bool,
}

impl Property {
    /// Nothing is an error.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            error_functions: Vec::new(),
            error_labels: Vec::new(),
            assertions: false,
            overflow: false,
            bounds: false,
            null: false,
        }
    }

    /// Is something an error that operations and accesses do, not only places in the text?
    #[must_use]
    pub fn checks(&self) -> bool {
        self.overflow || self.bounds || self.null
    }

    /// What is an error, as formulas: `G ! call(reach_error())`.
    #[must_use]
    pub fn formulas(&self) -> Vec<String> {
        let calls = self.error_functions.iter().map(|name| format!("G ! call({name}())"));
        let labels = self.error_labels.iter().map(|name| format!("G ! label({name})"));
        let others = [
            (self.assertions, "G assert"),
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
            error_labels: vec!["ERROR".to_owned()],
            assertions: true,
            ..Self::nothing()
        }
    }
}
