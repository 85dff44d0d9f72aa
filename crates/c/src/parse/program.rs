//! Parses whole files.

use std::collections::HashMap;

use super::bodies::bodies;
use super::context::{Context, sorted};
use super::declaration::name_of;
use super::given;
use super::kept::{Clause, LIST};
use super::options::{MAX_DIAGNOSTICS, ParseOptions};
use super::surface::Surface;
use super::text::acsl::clause::contracts;
use super::text::acsl::place::placed;
use super::text::{clean, clean_annotated, data_model};
use super::unit::{Elsewhere, Unit};
use crate::checks;
use crate::flow::{Flow, FunctionId};
use crate::instrument::FUNCTION;
use crate::jumps;
use crate::rounding;
use crate::signals;
use crate::syntax::tree::ExternalDeclaration;
use crate::syntax::{self, File, Input};
use crate::threads;
use crate::types::DataModel;
use crate::variadic;
use hardbop_base::errors::Check;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};

/// Attaches the files and lines given by line marks in the text, which [`Source::position`] then returns.
#[must_use]
pub fn with_line_marks(source: Source) -> Source {
    match clean(&source.text) {
        Ok(clean) => source.with_line_map(clean.lines),
        Err(_) => source,
    }
}

/// What a file means by itself.
///
/// # Errors
/// The mistakes found, at most [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS), in order of the text.
pub(crate) fn alone(source: &Source, options: &ParseOptions) -> Result<Unit, Vec<Diagnostic>> {
    refuse_length(source.text.len())?;
    let file = Parsed::read(&source.text, 0, &source.text, options)?;
    let model = options.model.or(file.model).unwrap_or_default();
    file.unit(options, &Elsewhere::default(), model)
}

/// The program that a unit is, or several that have been linked.
///
/// # Errors
/// It does not start anywhere, or a witness says something of a place that it does not have.
pub(crate) fn finished(
    mut unit: Unit,
    main: Option<FunctionId>,
    source: Source,
    options: &ParseOptions,
) -> Result<Flow, Vec<Diagnostic>> {
    std::mem::take(&mut unit.woven).refuse()?;
    let gate = unit.gate.take();
    let mut flow = unit.program(main, source, options)?;
    given::give(&mut flow, options.pointers);
    rounding::direct(&mut flow);
    if options.property.checks.has(Check::Return) {
        checks::results::check(&mut flow);
    }
    signals::lower(&mut flow, options.property.checks);
    jumps::lower(&mut flow, LIST);
    threads::lower(&mut flow, options.property.checks);
    let checks = &options.property.checks;
    let are_checked = checks.has(Check::Bounds) || checks.has(Check::Null);
    variadic::specialise(&mut flow, are_checked);
    checks::insert(&mut flow, (&options.property, &options.instrumentation), bodies);
    variadic::expand(&mut flow);
    if let (Some(gate), Some(segments)) = (gate, options.instrumentation.segments) {
        gate.close(&mut flow, segments);
    }
    Ok(flow)
}

/// Refuses texts in which places do not fit into 32 bits.
///
/// # Errors
/// The text is too long.
pub(crate) fn refuse_length(length: usize) -> Result<(), Vec<Diagnostic>> {
    if length < u32::MAX as usize {
        return Ok(());
    }
    let message = "texts of 4 GiB and more are not supported";
    Err(vec![Diagnostic::new(DiagnosticKind::Unsupported, Span::default(), message)])
}

/// A file as a syntax tree.
pub(crate) struct Parsed {
    file: File,
    /// Annotations that are not checked, by their kinds.
    unchecked: Vec<(String, Span)>,
    /// Clauses by the first place of the declaration behind them.
    contracts: HashMap<u32, Vec<Clause>>,
    /// The data model that the text shows.
    pub model: Option<DataModel>,
}

impl Parsed {
    /// Reads the text of a file, which begins at `start` in the text of the program.
    ///
    /// # Errors
    /// The text is no C.
    pub fn read(
        text: &str,
        start: usize,
        all: &str,
        options: &ParseOptions,
    ) -> Result<Self, Vec<Diagnostic>> {
        let clean = if options.property.acsl { clean_annotated } else { clean };
        let moved = |mut mistakes: Vec<Diagnostic>| {
            for mistake in &mut mistakes {
                mistake.span = moved(mistake.span, start);
                if let Some((span, _)) = &mut mistake.related {
                    *span = self::moved(*span, start);
                }
            }
            mistakes
        };
        let mut clean = clean(text).map_err(moved)?;
        let model = data_model(&clean.text);
        let mut unchecked = std::mem::take(&mut clean.annotations.unchecked);
        let mut placed = placed(&clean.text, &clean.annotations.assertions);
        unchecked.extend(placed.unplaced.drain(..).map(|(what, span)| (what.to_owned(), span)));
        if !placed.mistakes.is_empty() {
            placed.mistakes.truncate(MAX_DIAGNOSTICS);
            return Err(moved(placed.mistakes));
        }
        let assertions: Vec<Span> =
            placed.annotated.iter().map(|span| self::moved(*span, start)).collect();
        let input = Input {
            text: &clean.text,
            program: all,
            base: start,
            replacements: &placed.replacements,
            packs: &clean.packs,
            assertions: &assertions,
        };
        let mut file = syntax::parse(&input, is_allowed).map_err(sorted)?;
        let contracts = contracts(&mut file.unit);
        let unchecked = unchecked.into_iter();
        let unchecked = unchecked.map(|(kind, span)| (kind.to_string(), self::moved(span, start)));
        Ok(Self { file, unchecked: unchecked.collect(), contracts, model })
    }

    /// The surface of this file, of which the others have to know.
    pub fn surface(&self, gnu_inline: bool) -> Surface {
        let mut surface = Surface::of(&self.file, gnu_inline);
        for item in &self.file.unit.0 {
            let Some(clauses) = self.contracts.get(&item.start()) else { continue };
            let name = match item {
                ExternalDeclaration::FunctionDefinition(node) => name_of(&node.node.declarator),
                ExternalDeclaration::Declaration(node) => match node.node.declarators.as_slice() {
                    [only] => name_of(&only.node.declarator),
                    _ => None,
                },
                ExternalDeclaration::StaticAssert(_) => None,
            };
            let Some(name) = name else { continue };
            let own = surface.contracts.entry(name.to_owned()).or_default();
            own.extend(clauses.iter().map(|clause| self.file.said(clause.span)));
        }
        surface
    }

    /// The unit that the file is, among files that define other things.
    ///
    /// # Errors
    /// The mistakes found.
    pub fn unit(
        &self,
        options: &ParseOptions,
        elsewhere: &Elsewhere,
        model: DataModel,
    ) -> Result<Unit, Vec<Diagnostic>> {
        let mut context = Context::new(&self.file, options, elsewhere, model);
        for (kind, span) in &self.unchecked {
            context.warn_annotation(kind, *span);
        }
        context.annotated.clauses = self.contracts.clone();
        context.unit(&self.file.unit);
        context.finish()
    }
}

/// The function that a program may call although the name is one of hardbop's own.
const INVARIANT: &str = "__hardbop_invariant";

/// Whether a program may have a name that begins as hardbop's own do.
fn is_allowed(name: &str) -> bool {
    name == INVARIANT || name.starts_with(FUNCTION)
}

/// A place in a file as one in the text of the program.
fn moved(span: Span, by: usize) -> Span {
    Span::new(span.start as usize + by, span.end as usize + by)
}
