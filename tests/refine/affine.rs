//! Affine relations, against the points that executions reach: they hold there, and no relation
//! that the points suggest is missing.

use hardbop_base::random::Random;
use hardbop_base::source::Span;
use hardbop_cfa::{Automaton, Edge, Goal, Location, Operation, Origin, Place};
use hardbop_refine::affine::Affine;
use hardbop_refine::block::Blocks;
use hardbop_refine::block::problem::Problem;
use hardbop_refine::limits;
use hardbop_smt::{BitOp, Comparison, Node, Sort, Symbol, Term, Terms, Value};

const HEAD: Location = Location(2);

fn edge(source: u32, target: u32, operation: Operation) -> Edge {
    let place = Place { function: 0, instruction: 0, span: Span::default() };
    Edge { source: Location(source), target: Location(target), operation, place, frame: 0 }
}

fn bits(terms: &mut Terms, width: u32, value: i64) -> Term {
    terms.bits(width, value as u64 & (u64::MAX >> (64 - width)))
}

fn times(terms: &mut Terms, factor: i64, term: Term) -> Term {
    let factor = bits(terms, terms.width(term), factor);
    terms.binary(BitOp::Mul, factor, term)
}

fn add(terms: &mut Terms, term: Term, constant: i64) -> Term {
    let constant = bits(terms, terms.width(term), constant);
    terms.binary(BitOp::Add, term, constant)
}

/// The relations at the head of a loop, location 2; the last location is a goal.
fn relations(
    terms: &mut Terms,
    symbols: &[Symbol],
    edges: Vec<Edge>,
    locations: u32,
    limits: limits::Affine,
) -> Vec<Term> {
    let goals = vec![(Location(locations - 1), Goal::Error)];
    let automaton =
        Automaton { entry: Location(0), goals, locations, edges, ..Automaton::default() };
    let problem = Problem::new(automaton, Blocks::Large);
    Affine::new(terms, &problem, limits).relations(terms, HEAD, symbols)
}

/// How a variable changes: to a multiple of a variable plus a constant, or to any value.
type Change = Option<(usize, i64, i64)>;

struct Loop {
    /// The first values; none: any value.
    first: Vec<Option<i64>>,
    /// Simultaneous changes, of which each round does those of one branch.
    branches: Vec<Vec<Change>>,
}

impl Loop {
    fn random(random: &mut Random) -> Self {
        let variables = 2 + random.below(4);
        let first = (0..variables)
            .map(|_| (random.below(4) > 0).then(|| random.below(7) as i64 - 3))
            .collect();
        let branches = 1 + random.below(3);
        let change = |random: &mut Random, own: usize| match random.below(12) {
            0 => None,
            1 => Some((random.below(variables), 1, 0)),
            2 => Some((random.below(variables), 2, random.below(3) as i64)),
            3 => Some((own, 0, random.below(3) as i64)),
            4..=6 => Some((own, 1, 0)),
            _ => Some((own, 1, random.below(9) as i64 - 4)),
        };
        let branches = (0..branches)
            .map(|_| (0..variables).map(|own| change(random, own)).collect())
            .collect();
        Self { first, branches }
    }

    fn edges(&self, terms: &mut Terms, symbols: &[Symbol]) -> (Vec<Edge>, u32) {
        let free = |&i: &usize| self.first[i].is_none();
        let mut next = 3;
        let mut edges = vec![edge(0, 1, Operation::Skip)];
        let known = (0..symbols.len()).filter(|i| !free(i));
        let first = known.map(|i| {
            let value = self.first[i].expect("it is not free");
            (symbols[i], bits(terms, 32, value))
        });
        let first = Operation::Parallel(first.collect());
        edges.push(edge(1, 2, first));
        for branch in &self.branches {
            let mut at = 2;
            let mut to = |edges: &mut Vec<Edge>, operation, end: Option<u32>| {
                let target = end.unwrap_or(next);
                next = next.max(target + 1);
                edges.push(edge(at, target, operation));
                at = target;
            };
            let assigned = branch.iter().enumerate().filter_map(|(i, change)| {
                let (from, factor, constant) = (*change)?;
                let variable = terms.variable(symbols[from]);
                let product = times(terms, factor, variable);
                Some((symbols[i], add(terms, product, constant)))
            });
            let assigned = Operation::Parallel(assigned.collect());
            to(&mut edges, assigned, None);
            for (i, _) in branch.iter().enumerate().filter(|(_, c)| c.is_none()) {
                to(&mut edges, Operation::Havoc(symbols[i], Origin::Input), None);
            }
            to(&mut edges, Operation::Skip, Some(2));
        }
        edges.push(edge(2, next, Operation::Skip));
        (edges, next + 1)
    }

    /// Points that executions reach at the head.
    fn points(&self, random: &mut Random) -> Vec<Vec<i64>> {
        let any = |random: &mut Random| random.below(2001) as i64 - 1000;
        let mut found = vec![];
        for _ in 0..60 {
            let mut point: Vec<i64> =
                self.first.iter().map(|v| v.unwrap_or_else(|| any(random))).collect();
            found.push(point.clone());
            for _ in 0..10 {
                let branch = &self.branches[random.below(self.branches.len())];
                let changed = branch.iter().map(|change| match *change {
                    Some((from, factor, constant)) => factor * point[from] + constant,
                    None => any(random),
                });
                point = changed.collect();
                found.push(point.clone());
            }
        }
        found
    }
}

/// The dimension of the smallest affine space with these points, by elimination modulo a prime.
fn dimension(points: &[Vec<i64>]) -> usize {
    const PRIME: i128 = (1 << 61) - 1;
    let power = |mut x: i128, mut n: i128| {
        let mut result = 1;
        while n > 0 {
            if n % 2 == 1 {
                result = result * x % PRIME;
            }
            x = x * x % PRIME;
            n /= 2;
        }
        result
    };
    let mut rows: Vec<(usize, Vec<i128>)> = vec![];
    for point in points {
        let difference = point.iter().zip(&points[0]).map(|(&a, &b)| i128::from(a - b));
        let mut row: Vec<i128> = difference.map(|d| d.rem_euclid(PRIME)).collect();
        for (pivot, other) in &rows {
            let by = row[*pivot];
            row.iter_mut().zip(other).for_each(|(x, y)| *x = (*x - by * y).rem_euclid(PRIME));
        }
        if let Some(pivot) = row.iter().position(|&x| x != 0) {
            let inverse = power(row[pivot], PRIME - 2);
            row.iter_mut().for_each(|x| *x = *x * inverse % PRIME);
            rows.push((pivot, row));
        }
    }
    rows.len()
}

/// Whether a relation holds at a point.
fn holds(terms: &Terms, relation: Term, symbols: &[Symbol], point: &[i64]) -> bool {
    let leaf = |leaf| match *terms.node(leaf) {
        Node::Variable(s) => {
            let value = point[symbols.iter().position(|&v| v == s)?];
            Some(Value::Bits(value as u64 & 0xffff_ffff))
        }
        _ => None,
    };
    terms.evaluate(relation, &leaf) == Some(Value::Bool(true))
}

/// Whether it is about a few low bits only.
fn is_congruence(terms: &Terms, relation: Term) -> bool {
    let &Node::Equal(a, _) = terms.node(relation) else { panic!("relations are equations") };
    terms.width(a) < 32
}

#[test]
fn relations_are_those_of_the_reached_points() {
    let mut random = Random::new(20_261_125);
    let (mut equations, mut congruences) = (0, 0);
    for round in 0..400 {
        let example = Loop::random(&mut random);
        let mut terms = Terms::new();
        let symbols: Vec<Symbol> = (0..example.first.len())
            .map(|i| terms.symbol(&format!("v{i}"), Sort::Bits(32)))
            .collect();
        let (mut edges, mut locations) = example.edges(&mut terms, &symbols);
        // All variables occur in a sum, or they would not be looked at.
        let all = symbols.iter().map(|&s| terms.variable(s)).collect::<Vec<_>>();
        let sum = all.into_iter().reduce(|a, b| terms.binary(BitOp::Add, a, b)).expect("some");
        let other = terms.symbol("sum", Sort::Bits(32));
        edges.push(edge(2, locations - 1, Operation::Assign(other, sum)));
        edges.push(edge(locations - 1, locations, Operation::Skip));
        locations += 1;
        let limits = limits::Affine { coefficient: 1 << 14, ..limits::Affine::default() };
        let found = relations(&mut terms, &symbols, edges, locations, limits);
        let points = example.points(&mut random);
        for &relation in &found {
            let wrong = points.iter().find(|p| !holds(&terms, relation, &symbols, p));
            assert_eq!(wrong, None, "{round}: {}", terms.display(relation));
        }
        let count = found.iter().filter(|&&r| !is_congruence(&terms, r)).count();
        let text: Vec<String> = found.iter().map(|&t| terms.display(t).to_string()).collect();
        let Loop { first, branches } = &example;
        let missing = symbols.len() - dimension(&points) - count;
        assert_eq!(missing, 0, "{round}: {text:?} of {first:?}, {branches:?}");
        equations += count;
        congruences += found.len() - count;
    }
    assert!(equations > 200 && congruences > 50, "{equations} {congruences}");
}

/// A loop with the variables `i`, `a`, `b` of these widths, that are 0 first, whose rounds do one
/// of these.
fn example(
    widths: [u32; 3],
    branches: impl Fn(&mut Terms, [Term; 3]) -> Vec<(Term, [Term; 3])>,
) -> Vec<String> {
    let mut terms = Terms::new();
    let symbols: Vec<Symbol> = ["i", "a", "b"]
        .into_iter()
        .zip(widths)
        .map(|(name, width)| terms.symbol(name, Sort::Bits(width)))
        .collect();
    let variables = [0, 1, 2].map(|i| terms.variable(symbols[i]));
    let first = (0..3).map(|i| (symbols[i], terms.bits(widths[i], 0))).collect();
    let mut edges = vec![edge(0, 1, Operation::Skip), edge(1, 2, Operation::Parallel(first))];
    let mut next = 3;
    for (condition, values) in branches(&mut terms, variables) {
        edges.push(edge(2, next, Operation::Assume(condition)));
        let all = symbols.iter().copied().zip(values).collect();
        edges.push(edge(next, 2, Operation::Parallel(all)));
        next += 1;
    }
    edges.push(edge(2, next, Operation::Skip));
    let limits = limits::Affine::default();
    let found = relations(&mut terms, &symbols, edges, next + 1, limits);
    found.into_iter().map(|t| terms.display(t).to_string()).collect()
}

#[test]
fn known_loops_have_the_known_relations() {
    let steps = |by: [i64; 3]| {
        move |terms: &mut Terms, variables: [Term; 3]| {
            let mut by = by.into_iter();
            variables.map(|v| add(terms, v, by.next().expect("three")))
        }
    };
    let any = |terms: &mut Terms| terms.bool(true);
    // Two branches, with one sum in common.
    let found = example([32; 3], |terms, v| {
        let condition = any(terms);
        vec![(condition, steps([1, 1, 2])(terms, v)), (condition, steps([1, 2, 1])(terms, v))]
    });
    insta::assert_snapshot!(found.join("\n"), @r##"(= (bvmul i #x00000003) (bvadd a b))"##);
    // Steps of two: all are even.
    let found = example([32; 3], |terms, v| vec![(any(terms), steps([2, 4, -6])(terms, v))]);
    insta::assert_snapshot!(found.join("\n"), @r##"
    (= a (bvmul i #x00000002))
    (= (bvadd b (bvmul i #x00000003)) #x00000000)
    (= ((_ extract 0 0) i) #b0)
    "##);
    // Different widths.
    let found = example([8, 32, 64], |terms, v| vec![(any(terms), steps([1, 3, 0])(terms, v))]);
    insta::assert_snapshot!(found.join("\n"), @r##"(= a (bvmul ((_ sign_extend 24) i) #x00000003))"##);
    // A branch that is taken every third time.
    let found = example([32; 3], |terms, v| {
        let [three, one] = [3, 1].map(|n| terms.bits(32, n));
        let rest = terms.binary(BitOp::SRem, v[0], three);
        let is_one = terms.equal(rest, one);
        let other = terms.not(is_one);
        vec![(is_one, steps([1, 1, 0])(terms, v)), (other, steps([1, 0, 0])(terms, v))]
    });
    insta::assert_snapshot!(found.join("\n"), @r##"
    (= i (bvmul a #x00000003))
    (= i (bvadd (bvmul a #x00000003) #x00000001))
    (= i (bvadd (bvmul a #x00000003) #xffffffff))
    "##);
    // Equations of conditions count, and impossible branches do not.
    let found = example([32; 3], |terms, v| {
        let zero = terms.bits(32, 0);
        let (equal, negative) =
            (terms.equal(v[1], v[2]), terms.compare(Comparison::SLt, v[1], zero));
        let mut values = steps([1, 0, 1])(terms, v);
        values[1] = add(terms, v[2], 1);
        vec![(equal, values), (negative, steps([1, 1, 1])(terms, v))]
    });
    insta::assert_snapshot!(found.join("\n"), @r##"
    (= i a)
    (= i b)
    "##);
}
