//! The Cartesian and the Boolean abstraction of a formula over bit-vectors.
//!
//!     cargo run --example abstraction

use std::error::Error;

use hardbop::solver::{BitOp, Comparison, Purpose, SolverKind, Solvers, Sort, Terms};
use hardbop::{Abstraction, Budget, abstract_formula, abstract_terms};

fn main() -> Result<(), Box<dyn Error>> {
    let solvers = Solvers::new(SolverKind::default(), None, Purpose::Abstraction);

    // From terms: x < 10 and (y = x or y = x + 1), unsigned, of 8 bits.
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::Bits(8)), terms.symbol("y", Sort::Bits(8)));
    let (x, y) = (terms.variable(x), terms.variable(y));
    let (one, ten) = (terms.bits(8, 1), terms.bits(8, 10));
    let below = terms.compare(Comparison::ULt, x, ten);
    let next = terms.binary(BitOp::Add, x, one);
    let (same, after) = (terms.equal(y, x), terms.equal(y, next));
    let either = terms.or(&[same, after]);
    let formula = terms.and(&[below, either]);
    let limit = terms.compare(Comparison::ULe, y, ten);
    let predicates = [same, after, limit];
    for kind in [Abstraction::Cartesian, Abstraction::Boolean] {
        let (solvers, budget) = (solvers.clone(), Budget::unlimited());
        let found = abstract_terms(&mut terms, formula, &predicates, kind, solvers, &budget)?;
        println!("{kind:?}: {}", terms.display(found));
    }

    // The same from SMT-LIB.
    let found = abstract_formula(
        "(declare-const x (_ BitVec 8)) (declare-const y (_ BitVec 8))",
        "(and (bvult x #x0a) (or (= y x) (= y (bvadd x #x01))))",
        "(= y x) (= y (bvadd x #x01)) (bvule y #x0a)",
        Abstraction::Boolean,
        solvers,
        &Budget::unlimited(),
    )?;
    println!("from text: {found}");
    Ok(())
}
