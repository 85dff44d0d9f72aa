//! Interpolants as the inductive lemmas that Spacer finds (Komuravelli, Gurfinkel and Chaki, 2014).
//!
//! The path becomes a system of Horn clauses: one relation over the shared leaves for each cut
//! point, one clause for each block.

use rustc_hash::FxHashMap;

use super::path::{InfeasiblePath, conjuncts, shared};
use super::solve::eliminate;
use super::strategy::{Interpolator, Proposal};
use hardbop_base::budget::Budget;
use hardbop_smt::linear::Linear;
use hardbop_smt::solver::{SmtAnswer, SmtError, Unknown};
use hardbop_smt::term::{Node, Sort, Term, Terms};
use hardbop_smt::z3::context::{Ast, Context};
use hardbop_smt::z3::encode::{Encoder, decode};
use hardbop_smt::z3::ffi;
use hardbop_smt::z3::handles::{Horn, Parameter, Relation};
use hardbop_smt::z3::version;

/// Z3 4.8.12 gives no lemmas, and uses another engine for bit-vectors, which needs huge tables.
const OLDEST: (u32, u32, u32) = (4, 13, 0);

/// Spacer, with the path translated to linear integers or taken as it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spacer {
    pub integers: bool,
    /// The work limit, in Z3's unit.
    pub work: u32,
}

impl Interpolator for Spacer {
    fn name(&self) -> &'static str {
        if self.integers { "Spacer over integers" } else { "Spacer over bit-vectors" }
    }

    fn propose(
        &self,
        terms: &mut Terms,
        path: &InfeasiblePath,
        budget: &Budget,
    ) -> Result<Proposal, SmtError> {
        if version()? < OLDEST {
            let reason = "Z3 is too old for interpolation by Spacer".into();
            return Ok(Proposal::Nothing(Unknown::Incomplete(reason)));
        }
        let blocks = inlined(terms, path);
        if !self.integers {
            return Ok(match self.query(terms, &blocks, budget)? {
                Ok(found) => Proposal::Found(found),
                Err(SmtAnswer::Unknown(reason)) => Proposal::Nothing(reason),
                Err(_) => Proposal::Nothing(Unknown::Incomplete("the path is feasible".into())),
            });
        }
        let flat: Vec<Term> = blocks.iter().map(|b| terms.and(b)).collect();
        let (linear, images) = Linear::translate(terms, &flat);
        let images: Vec<Vec<Term>> = images.into_iter().map(|t| vec![t]).collect();
        let mut answer = self.query(terms, &images, budget)?;
        if answer == Err(SmtAnswer::Sat) {
            // The ranges of the types may make it infeasible.
            let limited = with_ranges(terms, &linear, images);
            answer = self.query(terms, &limited, budget)?;
        }
        let lemmas = match answer {
            Ok(lemmas) => lemmas,
            Err(SmtAnswer::Unknown(reason)) => return Ok(Proposal::Nothing(reason)),
            Err(_) => {
                let reason = "the path is feasible over unbounded integers".into();
                return Ok(Proposal::Nothing(Unknown::Incomplete(reason)));
            }
        };
        let back: Option<Vec<Term>> =
            lemmas.into_iter().map(|t| linear.back(terms, t).map(|t| merge(terms, t))).collect();
        Ok(match back {
            Some(found) => Proposal::Found(found),
            None => Proposal::Nothing(Unknown::Incomplete("Spacer's lemmas are not linear".into())),
        })
    }
}

/// Replaces `a <= b` and `b <= a` among the conjuncts by `a = b`, which is easier for solvers.
fn merge(terms: &mut Terms, formula: Term) -> Term {
    let mut all = conjuncts(terms, &[formula]);
    for i in 0..all.len() {
        if let Some((a, b, back)) = at_most(terms, all[i])
            && let Some(j) = all.iter().position(|&t| t == back)
        {
            all[i] = terms.equal(a, b);
            all[j] = terms.bool(true);
        }
    }
    terms.and(&all)
}

/// The two sides of a term `a <= b`, and `b <= a`.
fn at_most(terms: &mut Terms, t: Term) -> Option<(Term, Term, Term)> {
    let (op, a, b) = match *terms.node(t) {
        Node::Compare(op, a, k) => {
            // a < k is a <= k - 1.
            let Node::Bits { width, value } = *terms.node(k) else { return None };
            (op, a, terms.bits(width, value.wrapping_sub(1)))
        }
        Node::Not(inner) => match *terms.node(inner) {
            Node::Compare(op, b, a) => (op, a, b),
            _ => return None,
        },
        _ => return None,
    };
    let less = terms.compare(op, a, b);
    Some((a, b, terms.not(less)))
}

/// The blocks after leaves that are local to them and defined by an equation have been inlined.
fn inlined(terms: &mut Terms, path: &InfeasiblePath) -> Vec<Vec<Term>> {
    let none = Vec::new();
    (0..path.blocks.len())
        .map(|i| {
            let before = if i > 0 { &path.shared[i - 1] } else { &none };
            let after = path.shared.get(i).unwrap_or(&none);
            let keep =
                |t: Term| before.binary_search(&t).is_ok() || after.binary_search(&t).is_ok();
            eliminate(terms, &path.blocks[i], &keep)
        })
        .collect()
}

fn with_ranges(terms: &mut Terms, linear: &Linear, blocks: Vec<Vec<Term>>) -> Vec<Vec<Term>> {
    let mut limited = blocks;
    for block in &mut limited {
        for leaf in terms.support_of(block) {
            block.push(linear.range(terms, leaf));
        }
    }
    limited
}

impl Spacer {
    /// Lemmas for each cut, or the answer if it is not `Unsat`.
    fn query(
        &self,
        terms: &mut Terms,
        blocks: &[Vec<Term>],
        budget: &Budget,
    ) -> Result<Result<Vec<Term>, SmtAnswer>, SmtError> {
        let shared = shared(terms, blocks);
        let context = Context::new()?;
        let horn = Horn::new(&context, &self.parameters(blocks.len()))?;
        let mut encoder = Encoder::new(&context);
        let mut relations: Vec<Relation> = Vec::new();
        for (i, leaves) in shared.iter().enumerate() {
            let sorts: Vec<Sort> = leaves.iter().map(|&l| terms.sort(l)).collect();
            relations.push(horn.relation(&format!("cut!{i}"), &sorts)?);
        }
        let error = horn.relation("error!", &[])?;
        for (i, block) in blocks.iter().enumerate() {
            let mut body: Vec<Ast> = Vec::new();
            let mut leaves = terms.support_of(block);
            if i > 0 {
                body.push(applied(&mut encoder, terms, &relations[i - 1], &shared[i - 1])?);
                leaves.extend(&shared[i - 1]);
            }
            for &t in block {
                body.push(encoder.encode(terms, t)?);
            }
            let head = match relations.get(i) {
                Some(relation) => {
                    leaves.extend(&shared[i]);
                    applied(&mut encoder, terms, relation, &shared[i])?
                }
                None => error.of(&[])?,
            };
            leaves.sort_unstable();
            leaves.dedup();
            let body = context.nary(ffi::AND, &body)?;
            let rule = context.two(ffi::IMPLIES, &body, &head)?;
            let bound =
                leaves.iter().map(|&l| encoder.encode(terms, l)).collect::<Result<Vec<_>, _>>()?;
            horn.rule(&format!("block!{i}"), &context.for_all(&bound, &rule)?)?;
        }
        match horn.query(&error.of(&[])?, budget)? {
            SmtAnswer::Unsat => {}
            answer => return Ok(Err(answer)),
        }
        let mut lemmas = Vec::with_capacity(relations.len());
        for (relation, leaves) in relations.iter().zip(&shared) {
            let cover = horn.lemmas(-1, relation)?;
            lemmas.push(decode(terms, &cover, &FxHashMap::default(), leaves)?);
        }
        Ok(Ok(lemmas))
    }

    /// The parameters of the engine.  Transformations of the clauses are off, since they would
    /// remove the relations.
    fn parameters(&self, blocks: usize) -> [Parameter<'static>; 8] {
        // A derivation has one step for each block, so there is no need to search for shorter ones
        // first.
        let level = u32::try_from(blocks + 2).unwrap_or(u32::MAX);
        [
            Parameter::Name("engine", "spacer"),
            Parameter::Bool("xform.slice", false),
            Parameter::Bool("xform.inline_linear", false),
            Parameter::Bool("xform.inline_eager", false),
            Parameter::Bool("xform.tail_simplifier_pve", false),
            Parameter::Number("rlimit", self.work),
            Parameter::Number("spacer.random_seed", 0),
            Parameter::Number("spacer.min_level", level),
        ]
    }
}

fn applied(
    encoder: &mut Encoder,
    terms: &Terms,
    relation: &Relation,
    leaves: &[Term],
) -> Result<Ast, SmtError> {
    let all = leaves.iter().map(|&l| encoder.encode(terms, l)).collect::<Result<Vec<_>, _>>()?;
    relation.of(&all)
}
