//! Programs of several files: what a linker makes of them.
//!
//! Each file is parsed by itself, with its own scope, so tags, type names, enumeration constants and `static` names of
//! different files never meet.  Before that, `symbols` decides from what the files declare which definition of each name
//! counts; after it, `merge` joins the tables of the units: `types` finds the structs that are one, `rewrite` renumbers,
//! `call` looks at calls that were read without the definition.
//!
//! The text of the program is that of all files, one after the other, each behind a line mark: a place in it has its
//! file's name and line.

mod call;
mod contents;
mod hooked;
mod labels;
mod library;
mod merge;
mod models;
mod names;
mod programs;
mod rename;
mod symbols;
mod types;
mod variables;
mod wanted;

pub use contents::Contents;
pub(crate) use library::{has_body, with_bodies};
pub use programs::{AmbiguousName, ProgramFiles, programs};
pub use wanted::wanted;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::flow::{Callee, Flow, FunctionId, Instruction};
use super::parse::{
    Elsewhere, ParseOptions, Parsed, Thing, Unit, alone, finished, refuse_length, with_line_marks,
};
use super::types::{DataModel, Type};
use crate::edit::plain;
use hardbop_base::errors::Checks;
use hardbop_base::source::{Diagnostic, DiagnosticKind, LineMap, Source, Span};

/// Parses a preprocessed text.  Run it [`on_large_stack`](super::on_large_stack).
///
/// [`Flow::source`] is the result of [`with_line_marks`]; use that to show diagnostics, too.  What the library has in C is
/// linked with it where it is called, and stands behind it in the text.
///
/// # Errors
/// The mistakes found, at most [`MAX_DIAGNOSTICS`](super::parse::MAX_DIAGNOSTICS), in order of the text.
pub fn parse(source: Source, options: &ParseOptions) -> Result<Flow, Vec<Diagnostic>> {
    let unit = alone(&source, options)?;
    if let Some(flow) = with_models(&unit, || Files::one(source.clone()), options) {
        return Ok(flow);
    }
    let main = unit.function(options.entry.as_deref().unwrap_or("main"));
    finished(unit, main, with_line_marks(source), options).map(variables::refused)
}

/// The program of the files and of the library's that define what they call, if there are any.  Not where a witness is
/// woven into them, and not where they declare a function in another way than C does: its calls stay as they are.
fn with_models(unit: &Unit, files: impl Fn() -> Files, options: &ParseOptions) -> Option<Flow> {
    let is_defined = |name: &str| {
        unit.function(name).is_some_and(|id| unit.functions[id.0 as usize].body.is_some())
    };
    if !options.instrumentation.is_empty() {
        return None;
    }
    let called = called(unit);
    let [needed, optional] = models::of(&unit.undecided, |name| called.contains(name), is_defined);
    let options = ParseOptions { model: Some(unit.types.model), ..options.clone() };
    let with = |files: Files, file: &&'static models::ModelFile| {
        let text = models::source(file, unit.types.model, &files.source.text);
        files.with(text)
    };
    if !needed.is_empty()
        && let Ok(flow) = needed.iter().fold(files(), with).parse(&options)
    {
        return Some(flow);
    }
    // Else they are linked in turn, where the program with one is read, and so are the others.
    needed.iter().chain(&optional).find_map(|file| with(files(), file).parse(&options).ok())
}

/// The names of functions that are called and have no body.
fn called(unit: &Unit) -> BTreeSet<&str> {
    let bodies = unit.functions.iter().filter_map(|function| function.body.as_ref());
    let called = bodies.flat_map(|body| &body.edges).filter_map(|edge| match edge.instruction {
        Instruction::Call { callee: Callee::Function(f), .. } => {
            Some(&unit.functions[f.0 as usize])
        }
        _ => None,
    });
    called
        .filter(|function| function.body.is_none())
        .map(|function| function.name.as_str())
        .collect()
}

/// The preprocessed files of a program.
#[derive(Debug, Clone)]
pub struct Files {
    source: Source,
    /// Where they are in the text.
    parts: Vec<Range<usize>>,
    names: Vec<String>,
    gnu_inline: Vec<bool>,
}

impl Files {
    /// Puts the texts together.
    #[must_use]
    pub fn new(files: &[Source]) -> Self {
        let (mut text, mut parts, mut marks) = (String::new(), vec![], LineMap::default());
        let mut line = 1;
        for file in files {
            let start = text.len();
            let name =
                file.name.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], "_");
            text.push_str(&format!("# 1 \"{name}\"\n"));
            text.push_str(&file.text);
            // What the last line continues ends here.
            text.push_str("\n\n");
            marks.mark(line + 1, Some(&file.name), 1);
            line += text[start..].matches('\n').count();
            parts.push(start..text.len());
        }
        let name = files.first().map_or("<no file>", |file| &file.name);
        // A text with mistakes has no other marks.
        let originals = files.iter().flat_map(|file| file.originals().iter().cloned());
        let source =
            Source::new(name, text).with_line_map(marks).with_originals(originals.collect());
        let names = files.iter().map(|file| file.name.clone()).collect();
        Self { source: with_line_marks(source), parts, names, gnu_inline: vec![] }
    }

    /// A file alone; places in it are those in its text.
    fn one(source: Source) -> Self {
        let parts = std::iter::once(0..source.text.len()).collect();
        let names = vec![source.name.clone()];
        Self { source: with_line_marks(source), parts, names, gnu_inline: vec![] }
    }

    /// The same files, and one more behind them.
    fn with(mut self, file: Source) -> Self {
        let start = self.source.text.len();
        let text = format!("{}\n# 1 \"{}\"\n{}\n", self.source.text, file.name, file.text);
        self.parts.push(start..text.len());
        self.names.push(file.name);
        let originals = self.source.originals().to_vec();
        let source = Source::new(self.source.name.clone(), text).with_originals(originals);
        Self { source: with_line_marks(source), ..self }
    }

    /// The names of the files.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The text of the program, for diagnostics.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// For each file, whether `inline` means what it did in GNU C before C99; it does in none otherwise.
    #[must_use]
    pub fn with_gnu_inline(mut self, files: Vec<bool>) -> Self {
        self.gnu_inline = files;
        self
    }

    /// Parses and links.  Run it [`on_large_stack`](super::on_large_stack).
    ///
    /// # Errors
    /// Mistakes in the files, or between them.
    pub fn parse(&self, options: &ParseOptions) -> Result<Flow, Vec<Diagnostic>> {
        let unit = self.unit(options)?;
        if let Some(flow) = with_models(&unit, || self.clone(), options) {
            return Ok(flow);
        }
        let entry = options.entry.as_deref().unwrap_or("main");
        let main = entry_of(&unit, entry)?;
        finished(unit, main, self.source.clone(), options).map(variables::refused)
    }

    /// Where the files are in the text of the program, in order.
    #[must_use]
    pub fn parts(&self) -> &[Range<usize>] {
        &self.parts
    }

    /// The same files, with more text behind all of them: what is [woven in](super::instrument).
    #[must_use]
    pub fn with_text(&self, source: Source) -> Self {
        Self {
            source: with_line_marks(source),
            parts: self.parts.clone(),
            names: self.names.clone(),
            gnu_inline: self.gnu_inline.clone(),
        }
    }

    /// The text of a file, with blanks in place of what is between it and what is woven into it, so that places are those in
    /// the text of the program.
    fn text(&self, file: usize, options: &ParseOptions) -> Cow<'_, str> {
        let (all, part) = (&self.source.text, &self.parts[file]);
        let mut text = Cow::Borrowed(&all[part.clone()]);
        for point in options.instrumentation.points.iter().filter(|point| point.file == file) {
            let own = text.to_mut();
            let blanks = (point.text.start - part.start).saturating_sub(own.len());
            own.push_str(&" ".repeat(blanks));
            own.push_str(&all[point.text.clone()]);
        }
        text
    }

    /// What can be checked in the program, which need not have a beginning.
    ///
    /// # Errors
    /// As [`Files::parse`].
    pub fn contents(&self, options: &ParseOptions) -> Result<Contents, Vec<Diagnostic>> {
        Ok(Contents::of(&self.unit(options)?))
    }

    /// Reads the files and joins them.
    fn unit(&self, options: &ParseOptions) -> Result<Unit, Vec<Diagnostic>> {
        let all = &self.source.text;
        refuse_length(all.len())?;
        let read = |(file, part): (usize, &Range<usize>)| {
            Parsed::read(&self.text(file, options), part.start, all, options)
        };
        let files = sound(self.parts.iter().enumerate().map(read))?;
        let model = self.model(&files, options)?;
        let gnu_inline = |i: usize| self.gnu_inline.get(i).copied().unwrap_or(false);
        let surfaces = files.iter().enumerate().map(|(i, file)| file.surface(gnu_inline(i)));
        let surfaces: Vec<_> = surfaces.collect();
        let symbols = symbols::resolve(&surfaces, |file| models::is_one(&self.names[file]))?;
        let mut of_library = options.clone();
        of_library.property.checks = options.property.checks.without(Checks::of_text());
        let units = files.iter().enumerate().map(|(i, file)| {
            let name = &self.names[i];
            let is_model = models::is_one(name);
            let elsewhere: Elsewhere = symbols::elsewhere(&surfaces, i, is_model);
            let options = if is_model { &of_library } else { options };
            let mut unit = file.unit(options, &elsewhere, model)?;
            if models::has_other_types(name) {
                forget_parameters(&mut unit);
            }
            Ok(unit)
        });
        let units = sound(units)?;
        drop(files);
        let is_model = |file: usize| models::is_one(&self.names[file]);
        let mut unit = merge::merge(units, &surfaces, &symbols, is_model, &options.property)?;
        hooked::prune(&mut unit, &self.source);
        Ok(unit)
    }

    /// The data model of all files.
    fn model(
        &self,
        files: &[Parsed],
        options: &ParseOptions,
    ) -> Result<DataModel, Vec<Diagnostic>> {
        let shown = || files.iter().zip(&self.parts).filter_map(|(f, p)| Some((f.model?, p.start)));
        let first = shown().next();
        let other = first.and_then(|(model, _)| shown().find(|(other, _)| *other != model));
        match (options.model, first, other) {
            (Some(model), ..) => Ok(model),
            (None, Some((a, _)), Some((b, start))) => {
                let message = format!("this file is preprocessed for {b}, another one for {a}");
                let span = Span::new(start, start);
                let mistake = Diagnostic::new(DiagnosticKind::Type, span, message);
                Err(vec![mistake.with_hint("'--64' or '--32' says which it is")])
            }
            (None, first, None) => Ok(first.map(|(model, _)| model).unwrap_or_default()),
            (None, None, Some(_)) => Ok(DataModel::default()),
        }
    }
}

/// Says nothing of the types of parameters, so that those of the other files count: calls are fitted to the definitions.
fn forget_parameters(unit: &mut Unit) {
    for function in unit.functions.iter_mut().filter(|function| function.body.is_some()) {
        if let Type::Function { result, .. } = *unit.types.get(function.ty) {
            let open = Type::Function { result, parameters: vec![], variadic: true };
            function.ty = unit.types.intern(open);
        }
    }
}

/// All results, or all mistakes.
fn sound<T>(
    results: impl Iterator<Item = Result<T, Vec<Diagnostic>>>,
) -> Result<Vec<T>, Vec<Diagnostic>> {
    let (mut all, mut mistakes) = (vec![], vec![]);
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(more) => mistakes.extend(more),
        }
    }
    mistakes.truncate(super::parse::MAX_DIAGNOSTICS);
    if mistakes.is_empty() { Ok(all) } else { Err(mistakes) }
}

/// The function in which executions start: the one that all files can name, else a `static` one.
fn entry_of(unit: &Unit, name: &str) -> Result<Option<FunctionId>, Vec<Diagnostic>> {
    if let Some(id) = unit.function(name) {
        return Ok(Some(id));
    }
    let mut seen = HashSet::new();
    let of_name = unit.names.iter().filter_map(|(other, thing, span)| match thing {
        Thing::Function(id) if plain(other) == name && seen.insert(*id) => Some((*id, *span)),
        _ => None,
    });
    let bodies: Vec<(FunctionId, Span)> =
        of_name.filter(|(id, _)| unit.functions[id.0 as usize].body.is_some()).collect();
    match bodies.as_slice() {
        [] => Ok(None),
        [(id, _)] => Ok(Some(*id)),
        [(_, first), (_, second), ..] => {
            let message = format!("the program has several functions '{name}' to start in");
            let mistake = Diagnostic::new(DiagnosticKind::Duplicate, *second, message);
            Err(vec![mistake.with_label("a second one").with_related(*first, "the first one")])
        }
    }
}
