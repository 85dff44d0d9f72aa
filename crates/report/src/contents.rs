//! The contents of a program that can be checked: for `hardbop list`.

use std::fmt::Write as _;

use serde::Serialize;

use super::document::Language;

/// The parts of a program that can be checked.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Contents {
    /// The format, with its version: `hardbop-list-1`.
    pub schema: &'static str,
    /// Version of hardbop.
    pub version: &'static str,
    pub language: Language,
    pub files: Vec<String>,
    /// The function where executions start without `--entry`, if there is a `main`.
    pub entry: Option<String>,
    /// The functions where executions may start: those with bodies, `main` first.
    pub functions: Vec<Listed>,
    /// Labels that must not be reached; in Boolean programs all labels.
    pub labels: Vec<Listed>,
    /// Assertions, and calls of functions that must not be called.
    pub assertions: Vec<Listed>,
}

/// A thing in the text.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Listed {
    /// The name; of an assertion or a call, its text.
    pub name: String,
    /// The function that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl Listed {
    /// `main.c:16:9`.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

impl Contents {
    /// The things of a program of these files, in the order of the text.
    #[must_use]
    pub fn new(language: Language, files: Vec<String>) -> Self {
        Self {
            schema: "hardbop-list-1",
            version: hardbop_base::VERSION,
            language,
            files,
            entry: None,
            functions: vec![],
            labels: vec![],
            assertions: vec![],
        }
    }

    /// A line for each, in columns.
    #[must_use]
    pub fn text(&self) -> String {
        let kinds = [
            ("function", &self.functions),
            ("label", &self.labels),
            ("assertion", &self.assertions),
        ];
        let all = || kinds.iter().flat_map(|(kind, list)| list.iter().map(move |l| (*kind, l)));
        let names = all().map(|(_, l)| l.name.chars().count()).max().unwrap_or(0);
        let places = all().map(|(_, l)| l.place().chars().count()).max().unwrap_or(0);
        let mut text = String::new();
        for (kind, listed) in all() {
            let is_entry = *kind == *"function" && self.entry.as_ref() == Some(&listed.name);
            let within = match &listed.function {
                Some(function) => format!("in {function}"),
                None if is_entry => "entry".to_owned(),
                None => String::new(),
            };
            let line = format!(
                "{kind:<9}  {:<names$}  {:<places$}  {within}",
                listed.name,
                listed.place()
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }
}
