//! The state of the parser, and how it reports mistakes.

use std::collections::{BTreeSet, HashMap, HashSet};

use indexmap::{IndexMap, IndexSet};

use super::builder::{Builder, Mark};
use super::gate::{SEGMENT, Weaving};
use super::kept::{Annotated, ComputedGoto, Handlers, Promises};
use super::options::{MAX_DIAGNOSTICS, ParseOptions};
use super::scope::{Entity, Scopes};
use super::statement::blocks::Blocks;
use super::unit::{Elsewhere, Thing, Unit, sees_errors, uses_at_exit};
use crate::flow::{
    Expr, ExprKind, Function, FunctionId, Instruction, LocationId, Place, Variable, VariableId,
    VariableKind,
};
use crate::reliance::{Reliance, Unordered};
use crate::syntax::File;
use crate::syntax::tree::Node;
use crate::types::{DataModel, RecordId, Type, TypeId, Types};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span, Suggestions};

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
    pub blocks: Blocks,
    /// The end of the last call so far that is written out as instructions with effects.
    pub written_out: Option<Mark>,
}

/// The list of initial values that is read.
#[derive(Debug, Clone, Copy)]
pub struct List {
    /// Where its evaluation begins.
    pub start: Mark,
    /// Whether an item so far changes more than the object.
    pub has_effects: bool,
}

/// An array of variable length.
#[derive(Debug, Clone, Copy)]
pub(super) struct VariableType {
    /// The type of its elements, which may be such a type, too.
    pub element: TypeId,
    /// The type without all arrays of variable length around it.
    pub base: TypeId,
    /// The number of its elements, as a signed machine word.
    pub length: VariableId,
    /// The number of values of the type `base` in it.
    pub count: VariableId,
}

/// The whole state.
pub(super) struct Context<'a> {
    pub file: &'a File,
    pub options: &'a ParseOptions,
    /// The definitions in other files.
    pub elsewhere: &'a Elsewhere,
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub strings: Vec<Vec<u8>>,
    /// The numbers of string literals seen so far.
    pub string_numbers: HashMap<Vec<u8>, u32>,
    pub initialisers: Vec<(Place, Expr)>,
    pub scopes: Scopes,
    /// The functions that have a body, in this file or in another one.
    pub bodies: HashSet<String>,
    pub current: Option<Current>,
    /// Whether an expression that has to be constant needed instructions.
    pub effects: bool,
    /// The types that static variables are declared with which have [values behind](super::declaration) these.
    pub lengthened: HashMap<VariableId, TypeId>,
    /// Positive while the results of parsing will be discarded.
    pub dry: u32,
    /// How many of these evaluations are of what a constant condition leaves out.
    pub left_out: u32,
    /// The list of initial values that is read.
    pub list: Option<List>,
    /// The mistake in each [`Entity::Refused`].
    pub refused: HashMap<String, Diagnostic>,
    /// Records with members that could not be read, of the declaration of the file that is being processed.
    pub broken: Vec<RecordId>,
    /// The mistake in the members of each record that counts as incomplete because of it.
    pub refused_records: HashMap<RecordId, Diagnostic>,
    pub diagnostics: Vec<Diagnostic>,
    /// As in [`Flow::statements`](crate::flow::Flow::statements).
    pub statements: Vec<Span>,
    warnings: Vec<Diagnostic>,
    warned: HashSet<String>,
    /// Calls of functions without bodies whose effects are unknown: the caller, the callee and the place of its name.
    pub undefined: Vec<(FunctionId, FunctionId, Span)>,
    /// The errors that the text has, reached or not: the function, and the place.
    pub stated: Vec<(FunctionId, Span)>,
    /// Names for the assembler and aliases: names that mean the same as another one.
    pub synonyms: HashMap<String, String>,
    /// Weak names that the file does not define: their addresses may be null.
    pub weak: HashSet<String>,
    /// Variables whose types have no qualifiers in any part.
    pub unqualified: HashSet<VariableId>,
    /// Names of types that are volatile.
    pub volatile_types: HashSet<String>,
    /// Whether all that is being declared are pointers to the type that is read.
    pub behind_pointer: bool,
    /// The types of vectors, by the arrays of their elements.
    pub vectors: HashMap<TypeId, TypeId>,
    /// The types of numbers of two parts, by the names and the type of the second one.
    pub pair_types: HashMap<(&'static str, TypeId), TypeId>,
    /// The parts of such numbers of which more is known than where they are, by the temporaries that have them.
    pub known_parts: HashMap<VariableId, [Expr; 2]>,
    /// The unions of two types that bits of vectors are read as.
    pub views: HashMap<(TypeId, TypeId), TypeId>,
    /// The type of results that are not modelled: see [`Context::unknown_value`].
    pub unknown: Option<TypeId>,
    /// Arrays of variable length as types, by the incomplete records that stand for them.
    pub variable_types: HashMap<RecordId, VariableType>,
    /// Positive while parameters are declared: lengths are not evaluated.
    pub in_parameters: u32,
    /// Whether a parameter has shown a length of this kind.
    pub has_rows: bool,
    /// The parameters with such lengths of each function, which its body evaluates.
    pub rows: HashMap<FunctionId, Vec<usize>>,
    /// Names of types that are atomic.
    pub atomic_types: HashSet<String>,
    /// See [`Flow::reliances`](crate::flow::Flow::reliances).
    pub reliances: BTreeSet<(Reliance, Option<Span>)>,
    pub unordered: BTreeSet<Unordered>,
    /// Library functions whose calls are left undecided.
    pub undecided: BTreeSet<String>,
    /// Labels of the property that the text has.
    pub error_labels: HashSet<String>,
    pub suggestions: Suggestions,
    pub records: u32,
    /// The records with tags whose members are being declared.
    pub open_records: Vec<RecordId>,
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
    /// The promises of declarations about functions.
    pub promises: HashMap<FunctionId, Promises>,
    /// Functions that are defined without a prototype.
    pub old_style: HashSet<String>,
    /// The number of static locals with each name, to make their names unique.
    pub statics: HashMap<String, u32>,
    /// Whether the program may register functions for its end.
    pub has_handlers: bool,
    /// Whether `errno` may be read.
    pub sees_errors: bool,
    /// The functions that it registers, once they are needed.
    pub handlers: Option<Handlers>,
    /// The sayings of a witness about the text.
    pub weaving: Weaving,
    /// Annotations of ACSL.
    pub annotated: Annotated,
}

impl<'a> Context<'a> {
    pub fn new(
        file: &'a File,
        options: &'a ParseOptions,
        elsewhere: &'a Elsewhere,
        model: DataModel,
    ) -> Self {
        Self {
            file,
            options,
            elsewhere,
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
            lengthened: HashMap::new(),
            dry: 0,
            left_out: 0,
            list: None,
            refused: HashMap::new(),
            broken: Vec::new(),
            refused_records: HashMap::new(),
            diagnostics: Vec::new(),
            statements: Vec::new(),
            warnings: Vec::new(),
            warned: HashSet::new(),
            undefined: Vec::new(),
            stated: Vec::new(),
            synonyms: HashMap::new(),
            weak: HashSet::new(),
            unqualified: HashSet::new(),
            volatile_types: HashSet::new(),
            variable_types: HashMap::new(),
            in_parameters: 0,
            has_rows: false,
            rows: HashMap::new(),
            vectors: HashMap::new(),
            pair_types: HashMap::new(),
            known_parts: HashMap::new(),
            views: HashMap::new(),
            unknown: None,
            atomic_types: HashSet::new(),
            behind_pointer: false,
            reliances: BTreeSet::new(),
            unordered: BTreeSet::new(),
            undecided: BTreeSet::new(),
            error_labels: HashSet::new(),
            suggestions: Suggestions::default(),
            records: 0,
            open_records: Vec::new(),
            defined: HashMap::new(),
            by_pointer: IndexSet::new(),
            inside: None,
            label_objects: IndexMap::new(),
            wide_strings: HashMap::new(),
            promises: HashMap::new(),
            old_style: HashSet::new(),
            statics: HashMap::new(),
            has_handlers: elsewhere.uses_at_exit || uses_at_exit(&file.text),
            sees_errors: elsewhere.sees_errors || sees_errors(&file.text),
            handlers: None,
            weaving: Weaving::default(),
            annotated: Annotated::default(),
        }
    }

    pub fn span<T>(&self, node: &Node<T>) -> Span {
        node.span
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

    /// Notes what the text at a place relies on.
    pub fn rely(&mut self, on: Reliance, at: Span) {
        if self.dry == 0 {
            self.reliances.insert((on, self.current.is_some().then_some(at)));
        }
    }

    /// As [`Context::rely`], of a declaration that may be outside of functions.
    pub fn rely_at(&mut self, on: Reliance, at: Span) {
        if self.dry == 0 {
            self.reliances.insert((on, Some(at)));
        }
    }

    /// Notes that the calls at these places have no order with each other, and with what the first operand `reads`.
    pub fn note_unordered(&mut self, calls: [Vec<Span>; 2], reads: bool, at: Span) {
        if self.dry == 0 {
            self.unordered.insert(Unordered { at, calls, reads });
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
            lasting: false,
            constant: false,
            atomic: false,
            internal: false,
            // A parameter is entered before the block of its function, whose scope it shares.
            depth: self.scopes.depth() + u32::from(kind == VariableKind::Parameter),
            span,
        });
        let id = VariableId(self.variables.len() as u32 - 1);
        if let (Some(current), Some(_)) = (&mut self.current, function) {
            current.blocks.declare(id);
        }
        id
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
            base: crate::flow::Base::Variable(variable),
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

    /// A global array that was never given a length has one element (C11, 6.9.2), unless another file gives it one.
    fn lengths(&mut self) {
        for index in 0..self.variables.len() {
            let variable = &self.variables[index];
            if variable.kind == VariableKind::Global
                && !self.elsewhere.defined.contains(&variable.name)
                && let Type::Array(element, None) = *self.types.get(variable.ty)
            {
                self.variables[index].ty = self.types.intern(Type::Array(element, Some(1)));
            }
        }
    }

    /// The unit, or the mistakes in it.
    pub fn finish(mut self) -> Result<Unit, Vec<Diagnostic>> {
        self.lengths();
        self.warn_of_contracts();
        self.meanings_by_pointer();
        let outside = self.outside_of_main();
        self.define_handlers();
        let (gate, woven) = (self.gate(), self.end_weaving());
        if !self.diagnostics.is_empty() {
            return Err(sorted(self.diagnostics));
        }
        let things = self.scopes.at_file().filter_map(|(name, entity, span)| {
            let thing = match entity {
                Entity::Function(id) => Thing::Function(id),
                Entity::Variable(id) => Thing::Variable(id),
                _ => return None,
            };
            Some((name.to_owned(), thing, span))
        });
        let mut names: Vec<(String, Thing, Span)> = things.collect();
        names.sort_by(|a, b| (a.2.start, &a.0).cmp(&(b.2.start, &b.0)));
        let shared = self.handlers.iter().flat_map(|handlers| handlers.names());
        names.extend(shared.map(|(name, thing)| (name.to_owned(), thing, Span::default())));
        let segment = gate.as_ref().map(|gate| Thing::Variable(gate.segment));
        names.extend(segment.map(|segment| (SEGMENT.to_owned(), segment, Span::default())));
        Ok(Unit {
            types: self.types,
            variables: self.variables,
            functions: self.functions,
            strings: self.strings,
            initialisers: self.initialisers,
            names,
            undefined: self.undefined,
            stated: self.stated,
            outside,
            undecided: self.undecided,
            error_labels: self.error_labels,
            old_style: self.old_style,
            reliances: self.reliances,
            unordered: self.unordered,
            starts: self.annotated.starts,
            gate,
            woven,
            statements: self.statements,
            warnings: self.warnings,
        })
    }
}

/// Mistakes in the order of the text, each once, and not too many.
pub(super) fn sorted(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| d.span.start);
    diagnostics.dedup();
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostics
}
