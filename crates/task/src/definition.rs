//! Task definitions of SV-COMP, format 2.0 (`task.yml`): the program, its properties with expected
//! verdicts, and the data model.
//!
//! Source: <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>.

use std::path::Path;

use super::reader::{Located, Reader, find, first, scalar};
use super::yaml::{self, Node, Value};
use hardbop_base::source::{Diagnostic, Span};
use hardbop_c::types::DataModel;

/// A property, and whether the program is expected to have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// The name of the property's file, relative to that of the definition.
    pub file: Located,
    /// The expected verdict, and where it is given.
    pub expected: Option<(bool, Span)>,
}

/// The content of a task definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// The name of the program's file, relative to that of the definition.
    pub input: Located,
    /// The properties in the order of the file.
    pub properties: Vec<Claim>,
    /// `None` if the file does not give it.
    pub model: Option<DataModel>,
}

/// Whether a file is a task definition, judged by its name.
#[must_use]
pub fn is_task(file: &Path) -> bool {
    let is = |e: &std::ffi::OsStr| e.eq_ignore_ascii_case("yml") || e.eq_ignore_ascii_case("yaml");
    file.extension().is_some_and(is)
}

/// Versions of the format that agree on everything read here.
const VERSIONS: [&str; 3] = ["1.0", "2.0", "2.1"];

impl Definition {
    /// Reads a definition. Keys that do not affect the verdict are ignored.
    ///
    /// # Errors
    /// Mistakes, and unsupported content.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = yaml::parse(text).map_err(|error| vec![error])?;
        let mut reader = Reader::default();
        let definition = reader.definition(&document);
        match definition {
            Some(definition) if reader.problems.is_empty() => Ok(definition),
            _ => Err(reader.problems),
        }
    }
}

impl Reader {
    fn definition(&mut self, document: &Node) -> Option<Definition> {
        let Value::Mapping(entries) = &document.value else {
            let hint = "it begins with \"format_version: '2.0'\"";
            self.syntax(document.span, "this is not a task definition", hint);
            return None;
        };
        self.unique(entries);
        match find(entries, "format_version") {
            None => {
                let hint = "add \"format_version: '2.0'\"";
                self.syntax(first(entries, document), "'format_version' is missing", hint);
            }
            Some(version) => {
                let known = scalar(version).is_some_and(|v| VERSIONS.contains(&v));
                if !known {
                    let hint = "versions 1.0, 2.0 and 2.1 are";
                    self.unsupported(version.span, "this version is not supported", hint);
                }
            }
        }
        let input = self.input(entries, document);
        let properties = self.properties(entries);
        let model = self.options(entries);
        Some(Definition { input: input?, properties, model })
    }

    fn input(&mut self, entries: &[(Node, Node)], document: &Node) -> Option<Located> {
        let Some(files) = find(entries, "input_files") else {
            let hint = "add \"input_files: 'program.c'\"";
            self.syntax(first(entries, document), "'input_files' is missing", hint);
            return None;
        };
        let file = match &files.value {
            Value::Sequence(all) => match all.as_slice() {
                [one] => one,
                [] => {
                    self.syntax(files.span, "'input_files' names no file", "");
                    return None;
                }
                [_, second, ..] => {
                    let hint = "make one file of them, with 'cat' or 'cc -E'";
                    let message = "only one input file is supported";
                    self.unsupported(second.span, message, hint);
                    return None;
                }
            },
            _ => files,
        };
        self.text(file, "the name of a file")
    }

    fn properties(&mut self, entries: &[(Node, Node)]) -> Vec<Claim> {
        let Some(all) = find(entries, "properties") else { return Vec::new() };
        let Value::Sequence(all) = &all.value else {
            if scalar(all) != Some("") {
                let hint = "write \"- property_file: unreach-call.prp\" below it";
                self.syntax(all.span, "'properties' is a list", hint);
            }
            return Vec::new();
        };
        let mut claims = Vec::new();
        for property in all {
            let Value::Mapping(entries) = &property.value else {
                let hint = "write \"- property_file: unreach-call.prp\"";
                self.syntax(property.span, "this is not a property", hint);
                continue;
            };
            self.unique(entries);
            let Some(file) = find(entries, "property_file") else {
                let hint = "write \"- property_file: unreach-call.prp\"";
                self.syntax(first(entries, property), "'property_file' is missing", hint);
                continue;
            };
            let Some(file) = self.text(file, "the name of a file") else { continue };
            let expected = find(entries, "expected_verdict").and_then(|verdict| {
                let value = match scalar(verdict) {
                    Some("true" | "True" | "TRUE") => true,
                    Some("false" | "False" | "FALSE") => false,
                    _ => {
                        self.syntax(verdict.span, "an expected verdict is 'true' or 'false'", "");
                        return None;
                    }
                };
                Some((value, verdict.span))
            });
            claims.push(Claim { file, expected });
        }
        claims
    }

    fn options(&mut self, entries: &[(Node, Node)]) -> Option<DataModel> {
        let options = find(entries, "options")?;
        let Value::Mapping(entries) = &options.value else {
            self.syntax(options.span, "'options' has keys and values", "such as 'language: C'");
            return None;
        };
        self.unique(entries);
        if let Some(language) = find(entries, "language")
            && scalar(language) != Some("C")
        {
            let hint = "programs in C ('language: C') are";
            self.unsupported(language.span, "this language is not supported", hint);
        }
        let model = find(entries, "data_model")?;
        match scalar(model) {
            Some("ILP32") => Some(DataModel::Ilp32),
            Some("LP64") => Some(DataModel::Lp64),
            _ => {
                self.unsupported(
                    model.span,
                    "this data model is not supported",
                    "ILP32 and LP64 are",
                );
                None
            }
        }
    }
}
