//! Cubes over the values at a place.

use rustc_hash::FxHashMap;

use hardbop_logic::{Aig, Input, Lit, Node};

/// A literal over the items of a place: twice the item, plus 1 if its value is false.  Items are
/// the current values of the slots, in order, then their entry values.
pub type ItemLit = u32;

/// A conjunction of literals: ascending, at most one for each item.
pub type Cube = Vec<ItemLit>;

/// The literal that says that an item has this value.
pub fn literal(item: usize, value: bool) -> ItemLit {
    2 * item as u32 + u32::from(!value)
}

/// The item of a literal, and its value.
pub fn parts(l: ItemLit) -> (usize, bool) {
    ((l / 2) as usize, l & 1 == 0)
}

/// Is a state, given by item, in the cube?
pub fn contains(cube: &[ItemLit], state: &[bool]) -> bool {
    cube.iter().all(|&l| {
        let (item, value) = parts(l);
        state[item] == value
    })
}

/// Does the first cube contain the second one: are its literals among those of the other?
pub fn includes(larger: &[ItemLit], smaller: &[ItemLit]) -> bool {
    let mut rest = smaller.iter();
    larger.len() <= smaller.len() && larger.iter().all(|l| rest.any(|m| m == l))
}

/// Inputs that suffice for the roots to have the values that they have if inputs have these values:
/// a justification, which takes for each false conjunction one false operand.
pub fn justification(aig: &Aig, roots: &[Lit], value: impl Fn(Input) -> bool) -> Vec<Input> {
    let values = evaluate(aig, roots, value);
    let of = |l: Lit| values[&l.node()] != l.is_negated();
    let mut seen: FxHashMap<usize, ()> = FxHashMap::default();
    let mut inputs = vec![];
    let mut todo: Vec<usize> = roots.iter().rev().map(|l| l.node()).collect();
    while let Some(node) = todo.pop() {
        if seen.insert(node, ()).is_some() {
            continue;
        }
        match aig.node(node) {
            Node::False => {}
            Node::Input(i) => inputs.push(i),
            Node::And(a, b) if values[&node] => todo.extend([b.node(), a.node()]),
            Node::And(a, b) => {
                // One that is needed anyway; else the shallower one.
                let choose_b = match (of(a), of(b)) {
                    (true, _) => true,
                    (_, true) => false,
                    _ if seen.contains_key(&a.node()) => false,
                    _ => seen.contains_key(&b.node()) || b.node() < a.node(),
                };
                todo.push(if choose_b { b.node() } else { a.node() });
            }
        }
    }
    inputs.sort_unstable();
    inputs
}

/// The values of all nodes on which the roots depend.
fn evaluate(aig: &Aig, roots: &[Lit], value: impl Fn(Input) -> bool) -> FxHashMap<usize, bool> {
    let mut values: FxHashMap<usize, bool> = FxHashMap::default();
    let mut todo: Vec<usize> = roots.iter().map(|l| l.node()).collect();
    while let Some(&node) = todo.last() {
        if values.contains_key(&node) {
            todo.pop();
            continue;
        }
        let known = match aig.node(node) {
            Node::False => false,
            Node::Input(i) => value(i),
            Node::And(a, b) => {
                let of = |l: Lit| values.get(&l.node()).map(|v| *v != l.is_negated());
                match (of(a), of(b)) {
                    (Some(x), Some(y)) => x && y,
                    (x, y) => {
                        todo.extend(x.is_none().then_some(a.node()));
                        todo.extend(y.is_none().then_some(b.node()));
                        continue;
                    }
                }
            }
        };
        todo.pop();
        values.insert(node, known);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_justification_fixes_the_roots() {
        let mut aig = Aig::new();
        let inputs: Vec<Lit> = (0..6).map(|_| aig.new_input_lit()).collect();
        let x = aig.xor(inputs[0], inputs[1]);
        let y = aig.ite(inputs[2], x, inputs[3]);
        let z = aig.or(y, inputs[4]);
        for bits in 0..64u32 {
            let value = |i: Input| bits >> i.0 & 1 == 1;
            let needed = justification(&aig, &[y, z], value);
            let wanted = aig.evaluate(&[y, z], value);
            for other in 0..64u32 {
                let mixed =
                    |i: Input| if needed.contains(&i) { value(i) } else { other >> i.0 & 1 == 1 };
                assert_eq!(aig.evaluate(&[y, z], mixed), wanted, "{bits} {needed:?} {other}");
            }
        }
    }

    #[test]
    fn fewer_literals_are_a_larger_cube() {
        assert!(includes(&[1, 4], &[1, 2, 4]) && includes(&[], &[0]) && includes(&[3], &[3]));
        assert!(!includes(&[1, 5], &[1, 2, 4]) && !includes(&[0, 2], &[0]));
    }
}
