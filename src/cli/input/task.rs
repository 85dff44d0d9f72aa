//! Finds the C program to be checked, the property and the data model: from the arguments, a task
//! definition or a property file.

use std::fs;
use std::path::{Path, PathBuf};

use super::text::{mistakes, read};
use crate::cli::arguments::check::CheckArguments;
use crate::cli::output::error::{CliError, reason};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};
use hardbop_c::types::DataModel;
use hardbop_c::{ParseOptions, Pointers, Property};
use hardbop_report::document::Expected;
use hardbop_task::{Claim, Definition, Located, Specification, is_task};

/// The job that is to be done.
#[derive(Debug, Clone)]
pub(crate) struct Job {
    /// The files of the program.
    pub files: Vec<PathBuf>,
    pub options: ParseOptions,
    /// The verdict that the task definition expects.
    pub expected: Option<Expected>,
}

impl Job {
    /// Reads the task definition and the property file, where there are such.
    pub fn new(arguments: &CheckArguments) -> Result<Self, CliError> {
        let specification = match &arguments.c.spec {
            Some(file) => Some(Given::read(file, arguments)?),
            None => None,
        };
        if is_task(arguments.file()) {
            let task = Task::read(arguments)?;
            return task.job(specification);
        }
        let model = arguments.c.data_model.model();
        let options = options(arguments, model, specification.as_ref())?;
        Ok(Self { files: arguments.files.clone(), options, expected: None })
    }
}

/// A property file that was read.
struct Given {
    file: PathBuf,
    specification: Specification,
}

impl Given {
    fn read(file: &Path, arguments: &CheckArguments) -> Result<Self, CliError> {
        let source = read(file)?;
        let specification = Specification::parse(&source.text)
            .map_err(|error| mistakes(&source, &[error], arguments.output.color.when))?;
        Ok(Self { file: file.to_owned(), specification })
    }
}

fn options(
    arguments: &CheckArguments,
    model: Option<DataModel>,
    given: Option<&Given>,
) -> Result<ParseOptions, CliError> {
    let mut entry = arguments.entry.clone();
    let mut property = Property::default();
    if let Some(Given { file, specification }) = given {
        if let Some(entry) = entry.as_ref().filter(|entry| **entry != specification.entry) {
            return Err(CliError::Usage(format!(
                "'--entry {entry}', but '{}' says 'init({}())'",
                file.display(),
                specification.entry
            )));
        }
        entry = Some(specification.entry.clone());
        property = specification.property.clone();
    } else {
        if !arguments.error.is_empty() || !arguments.only_at.is_empty() {
            property.error_labels.clone_from(&arguments.error);
        }
        property.assertions = !arguments.ignore_asserts;
    }
    property.acsl = arguments.c.acsl;
    arguments.c.checks.0.rows().for_each(|row| property.checks.set(row.check, true));
    let pointers = arguments.c.pointers.map_or(Pointers::Any, Pointers::from);
    Ok(ParseOptions { model, property, entry, pointers, ..ParseOptions::default() })
}

/// A task definition that was read.
struct Task<'a> {
    arguments: &'a CheckArguments,
    source: Source,
    definition: Definition,
}

impl<'a> Task<'a> {
    fn read(arguments: &'a CheckArguments) -> Result<Self, CliError> {
        let source = read(arguments.file())?;
        let definition = Definition::parse(&source.text)
            .map_err(|problems| mistakes(&source, &problems, arguments.output.color.when))?;
        Ok(Self { arguments, source, definition })
    }

    fn job(self, given: Option<Given>) -> Result<Job, CliError> {
        let file = self.path(&self.definition.input);
        if let Err(error) = fs::metadata(&file) {
            return Err(self.unreadable(&self.definition.input, &file, &error));
        }
        let (claim, given) = match given {
            Some(given) => (self.claim_of(&given), given),
            None => {
                let (claim, given) = self.chosen()?;
                (Some(claim), given)
            }
        };
        let model = self.arguments.c.data_model.model().or(self.definition.model);
        let options = options(self.arguments, model, Some(&given))?;
        let expected = claim.and_then(|c| c.expected).map(|(holds, span)| Expected {
            holds,
            file: self.source.name.clone(),
            line: self.source.line_column(span.start).0,
            agrees: None,
        });
        Ok(Job { files: vec![file], options, expected })
    }

    /// A file that is named relative to the definition.
    fn path(&self, name: &Located) -> PathBuf {
        let folder = self.arguments.file().parent().unwrap_or(Path::new(""));
        folder.join(&name.text)
    }

    /// The first property about reachability.
    fn chosen(&self) -> Result<(&Claim, Given), CliError> {
        let (mut missing, mut unsupported) = (None, None);
        for claim in &self.definition.properties {
            let file = self.path(&claim.file);
            if let Err(error) = fs::metadata(&file) {
                missing = missing.or(Some(self.unreadable(&claim.file, &file, &error)));
                continue;
            }
            match Given::read(&file, self.arguments) {
                Ok(given) if given.specification.is_reachability() => return Ok((claim, given)),
                Ok(_) => {}
                Err(error) => unsupported = unsupported.or(Some(error)),
            }
        }
        Err(missing.or(unsupported).unwrap_or_else(|| {
            let place = self.definition.properties.first().map(|claim| claim.file.span);
            let message = match place {
                Some(_) => "no property of this task is about reachability",
                None => "this task has no properties",
            };
            let span = place.unwrap_or(self.definition.input.span);
            self.problem(span, message.to_owned(), "choose one with '--spec FILE'")
        }))
    }

    /// The claim about a property that was chosen: that of the same file, or with the same
    /// formulas.
    fn claim_of(&self, given: &Given) -> Option<&Claim> {
        let canonical = |file: &Path| fs::canonicalize(file).ok();
        let same_file = |claim: &&Claim| {
            let file = canonical(&self.path(&claim.file));
            file.is_some() && file == canonical(&given.file)
        };
        let same_text = |claim: &&Claim| {
            Given::read(&self.path(&claim.file), self.arguments)
                .is_ok_and(|other| other.specification == given.specification)
        };
        let claims = &self.definition.properties;
        claims.iter().find(same_file).or_else(|| claims.iter().find(same_text))
    }

    fn unreadable(&self, name: &Located, file: &Path, error: &std::io::Error) -> CliError {
        let message = format!("cannot read '{}': {}", file.display(), reason(error));
        self.problem(name.span, message, "names of files are relative to that of the task")
    }

    fn problem(&self, span: Span, message: String, hint: &str) -> CliError {
        let problem = Diagnostic::new(DiagnosticKind::Undeclared, span, message).with_hint(hint);
        mistakes(&self.source, &[problem], self.arguments.output.color.when)
    }
}
