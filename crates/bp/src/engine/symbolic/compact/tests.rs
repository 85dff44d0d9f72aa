//! Checks each way of reducing choices against an enumeration of small random relations.

use std::collections::BTreeSet;

use super::*;

/// Most inputs of a branch, for the enumeration.
const INPUTS: usize = 14;

/// A relation of random functions.
fn relation(aig: &mut Aig, random: &mut Random) -> Relation {
    let entries: Vec<Lit> = (0..random.below(4)).map(|_| aig.new_input_lit()).collect();
    let mut lits = entries.clone();
    lits.extend((0..random.range(2, 5)).map(|_| aig.new_input_lit()));
    for _ in 0..random.range(3, 14) {
        let [a, b] = [(); 2].map(|()| {
            let lit = lits[random.below(lits.len())];
            lit.xor_sign(random.chance(50))
        });
        lits.push(if random.chance(70) { aig.and(a, b) } else { aig.xor(a, b) });
    }
    let guard = if random.chance(20) {
        Lit::TRUE
    } else {
        let (a, b) = (lits[random.below(lits.len())], lits[lits.len() - 1]);
        aig.or(a, !b)
    };
    let mut outputs: Vec<Lit> = random.sample(&lits, 3);
    outputs.iter_mut().for_each(|l| *l = l.xor_sign(l.is_negated()));
    outputs.retain(|l| !l.is_constant());
    outputs.sort_unstable();
    outputs.dedup();
    let entry_inputs: FxHashSet<Input> = entries.iter().filter_map(|&l| aig.as_input(l)).collect();
    let support = aig.support(outputs.iter().copied().chain([guard]));
    let choices = support.iter().filter(|i| !entry_inputs.contains(i)).count();
    let index = FxHashMap::default();
    Relation { guard, entries, entry_inputs, outputs, index, support, choices, cone: 0 }
}

/// Entry values and outputs under all values of the inputs for which the guard holds; `None` if
/// there are too many inputs.
fn members(
    aig: &Aig,
    relation: &Relation,
    guard: Lit,
    outputs: &[Lit],
) -> Option<BTreeSet<Vec<bool>>> {
    let roots: Vec<Lit> = [guard].iter().chain(&relation.entries).chain(outputs).copied().collect();
    let inputs = aig.support(roots.iter().copied());
    let values = |bits: u32| {
        let value = |i: Input| {
            let position = inputs.iter().position(|&x| x == i).expect("of the support");
            bits >> position & 1 == 1
        };
        aig.evaluate(&roots, value)
    };
    (inputs.len() <= INPUTS).then(|| {
        let all = (0..1_u32 << inputs.len()).map(values);
        all.filter(|v| v[0]).map(|v| v[1..].to_vec()).collect()
    })
}

#[test]
fn relations_are_kept() {
    let mut random = Random::new(5);
    let budget = Budget::unlimited();
    let (backend, limits) = (Backend::default(), Limits::default());
    let mut compared = [0; 3];
    for _ in 0..400 {
        let mut aig = Aig::new();
        let relation = relation(&mut aig, &mut random);
        let expected = members(&aig, &relation, relation.guard, &relation.outputs).expect("small");
        let mut compactor = Compactor::new(1, 1, backend, &limits);
        let pool: Vec<Input> = (0..relation.outputs.len()).map(|_| aig.new_input()).collect();
        let mut sat = Effort::default();
        let listed = compactor.members(&aig, &relation, &budget).expect("no limit");
        let by_list = listed.map(|members| {
            let memo = FxHashMap::default();
            Build { aig: &mut aig, relation: &relation, pool: &pool, memo }.at(0, &members)
        });
        macro_rules! means {
            () => {
                Means {
                    limits: &limits.states,
                    backend,
                    random: &mut random,
                    sat: &mut sat,
                    budget: &budget,
                }
            };
        }
        let by_table = tabulate(&mut aig, &relation, &pool, means!());
        let mut own = vec![];
        let by_cover = cover(&mut aig, &relation, &mut own, means!());
        let all = [by_list, by_table.expect("no limit"), by_cover.expect("no limit")];
        for (way, branch) in all.into_iter().enumerate() {
            let Some(branch) = branch else { continue };
            // A relation without members has values for no output.
            let outputs = if expected.is_empty() {
                vec![Lit::FALSE; relation.outputs.len()]
            } else {
                branch.values
            };
            let Some(found) = members(&aig, &relation, branch.guard, &outputs) else { continue };
            assert_eq!(found, expected, "{way}: {:?} of {aig:?}", relation.outputs);
            compared[way] += 1;
        }
    }
    assert!(compared.iter().all(|&n| n > 300), "{compared:?}");
}
