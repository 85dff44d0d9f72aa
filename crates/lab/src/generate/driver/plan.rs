//! The procedures, who calls whom, and who touches which predicates.
//!
//! Procedure 0 is `main`; procedures are in order of their layers, and call only into later layers.
//! Every procedure except `main` has one parent, in the layer above, which always calls it.

use super::model::Model;
use super::options::DriverOptions;
use hardbop_base::random::Random;

/// The part of a procedure in handling a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Plain,
    /// Begins and ends it; may leave its completion to a callee.
    Dispatch {
        request: usize,
        completer: Option<usize>,
    },
    /// Called while it is open; its first returned value tells whether it completed the request.
    Completer {
        request: usize,
        nested: Option<usize>,
    },
}

/// A procedure before its body is written.
pub(super) struct Plan {
    pub name: String,
    /// Always called, outside all branches and sections; without those that a [`Role`] names.
    pub children: Vec<usize>,
    /// Further procedures that it may call.
    pub others: Vec<usize>,
    /// Groups of predicates that it reads and writes.
    pub groups: Vec<usize>,
    pub formals: usize,
    pub returns: usize,
    /// Whether it is on the chain of calls that leads to the bug.
    pub spine: bool,
    /// Whether the chain ends here.
    pub spine_end: bool,
    pub role: Role,
}

/// Most predicates given to a procedure beyond the necessary ones.
const PREDICATES: usize = 20;
const NOUNS: [&str; 8] = ["Pnp", "Power", "Read", "Write", "Queue", "Cancel", "Control", "Timer"];
const VERBS: [&str; 5] = ["Dispatch", "Start", "Process", "Update", "Check"];

/// Plans for all procedures.
pub(super) fn plans(options: &DriverOptions, model: &Model, random: &mut Random) -> Vec<Plan> {
    let count = options.procs;
    let layers = layers(count, options.depth);
    let mut plans: Vec<Plan> = (0..count)
        .map(|i| {
            let first = i == 0 || layers[i - 1] != layers[i];
            let verb = VERBS[layers[i].min(VERBS.len()) - usize::from(layers[i] > 0)];
            let noun = random.pick(&NOUNS).unwrap_or("Pnp");
            Plan {
                name: if i == 0 { "main".to_owned() } else { format!("Drv{verb}{noun}{i}") },
                children: Vec::new(),
                others: Vec::new(),
                groups: Vec::new(),
                formals: if i == 0 { 0 } else { random.weighted(&[3, 4, 2, 1]) },
                returns: if i == 0 { 0 } else { random.weighted(&[4, 4, 2, 1]) },
                spine: first,
                spine_end: first && layers[i] == layers[count - 1],
                role: Role::Plain,
            }
        })
        .collect();
    assign_parents(&mut plans, &layers, random);
    assign_requests(&mut plans, model, random);
    assign_others(&mut plans, &layers, random);
    assign_groups(&mut plans, model, random);
    plans
}

/// The layer of each procedure, ascending: `main` alone in layer 0, the others spread evenly.
fn layers(procs: usize, depth: usize) -> Vec<usize> {
    let depth = depth.max(1).min(procs - 1);
    (0..procs).map(|i| if i == 0 { 0 } else { 1 + (i - 1) * depth / (procs - 1) }).collect()
}

fn assign_parents(plans: &mut [Plan], layers: &[usize], random: &mut Random) {
    for i in 1..plans.len() {
        let above: Vec<usize> = (0..i).filter(|&j| layers[j] + 1 == layers[i]).collect();
        let parent = if plans[i].spine {
            above.first().copied()
        } else {
            // Of two candidates, the one with fewer children, which keeps fan-out low.
            let candidates = random.sample(&above, 2);
            candidates.into_iter().min_by_key(|&j| plans[j].children.len())
        };
        if let Some(parent) = parent {
            plans[parent].children.push(i);
        }
    }
}

/// Gives each request to a procedure off the spine, and sometimes to a chain of its callees.
fn assign_requests(plans: &mut [Plan], model: &Model, random: &mut Random) {
    for request in 0..model.requests.len() {
        let free: Vec<usize> = (1..plans.len())
            .filter(|&i| !plans[i].spine && plans[i].role == Role::Plain)
            .take(12)
            .collect();
        let Some(dispatch) = random.pick(&free) else { return };
        let mut chain = vec![dispatch];
        while chain.len() < 4 && random.chance(85) {
            let last = chain[chain.len() - 1];
            let free: Vec<usize> = plans[last]
                .children
                .iter()
                .copied()
                .filter(|&c| plans[c].role == Role::Plain)
                .collect();
            let Some(next) = random.pick(&free) else { break };
            chain.push(next);
        }
        for (position, &i) in chain.iter().enumerate() {
            let next = chain.get(position + 1).copied();
            plans[i].children.retain(|&c| Some(c) != next);
            plans[i].role = if position == 0 {
                Role::Dispatch { request, completer: next }
            } else {
                plans[i].returns = plans[i].returns.max(1);
                Role::Completer { request, nested: next }
            };
        }
    }
}

/// Assigns further callees: utilities in later layers.
fn assign_others(plans: &mut [Plan], layers: &[usize], random: &mut Random) {
    for i in 1..plans.len() {
        let below: Vec<usize> = (i + 1..plans.len())
            .filter(|&j| layers[j] > layers[i] && !matches!(plans[j].role, Role::Completer { .. }))
            .collect();
        let count = random.weighted(&[3, 4, 2]);
        plans[i].others = random.sample(&below, count);
    }
}

/// Gives every group an owner; a procedure shares some groups with its callees.
fn assign_groups(plans: &mut [Plan], model: &Model, random: &mut Random) {
    let mut order: Vec<usize> = (0..model.groups.len()).collect();
    random.shuffle(&mut order);
    // `main` only starts things; it owns nothing unless it is the only procedure.
    let first = usize::from(plans.len() > 1);
    for (position, group) in order.into_iter().enumerate() {
        let owner = first + position % (plans.len() - first);
        plans[owner].groups.push(group);
    }
    for i in (0..plans.len()).rev() {
        let callees: Vec<usize> =
            plans[i].children.iter().chain(&plans[i].others).copied().collect();
        let shared: Vec<usize> = callees.iter().flat_map(|&c| plans[c].groups.clone()).collect();
        let limit = if i == 0 { PREDICATES / 2 } else { random.range(5, PREDICATES) };
        let mut size: usize = plans[i].groups.iter().map(|&g| model.groups[g].members.len()).sum();
        for group in random.sample(&shared, 6) {
            let more = model.groups[group].members.len();
            if size + more <= limit && !plans[i].groups.contains(&group) {
                plans[i].groups.push(group);
                size += more;
            }
        }
    }
}
