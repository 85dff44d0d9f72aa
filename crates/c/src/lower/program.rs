//! Lowers whole programs to automata.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::flow::{Flow, FunctionId, VariableId};
use super::super::memory::{Kind, ObjectKind, Rounds};
use super::super::points_to::PointsTo;
use super::activation::Activations;
use super::arguments::{Given, unwritten, with_arguments};
use super::assumption::Assumption;
use super::lowering::Lowering;
use super::memory::{Memory, rounds};
use super::options::{LowerError, LoweringOptions, Model};
use super::relevance::Relevance;
use super::rests::{
    Mortal, never_null, reliances, uninitialised, unwritten_blocks, uses_missing_result,
};
use super::texts::with_texts;
use hardbop_base::budget::Budget;
use hardbop_base::errors::Check;
use hardbop_cfa::Program;
use hardbop_smt::{Symbol, Terms};

/// A program lowered to automata.
#[derive(Debug, Clone)]
pub struct Lowered {
    /// The reachable functions that have bodies. A [`cfa::Place`](hardbop_cfa::Place)
    /// contains the numbers of functions and edges in [`Flow`].
    pub program: Program,
    /// What the automata assume about the program.
    pub assumptions: Vec<Assumption>,
    /// Whether some index leaves its array for what is behind it in its object, which the interpreter allows.
    pub leaves_arrays: bool,
    /// For variables that are parts of objects, their positions in memory.
    pub parts: FxHashMap<Symbol, Part>,
    /// The names of the objects at addresses, with which their variables' names begin.
    pub addresses: FxHashMap<u64, String>,
    /// The names of an undefined function that is called, and of a function of the program that it may call back.
    pub callback: Option<(String, String)>,
    /// The number of objects that stand for many, or contain what does: [`Model::OneCell`] tracks one cell of each.
    pub many: usize,
    /// Whether `main` has arguments whose texts the program reads.
    pub has_arguments: bool,
}

/// A part of an object that has its own variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    pub of: Whole,
    /// The first bit of the part.
    pub bit: u64,
    pub is_pointer: bool,
    /// Whether it is a `float` or `double`, by its representation.
    pub is_float: bool,
}

/// An object that consists of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    Variable(VariableId),
    /// A local of a library function that the program only declares.
    Library,
    /// The text of an argument of `main`, by its number.
    Argument(u64),
    /// The object allocated by a call.
    Allocation,
    /// The object that the call on this edge allocates when it is executed this often, from 0.  It
    /// has its first content before `main`.
    Round(FunctionId, u32, u32),
}

/// Lowers a program to automata.
///
/// The `locals` of a function are what each activation has for itself: scalars of parameters,
/// locals and temporaries whose address is not taken. Variables on which no condition depends are
/// left out. A variable whose address is taken is shared by all activations: if the function is not
/// recursive, only one is active at a time; otherwise the variable is not modelled.
///
/// # Errors
/// If the program does not fit into the address space, or the budget is exhausted.
pub fn lower(
    flow: &Flow,
    terms: &mut Terms,
    options: LoweringOptions,
    budget: &Budget,
) -> Result<Lowered, LowerError> {
    let mut limits = options.limits.memory;
    if options.model == Model::OneCell {
        limits.rounds = limits.rounds.min(1);
        limits.unrolled = limits.unrolled.min(limits.elements);
    }
    let (parsed, variables) = (flow, flow.variables.len());
    let with_arguments = with_arguments(flow, options.model, limits);
    let (flow, given) = match &with_arguments {
        Some((flow, given)) => (flow, given.clone()),
        None => (flow, Given::default()),
    };
    let mut points_to = PointsTo::new(flow, options.externals, &Rounds::default(), limits, budget)?;
    let with_texts = match options.model {
        Model::Regions | Model::OneCell | Model::FewArguments => {
            with_texts(flow, &mut points_to, limits)
        }
        Model::Havoc => None,
    };
    let flow = with_texts.as_ref().unwrap_or(flow);
    if with_texts.is_some() {
        points_to = PointsTo::new(flow, options.externals, &Rounds::default(), limits, budget)?;
    }
    let mut activations = Activations::new(flow, &points_to);
    let rounds = rounds(flow, &points_to, &activations, limits);
    if options.model != Model::Havoc && !rounds.is_empty() {
        points_to = PointsTo::new(flow, options.externals, &rounds, limits, budget)?;
        activations = Activations::new(flow, &points_to);
    }
    let memory = Memory::new(flow, &points_to, &activations, options.model, &given)?;
    let unwritten = unwritten(flow, &mut points_to, &given);
    let outliving = points_to.outliving();
    let once = |function, edge| activations.runs_once(flow, function, edge);
    let mortal = Mortal::new(flow, &mut points_to, &outliving, once);
    let defined = |f: &FunctionId| flow.functions[f.0 as usize].body.is_some();
    let functions: Vec<FunctionId> = points_to.reached().into_iter().filter(defined).collect();
    let numbers = functions.iter().enumerate().map(|(i, &f)| (f, i)).collect();
    let never_null = never_null(flow, &functions, options.malloc_may_fail);
    let mut lowering = Lowering {
        flow,
        terms,
        points_to,
        activations,
        outliving,
        mortal,
        never_null,
        numbers_are_addresses: false,
        memory,
        given,
        unwritten,
        readings: FxHashMap::default(),
        options,
        numbers,
        pending: Vec::new(),
        cache: FxHashMap::default(),
        temporaries: Vec::new(),
        assumptions: FxHashSet::default(),
        leaves_arrays: false,
    };
    lowering.numbers_are_addresses = lowering.makes_addresses(&functions);
    let name = |f: FunctionId| flow.functions[f.0 as usize].name.clone();
    let callback = lowering.points_to.callback().map(|(a, b)| (name(a), name(b)));
    for (object, types) in lowering.points_to.objects().larger() {
        let larger = types.iter().filter_map(|&ty| Assumption::larger(flow, object, ty));
        lowering.assumptions.extend(larger);
    }
    for &function in &functions {
        budget.check()?;
        let used = uninitialised(flow, function);
        if flow.checked.has(Check::Uninitialised) {
            continue;
        }
        let pointers = used.pointers.then_some(Assumption::InitialisedPointers);
        let others = used.others.then_some(Assumption::SettledValues);
        lowering.assumptions.extend(pointers.into_iter().chain(others));
    }
    if with_arguments.is_some() {
        lowering.assumptions.insert(Assumption::Arguments);
    }
    budget.check()?;
    let relied = reliances(parsed, &functions).into_iter().map(Assumption::of_text);
    lowering.assumptions.extend(relied);
    budget.check()?;
    let is_checked = flow.checked.has(Check::Uninitialised);
    let unwritten = match is_checked {
        true => Default::default(),
        false => unwritten_blocks(flow, &mut lowering.points_to, &functions),
    };
    for at in unwritten {
        lowering.assumptions.insert(match lowering.is_array(at) {
            true => Assumption::SettledValues,
            false => Assumption::SettledBlocks,
        });
    }
    budget.check()?;
    if flow.checked.are_of_ends() {
        lowering.assumptions.insert(Assumption::Ends);
    }
    if uses_missing_result(flow, &functions) {
        lowering.assumptions.insert(Assumption::MissingResults);
    }
    let mut drafts = Vec::new();
    for &function in &functions {
        budget.check()?;
        drafts.push(lowering.draft(function));
    }
    lowering.guard_errors(&mut drafts);
    let initial = lowering.initial();
    let many = lowering.candidates();
    let relevance = if options.keep_irrelevant {
        Relevance::all()
    } else {
        let readings = std::mem::take(&mut lowering.readings);
        Relevance::new(lowering.terms, &drafts, &initial, readings)
    };
    let automata = functions.iter().map(|&f| lowering.finish(f, &drafts, &relevance)).collect();
    let initial = initial.into_iter().map(|s| relevance.reduce(&drafts, s)).collect();
    let program = lowering.program(automata, initial);
    let parts = lowering.parts(variables);
    let addresses = lowering.memory.names().map(|(at, name)| (at, name.to_owned())).collect();
    let leaves_arrays = lowering.leaves_arrays;
    let mut assumptions: Vec<Assumption> = lowering.assumptions.into_iter().collect();
    assumptions.sort();
    let has_arguments = with_arguments.is_some_and(|(_, given)| given.has_texts());
    Ok(Lowered {
        program,
        assumptions,
        leaves_arrays,
        parts,
        addresses,
        callback,
        many,
        has_arguments,
    })
}

impl Lowering<'_, '_> {
    /// `variables` is the number of those that the program has itself.
    fn parts(&self, variables: usize) -> FxHashMap<Symbol, Part> {
        let mut parts = FxHashMap::default();
        for (id, object) in self.points_to.objects().iter() {
            let one_cell = self.options.model == Model::OneCell;
            let of = match object.kind {
                // Which round it is, is not known.
                ObjectKind::Round(..) if one_cell => Whole::Allocation,
                ObjectKind::Variable(v) if v.0 as usize >= variables => {
                    let argument = self.given.few.iter().position(|&few| few == v);
                    argument.map_or(Whole::Library, |index| Whole::Argument(index as u64))
                }
                ObjectKind::Variable(v) => Whole::Variable(v),
                ObjectKind::Allocation(..) => Whole::Allocation,
                ObjectKind::Round(function, edge, round) => Whole::Round(function, edge, round),
                _ => continue,
            };
            for (symbol, item) in self.memory.cells(id) {
                let item = &object.layout.items()[item];
                // Where it is, is not known.
                if item.folded {
                    continue;
                }
                let is_pointer = item.kind == Kind::Pointer;
                let is_float = item.kind == Kind::Float;
                parts.insert(symbol, Part { of, bit: item.start, is_pointer, is_float });
            }
        }
        parts
    }
}
