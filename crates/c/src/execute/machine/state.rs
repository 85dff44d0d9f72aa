//! The state of an execution: memory, open calls, and the inputs so far.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::layout::{Layout, Scalar, mask};
use super::memory::{Bytes, Content, Memory, ObjectId, OutOfMemory};
use super::tables::{Outgoing, Slot, Tables};
use crate::execute::execution::{
    Change, Demand, Event, Given, LargerObject, Leap, OutsideObject, Recorded, Request,
};
use crate::execute::fault::{Fault, Undefined};
use crate::execute::options::{ExecutionOptions, Recording};
use crate::execute::oracle::Oracle;
use crate::execute::waiting::Waiting;
use crate::flow::{Body, Expr, Flow, FunctionId, Place, VariableKind};
use crate::library::{CharacterTable, ERROR_NUMBER, LibraryFunction, VARIABLES, Writes, find};
use crate::trace::{EdgeIndex, Input, InputKind};
use crate::types::{Type, TypeId};
use hardbop_base::source::Span;
use hardbop_smt::Term;

/// Why an instruction was not completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stop {
    Fault(Fault),
    /// The oracle has no more values.
    NoInput,
    OutOfMemory,
    TooDeep,
    /// A function of the library handles too many bytes.
    TooLong,
    /// The program ends.
    Halt,
    /// An assumption is false.
    Assumption,
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Self {
        Stop::OutOfMemory
    }
}

/// The type of value requested from the oracle.
#[derive(Debug, Clone, Copy)]
pub struct Sort {
    /// The number of bits of the value; `width` is that in memory.
    pub bits: u32,
    pub width: u32,
    pub float: bool,
    pub pointee: Option<TypeId>,
}

/// An input that the oracle was asked for and did not give.
#[derive(Debug)]
pub struct Unanswered {
    pub kind: InputKind,
    pub sort: Sort,
    pub demand: Demand,
}

/// The number of bytes that an object from outside has before the position pointed to, and at least
/// from there on: it is not known how long its array is, and which element the pointer points to.
pub const OUTSIDE: u64 = 4096;

/// Accesses less than this far behind a pointer from outside are taken to go through it.
pub const REACH: u64 = 1 << 16;

/// The number of inputs of an execution: each is recorded.
const MOST_INPUTS: usize = 1 << 18;

/// An open call.
#[derive(Debug)]
pub struct Frame<'f> {
    pub function: FunctionId,
    pub body: &'f Body,
    pub location: u32,
    /// The index in [`Machine::locals`] of its first variable.
    pub base: usize,
    /// Where the caller stores the result.
    pub result: Option<&'f Place>,
    /// The call that opened it.
    pub call: Option<(EdgeIndex, Span)>,
    /// Its blocks from `alloca`.
    pub blocks: Vec<ObjectId>,
}

pub struct Machine<'f, 'o> {
    pub flow: &'f Flow,
    pub layout: Arc<Layout>,
    pub memory: Memory,
    pub options: &'o ExecutionOptions,
    pub(super) oracle: &'o mut dyn Oracle,
    /// What the oracle was asked for last and did not give.
    pub(super) unanswered: Option<Unanswered>,
    /// Whether what has a term is read as a number (see [`concretely`](Self::concretely)).
    pub(super) concrete: bool,
    /// Whether inputs have values, and terms besides: the execution is led one way.
    pub is_guided: bool,
    /// What the function of the library that was called last returns, where that is a term.
    pub(super) open_result: Option<Term>,
    /// How often something was open for which there was no input.
    pub chosen: u64,
    /// Indexed by variable.
    pub slots: Arc<[Slot]>,
    /// Indexed by function: how many variables it has.
    pub(super) widths: Arc<[u32]>,
    /// Indexed by variable.
    pub globals: Vec<Option<ObjectId>>,
    pub strings: Vec<Option<ObjectId>>,
    pub(super) outgoing: Arc<[Outgoing]>,
    /// Outermost first.
    pub frames: Vec<Frame<'f>>,
    /// The variables of all frames; their objects are made when first needed.
    pub locals: Vec<Option<ObjectId>>,
    /// Indexed by variable: how many instances it has had.
    pub(super) instances: Vec<u64>,
    /// The number of blocks so far; `outside` counts the objects from outside.
    pub blocks: u64,
    pub(super) outside: u64,
    /// The arguments of `main` that the program has got.
    pub(super) given: crate::arguments::Given,
    /// Numbers used as pointers, with their addresses and the objects there, if any.
    pub(super) constants: FxHashMap<u64, (u64, Option<OutsideObject>)>,
    pub addresses: Vec<(Span, OutsideObject)>,
    /// Whether a function was called that may do something of which the machine does not know.
    pub foreign: bool,
    /// The function whose result, of the call being executed, is used but not known.
    pub(super) unknown_result: Option<&'static str>,
    /// Whether the address of an object became a number.
    pub numbers: bool,
    /// Whether a pointer is in memory that is not known, or only as a term.
    pub(super) hides_pointers: bool,
    /// Whether it is watched where objects lie decides something, and whether it does.
    pub watches: bool,
    pub located: bool,
    /// A function that gave a number whose last digits another library may give otherwise.
    pub inexact: Option<&'static str>,
    /// Objects that were enlarged.
    pub larger: Vec<LargerObject>,
    /// The address of the access that led to a fault.
    pub wild: Cell<Option<u64>>,
    /// Bytes that functions of the library have handled since the last step.
    pub handled: u64,
    /// The edge being executed.
    pub edge: Option<EdgeIndex>,
    pub span: Span,
    pub inputs: Vec<Recorded>,
    pub events: Vec<Event>,
    pub leaps: Vec<Leap>,
    /// Changes made by the edge being executed.
    pub changes: Vec<Change>,
    pub undefined: BTreeSet<(Span, Undefined)>,
    /// Locks that are held, and their like.
    pub(super) waiting: Waiting,
    pub error_number: ErrorNumber,
    /// Whether the program may ask for it.
    pub has_errno: bool,
    pub tables: FxHashMap<CharacterTable, u64>,
}

/// What calls have done to `errno` since the program last looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorNumber {
    Settled,
    /// A call has failed, and set it to a positive number.
    Failed,
    /// This function may have set it.
    Unknown(&'static str),
    Is(u32),
}

impl<'f, 'o> Machine<'f, 'o> {
    pub fn new(
        flow: &'f Flow,
        tables: Tables,
        oracle: &'o mut dyn Oracle,
        options: &'o ExecutionOptions,
    ) -> Self {
        let Tables { layout, slots, widths, outgoing } = tables;
        let is_guided = oracle.ways().is_some_and(|ways| ways.is_guided());
        Self {
            layout,
            memory: Memory::new(flow.types.model.word(), options.room(), Self::room(&flow.types)),
            options,
            oracle,
            unanswered: None,
            concrete: false,
            is_guided,
            open_result: None,
            chosen: 0,
            slots,
            widths,
            globals: vec![None; flow.variables.len()],
            strings: vec![None; flow.strings.len()],
            outgoing,
            frames: Vec::new(),
            locals: Vec::new(),
            instances: vec![0; flow.variables.len()],
            blocks: 0,
            outside: 0,
            given: crate::arguments::Given::default(),
            constants: FxHashMap::default(),
            addresses: Vec::new(),
            foreign: false,
            unknown_result: None,
            numbers: false,
            hides_pointers: false,
            watches: false,
            located: false,
            inexact: None,
            larger: Vec::new(),
            wild: Cell::new(None),
            handled: 0,
            edge: None,
            span: Span::default(),
            inputs: Vec::new(),
            events: Vec::new(),
            leaps: Vec::new(),
            changes: Vec::new(),
            undefined: BTreeSet::new(),
            waiting: Waiting::default(),
            error_number: ErrorNumber::Settled,
            has_errno: flow.functions.iter().any(|f| f.name == ERROR_NUMBER),
            tables: FxHashMap::default(),
            flow,
        }
    }

    /// The numbers of inputs, of constants used as pointers, of tables that the program is given, and of open values, so far.
    pub fn asked(&self) -> (usize, usize, usize, u64) {
        let given = self.tables.len() + self.given.arrays;
        (self.inputs.len(), self.constants.len(), given, self.chosen)
    }

    /// The outgoing edges of the current location.
    pub fn outgoing(&self) -> &[u32] {
        let Some(frame) = self.frames.last() else { return &[] };
        self.outgoing[frame.function.0 as usize].of(frame.location)
    }

    /// Gives the globals their initial values.
    ///
    /// # Errors
    /// If there is no room for them, or one is a mistake.
    pub fn initialise(&mut self) -> Result<(), Stop> {
        let flow = self.flow;
        for (place, expr) in &flow.initialisers {
            self.span = place.span;
            let value = self.value(expr)?;
            self.write(place, &value)?;
        }
        Ok(())
    }

    /// Has nothing happened yet that is seen elsewhere than in memory?
    pub fn has_memory_only(&self) -> bool {
        let asked = self.inputs.len() + self.addresses.len() + self.constants.len();
        let made = self.larger.len() + self.undefined.len() + self.tables.len();
        let counted = self.blocks + self.outside + self.instances.iter().sum::<u64>();
        let said = self.foreign || self.numbers || self.wild.get().is_some();
        asked + made == 0
            && counted == 0
            && !said
            && !self.memory.has_shares()
            && self.error_number == ErrorNumber::Settled
            && self.waiting.is_empty()
            && self.given.count.is_none()
    }

    /// The number of a variable within its function, if it is a local one.
    pub(super) fn slot_of(&self, variable: u32) -> Option<usize> {
        match self.slots[variable as usize] {
            Slot::Global => None,
            Slot::Local(slot) => Some(slot as usize),
        }
    }

    /// The object of a string literal.
    pub fn string(&mut self, index: u32) -> Result<ObjectId, Stop> {
        if let Some(object) = self.strings[index as usize] {
            return Ok(object);
        }
        let bytes = self.flow.strings[index as usize].clone();
        let object = self.memory.allocate(Content::String(index), bytes.len() as u64, true)?;
        self.memory.copy_in(object, 0, &Bytes { bytes, ..Bytes::default() })?;
        self.strings[index as usize] = Some(object);
        Ok(object)
    }

    /// The address of a function; functions lie in the first megabyte, in order.
    pub fn function_address(&self, function: FunctionId) -> u64 {
        (u64::from(function.0) + 1) << 12
    }

    /// The function that starts at an address.
    pub fn function_at(&self, address: u64) -> Option<FunctionId> {
        let index = (address >> 12).checked_sub(1)?;
        let exists = (index as usize) < self.flow.functions.len() && address.trailing_zeros() >= 12;
        exists.then_some(FunctionId(index as u32))
    }

    /// Starts a new instance of a variable when its declaration is executed.
    pub fn declare(&mut self, variable: u32, object: ObjectId) -> u64 {
        let count = &mut self.instances[variable as usize];
        let instance = *count;
        *count += 1;
        self.memory.set_instance(object, instance);
        instance
    }

    /// The kind of input that stands for an uninitialised part of an object.
    pub fn uninitialised(&mut self, object: ObjectId, bit: u64) -> InputKind {
        match self.memory.content(object) {
            Content::Variable(variable) => {
                let instance = self.memory.instance(object);
                let instance = instance.unwrap_or_else(|| self.declare(variable, object));
                let name = self.flow.variables[variable as usize].name.clone();
                InputKind::Uninitialised { name, variable, instance: Some(instance), bit }
            }
            Content::Block { number, .. } => InputKind::Heap { block: number, bit },
            Content::Outside { number } => {
                let bit = bit as i64 - (OUTSIDE * 8) as i64;
                InputKind::Outside { object: number, bit }
            }
            // Never read: these have values, or get them when they are read.
            Content::String(_) | Content::Arguments | Content::Argument { .. } => {
                InputKind::Heap { block: None, bit }
            }
        }
    }

    /// Copies some bytes, which may be uninitialised, out of an object.
    pub fn copy_out(&mut self, object: ObjectId, at: u64, size: u64) -> Result<Bytes, Stop> {
        self.give_arguments(object, at, at + size)?;
        if self.watches && !self.located {
            // A part of an address is not found where it is looked for.
            let cuts = |place| self.memory.has_address_at(object, place, place);
            self.located = cuts(at) || cuts(at + size);
        }
        let mut bytes = self.memory.copy_out(object, at, size)?;
        if bytes.known.iter().any(|&known| known != u8::MAX) {
            self.modelled(object)?;
            bytes.shares = self.share(object, at, size);
        }
        Ok(bytes)
    }

    /// Fails if bits of the object lack values because a function wrote unknown text.
    pub fn modelled(&mut self, object: ObjectId) -> Result<(), Stop> {
        match self.memory.scribbled(object) {
            // They have any values.
            Some(_) if self.stands_for_all() => Ok(()),
            Some(name) if writes_nothing(name) => Err(Fault::UnknownResult(name.to_owned()).into()),
            Some(name) => Err(Fault::UnknownText(name).into()),
            None => Ok(()),
        }
    }

    /// Requests an input from the oracle.
    pub fn ask(&mut self, kind: InputKind, sort: Sort, demand: Demand) -> Result<u64, Stop> {
        let Sort { bits, width, float, pointee } = sort;
        if self.inputs.len() == MOST_INPUTS {
            return Err(Stop::OutOfMemory);
        }
        let (pointer, concrete) = (pointee.is_some(), self.concrete);
        let request = Request { kind: &kind, bits, float, pointer, concrete, span: self.span };
        let given = match demand {
            Demand::Unused => Given::Bits(0),
            _ => match self.oracle.input(&request) {
                Some(given) => given,
                None => {
                    self.unanswered = Some(Unanswered { kind, sort, demand });
                    return Err(Stop::NoInput);
                }
            },
        };
        let given = match (given, &kind) {
            // The number stands for itself, unless the oracle puts an object there.
            (Given::Bits(_), &InputKind::Address { number }) => Given::Bits(number),
            // A variable of the C library points to something, and to what no other one points to.
            (_, InputKind::Uninitialised { name, variable, .. })
                if pointee.is_some()
                    && VARIABLES.contains(&name.as_str())
                    && self.flow.variables[*variable as usize].kind == VariableKind::External =>
            {
                Given::Object
            }
            _ => given,
        };
        let mut object = None;
        let value = match given {
            Given::Bits(value) if bits == 1 => u64::from(value != 0),
            Given::Bits(value) => value,
            Given::Object => {
                let behind = pointee.map_or(0, |ty| self.layout.size(ty)).max(OUTSIDE);
                let size = behind.saturating_add(OUTSIDE);
                let content = Content::Outside { number: self.outside };
                let id = self.memory.allocate(content, size, false)?;
                object = Some(OutsideObject { number: self.outside, size, start: OUTSIDE });
                self.outside += 1;
                self.memory.address(id)? + OUTSIDE
            }
        };
        let value = value & mask(bits) & !self.never_set(&kind, bits);
        let input = Input { kind, bits, value, object: object.is_some() };
        let (edge, span) = (self.edge, self.span);
        let fresh = mask(width);
        self.inputs.push(Recorded {
            input,
            float,
            pointer,
            width,
            fresh,
            object,
            demand,
            edge,
            span,
        });
        Ok(value)
    }

    /// The address of a number in the text that is used as a pointer: the number itself, or that of
    /// the object which the program assumes there.
    pub fn constant(&mut self, number: u64, expr: &Expr) -> Result<u64, Stop> {
        let (value, object) = match self.constants.get(&number) {
            Some(&known) => known,
            None => {
                let sort = self.sort(expr.ty, self.layout.word);
                let value = self.ask(InputKind::Address { number }, sort, Demand::Read)?;
                let object = self.inputs.last().and_then(|r| r.object);
                self.constants.insert(number, (value, object));
                (value, object)
            }
        };
        if let Some(object) = object
            && !self.addresses.contains(&(expr.span, object))
        {
            self.addresses.push((expr.span, object));
        }
        Ok(value)
    }

    /// Whether it is the type of a pointer to data.
    pub fn points_to_data(&self, ty: TypeId) -> bool {
        match *self.flow.types.get(ty) {
            Type::Pointer(to) => !matches!(self.flow.types.get(to), Type::Function { .. }),
            _ => false,
        }
    }

    /// The sort of input for a scalar of some type, which has `bits` bits in memory.
    pub fn sort(&self, ty: TypeId, bits: u32) -> Sort {
        let pointee = match *self.flow.types.get(ty) {
            Type::Pointer(pointee) => Some(pointee),
            _ => None,
        };
        let scalar = self.layout.scalar(ty);
        let float = matches!(scalar, Some(Scalar::Float | Scalar::Double));
        let given = if scalar == Some(Scalar::Bool) { 1 } else { bits };
        Sort { bits: given, width: bits, float, pointee }
    }

    /// Records undefined behaviour, once per place in the text.
    pub fn note(&mut self, what: Option<Undefined>, span: Span) {
        if let Some(what) = what {
            self.undefined.insert((span, what));
        }
    }

    /// Whether the names and values of changed places are to be recorded.
    pub fn records_values(&self) -> bool {
        self.options.record == Recording::Values && self.edge.is_some()
    }
}

/// Whether what a library function made unknown is its result, since it writes nothing.
fn writes_nothing(name: &str) -> bool {
    find(name).and_then(LibraryFunction::model).is_some_and(|model| match model.effect.writes {
        Writes::Nothing => true,
        Writes::Anything { to, more } => to.is_empty() && !more,
        Writes::Copy { .. } | Writes::Fill { .. } | Writes::Text { .. } => false,
    })
}
