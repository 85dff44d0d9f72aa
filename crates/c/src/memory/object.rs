//! Abstract objects: each stands for all concrete objects created at one place in the program.

use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::super::flow::{ExprKind, Flow, FunctionId, Instruction, Place, VariableId};
use super::super::limits;
use super::super::types::{Type, TypeId};
use super::constant::{constant, plain};
use super::layout::{Layout, Shape};

/// An object in [`Objects`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// The place in the program that creates the object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// All objects known to undefined functions: their own, and those that escaped to them.
    Unknown,
    Variable(VariableId),
    /// A string literal.
    Text(u32),
    Function(FunctionId),
    /// What the call on this edge of the function's body allocates, but for its rounds.
    Allocation(FunctionId, u32),
    /// What the call on this edge allocates when it is executed this often, from 0.
    Round(FunctionId, u32, u32),
}

/// For calls that allocate more than once: how many of their objects, the first ones, are kept apart.
pub type Rounds = FxHashMap<(FunctionId, u32), u32>;

/// An abstract object.
#[derive(Debug, Clone)]
pub struct Object {
    pub kind: ObjectKind,
    pub layout: Rc<Layout>,
    /// The size in bytes of the real object, if known; its layout may be larger: see [`Uses`].
    pub size: Option<u64>,
    /// The same, if an access behind it has no meaning.  Other objects may have more than their types say: a flexible array.
    end: Option<u64>,
}

impl Object {
    /// Whether no access ends at this bit, counted from the start.
    pub fn is_outside(&self, end: u64) -> bool {
        self.end.is_some_and(|size| end > size.saturating_mul(8))
    }

    /// Whether the program uses the bit, although it is beyond the end of the real object.
    pub fn is_beyond(&self, bit: u64) -> bool {
        self.size.is_some_and(|size| bit / 8 >= size)
    }
}

/// For each object, the larger types as which it is used from its start: `int x; struct s *p = &x; p->b = 1;`;
/// all types where its size is not known: `void *p = malloc(n)`.
///
/// Such an access is out of bounds; the object is treated as if it were that large.
pub type Uses = IndexMap<ObjectKind, Vec<TypeId>>;

/// All abstract objects of a program.
#[derive(Debug)]
pub struct Objects {
    objects: Vec<Object>,
    allocations: IndexMap<(FunctionId, u32), ObjectId>,
    rounds: Rounds,
    uses: Uses,
    limits: limits::Memory,
    layouts: FxHashMap<Shape, Rc<Layout>>,
    variables: u32,
    texts: u32,
}

impl Objects {
    /// What is known to undefined functions.
    pub const UNKNOWN: ObjectId = ObjectId(0);

    /// Collects the variables, string literals and functions of a program.
    pub fn new(flow: &Flow, uses: Uses, rounds: Rounds, limits: limits::Memory) -> Self {
        let mut objects = Self {
            uses,
            rounds,
            limits,
            objects: Vec::new(),
            allocations: IndexMap::new(),
            layouts: FxHashMap::default(),
            variables: flow.variables.len() as u32,
            texts: flow.strings.len() as u32,
        };
        objects.add(flow, ObjectKind::Unknown, Shape::Bytes(None));
        for (i, variable) in flow.variables.iter().enumerate() {
            let shape = Shape::Type(variable.ty);
            objects.add(flow, ObjectKind::Variable(VariableId(i as u32)), shape);
        }
        let byte = |ty: &Type| matches!(ty, Type::Int { bits: 8, .. });
        let character = flow.types.types.iter().position(byte).map(|i| TypeId(i as u32));
        for (i, text) in flow.strings.iter().enumerate() {
            let shape = match character {
                Some(ty) => Shape::Elements(ty, Some(text.len() as u64)),
                None => Shape::Bytes(Some(text.len() as u64)),
            };
            objects.add(flow, ObjectKind::Text(i as u32), shape);
        }
        for i in 0..flow.functions.len() {
            let kind = ObjectKind::Function(FunctionId(i as u32));
            objects.add(flow, kind, Shape::Bytes(Some(1)));
        }
        objects
    }

    fn add(&mut self, flow: &Flow, kind: ObjectKind, shape: Shape) -> ObjectId {
        let layout = match self.uses.get(&kind) {
            Some(uses) => Rc::new(Layout::overlaid(&flow.types, shape, uses, self.limits)),
            None => self.layout(flow, shape),
        };
        let is_array = match kind {
            ObjectKind::Variable(v) => {
                let ty = flow.variables[v.0 as usize].ty;
                matches!(flow.types.get(ty), Type::Array(_, Some(_)))
            }
            ObjectKind::Text(_) => true,
            _ => false,
        };
        let size = shape.size(&flow.types);
        let end = size.filter(|_| is_array && layout.size() == size);
        self.objects.push(Object { kind, layout, size, end });
        ObjectId(self.objects.len() as u32 - 1)
    }

    /// The layout of a shape, computed only once.
    pub fn layout(&mut self, flow: &Flow, shape: Shape) -> Rc<Layout> {
        let limits = self.limits;
        let make = || Rc::new(Layout::new(&flow.types, shape, limits));
        Rc::clone(self.layouts.entry(shape).or_insert_with(make))
    }

    /// The larger types as which objects of known sizes are used.
    pub fn larger(&self) -> impl Iterator<Item = (ObjectKind, &[TypeId])> {
        let sized = self.objects.iter().filter(|object| object.size.is_some());
        sized.filter_map(|object| Some((object.kind, &self.uses.get(&object.kind)?[..])))
    }

    pub fn variable(&self, variable: VariableId) -> ObjectId {
        ObjectId(1 + variable.0)
    }

    pub fn text(&self, text: u32) -> ObjectId {
        ObjectId(1 + self.variables + text)
    }

    pub fn function(&self, function: FunctionId) -> ObjectId {
        ObjectId(1 + self.variables + self.texts + function.0)
    }

    /// The object that the call on an edge allocates, if any; it stands for all but the rounds.
    pub fn allocation(&self, function: FunctionId, edge: u32) -> Option<ObjectId> {
        self.allocations.get(&(function, edge)).copied()
    }

    /// The objects that the call on an edge allocates first, one in each round; none if they are not
    /// kept apart, or nothing is allocated.
    pub fn rounds(
        &self,
        function: FunctionId,
        edge: u32,
    ) -> impl Iterator<Item = ObjectId> + use<> {
        let rest = self.allocation(function, edge);
        let count = rest.and_then(|_| self.rounds.get(&(function, edge))).map_or(0, |&n| n);
        // They lie just before what stands for the others.
        let end = rest.map_or(0, |rest| rest.0);
        (end - count..end).map(ObjectId)
    }

    /// The object that the call on an edge allocates, created on first use with its rounds. Its size in
    /// bytes is the product of the arguments `size`, if that is known.
    pub fn allocate(
        &mut self,
        flow: &Flow,
        function: FunctionId,
        edge: u32,
        size: Option<&[usize]>,
    ) -> ObjectId {
        if let Some(known) = self.allocation(function, edge) {
            return known;
        }
        let shape = allocated_shape(flow, function, edge, size);
        for round in 0..self.rounds.get(&(function, edge)).map_or(0, |&n| n) {
            self.add(flow, ObjectKind::Round(function, edge, round), shape);
        }
        let object = self.add(flow, ObjectKind::Allocation(function, edge), shape);
        self.allocations.insert((function, edge), object);
        object
    }

    pub fn get(&self, object: ObjectId) -> &Object {
        &self.objects[object.0 as usize]
    }

    /// All objects with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().map(|(i, o)| (ObjectId(i as u32), o))
    }

    pub fn len(&self) -> usize {
        self.objects.len()
    }

    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }
}

/// Guesses what an allocation is used for, from its constant size, if any, and the type to which its pointer is
/// converted. The guess only decides how the object is divided; it cannot make anything unsound.
fn allocated_shape(flow: &Flow, function: FunctionId, edge: u32, size: Option<&[usize]>) -> Shape {
    let Some(body) = &flow.functions[function.0 as usize].body else { return Shape::Bytes(None) };
    let Instruction::Call { result, arguments, .. } = &body.edges[edge as usize].instruction else {
        return Shape::Bytes(None);
    };
    let bytes = size.and_then(|size| {
        size.iter().try_fold(1_u64, |product, &i| {
            product.checked_mul(constant(flow, body, arguments.get(i)?)?)
        })
    });
    let mut best: Option<(TypeId, u64)> = None;
    for ty in result.iter().flat_map(|place| pointees(flow, function, place)) {
        let fits = |size: u64| size > 0 && bytes.is_none_or(|b| b % size == 0);
        let Some(size) = flow.types.size(ty).filter(|&s| fits(s)) else { continue };
        let plain = |ty| matches!(flow.types.get(ty), Type::Void | Type::Int { rank: 1, .. });
        if best.is_none_or(|(other, most)| (plain(other) && !plain(ty)) || size > most) {
            best = Some((ty, size));
        }
    }
    match (best, bytes) {
        (Some((ty, size)), Some(bytes)) if bytes == size => Shape::Type(ty),
        (Some((ty, size)), Some(bytes)) => Shape::Elements(ty, Some(bytes / size)),
        (Some((ty, _)), None) => Shape::Elements(ty, None),
        (None, bytes) => Shape::Bytes(bytes),
    }
}

/// The types to which a pointer in a place points, according to its own type and the types of the
/// places to which the function copies it.
fn pointees(flow: &Flow, function: FunctionId, place: &Place) -> Vec<TypeId> {
    let mut found = Vec::new();
    let mut pointee = |ty| {
        if let Type::Pointer(to) = flow.types.get(ty)
            && !matches!(flow.types.get(*to), Type::Void)
        {
            found.push(*to);
        }
    };
    pointee(place.ty);
    let Some(variable) = plain(place) else { return found };
    let Some(body) = &flow.functions[function.0 as usize].body else { return found };
    for edge in &body.edges {
        let value = match &edge.instruction {
            Instruction::Assign(_, value) => value,
            Instruction::Return(Some(value)) => value,
            _ => continue,
        };
        let mut inner = value;
        while let ExprKind::Cast(operand) = &inner.kind {
            inner = operand;
        }
        if matches!(&inner.kind, ExprKind::Load(from) if plain(from) == Some(variable)) {
            pointee(value.ty);
        }
    }
    found
}
