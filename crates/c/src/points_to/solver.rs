//! Solves inclusion constraints between sets of addresses.
//!
//! Every set is a node that keeps its addresses in order of arrival, and every constraint on it
//! counts how many of them it has processed. So cycles are left as soon as nothing new arrives.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::flow::FunctionId;
use super::super::memory::{ObjectId, Objects};
use hardbop_base::budget::{Budget, Exhausted};

/// A set of addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

/// An abstract address: a normalised offset in bytes into an object, or anywhere in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    pub object: ObjectId,
    pub offset: Option<u64>,
}

/// The meaning of a node; no two nodes have the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// The content of the pointer at this offset.
    Pointer(ObjectId, u64),
    /// Addresses written at unknown offsets in the object.
    Anywhere(ObjectId),
    /// The contents of all pointers in the object.
    All(ObjectId),
    /// Just one address.
    Single(Address),
    /// The addresses that an integer carries.
    Carried(ObjectId),
    /// No address.
    Nothing,
    /// What undefined functions know.
    Escaped,
    Shift(Node, i64),
    ShiftInteger(Node, i64),
    Elements(Node, u64),
    Indexed(Node, u64, Option<u64>),
    Load(Node),
    Within(Node),
    Union(Node, Node),
}

/// What is to be done for each address in a node.
#[derive(Debug, Clone)]
pub(super) enum Use {
    Copy(Node),
    Shift(Node, i64),
    ShiftInteger(Node, i64),
    Elements(Node, u64),
    Indexed(Node, u64, Option<u64>),
    Within(Node),
    /// Copy the content of the pointer there to this node.
    Load(Node),
    /// Store the content of this node in the pointer there.
    Store(Node),
    /// Overwrite this many bytes there, with pointers only at these offsets.
    Clobber(u64, Rc<[u64]>),
    /// Copy this many bytes there to the addresses in this node.
    Copied(Node, u64),
    /// Read this many bytes there as something other than pointers.
    Leak(u64),
    /// Let it become known to undefined functions.
    Escape,
    /// Record that the call on this edge may go there.
    Call(FunctionId, u32),
}

#[derive(Debug, Default)]
struct State {
    addresses: Vec<Address>,
    members: FxHashSet<Address>,
    uses: Vec<(Use, usize)>,
    queued: bool,
}

/// The constraints, and what is known of their solution.
#[derive(Debug)]
pub struct Solver {
    pub objects: Objects,
    /// The size of a pointer in bytes.
    pub(super) word: u64,
    /// The maximal number of offsets into one object that a set distinguishes.
    offsets: usize,
    nodes: Vec<State>,
    keys: FxHashMap<Key, Node>,
    copies: FxHashSet<(Node, Node)>,
    stores: FxHashSet<(Node, Node)>,
    queue: VecDeque<Node>,
    pub(super) escaped: FxHashSet<ObjectId>,
    /// Discovered callees of calls through pointers, not yet processed.
    pub calls: Vec<(FunctionId, u32, ObjectId)>,
}

impl Solver {
    pub fn new(objects: Objects, word: u64, offsets: usize) -> Self {
        let mut solver = Self {
            objects,
            word,
            offsets,
            nodes: Vec::new(),
            keys: FxHashMap::default(),
            copies: FxHashSet::default(),
            stores: FxHashSet::default(),
            queue: VecDeque::new(),
            escaped: FxHashSet::default(),
            calls: Vec::new(),
        };
        let (escaped, _) = solver.keyed(Key::Escaped);
        solver.use_of(escaped, Use::Escape);
        solver
    }

    /// The node for a key, and whether it is new.
    fn keyed(&mut self, key: Key) -> (Node, bool) {
        let next = Node(self.nodes.len() as u32);
        let node = *self.keys.entry(key).or_insert(next);
        if node == next {
            self.nodes.push(State::default());
        }
        (node, node == next)
    }

    fn use_of(&mut self, node: Node, what: Use) {
        let state = &mut self.nodes[node.0 as usize];
        state.uses.push((what, 0));
        if !state.addresses.is_empty() {
            self.wake(node);
        }
    }

    fn wake(&mut self, node: Node) {
        let state = &mut self.nodes[node.0 as usize];
        if !std::mem::replace(&mut state.queued, true) {
            self.queue.push_back(node);
        }
    }

    /// Adds an address to a set.
    pub fn add(&mut self, node: Node, address: Address) {
        let state = &mut self.nodes[node.0 as usize];
        let mut address = address;
        if address.object == Objects::UNKNOWN {
            address.offset = Some(0);
        }
        if state.addresses.len() > self.offsets && address.offset.is_some() {
            let same = state.addresses.iter().filter(|a| a.object == address.object).count();
            if same > self.offsets && !state.members.contains(&address) {
                address.offset = None;
            }
        }
        if state.members.insert(address) {
            state.addresses.push(address);
            self.wake(node);
        }
    }

    pub fn add_unknown(&mut self, node: Node) {
        self.add(node, Address { object: Objects::UNKNOWN, offset: Some(0) });
    }

    /// Includes the addresses of `from` in `to`.
    pub fn copy(&mut self, from: Node, to: Node) {
        if from != to && self.copies.insert((from, to)) {
            self.use_of(from, Use::Copy(to));
        }
    }

    /// The set that contains only this address.
    pub fn single(&mut self, object: ObjectId, offset: Option<u64>) -> Node {
        let offset = offset.map(|o| self.objects.get(object).layout.normalise(o));
        let address = Address { object, offset };
        let (node, new) = self.keyed(Key::Single(address));
        if new {
            self.add(node, address);
        }
        node
    }

    /// The set of what undefined functions may return.
    pub fn unknown(&mut self) -> Node {
        self.single(Objects::UNKNOWN, Some(0))
    }

    /// The empty set.
    pub fn nothing(&mut self) -> Node {
        self.keyed(Key::Nothing).0
    }

    /// What undefined functions know.
    pub fn escaped(&mut self) -> Node {
        self.keyed(Key::Escaped).0
    }

    /// The addresses written at unknown offsets in the object: any pointer in it may hold them.
    pub fn anywhere(&mut self, object: ObjectId) -> Node {
        let (node, new) = self.keyed(Key::Anywhere(object));
        if new {
            let all = self.keyed(Key::All(object)).0;
            self.copy(node, all);
        }
        node
    }

    /// The contents of all pointers in the object.
    pub fn all(&mut self, object: ObjectId) -> Node {
        self.anywhere(object);
        self.keyed(Key::All(object)).0
    }

    /// The content of the pointer at an offset, where the layout must have one.
    pub fn pointer(&mut self, object: ObjectId, offset: u64) -> Node {
        let (node, new) = self.keyed(Key::Pointer(object, offset));
        if new {
            let (anywhere, all) = (self.anywhere(object), self.all(object));
            self.copy(anywhere, node);
            self.copy(node, all);
        }
        node
    }

    /// The addresses moved by `bytes`.
    pub fn shift(&mut self, node: Node, bytes: i64) -> Node {
        if bytes == 0 {
            return node;
        }
        self.derived(node, Key::Shift(node, bytes), |to| Use::Shift(to, bytes))
    }

    /// The addresses moved by `bytes`, as integers: one that leaves its object may come back.
    pub fn shift_integer(&mut self, node: Node, bytes: i64) -> Node {
        let key = Key::ShiftInteger(node, bytes);
        self.derived(node, key, |to| Use::ShiftInteger(to, bytes))
    }

    /// The addresses that an integer carries.
    pub fn carried(&mut self, object: ObjectId) -> Node {
        self.keyed(Key::Carried(object)).0
    }

    /// The addresses moved by any multiple of `stride` within their arrays.
    pub fn elements(&mut self, node: Node, stride: u64) -> Node {
        self.derived(node, Key::Elements(node, stride), |to| Use::Elements(to, stride))
    }

    /// The elements of the arrays that begin at the addresses.
    pub fn indexed(&mut self, node: Node, stride: u64, count: Option<u64>) -> Node {
        let key = Key::Indexed(node, stride, count);
        self.derived(node, key, |to| Use::Indexed(to, stride, count))
    }

    /// Unknown offsets into the same objects.
    pub fn within(&mut self, node: Node) -> Node {
        self.derived(node, Key::Within(node), Use::Within)
    }

    /// The contents of the pointers at the addresses.
    pub fn load(&mut self, node: Node) -> Node {
        self.derived(node, Key::Load(node), Use::Load)
    }

    pub fn union(&mut self, a: Node, b: Node) -> Node {
        let (node, new) = self.keyed(Key::Union(a.min(b), a.max(b)));
        if new {
            self.copy(a, node);
            self.copy(b, node);
        }
        node
    }

    fn derived(&mut self, node: Node, key: Key, what: impl FnOnce(Node) -> Use) -> Node {
        let (to, new) = self.keyed(key);
        if new {
            self.use_of(node, what(to));
        }
        to
    }

    /// Stores a pointer at the addresses.
    pub fn store(&mut self, addresses: Node, value: Node) {
        if self.stores.insert((addresses, value)) {
            self.use_of(addresses, Use::Store(value));
        }
    }

    /// Overwrites bytes at the addresses, with pointers only at the offsets `pointers`.
    pub fn clobber(&mut self, addresses: Node, bytes: u64, pointers: Rc<[u64]>) {
        self.use_of(addresses, Use::Clobber(bytes, pointers));
    }

    /// Reads bytes at the addresses as something other than pointers.
    pub fn leak(&mut self, addresses: Node, bytes: u64) {
        self.use_of(addresses, Use::Leak(bytes));
    }

    /// Copies bytes between addresses.
    pub fn copy_bytes(&mut self, to: Node, from: Node, bytes: u64) {
        self.use_of(from, Use::Copied(to, bytes));
    }

    /// Calls the functions at the addresses.
    pub fn call(&mut self, addresses: Node, caller: FunctionId, edge: u32) {
        self.use_of(addresses, Use::Call(caller, edge));
    }

    /// Computes the least solution of all constraints so far, but stops early when it finds calls.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn solve(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        while let Some(node) = self.queue.pop_front() {
            budget.check()?;
            let index = node.0 as usize;
            self.nodes[index].queued = false;
            // This may add uses and addresses, even to this node.
            let mut u = 0;
            while u < self.nodes[index].uses.len() {
                while self.nodes[index].uses[u].1 < self.nodes[index].addresses.len() {
                    let state = &mut self.nodes[index];
                    let (what, seen) = &mut state.uses[u];
                    let address = state.addresses[*seen];
                    *seen += 1;
                    if let Use::Copy(to) = *what {
                        self.add(to, address);
                    } else {
                        let what = what.clone();
                        self.follow(&what, address);
                    }
                }
                u += 1;
            }
        }
        Ok(())
    }

    /// The addresses of a set, ascending; exact after [`Solver::solve`].
    pub fn addresses(&self, node: Node) -> Vec<Address> {
        let mut addresses = self.nodes[node.0 as usize].addresses.clone();
        addresses.sort_unstable();
        addresses
    }

    /// The objects that hold addresses, each with an object whose address it may hold.
    pub fn held(&self) -> Vec<(ObjectId, ObjectId)> {
        let mut held: Vec<_> = self
            .keys
            .iter()
            .filter_map(|(key, node)| match *key {
                Key::Pointer(holder, _) | Key::Anywhere(holder) | Key::Carried(holder) => {
                    Some((holder, *node))
                }
                _ => None,
            })
            .flat_map(|(holder, node)| {
                let targets = self.nodes[node.0 as usize].addresses.iter();
                targets.map(move |address| (holder, address.object))
            })
            .collect();
        held.sort_unstable();
        held.dedup();
        held
    }

    /// Whether undefined functions know the object.
    pub fn has_escaped(&self, object: ObjectId) -> bool {
        self.escaped.contains(&object)
    }
}
