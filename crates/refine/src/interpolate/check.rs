//! Proves proposals, and removes conjuncts that the proof does not need.

use super::path::{InfeasiblePath, conjuncts};
use super::refute::refutes;
use hardbop_base::budget::Budget;
use hardbop_smt::solver::{SmtAnswer, SmtError, SmtSolver};
use hardbop_smt::term::{Term, Terms};

/// The proposal with fewer conjuncts, if it is a sequence of interpolants; none if it is not, or if
/// that cannot be decided in time.
///
/// Works backwards from the end and keeps those conjuncts of an interpolant that the next one
/// needs.  Fewer conjuncts are weaker, so the preceding step still holds; the first interpolant is
/// checked last.
pub(super) fn prove(
    solver: &mut dyn SmtSolver,
    terms: &mut Terms,
    path: &InfeasiblePath,
    proposal: &[Term],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, SmtError> {
    let vocabulary = proposal.len() == path.cuts()
        && proposal.iter().zip(&path.shared).all(|(&t, shared)| {
            terms.support(t).iter().all(|leaf| shared.binary_search(leaf).is_ok())
        });
    if !vocabulary {
        return Ok(None);
    }
    let mut proved = proposal.to_vec();
    let mut goal = terms.bool(false);
    for i in (0..path.blocks.len()).rev() {
        let not_goal = terms.not(goal);
        let mut asserted = path.blocks[i].clone();
        asserted.push(not_goal);
        let assumed = match i {
            0 => Vec::new(),
            _ => conjuncts(terms, &[proposal[i - 1]]),
        };
        let (answer, core) = refutes(solver, terms, &asserted, &assumed, budget)?;
        if answer != SmtAnswer::Unsat {
            return Ok(None);
        }
        if i > 0 {
            goal = terms.and(&core);
            proved[i - 1] = goal;
        }
    }
    Ok(Some(proved))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_smt::term::{Comparison, Sort};
    use hardbop_smt::z3::Z3;

    /// x = 3 with a local y = 7; x' = x; x' > 5.
    fn path(terms: &mut Terms) -> (Vec<Term>, [Term; 3]) {
        let (x, y) = (terms.symbol("x", Sort::Bits(8)), terms.symbol("y", Sort::Bits(8)));
        let leaves = [terms.instance(x, 0), terms.instance(x, 1), terms.instance(y, 0)];
        let numbers: Vec<Term> = [3, 7, 5].into_iter().map(|k| terms.bits(8, k)).collect();
        let (three, seven) =
            (terms.equal(leaves[0], numbers[0]), terms.equal(leaves[2], numbers[1]));
        let blocks = vec![
            terms.and(&[three, seven]),
            terms.equal(leaves[0], leaves[1]),
            terms.compare(Comparison::ULt, numbers[2], leaves[1]),
        ];
        (blocks, leaves)
    }

    #[test]
    fn only_interpolants_are_proved() {
        let mut terms = Terms::new();
        let (blocks, [x, x1, y]) = path(&mut terms);
        let mut solver = Z3::new().expect("Z3 works");
        let whole = InfeasiblePath::whole(&terms, &blocks);
        let (four, three) = (terms.bits(8, 4), terms.bits(8, 3));
        let good = [x, x1].map(|x| terms.compare(Comparison::ULt, x, four));
        let exact = terms.equal(x, three);
        let local = terms.compare(Comparison::ULt, four, y);
        let truth = terms.bool(true);
        let both = terms.and(&[good[0], exact]);
        let with_local = terms.and(&[good[0], local]);
        let mut prove = |terms: &mut Terms, proposal: &[Term]| {
            prove(&mut solver, terms, &whole, proposal, &Budget::unlimited()).expect("Z3 works")
        };
        assert_eq!(prove(&mut terms, &good), Some(good.to_vec()));
        assert_eq!(prove(&mut terms, &good[..1]), None, "one is missing");
        assert_eq!(prove(&mut terms, &[with_local, good[1]]), None, "a local variable");
        assert_eq!(prove(&mut terms, &[truth, good[1]]), None, "too weak at first");
        assert_eq!(prove(&mut terms, &[good[0], truth]), None, "too weak at last");
        let four_x = terms.equal(x, four);
        assert_eq!(prove(&mut terms, &[four_x, good[1]]), None, "not implied by the first block");
        let trimmed = prove(&mut terms, &[both, good[1]]).expect("interpolants");
        assert!(trimmed[0] == good[0] || trimmed[0] == exact, "one conjunct is enough");
    }
}
