//! The state of the parser, and how it reports mistakes.

use std::collections::{HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};
use lang_c::span::Node;

use super::at_exit::{Handlers, uses_at_exit};
use super::builder::Builder;
use super::expression::outside::Promises;
use super::options::{MAX_DIAGNOSTICS, ParseOptions};
use super::reach::reachable;
use super::scope::{Entity, Scopes};
use super::statement::computed::ComputedGoto;
use crate::base::source::{Diagnostic, DiagnosticKind, Source, Span, Suggestions};
use crate::program::c::flow::{
    Expr, ExprKind, Flow, Function, FunctionId, Instruction, LocationId, Place, Variable,
    VariableId, VariableKind,
};
use crate::program::c::parse::text::patched::Patched;
use crate::program::c::property::Property;
use crate::program::c::types::{DataModel, Type, TypeId, Types};

/// A mistake was reported; work that needs the missing value is abandoned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed;

pub(super) type Typed<T> = Result<T, Failed>;

/// A label in the current function.
#[derive(Debug)]
pub(super) struct Label {
    pub location: LocationId,
    /// The position of the label; `None` if only a `goto` has been seen.
    pub defined: Option<Span>,
    /// The position of the first `goto`.
    pub used: Option<Span>,
}

/// The cases of a `switch`, collected from its body.
#[derive(Debug)]
pub(super) struct Switch {
    pub ty: TypeId,
    /// Lowest value, highest value, target and position.
    pub cases: Vec<(i128, i128, LocationId, Span)>,
    /// Cases of single values, to find duplicates.
    pub seen: HashMap<i128, Span>,
    pub default: Option<(LocationId, Span)>,
}

/// The function whose body is being parsed.
#[derive(Debug)]
pub(super) struct Current {
    pub id: FunctionId,
    pub builder: Builder,
    pub labels: IndexMap<String, Label>,
    pub breaks: Vec<LocationId>,
    pub continues: Vec<LocationId>,
    pub switches: Vec<Switch>,
    pub computed: Vec<ComputedGoto>,
    pub temporaries: u32,
}

/// The whole state.
pub(super) struct Context<'a> {
    pub patched: &'a Patched,
    pub options: &'a ParseOptions,
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub strings: Vec<Vec<u8>>,
    /// The numbers of string literals seen so far.
    pub string_numbers: HashMap<Vec<u8>, u32>,
    pub initialisers: Vec<(Place, Expr)>,
    pub scopes: Scopes,
    /// The functions that have a body in the file, and the globals that have a definition.
    pub bodies: HashSet<String>,
    pub current: Option<Current>,
    /// Whether an expression that has to be constant needed instructions.
    pub effects: bool,
    /// Positive while the results of parsing will be discarded.
    pub dry: u32,
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    warned: HashSet<String>,
    /// Calls of functions without bodies whose effects are unknown: the caller, the callee and the place of its name.
    pub undefined: Vec<(FunctionId, FunctionId, Span)>,
    /// Whether the text has something that is an error, reached or not.
    pub has_errors: bool,
    /// Names for the assembler and aliases: names that mean the same as another one.
    pub synonyms: HashMap<String, String>,
    /// Weak names that the file does not define: their addresses may be null.
    pub weak: HashSet<String>,
    /// Names of types that are volatile.
    pub volatile_types: HashSet<String>,
    /// Names of types that are atomic.
    pub atomic_types: HashSet<String>,
    /// Whether `volatile` is written where it has no effect here: at members, locals, and targets of pointers.
    pub volatile_elsewhere: bool,
    /// Whether a value depends on the order in which operands are evaluated.
    pub order_matters: bool,
    /// Whether a call of `qsort` is written out.
    pub sorts: bool,
    /// Labels of the property that the text has.
    pub error_labels: HashSet<String>,
    pub suggestions: Suggestions,
    pub records: u32,
    /// Names of the functions whose definitions have been seen, with positions.
    pub defined: HashMap<String, Span>,
    /// Functions that may be called through a pointer.
    pub by_pointer: IndexSet<FunctionId>,
    /// The function whose body is being parsed, also in initial values of its static variables.
    pub inside: Option<FunctionId>,
    /// The variables that stand for labels whose addresses are taken, with the places of the first such uses.
    pub label_objects: IndexMap<(FunctionId, String), (VariableId, Span)>,
    /// The variables that wide string literals are, by their elements.
    pub wide_strings: HashMap<(TypeId, Vec<u32>), VariableId>,
    /// What declarations promise of functions.
    pub promises: HashMap<FunctionId, Promises>,
    /// Functions that are defined without a prototype.
    pub old_style: HashSet<String>,
    /// The number of static locals with each name, to make their names unique.
    pub statics: HashMap<String, u32>,
    /// Whether the program may register functions for its end.
    pub has_handlers: bool,
    /// What it registers, once that is needed.
    pub handlers: Option<Handlers>,
}

impl<'a> Context<'a> {
    pub fn new(patched: &'a Patched, options: &'a ParseOptions, model: DataModel) -> Self {
        Self {
            patched,
            options,
            types: Types::new(model),
            variables: Vec::new(),
            functions: Vec::new(),
            strings: Vec::new(),
            string_numbers: HashMap::new(),
            initialisers: Vec::new(),
            scopes: Scopes::new(),
            bodies: HashSet::new(),
            current: None,
            effects: false,
            dry: 0,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            warned: HashSet::new(),
            undefined: Vec::new(),
            has_errors: false,
            synonyms: HashMap::new(),
            weak: HashSet::new(),
            volatile_types: HashSet::new(),
            atomic_types: HashSet::new(),
            volatile_elsewhere: false,
            order_matters: false,
            sorts: false,
            error_labels: HashSet::new(),
            suggestions: Suggestions::default(),
            records: 0,
            defined: HashMap::new(),
            by_pointer: IndexSet::new(),
            inside: None,
            label_objects: IndexMap::new(),
            wide_strings: HashMap::new(),
            promises: HashMap::new(),
            old_style: HashSet::new(),
            statics: HashMap::new(),
            has_handlers: uses_at_exit(&patched.text),
            handlers: None,
        }
    }

    pub fn span<T>(&self, node: &Node<T>) -> Span {
        self.patched.span(node.span)
    }

    pub fn report(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed
    }

    /// Whether there are so many mistakes that parsing stops.
    pub fn enough(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    pub fn type_error(&mut self, span: Span, message: String, label: &str) -> Failed {
        self.report(Diagnostic::new(DiagnosticKind::Type, span, message).with_label(label))
    }

    pub fn unsupported(&mut self, span: Span, what: &str) -> Failed {
        self.report(
            Diagnostic::new(DiagnosticKind::Unsupported, span, format!("{what} is not supported"))
                .with_label("not supported"),
        )
    }

    /// Reports a warning, once per `key`.
    pub fn warn(&mut self, key: &str, diagnostic: Diagnostic) {
        if self.warned.insert(key.to_owned()) {
            self.warnings.push(diagnostic);
        }
    }

    /// Appends an instruction at the current location.
    pub fn emit(&mut self, instruction: Instruction, span: Span) {
        match &mut self.current {
            Some(current) => current.builder.emit(instruction, span),
            None => self.effects = true,
        }
    }

    /// Applies `work` to the builder; outside functions, where nothing is executed, to a temporary one.
    pub fn flow<T>(&mut self, work: impl FnOnce(&mut Builder) -> T) -> T {
        match &mut self.current {
            Some(current) => work(&mut current.builder),
            None => {
                self.effects = true;
                work(&mut Builder::new())
            }
        }
    }

    /// Leaves paths through here undecided.
    pub fn not_modelled(&mut self, span: Span, what: &str) {
        self.emit(Instruction::Unsupported(what.to_owned()), span);
        if self.current.is_none() {
            self.unsupported(span, what);
        }
    }

    pub fn variable(
        &mut self,
        name: &str,
        ty: TypeId,
        kind: VariableKind,
        span: Span,
    ) -> VariableId {
        let function = match kind {
            VariableKind::Global | VariableKind::External => None,
            _ => self.current.as_ref().map(|c| c.id),
        };
        self.variables.push(Variable {
            name: name.to_owned(),
            ty,
            function,
            kind,
            volatile: false,
            internal: false,
            // A parameter is entered before the block of its function, whose scope it shares.
            depth: self.scopes.depth() + u32::from(kind == VariableKind::Parameter),
            span,
        });
        VariableId(self.variables.len() as u32 - 1)
    }

    pub fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let number = match &mut self.current {
            Some(current) => {
                current.temporaries += 1;
                current.temporaries
            }
            None => 0,
        };
        let name = format!("tmp@{number}");
        let variable = self.variable(&name, ty, VariableKind::Temporary, span);
        self.place_of(variable, span)
    }

    pub fn place_of(&self, variable: VariableId, span: Span) -> Place {
        Place {
            base: crate::program::c::flow::Base::Variable(variable),
            path: Vec::new(),
            ty: self.variables[variable.0 as usize].ty,
            span,
        }
    }

    /// Saves a value in a temporary.
    pub fn keep(&mut self, value: Expr) -> Expr {
        if matches!(value.kind, ExprKind::Constant(_) | ExprKind::FunctionAddress(_)) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let place = self.temporary(ty, span);
        self.emit(Instruction::Assign(place.clone(), value), span);
        Expr { kind: ExprKind::Load(place), ty, span }
    }

    pub fn int(&mut self) -> TypeId {
        self.types.int()
    }

    pub fn void(&mut self) -> TypeId {
        self.types.intern(Type::Void)
    }

    pub fn constant(&self, value: u64, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Constant(value), ty, span }
    }

    /// A global array that was never given a length has one element (C 6.9.2).
    fn lengths(&mut self) {
        for index in 0..self.variables.len() {
            let variable = &self.variables[index];
            if variable.kind == VariableKind::Global
                && let Type::Array(element, None) = *self.types.get(variable.ty)
            {
                self.variables[index].ty = self.types.intern(Type::Array(element, Some(1)));
            }
        }
    }

    /// The program, or the mistakes in it.
    pub fn finish(mut self, source: Source) -> Result<Flow, Vec<Diagnostic>> {
        self.lengths();
        self.meanings_by_pointer();
        let entry = self.options.entry.as_deref().unwrap_or("main");
        let main = match self.scopes.find_at_file(entry) {
            Some((Entity::Function(id), _)) => Some(id),
            _ => None,
        };
        let main = main.filter(|id| self.functions[id.0 as usize].body.is_some());
        if main.is_none() && self.diagnostics.is_empty() {
            let end = source.text.trim_end().len();
            let start = end.saturating_sub(1);
            let defined = self.functions.iter().filter(|f| f.body.is_some());
            let near = self.suggestions.nearest(entry, defined.map(|f| f.name.as_str()));
            let hint = match near {
                Some(name) => format!("did you mean '{name}' to be it?"),
                None => format!("execution starts in the function '{entry}'"),
            };
            let diagnostic = Diagnostic::new(
                DiagnosticKind::Undeclared,
                Span::new(start, end),
                format!("the program has no function '{entry}'"),
            );
            self.diagnostics.push(diagnostic.with_label("the text ends here").with_hint(hint));
        }
        for label in &self.options.property.error_labels {
            // The default need not be there.
            if label != Property::DEFAULT_LABEL && !self.error_labels.contains(label) {
                let message = format!("no statement has the label '{label}'");
                let span = Span::new(0, 0);
                self.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, span, message));
            }
        }
        match main {
            Some(main) if self.diagnostics.is_empty() => {
                self.run_handlers((entry == "main").then_some(main));
                self.warn_undefined(main);
                self.warn_unchecked();
                self.warnings.sort_by_key(|w| w.span.start);
                Ok(Flow {
                    types: self.types,
                    variables: self.variables,
                    functions: self.functions,
                    strings: self.strings,
                    initialisers: self.initialisers,
                    main,
                    bounds_checked: false,
                    volatile_elsewhere: self.volatile_elsewhere,
                    order_matters: self.order_matters,
                    sorts: self.sorts,
                    source,
                    warnings: self.warnings,
                })
            }
            _ => {
                self.diagnostics.sort_by_key(|d| d.span.start);
                self.diagnostics.dedup();
                self.diagnostics.truncate(MAX_DIAGNOSTICS);
                Err(self.diagnostics)
            }
        }
    }

    /// Says which functions that executions may enter have no bodies.
    fn warn_undefined(&mut self, entry: FunctionId) {
        let reached = reachable(&self.functions, &self.initialisers, entry);
        for (caller, callee, span) in std::mem::take(&mut self.undefined) {
            if reached.contains(&caller) {
                let name = &self.functions[callee.0 as usize].name;
                let (key, message) = (format!("undefined {name}"), format!("'{name}' has no body"));
                let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message)
                    .with_label("assumed to return any value and to call nothing back");
                self.warn(&key, diagnostic);
            }
        }
    }

    /// Says where the answer is SAFE for want of anything to check.
    fn warn_unchecked(&mut self) {
        if !self.has_errors && !self.options.property.checks() {
            let message = "nothing in this program counts as an error, so nothing is checked: it calls no error \
                 function, and has no assertion and no error label; '--overflow-check', '--check-bounds' \
                 and '--check-null' look for errors of other kinds";
            let span = Span::new(0, 0);
            self.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, span, message));
        }
    }
}
