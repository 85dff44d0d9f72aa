//! Binary decision diagrams: a thin layer over the library `oxidd`, with complemented edges.
//!
//! A [`Manager`] owns the table of nodes; a [`Bdd`] is a function in it and keeps its nodes alive.  Every operation
//! first checks the budget and collects garbage if necessary, and ends with [`Stop`] instead of growing without bound:
//! the table never holds more nodes than [`Size`] allows.
//!
//! A single operation cannot be interrupted; the size of the table bounds its length.  The library has no
//! simplification by a care set (its `restrict` is the cofactor by a cube), and does not reorder variables during
//! operations.  When garbage is collected depends only on the operations, and there is one worker, so counts are the
//! same in every run.

mod decide;
mod functions;
mod size;

use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::util::{AllocResult, OptBool};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager as _,
    ManagerRef as _, Subst,
};

use hardbop_base::budget::{Budget, Exhausted};

pub use decide::model;
pub use functions::functions;
pub use size::Size;

/// Why an operation has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The table has reached its maximal size.
    Full,
    Exhausted(Exhausted),
}

impl From<Exhausted> for Stop {
    fn from(reason: Exhausted) -> Self {
        Self::Exhausted(reason)
    }
}

/// A Boolean function.  Equal functions of one manager are equal values.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bdd(BCDDFunction);

impl std::fmt::Debug for Bdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BDD of {} nodes", self.size())
    }
}

impl Bdd {
    #[inline]
    pub fn is_false(&self) -> bool {
        !self.0.satisfiable()
    }

    #[inline]
    pub fn is_true(&self) -> bool {
        self.0.valid()
    }

    /// The number of nodes of its diagram, including terminals.
    #[inline]
    pub fn size(&self) -> usize {
        self.0.node_count()
    }

    /// The variable at the top, and the cofactors for it being true and false; `None` for a constant.
    pub fn branch(&self) -> Option<(u32, Bdd, Bdd)> {
        let (high, low) = self.0.cofactors()?;
        let variable = self.0.with_manager_shared(|manager, edge| {
            let level = manager.get_node(edge).level();
            manager.level_to_var(level)
        });
        Some((variable, Self(high), Self(low)))
    }

    /// An assignment to all variables, by number, for which the function is true; `None` if there is none.  Variables
    /// that do not matter are false.
    #[inline]
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }
}

/// A simultaneous replacement of variables by functions, which can be applied repeatedly.
pub struct Replacement(Option<Subst<BCDDFunction>>);

/// A table of nodes over the variables 0, 1, 2, ..., which are ordered by number.
pub struct Manager {
    table: BCDDManagerRef,
    variables: Vec<Bdd>,
    constants: [Bdd; 2],
    size: Size,
    budget: Budget,
    /// The number of nodes at which garbage is collected next.
    threshold: usize,
    /// The largest number of nodes so far, including garbage.
    peak: usize,
    collections: u64,
}

impl Manager {
    /// A table with so many variables.
    ///
    /// # Errors
    /// [`Stop::Full`] if not even the variables fit.
    pub fn new(variables: usize, size: Size, budget: &Budget) -> Result<Self, Stop> {
        let table = new_manager(size.capacity, size.cache, 1);
        let (variables, constants) = table
            .with_manager_exclusive(|manager| {
                let range = manager.add_vars(variables as u32);
                let variables: AllocResult<Vec<Bdd>> =
                    range.map(|v| Ok(Bdd(BCDDFunction::var(manager, v)?))).collect();
                let constants = [BCDDFunction::f(manager), BCDDFunction::t(manager)].map(Bdd);
                variables.map(|variables| (variables, constants))
            })
            .map_err(|_| Stop::Full)?;
        let threshold = size.first_collection;
        let budget = budget.clone();
        Ok(Self { table, variables, constants, size, budget, threshold, peak: 0, collections: 0 })
    }

    /// Adds variables below all others in the order.
    ///
    /// # Errors
    /// [`Stop::Full`] if they do not fit.
    pub fn add_variables(&mut self, count: usize) -> Result<(), Stop> {
        let new = self.table.with_manager_exclusive(|manager| {
            let range = manager.add_vars(count as u32);
            range
                .map(|v| Ok(Bdd(BCDDFunction::var(manager, v)?)))
                .collect::<AllocResult<Vec<Bdd>>>()
        });
        self.variables.extend(new.map_err(|_| Stop::Full)?);
        Ok(())
    }

    /// The largest number of nodes that the table has held, including garbage.
    #[inline]
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The number of garbage collections so far.
    #[inline]
    pub fn collections(&self) -> u64 {
        self.collections
    }

    #[inline]
    pub fn constant(&self, value: bool) -> Bdd {
        self.constants[usize::from(value)].clone()
    }

    #[inline]
    pub fn variable(&self, v: u32) -> Bdd {
        self.variables[v as usize].clone()
    }

    /// Checks the budget, and collects garbage if necessary.
    fn settle(&mut self) -> Result<(), Stop> {
        self.budget.check()?;
        let nodes = self.table.with_manager_shared(|m| m.approx_num_inner_nodes());
        self.peak = self.peak.max(nodes);
        if nodes < self.threshold {
            return Ok(());
        }
        self.collections += 1;
        let nodes = self.table.with_manager_shared(|m| {
            m.gc();
            m.approx_num_inner_nodes()
        });
        if nodes > self.size.most || self.collections > self.size.collections {
            return Err(Stop::Full);
        }
        self.threshold = self.threshold.max(2 * nodes).min(self.size.last_collection());
        // Above the threshold, every operation would collect.
        if nodes >= self.threshold { Err(Stop::Full) } else { Ok(()) }
    }

    fn result(&mut self, result: AllocResult<BCDDFunction>) -> Result<Bdd, Stop> {
        match result {
            Ok(f) => Ok(Bdd(f)),
            Err(_) => {
                self.peak = self.peak.max(self.size.capacity);
                Err(Stop::Full)
            }
        }
    }

    /// Negation, which takes constant time.
    ///
    /// # Errors
    /// [`Stop`].
    #[inline]
    pub fn not(&mut self, f: &Bdd) -> Result<Bdd, Stop> {
        let result = f.0.not();
        self.result(result)
    }

    /// # Errors
    /// [`Stop`].
    #[inline]
    pub fn and(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.settle()?;
        let result = f.0.and(&g.0);
        self.result(result)
    }

    /// # Errors
    /// [`Stop`].
    #[inline]
    pub fn or(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.settle()?;
        let result = f.0.or(&g.0);
        self.result(result)
    }

    /// `f` and not `g`.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn minus(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.settle()?;
        // imp_strict(g, f) is !g & f.
        let result = g.0.imp_strict(&f.0);
        self.result(result)
    }

    /// # Errors
    /// [`Stop`].
    #[inline]
    pub fn iff(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.settle()?;
        let result = f.0.equiv(&g.0);
        self.result(result)
    }

    /// ∃ `variables`. `f`; the variables are given as a cube.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn exists(&mut self, f: &Bdd, variables: &Bdd) -> Result<Bdd, Stop> {
        if variables.is_true() {
            return Ok(f.clone());
        }
        self.settle()?;
        let result = f.0.exists(&variables.0);
        self.result(result)
    }

    /// The relational product ∃ `variables`. `f` and `g`, in one pass; the variables are given as a cube.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn and_exists(&mut self, f: &Bdd, g: &Bdd, variables: &Bdd) -> Result<Bdd, Stop> {
        if variables.is_true() {
            return self.and(f, g);
        }
        self.settle()?;
        let result = f.0.apply_exists(BooleanOperator::And, &g.0, &variables.0);
        self.result(result)
    }

    /// The conjunction of variables.
    ///
    /// # Errors
    /// [`Stop`].
    #[inline]
    pub fn cube(&mut self, variables: impl IntoIterator<Item = u32>) -> Result<Bdd, Stop> {
        self.literals(variables.into_iter().map(|v| (v, true)))
    }

    /// The conjunction of literals, given as variables with values.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn literals(
        &mut self,
        literals: impl IntoIterator<Item = (u32, bool)>,
    ) -> Result<Bdd, Stop> {
        let mut literals: Vec<(u32, bool)> = literals.into_iter().collect();
        // From the bottom up, each conjunction adds one node.
        literals.sort_unstable();
        let mut cube = self.constant(true);
        for (v, value) in literals.into_iter().rev() {
            let mut literal = self.variable(v);
            if !value {
                literal = self.not(&literal)?;
            }
            cube = self.and(&literal, &cube)?;
        }
        Ok(cube)
    }

    /// A replacement of distinct variables.
    pub fn replacement(&self, pairs: impl IntoIterator<Item = (u32, Bdd)>) -> Replacement {
        let (variables, functions): (Vec<u32>, Vec<BCDDFunction>) =
            pairs.into_iter().map(|(v, f)| (v, f.0)).unzip();
        let any = !variables.is_empty();
        Replacement(any.then(|| Subst::new(variables, functions)))
    }

    /// `f` with variables replaced simultaneously.
    ///
    /// # Errors
    /// [`Stop`].
    pub fn replace(&mut self, f: &Bdd, replacement: &Replacement) -> Result<Bdd, Stop> {
        let Some(substitution) = &replacement.0 else { return Ok(f.clone()) };
        self.settle()?;
        let result = f.0.substitute(substitution);
        self.result(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: Size = Size { cache: 1 << 10, most: 1 << 12, ..Size::cached(1 << 12) };

    fn manager(variables: usize) -> Manager {
        Manager::new(variables, TINY, &Budget::unlimited()).expect("variables fit")
    }

    /// (x0 = xn) & (x1 = x(n+1)) & ...: 2^n nodes.
    fn pairs(m: &mut Manager, n: u32) -> Result<Bdd, Stop> {
        let mut all = m.constant(true);
        for i in 0..n {
            let same = m.iff(&m.variable(i), &m.variable(n + i))?;
            all = m.and(&all, &same)?;
        }
        Ok(all)
    }

    #[test]
    fn a_full_table_is_no_abort() {
        assert!(matches!(pairs(&mut manager(40), 20), Err(Stop::Full)));
    }

    #[test]
    fn garbage_makes_room() {
        let mut m = manager(16);
        for _ in 0..200 {
            for n in 2..8 {
                let f = pairs(&mut m, n).expect("fits once garbage is gone");
                let odd = m.variable(15);
                m.iff(&f, &odd).expect("fits");
            }
        }
    }

    #[test]
    fn products_and_replacements() {
        let mut m = manager(6);
        let f = pairs(&mut m, 3).expect("fits");
        let x = m.literals([(0, true), (1, false), (2, true)]).expect("fits");
        let old = m.cube([0, 1, 2]).expect("fits");
        let image = m.and_exists(&f, &x, &old).expect("fits");
        assert!(image == m.literals([(3, true), (4, false), (5, true)]).expect("fits"));
        // Replacement is simultaneous, so a swap works.
        let swap = m.replacement([(3, m.variable(4)), (4, m.variable(3))]);
        let swapped = m.replace(&image, &swap).expect("fits");
        assert!(swapped == m.literals([(3, false), (4, true), (5, true)]).expect("fits"));
        assert_eq!(swapped.pick(), Some(vec![false, false, false, false, true, true]));
        assert!(m.minus(&swapped, &swapped).expect("fits").is_false());
        assert_eq!(m.constant(false).pick(), None);
    }
}
