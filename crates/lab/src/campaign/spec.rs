//! The description of a campaign: TOML, in which unknown keys are mistakes.

use serde::Deserialize;
use toml::Spanned;

use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span, Suggestions};

/// A campaign: each program, for each property that applies to it, with each set of options.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Spec {
    /// The name of the campaign; without it, that of the file.
    pub name: Option<String>,
    /// The file of the store; without it, that of the description with another ending.
    pub store: Option<String>,
    /// Is a page kept of each task?
    #[serde(default)]
    pub reports: bool,
    /// Does a task begin with what earlier runs of the same program have learned?
    #[serde(default)]
    pub warm: bool,
    /// Are certificates kept, and accepted in place of a proof by another version of hardbop?
    #[serde(default)]
    pub certificates: bool,
    /// Is a task that takes long divided, where there is room for more runs?
    #[serde(default)]
    pub split: bool,
    #[serde(default)]
    pub limits: Limits,
    pub programs: Vec<Programs>,
    /// The properties; without any, what `check` takes for errors.
    #[serde(default)]
    pub properties: Vec<Property>,
    /// The sets of options; without any, the defaults.
    #[serde(default)]
    pub options: Vec<OptionSet>,
}

/// The limits of each task, with the units of the command line.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Limits {
    pub time: Option<Spanned<String>>,
    pub memory: Option<Spanned<String>>,
}

/// A group of programs.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Programs {
    /// Properties may be for some groups only.
    pub name: Option<String>,
    /// Patterns; each file is a program, or a task definition (.yml).
    #[serde(default)]
    pub files: Vec<Spanned<String>>,
    /// The files of one program.
    #[serde(default)]
    pub link: Vec<Spanned<String>>,
    /// The files of one program, with their options.
    #[serde(rename = "compile_commands", alias = "compile-commands")]
    pub compile_commands: Option<Spanned<String>>,
    /// Options of the preprocessor.
    #[serde(default)]
    pub preprocessor: Vec<String>,
    /// Further options of `check`.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// Known verdicts, as for `compare`.
    pub expected: Option<Spanned<String>>,
}

/// A property: what counts as an error.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Property {
    pub name: Spanned<String>,
    /// A property file.
    pub spec: Option<Spanned<String>>,
    /// Labels.
    #[serde(default)]
    pub error: Vec<String>,
    /// A monitor in C, linked in as a further file.
    pub rule: Option<Spanned<String>>,
    /// Further options of `check`.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The groups of programs; without it, all.
    pub programs: Option<Vec<Spanned<String>>>,
}

/// A way of checking.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OptionSet {
    pub name: Spanned<String>,
    #[serde(default)]
    pub arguments: Vec<String>,
}

/// The span of a value in the description.
pub fn place<T>(spanned: &Spanned<T>) -> Span {
    let range = spanned.span();
    Span::new(range.start, range.end)
}

impl Spec {
    /// Reads a description.
    ///
    /// # Errors
    /// Its mistakes, with their places.
    pub fn parse(source: &Source) -> Result<Self, Vec<Diagnostic>> {
        let spec: Self = toml::from_str(&source.text).map_err(|e| vec![mistake(&e)])?;
        let mistakes = spec.mistakes();
        if mistakes.is_empty() { Ok(spec) } else { Err(mistakes) }
    }

    /// Mistakes in a description that reads well, and makes no sense.
    fn mistakes(&self) -> Vec<Diagnostic> {
        let mut found = vec![];
        let properties = self.properties.iter().map(|p| ("property", &p.name));
        let options = self.options.iter().map(|o| ("set of options", &o.name));
        let mut seen: Vec<(&str, &str)> = vec![];
        for (what, name) in properties.chain(options) {
            let word = (what, name.get_ref().as_str());
            if seen.contains(&word) {
                let message = format!("two {what} '{}'", word.1).replace("set of", "sets of");
                let message = message.replace("two property", "two properties");
                found.push(Diagnostic::new(DiagnosticKind::Duplicate, place(name), message));
            }
            seen.push(word);
        }
        let groups = || self.programs.iter().filter_map(|g| g.name.as_deref());
        let mut suggestions = Suggestions::default();
        for name in self.properties.iter().flat_map(|p| p.programs.iter().flatten()) {
            let word = name.get_ref().as_str();
            if !groups().any(|g| g == word) {
                let message = format!("no group of programs is called '{word}'");
                let mut d = Diagnostic::new(DiagnosticKind::Undeclared, place(name), message);
                if let Some(near) = suggestions.nearest(word, groups()) {
                    d = d.with_hint(format!("did you mean '{near}'?"));
                }
                found.push(d);
            }
        }
        found
    }
}

/// The mistake that the reader of TOML tells of.
fn mistake(error: &toml::de::Error) -> Diagnostic {
    let range = error.span().unwrap_or(0..0);
    let span = Span::new(range.start, range.end);
    let words = error.message();
    // "unknown field `a`, expected one of `b`, `c`"
    let quoted: Vec<&str> = words.split('`').skip(1).step_by(2).collect();
    let diagnostic = |message: String| Diagnostic::new(DiagnosticKind::Syntax, span, message);
    match quoted[..] {
        [unknown, ref known @ ..] if words.starts_with("unknown field") => {
            let near = Suggestions::default().nearest(unknown, known.iter().copied());
            let hint = near.map_or_else(
                || format!("known are {}", known.join(", ")),
                |near| format!("did you mean '{near}'?"),
            );
            diagnostic(format!("there is no key '{unknown}' here")).with_hint(hint)
        }
        [missing] if words.starts_with("missing field") => {
            diagnostic(format!("the key '{missing}' is missing"))
        }
        _ => diagnostic(words.lines().collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> Vec<(String, (usize, usize), Option<String>)> {
        let source = Source::new("c.toml", text);
        let found = Spec::parse(&source).expect_err("it has mistakes");
        let row = |d: Diagnostic| (d.message, source.line_column(d.span.start), d.hint);
        found.into_iter().map(row).collect()
    }

    #[test]
    fn mistakes_have_places_and_hints() {
        let text = "[[programs]]\nfiles = ['*.c']\nargumens = []\n";
        let hint = Some("did you mean 'arguments'?".to_owned());
        assert_eq!(mistakes(text), [("there is no key 'argumens' here".to_owned(), (3, 1), hint)]);
        let text = "[[programs]]\nname = 'locks'\n[[properties]]\nname = 'a'\nprograms = ['lock']\n\
                    [[properties]]\nname = 'a'\n";
        let hint = Some("did you mean 'locks'?".to_owned());
        let expected = [
            ("two properties 'a'".to_owned(), (7, 8), None),
            ("no group of programs is called 'lock'".to_owned(), (5, 13), hint),
        ];
        assert_eq!(mistakes(text), expected);
        assert_eq!(mistakes("programs = 3")[0].1, (1, 12));
    }
}
