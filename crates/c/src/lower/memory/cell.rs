//! Represents the scalars of abstract objects by variables of the automata, and assigns addresses to objects.
//!
//! An object is *singular* if it stands for at most one concrete object at a time; only singular objects have
//! variables. Every object has a constant address; no two objects overlap. A program whose behaviour depends on more
//! than addresses being different is assumed to run with these addresses.
//!
//! Under [`Model::Havoc`], only program variables whose address is not taken are represented, and
//! array elements are not. All other memory yields any value whenever it is read.

use std::ops::Range;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

use super::tracked::Tracked;
use crate::flow::{
    Base, Callee, Expr, ExprKind, Flow, Function, FunctionId, Instruction, Place, VariableId,
};
use crate::library::{Allocation, LibraryFunction, Returns, find};
use crate::lower::activation::Activations;
use crate::lower::arguments::Given;
use crate::lower::options::{LowerError, Model};
use crate::memory::{Item, ObjectId, ObjectKind, Objects};
use crate::points_to::PointsTo;
use hardbop_smt::{Sort, Symbol, Term, Terms};

/// Where functions begin.
const FUNCTIONS: u64 = 0x0804_8000;
/// Where data begins.
const DATA: u64 = 0x1000_0000;
/// Where data must end under ILP32.
const DATA_END: u64 = 0xf000_0000;
/// The alignment of every object in bytes, as of glibc's blocks.
const LEAST_ALIGNMENT: u64 = 16;
/// The size of a page in bytes.
const PAGE: u64 = 4096;
/// Space for an object of unknown size, at least and at most.
const UNKNOWN_SIZE: std::ops::RangeInclusive<u64> = 1 << 16..=1 << 40;
/// The space of all objects under LP64.
const SPACE: u64 = 1 << 46;

/// The content of a scalar of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    Variable(Symbol),
    /// A character of a string literal.
    Constant(u8),
    /// The scalar stands for many, or is not modelled.
    Unknown,
}

#[derive(Debug)]
struct Slot {
    address: u64,
    singular: bool,
    /// Nothing is known of its content, only its address.
    opaque: bool,
    /// Every activation has its own copy.
    local: bool,
    name: String,
    cells: Vec<Option<Symbol>>,
    /// Variables whose bits say which bits of the cells were written, where that is asked for.
    written: Vec<Option<Symbol>>,
}

/// The variables and addresses of all objects.
#[derive(Debug)]
pub struct Memory {
    slots: Vec<Slot>,
    /// For each allocation with rounds, the variable that counts them.
    counters: IndexMap<(FunctionId, u32), Symbol>,
    /// The variables that hold the sizes of objects, in bytes, where the program computes these.
    sizes: IndexMap<ObjectId, Symbol>,
    /// The variables of one bit that say whether objects are live, where that is asked for.
    lives: IndexMap<ObjectId, Symbol>,
    pub(super) tracked: Tracked,
    model: Model,
    /// Whether cells are those that say what was written.
    pub(super) is_shadow: bool,
    /// The first address after all objects.
    end: u64,
    /// The bytes that are left for each object of unknown size.
    room: u64,
}

impl Memory {
    /// # Errors
    /// Where the objects do not fit into the address space.
    pub fn new(
        flow: &Flow,
        points_to: &PointsTo<'_>,
        activations: &Activations,
        model: Model,
        given: &Given,
    ) -> Result<Self, LowerError> {
        let addressed = addressed(flow, points_to);
        let mut names = FxHashSet::default();
        let mut slots = Vec::new();
        let mut next = DATA;
        let unknown_size = unknown_size(flow, points_to);
        let any: FxHashSet<ObjectId> =
            given.any().map(|v| points_to.objects().variable(v)).collect();
        for (id, object) in points_to.objects().iter() {
            let owner = match object.kind {
                ObjectKind::Variable(v) => flow.variables[v.0 as usize].function,
                _ => None,
            };
            let taken = matches!(object.kind, ObjectKind::Variable(v) if addressed.contains(&v));
            let singular = match object.kind {
                ObjectKind::Unknown | ObjectKind::Function(_) => false,
                ObjectKind::Text(_) | ObjectKind::Round(..) => true,
                ObjectKind::Variable(_) => {
                    !taken || owner.is_none_or(|f| !activations.is_recursive(f))
                }
                ObjectKind::Allocation(f, e) => activations.runs_once(flow, f, e),
            };
            let address = if let ObjectKind::Function(f) = object.kind {
                FUNCTIONS + 16 * u64::from(f.0)
            } else {
                let size = object.layout.size().unwrap_or(unknown_size);
                let alignment = alignment(flow, object.kind);
                let address = next.checked_next_multiple_of(alignment).ok_or(LowerError::Memory)?;
                // Leave a gap: the address just past an object must not belong to another one.
                next = size
                    .checked_add(32)
                    .map(|s| s & !15)
                    .and_then(|s| address.checked_add(s))
                    .ok_or(LowerError::Memory)?;
                address
            };
            // All activations share the variable through which a record is returned.
            let shared = owner.is_some_and(|f| {
                flow.functions[f.0 as usize].result.is_some_and(|r| {
                    id == points_to.objects().variable(r)
                        && flow.types.as_record(flow.variables[r.0 as usize].ty).is_some()
                })
            });
            let kept = matches!(object.kind, ObjectKind::Variable(_) if !taken);
            let kept = kept || matches!(object.kind, ObjectKind::Text(_));
            slots.push(Slot {
                address,
                singular,
                opaque: model == Model::Havoc && !kept || any.contains(&id),
                local: owner.is_some() && !taken && !shared,
                name: unique(&mut names, name(flow, object.kind)),
                cells: vec![None; object.layout.items().len()],
                written: vec![None; object.layout.items().len()],
            });
        }
        if flow.types.model.word() == 32 && next > DATA_END {
            return Err(LowerError::Memory);
        }
        let (counters, sizes, lives) = (IndexMap::new(), IndexMap::new(), IndexMap::new());
        let tracked = Tracked::default();
        Ok(Self {
            slots,
            counters,
            sizes,
            lives,
            tracked,
            model,
            is_shadow: false,
            end: next,
            room: unknown_size,
        })
    }

    fn slot(&self, object: ObjectId) -> &Slot {
        &self.slots[object.0 as usize]
    }

    /// The name of an object, with which those of its variables begin.
    pub fn name(&self, object: ObjectId) -> &str {
        &self.slot(object).name
    }

    /// The address of an object; of a non-singular one, a possible address of one of its objects.
    pub fn address(&self, object: ObjectId) -> u64 {
        self.slot(object).address
    }

    /// The addresses and names of all objects; their variables' names begin with these.
    pub fn names(&self) -> impl Iterator<Item = (u64, &str)> + '_ {
        self.slots.iter().map(|s| (s.address, s.name.as_str()))
    }

    /// Where all functions and objects lie.
    pub fn addresses(&self) -> Range<u64> {
        FUNCTIONS..self.end
    }

    /// The first address after all objects.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The bytes from the address of an object on that are its own, where its size is not known.
    pub fn room(&self) -> u64 {
        self.room
    }

    /// Whether the object stands for at most one concrete object at a time.
    pub fn is_singular(&self, object: ObjectId) -> bool {
        self.slot(object).singular
    }

    /// Whether nothing is known of its content.
    pub fn is_opaque(&self, object: ObjectId) -> bool {
        self.slot(object).opaque
    }

    /// Whether every activation has its own copy, which is accessed by name only.
    pub fn is_local(&self, object: ObjectId) -> bool {
        self.slot(object).local
    }

    /// The content of an item in an object's layout.
    pub fn cell(
        &mut self,
        terms: &mut Terms,
        flow: &Flow,
        objects: &Objects,
        object: ObjectId,
        item: usize,
    ) -> Cell {
        let Item { folded, element, width, name, start, .. } =
            &objects.get(object).layout.items()[item];
        let slot = &mut self.slots[object.0 as usize];
        let many = *folded
            && (self.model != Model::OneCell
                || objects.get(object).layout.runs(start / 8).next().is_none());
        if many || !slot.singular || slot.opaque {
            return Cell::Unknown;
        }
        if let ObjectKind::Text(text) = objects.get(object).kind {
            if *folded {
                return Cell::Unknown;
            }
            let byte = flow.strings[text as usize].get((start / 8) as usize);
            let constant = |&b| Cell::Constant(if self.is_shadow { u8::MAX } else { b });
            return byte.map_or(Cell::Unknown, constant);
        }
        if *element && self.model == Model::Havoc {
            return Cell::Unknown;
        }
        let symbol = match self.is_shadow {
            true => slot.written[item].get_or_insert_with(|| {
                terms.fresh(&format!("{}{name}/written", slot.name), Sort::Bits(*width))
            }),
            false => slot.cells[item].get_or_insert_with(|| {
                terms.symbol(&format!("{}{name}", slot.name), Sort::Bits(*width))
            }),
        };
        Cell::Variable(*symbol)
    }

    /// The variable that counts the rounds of the allocation on an edge.
    pub fn counter(
        &mut self,
        terms: &mut Terms,
        flow: &Flow,
        (function, edge): (FunctionId, u32),
        width: u32,
    ) -> Symbol {
        *self.counters.entry((function, edge)).or_insert_with(|| {
            let name = format!("{}/count", allocation_name(flow, function, edge));
            // Two calls may be in one line.
            match terms.find_symbol(&name) {
                None => terms.symbol(&name, Sort::Bits(width)),
                Some(_) => terms.fresh(&name, Sort::Bits(width)),
            }
        })
    }

    /// The variable that holds the size of an object, in bytes.
    pub fn size(&mut self, terms: &mut Terms, object: ObjectId, width: u32) -> Symbol {
        let name = &self.slots[object.0 as usize].name;
        let fresh = || terms.fresh(&format!("{name}/size"), Sort::Bits(width));
        *self.sizes.entry(object).or_insert_with(fresh)
    }

    /// The variable of one bit that says whether an object is live.
    pub fn live(&mut self, terms: &mut Terms, object: ObjectId) -> Symbol {
        let name = &self.slots[object.0 as usize].name;
        let fresh = || terms.fresh(&format!("{name}/live"), Sort::Bits(1));
        *self.lives.entry(object).or_insert_with(fresh)
    }

    /// The variables so far that are 0 at the start: those of [`Self::counter`] and [`Self::live`].
    pub fn counters(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.counters.values().chain(self.lives.values()).copied()
    }

    /// The variables of an object that have been used so far, in order.
    pub fn variables(&self, object: ObjectId) -> impl Iterator<Item = Symbol> + '_ {
        self.cells(object).map(|(symbol, _)| symbol)
    }

    /// The variables so far that say which bits of an object were written.
    pub fn written(&self, object: ObjectId) -> impl Iterator<Item = Symbol> + '_ {
        self.slot(object).written.iter().copied().flatten()
    }

    /// The variables used so far, with the indices of their items.
    pub fn cells(&self, object: ObjectId) -> impl Iterator<Item = (Symbol, usize)> + '_ {
        let cells = self.slot(object).cells.iter().enumerate();
        cells.filter_map(|(i, cell)| cell.map(|symbol| (symbol, i)))
    }
}

/// The content of a cell as a term; `None` if unknown.
pub fn content(terms: &mut Terms, cell: Cell) -> Option<Term> {
    match cell {
        Cell::Variable(symbol) => Some(terms.variable(symbol)),
        Cell::Constant(byte) => Some(terms.bits(8, u64::from(byte))),
        Cell::Unknown => None,
    }
}

/// The space for each object of unknown size, so that it is as large as can be: if blocks overlapped, what is written
/// to one could be read of another.
fn unknown_size(flow: &Flow, points_to: &PointsTo<'_>) -> u64 {
    let end = if flow.types.model.word() == 32 { DATA_END } else { SPACE };
    let sizes: Vec<Option<u64>> =
        points_to.objects().iter().map(|(_, object)| object.layout.size()).collect();
    let count = sizes.iter().filter(|size| size.is_none()).count() as u64;
    // Gaps and alignment need up to two pages.
    let known = sizes
        .into_iter()
        .flatten()
        .fold(DATA, |sum, size| sum.saturating_add(size).saturating_add(2 * PAGE));
    let share = end.saturating_sub(known) / (count + 1);
    (share & !(PAGE - 1)).clamp(*UNKNOWN_SIZE.start(), *UNKNOWN_SIZE.end())
}

fn name(flow: &Flow, kind: ObjectKind) -> String {
    let function = |f: FunctionId| &flow.functions[f.0 as usize].name;
    match kind {
        ObjectKind::Unknown => "unknown".into(),
        ObjectKind::Variable(v) => {
            let variable = &flow.variables[v.0 as usize];
            match variable.function {
                Some(f) => format!("{}::{}", function(f), variable.name),
                None => variable.name.clone(),
            }
        }
        ObjectKind::Text(i) => format!("string@{i}"),
        ObjectKind::Function(f) => function(f).clone(),
        ObjectKind::Allocation(f, edge) => allocation_name(flow, f, edge),
        ObjectKind::Round(f, edge, round) => {
            format!("{}/{}", allocation_name(flow, f, edge), round + 1)
        }
    }
}

/// The name of what the call on an edge allocates.
fn allocation_name(flow: &Flow, function: FunctionId, edge: u32) -> String {
    let Function { name, body, .. } = &flow.functions[function.0 as usize];
    let at = body.as_ref().map(|body| body.edges[edge as usize].span.start);
    let line = at.map_or(0, |at| flow.source.position(at).line);
    format!("{name}::new@{line}")
}

/// Makes a name unique by a number, if necessary.
fn unique(names: &mut FxHashSet<String>, name: String) -> String {
    if names.insert(name.clone()) {
        return name;
    }
    let mut all = (2..).map(|i| format!("{name}~{i}"));
    all.find(|n| names.insert(n.clone())).unwrap_or(name)
}

/// The alignment of an object in bytes; of blocks whose alignment is an argument, one that suffices for pages.
fn alignment(flow: &Flow, kind: ObjectKind) -> u64 {
    match kind {
        ObjectKind::Allocation(function, edge) | ObjectKind::Round(function, edge, _) => {
            let body = flow.functions[function.0 as usize].body.as_ref();
            let name = match body.map(|body| &body.edges[edge as usize].instruction) {
                Some(Instruction::Call { callee: Callee::Function(callee), .. }) => {
                    Some(&flow.functions[callee.0 as usize].name)
                }
                _ => None,
            };
            let known = name.and_then(|name| find(name)).and_then(LibraryFunction::model);
            match known.map(|model| model.effect.returns) {
                Some(Returns::Fresh(Allocation { alignment: Some(_), .. })) => PAGE,
                _ => LEAST_ALIGNMENT,
            }
        }
        _ => LEAST_ALIGNMENT.max(flow.types.alignment),
    }
}

/// Variables whose address is used for more than to name a part of them.
fn addressed(flow: &Flow, points_to: &PointsTo<'_>) -> FxHashSet<VariableId> {
    let mut found = Addressed::default();
    for (place, value) in &flow.initialisers {
        found.place(place);
        found.expr(value);
    }
    for function in points_to.reached() {
        let Some(body) = &flow.functions[function.0 as usize].body else { continue };
        for edge in &body.edges {
            edge.instruction.target().iter().for_each(|p| found.place(p));
            edge.instruction.values().for_each(|e| found.expr(e));
        }
    }
    found.variables
}

#[derive(Default)]
struct Addressed {
    variables: FxHashSet<VariableId>,
}

impl Addressed {
    fn place(&mut self, place: &Place) {
        let mut operands = place.operands();
        if let Base::Pointer(_) = place.base {
            operands.next().iter().for_each(|p| self.pointer(p));
        }
        operands.for_each(|e| self.expr(e));
    }

    /// A pointer that is dereferenced immediately: see `Lowering::pointed`.
    fn pointer(&mut self, pointer: &Expr) {
        match &pointer.kind {
            ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Offset { pointer, index, .. } => {
                self.pointer(pointer);
                self.expr(index);
            }
            ExprKind::Cast(inner) => self.pointer(inner),
            _ => self.expr(pointer),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => return self.place(place),
            ExprKind::AddressOf(Place { base: Base::Variable(variable), .. }) => {
                self.variables.insert(*variable);
            }
            _ => {}
        }
        expr.operands().for_each(|e| self.expr(e));
    }
}
