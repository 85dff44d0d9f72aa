//! The operations of an automaton as maps and constraints of affine forms.
//!
//! Numbers are taken for unbounded: extensions and truncations are the identity.  That is no more
//! than a guess, which is enough here.  What is not affine is any value; a choice between values is
//! each of them.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::space::{Form, Number};
use crate::limits;
use hardbop_cfa::{Automaton, Operation};
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, UnaryOp};

/// The quantity that a column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    Variable(Symbol),
    /// The variable modulo a number, which the text asks for.
    Rest(Symbol, u64),
}

/// The values that a variable may be assigned; none: any value.
pub type Choice = Option<Rc<[Form]>>;

/// The action of an edge.
#[derive(Debug, Clone)]
pub enum Action {
    Skip,
    Assume(Vec<Constraint>),
    /// Simultaneous.
    Assign(Vec<(usize, Choice)>),
}

/// A condition on forms.
#[derive(Debug, Clone)]
pub enum Constraint {
    Zero(Form),
    NonZero(Form),
    /// A comparison of values with so many bits.
    Compare(Comparison, u32, [Form; 2], bool),
}

impl Constraint {
    fn forms(&self) -> &[Form] {
        match self {
            Self::Zero(form) | Self::NonZero(form) => std::slice::from_ref(form),
            Self::Compare(_, _, forms, _) => forms,
        }
    }

    fn forms_mut(&mut self) -> &mut [Form] {
        match self {
            Self::Zero(form) | Self::NonZero(form) => std::slice::from_mut(form),
            Self::Compare(_, _, forms, _) => forms,
        }
    }
}

/// All operations of an automaton.
pub struct Code {
    /// The quantities of the columns from 1 on.
    pub quantities: Vec<Quantity>,
    /// The action of each edge.
    pub actions: Vec<Action>,
    /// Variables that the text extends as unsigned numbers.
    pub unsigned: FxHashSet<Symbol>,
}

impl Code {
    /// Reads all operations.  There are columns for variables that sums and multiples are assigned
    /// to, for those that occur in these, and for copies of them, up to a limit.
    pub fn new(terms: &Terms, automaton: &Automaton, limits: limits::Affine) -> Self {
        let mut reader = Reader {
            terms,
            limits,
            quantities: IndexMap::default(),
            values: FxHashMap::default(),
            unsigned: FxHashSet::default(),
        };
        let actions = automaton.edges.iter().map(|e| reader.action(&e.operation)).collect();
        let quantities: Vec<Quantity> = reader.quantities.into_keys().collect();
        let mut code = Self { quantities, actions, unsigned: reader.unsigned };
        let chosen = code.chosen(limits.variables);
        code.keep(&chosen);
        code
    }

    /// The column of a variable.
    pub fn column(&self, symbol: Symbol) -> Option<usize> {
        let of = Quantity::Variable(symbol);
        self.quantities.iter().position(|&q| q == of).map(|i| i + 1)
    }

    fn quantity(&self, column: usize) -> Quantity {
        self.quantities[column - 1]
    }

    /// The columns to keep.
    fn chosen(&self, most: usize) -> Vec<usize> {
        let mut chosen: BTreeSet<usize> = BTreeSet::default();
        let mut copies: Vec<(usize, usize)> = vec![];
        let assignments = self.actions.iter().filter_map(|a| match a {
            Action::Assign(all) => Some(all),
            _ => None,
        });
        for (column, choice) in assignments.flatten() {
            for form in choice.iter().flat_map(|c| c.iter()) {
                match form.0[..] {
                    [] | [(0, _)] => {}
                    [(from, 1)] => copies.push((*column, from)),
                    _ => chosen.extend(form.columns().chain([*column])),
                }
            }
        }
        // Rests follow their variables.
        chosen.retain(|&c| matches!(self.quantity(c), Quantity::Variable(_)));
        loop {
            let new: Vec<usize> = copies
                .iter()
                .filter_map(|&(a, b)| match (chosen.contains(&a), chosen.contains(&b)) {
                    (true, false) => Some(b),
                    (false, true) => Some(a),
                    _ => None,
                })
                .collect();
            if new.is_empty() || chosen.len() >= most {
                break;
            }
            chosen.extend(new);
        }
        let mut chosen: Vec<usize> = chosen.into_iter().take(most).collect();
        for (i, quantity) in self.quantities.iter().enumerate() {
            if let Quantity::Rest(of, _) = quantity
                && chosen.iter().any(|&c| self.quantity(c) == Quantity::Variable(*of))
            {
                chosen.push(i + 1);
            }
        }
        chosen
    }

    /// Renumbers the columns, leaving out all but these.
    fn keep(&mut self, chosen: &[usize]) {
        let new: FxHashMap<usize, usize> =
            [0].iter().chain(chosen).enumerate().map(|(new, &old)| (old, new)).collect();
        let renumbered = |form: &Form| -> Option<Form> {
            let columns = form.0.iter();
            let mut columns: Vec<(usize, Number)> =
                columns.map(|&(c, n)| Some((*new.get(&c)?, n))).collect::<Option<_>>()?;
            columns.sort_unstable();
            Some(Form(columns))
        };
        for action in &mut self.actions {
            match action {
                Action::Skip => {}
                Action::Assume(constraints) => {
                    constraints.retain_mut(|c| {
                        c.forms_mut().iter_mut().all(|form| match renumbered(form) {
                            Some(new) => {
                                *form = new;
                                true
                            }
                            None => false,
                        })
                    });
                    // What compares constants alone holds on this edge, or the edge would not be
                    // there.
                    constraints.retain(|c| c.forms().iter().any(|f| f.as_constant().is_none()));
                    if constraints.is_empty() {
                        *action = Action::Skip;
                    }
                }
                Action::Assign(all) => {
                    all.retain_mut(|(column, choice)| {
                        let Some(&number) = new.get(column) else { return false };
                        *column = number;
                        *choice = choice
                            .as_ref()
                            .and_then(|forms| forms.iter().map(renumbered).collect());
                        true
                    });
                    if all.is_empty() {
                        *action = Action::Skip;
                    }
                }
            }
        }
        self.quantities = chosen.iter().map(|&c| self.quantity(c)).collect();
    }
}

/// Reads terms.
struct Reader<'a> {
    terms: &'a Terms,
    limits: limits::Affine,
    quantities: IndexMap<Quantity, (), FxBuildHasher>,
    values: FxHashMap<Term, Choice>,
    unsigned: FxHashSet<Symbol>,
}

impl Reader<'_> {
    fn column(&mut self, quantity: Quantity) -> usize {
        self.quantities.insert_full(quantity, ()).0 + 1
    }

    fn action(&mut self, operation: &Operation) -> Action {
        if let Operation::Assume(condition) = operation {
            let mut constraints = vec![];
            self.constraints(*condition, &mut constraints);
            return match constraints.is_empty() {
                true => Action::Skip,
                false => Action::Assume(constraints),
            };
        }
        let mut all = vec![];
        for (symbol, value) in operation.changes() {
            if let Sort::Bits(_) = self.terms.symbol_sort(symbol) {
                let value = value.and_then(|t| self.read(t));
                all.push((self.column(Quantity::Variable(symbol)), value));
            }
        }
        if all.is_empty() { Action::Skip } else { Action::Assign(all) }
    }

    /// Finds the constraints on single values that a condition implies.
    fn constraints(&mut self, condition: Term, found: &mut Vec<Constraint>) {
        let mut todo = vec![condition];
        while let Some(t) = todo.pop() {
            let (atom, holds) = match *self.terms.node(t) {
                Node::Not(inner) => (inner, false),
                _ => (t, true),
            };
            match self.terms.node(atom) {
                Node::And(all) if holds => todo.extend(all),
                Node::Or(all) if !holds => {
                    // De Morgan, where it needs no new terms.
                    todo.extend(all.iter().filter_map(|&a| match *self.terms.node(a) {
                        Node::Not(inner) => Some(inner),
                        _ => None,
                    }));
                }
                &Node::Equal(a, b) => {
                    if let (Some(a), Some(b)) = (self.single(a), self.single(b)) {
                        let difference = a.plus(1_u64.wrapping_neg(), &b);
                        found.push(match holds {
                            true => Constraint::Zero(difference),
                            false => Constraint::NonZero(difference),
                        });
                    }
                }
                &Node::Compare(op, a, b) => {
                    let width = self.terms.width(a);
                    if let (Some(a), Some(b)) = (self.single(a), self.single(b)) {
                        found.push(Constraint::Compare(op, width, [a, b], holds));
                    }
                }
                _ => {}
            }
        }
    }

    fn single(&mut self, t: Term) -> Option<Form> {
        if !matches!(self.terms.sort(t), Sort::Bits(_)) {
            return None;
        }
        match &*self.read(t)? {
            [form] => Some(form.clone()),
            _ => None,
        }
    }

    fn read(&mut self, root: Term) -> Choice {
        for t in self.terms.postorder(&[root], |t| self.values.contains_key(&t)) {
            if !self.values.contains_key(&t) {
                let value = self.value(t);
                self.values.insert(t, value);
            }
        }
        self.values[&root].clone()
    }

    /// The value of a term, from those of its parts.
    fn value(&mut self, t: Term) -> Choice {
        let Sort::Bits(width) = self.terms.sort(t) else { return None };
        let of = |this: &Self, t: Term| this.values[&t].clone();
        match *self.terms.node(t) {
            Node::Bits { value, .. } => one(Form::constant(signed(width, value))),
            Node::Variable(symbol) => one(Form::column(self.column(Quantity::Variable(symbol)))),
            Node::Ite(_, a, b) => {
                let (a, b) = (of(self, a)?, of(self, b)?);
                self.some(a.iter().chain(b.iter()).cloned())
            }
            Node::Unary(op, a) => {
                let constant = match op {
                    UnaryOp::Negate => Form::constant(0),
                    UnaryOp::Not => Form::constant(1_u64.wrapping_neg()),
                };
                let a = of(self, a)?;
                self.some(a.iter().map(|a| constant.plus(1_u64.wrapping_neg(), a)))
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (of(self, a)?, of(self, b)?);
                self.binary(op, &a, &b)
            }
            // Few bits are a rest, many a conversion.
            Node::Extract { high, low: 0, term } if high >= 7 => of(self, term),
            Node::Extract { high, low: 0, term } => {
                let value = of(self, term)?;
                self.rest(&value, 2 << high)
            }
            Node::ZeroExtend { term, .. } => {
                if let Node::Variable(symbol) = *self.terms.node(term) {
                    self.unsigned.insert(symbol);
                }
                of(self, term)
            }
            Node::SignExtend { term, .. } => of(self, term),
            _ => None,
        }
    }

    fn binary(&mut self, op: BitOp, a: &[Form], b: &[Form]) -> Choice {
        let pairs = || a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
        let constant = |all: &[Form]| match all {
            [form] => form.as_constant(),
            _ => None,
        };
        let times = |all: &[Form], c: Number| -> Vec<Form> {
            all.iter().map(|f| Form::default().plus(c, f)).collect()
        };
        match (op, constant(a), constant(b)) {
            (BitOp::Add, ..) => self.some(pairs().map(|(a, b)| a.plus(1, b))),
            (BitOp::Sub, ..) => self.some(pairs().map(|(a, b)| a.plus(1_u64.wrapping_neg(), b))),
            (BitOp::Mul, Some(c), _) => self.some(times(b, c).into_iter()),
            (BitOp::Mul, _, Some(c)) => self.some(times(a, c).into_iter()),
            (BitOp::Shl, _, Some(c)) if c < 64 => self.some(times(a, 1 << c).into_iter()),
            (BitOp::URem | BitOp::SRem, _, Some(c)) => self.rest(a, c),
            _ => None,
        }
    }

    /// The rest of a variable by a small number.
    fn rest(&mut self, value: &[Form], by: u64) -> Choice {
        let [form] = value else { return None };
        let [(column, 1)] = form.0[..] else { return None };
        if column == 0 || !(2..=self.limits.modulus).contains(&by) {
            return None;
        }
        match *self.quantities.get_index(column - 1)?.0 {
            Quantity::Variable(symbol) => {
                one(Form::column(self.column(Quantity::Rest(symbol, by))))
            }
            Quantity::Rest(..) => None,
        }
    }

    /// The choice of each of these forms, unless there are too many.
    fn some(&self, forms: impl Iterator<Item = Form>) -> Choice {
        let mut all: Vec<Form> = vec![];
        for form in forms {
            if !all.contains(&form) {
                all.push(form);
            }
        }
        (all.len() <= self.limits.choices).then(|| all.into())
    }
}

fn one(form: Form) -> Choice {
    Some([form].into())
}

/// A constant as a number: signed, unless it has so few bits that it is more likely a set of bits.
fn signed(width: u32, value: u64) -> Number {
    if width < 8 {
        return value;
    }
    let shift = 64 - width;
    (((value << shift) as i64) >> shift) as u64
}
