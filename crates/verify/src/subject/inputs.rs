//! Finds the inputs of the program in an execution of the automaton.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use hardbop_c as c;
use hardbop_c::flow::{Base, Callee, Flow, HavocKind, Instruction, VariableId};
use hardbop_c::library;
use hardbop_c::lower::{Part, Whole};
use hardbop_c::trace::{CTrace, EdgeIndex, Input, InputKind};
use hardbop_c::types::Type;
use hardbop_cfa::{Automaton, Edge, Operation, Origin, Place};
use hardbop_refine::block::execution::ErrorPath;
use hardbop_smt::{Sort, Symbol, Terms, Value};

/// The inputs that the program gets along a path, in order.
pub fn trace(
    flow: &Flow,
    parts: &FxHashMap<Symbol, Part>,
    automaton: &Automaton,
    terms: &Terms,
    path: &ErrorPath,
) -> CTrace {
    let mut inputs = vec![];
    let mut values = path.inputs.iter().peekable();
    let mut edges = vec![];
    let mut guesses = vec![];
    let mut visit: Option<(Place, u32)> = None;
    // Where the value of this visit is, and whether it is only a guess.
    let mut asked: Option<(usize, bool)> = None;
    let mut made = Made::default();
    let mut arguments = Arguments::default();
    for &e in &path.edges {
        let edge = &automaton.edges[e as usize];
        let value = values.next_if(|(at, _)| *at == e).map(|(_, v)| *v);
        let here = (edge.place, edge.frame);
        if visit != Some(here) {
            // An instruction may be several edges, but asks for one value.
            (visit, asked) = (Some(here), None);
            let Place { function, instruction, .. } = edge.place;
            if instruction != Place::NOWHERE {
                edges.push(EdgeIndex { function, edge: instruction });
            }
            inputs.extend(made.visit(flow, edge.place));
        }
        let (bits, value) = match (&edge.operation, value) {
            (&Operation::Havoc(symbol, origin), Some(Value::Bits(value))) => {
                let Sort::Bits(bits) = terms.symbol_sort(symbol) else { continue };
                if let Some(part) = parts.get(&automaton.original(symbol))
                    && let Whole::Argument(index) = part.of
                {
                    arguments.entry(index).or_default().insert(part.bit / 8, value as u8);
                    continue;
                }
                if let Some(part) = parts.get(&automaton.original(symbol))
                    && let Whole::Round(function, call, round) = part.of
                {
                    let content = made.later.entry((function.0, call, round)).or_default();
                    content.push((part.bit, bits, value, value != 0 && part.is_pointer));
                    continue;
                }
                if let Some(part) = parts.get(&automaton.original(symbol))
                    && let Some(kind) = made.kind(flow, edge.place, part)
                {
                    let object = value != 0 && part.is_pointer;
                    inputs.push(Input { kind, bits, value, object });
                    continue;
                }
                if let Some(part) = parts.get(&automaton.original(symbol))
                    && let Some(kind) = beyond(flow, part)
                {
                    let object = value != 0 && part.is_pointer;
                    inputs.push(Input { kind, bits, value, object });
                    continue;
                }
                if origin == Origin::Approximation {
                    guesses.push((edge.place.span, bits, value));
                    continue;
                }
                (bits, value)
            }
            // Nothing depends on it, but it is asked for.
            (Operation::Skip, _) => (64, 0),
            _ => continue,
        };
        if matches!(asked, Some((_, false))) {
            continue;
        }
        if let Some(kind) = kind(flow, edge) {
            // An address from outside that is not null is that of something.
            let fails = matches!(kind, InputKind::Fails { .. });
            let object = value != 0 && !fails && is_pointer(flow, edge.place);
            let input = Input { kind, bits, value, object };
            let guess = edge.operation == Operation::Skip;
            match asked {
                Some((at, _)) => inputs[at] = input,
                None => inputs.push(input),
            }
            asked = Some((asked.map_or(inputs.len() - 1, |(at, _)| at), guess));
        }
    }
    inputs.extend(characters(&arguments));
    CTrace { inputs, guesses, edges: Some(edges) }
}

/// For each argument of `main`, the characters at these positions.
type Arguments = BTreeMap<u64, BTreeMap<u64, u8>>;

/// The characters as inputs; with others where nothing depends on them, since a zero would end the text there.
fn characters(arguments: &Arguments) -> impl Iterator<Item = Input> {
    arguments.iter().flat_map(|(&index, text)| {
        let end = text.last_key_value().map_or(0, |(&last, _)| last + 1);
        (0..end).map(move |byte| Input {
            kind: InputKind::Argument { index, byte },
            bits: 8,
            value: text.get(&byte).copied().unwrap_or(b'a').into(),
            object: false,
        })
    })
}

/// The content of a block: the first bits and the numbers of bits, the values, and whether they are
/// addresses of something.
type Content = Vec<(u64, u32, u64, bool)>;

/// Objects that an execution has made so far.
#[derive(Default)]
struct Made {
    /// Executions of declarations, by variable.
    declared: FxHashMap<u32, u64>,
    /// Blocks of memory.
    blocks: u64,
    /// Executions of calls that make blocks, by function and edge.
    calls: FxHashMap<(u32, u32), u32>,
    /// The content of the block that such a call makes in a round.
    later: FxHashMap<(u32, u32, u32), Content>,
}

impl Made {
    /// Takes in that an instruction is executed, and returns the content of the block that it
    /// makes, where that is known already.
    fn visit(&mut self, flow: &Flow, place: Place) -> Vec<Input> {
        match instruction(flow, place) {
            Some(Instruction::Havoc(place, HavocKind::Uninitialised)) if place.path.is_empty() => {
                if let Base::Variable(v) = place.base {
                    *self.declared.entry(v.0).or_default() += 1;
                }
            }
            Some(instruction) if makes_block(flow, instruction) => {
                let calls = self.calls.entry((place.function, place.instruction)).or_default();
                let content = self.later.remove(&(place.function, place.instruction, *calls));
                let block = Some(self.blocks);
                (*calls, self.blocks) = (*calls + 1, self.blocks + 1);
                let input = |(bit, bits, value, object)| Input {
                    kind: InputKind::Heap { block, bit },
                    bits,
                    value,
                    object,
                };
                return content.into_iter().flatten().map(input).collect();
            }
            _ => {}
        }
        vec![]
    }

    /// The kind of input that the first value of a part of the object is which the instruction has
    /// made; `None` where the part is a whole that [`kind`] knows, or was there before.
    fn kind(&self, flow: &Flow, place: Place, part: &Part) -> Option<InputKind> {
        let uninitialised = |v: VariableId, instance| InputKind::Uninitialised {
            name: flow.variables[v.0 as usize].name.clone(),
            variable: v.0,
            instance: Some(instance),
            bit: part.bit,
        };
        match (instruction(flow, place), part.of) {
            (Some(Instruction::Havoc(place, HavocKind::Uninitialised)), Whole::Variable(v))
                if !flow.types.is_scalar(place.ty) || part.bit >= size_in_bits(flow, place) =>
            {
                Some(uninitialised(v, self.declared.get(&v.0)?.checked_sub(1)?))
            }
            (Some(Instruction::Call { .. }), Whole::Allocation) => {
                let block = Some(self.blocks.checked_sub(1)?);
                Some(InputKind::Heap { block, bit: part.bit })
            }
            // What has a value before `main`.
            (None, Whole::Variable(v)) => Some(uninitialised(v, 0)),
            _ => None,
        }
    }
}

/// The kind of input that a part is of a local that no instruction declares, behind its own size.
fn beyond(flow: &Flow, part: &Part) -> Option<InputKind> {
    let Whole::Variable(v) = part.of else { return None };
    let variable = &flow.variables[v.0 as usize];
    let own = flow.types.size(variable.ty)?.saturating_mul(8);
    (part.bit >= own).then(|| InputKind::Uninitialised {
        name: variable.name.clone(),
        variable: v.0,
        instance: None,
        bit: part.bit,
    })
}

fn size_in_bits(flow: &Flow, place: &c::flow::Place) -> u64 {
    flow.types.size(place.ty).unwrap_or(0).saturating_mul(8)
}

/// The kind of input that an edge asks for.
fn kind(flow: &Flow, edge: &Edge) -> Option<InputKind> {
    match instruction(flow, edge.place)? {
        Instruction::Havoc(_, HavocKind::Input(function)) => {
            Some(InputKind::Nondet { function: function.clone() })
        }
        Instruction::Havoc(_, kind @ HavocKind::Volatile(_)) => {
            let id = kind.volatile()?;
            Some(InputKind::Volatile { name: flow.variables[id.0 as usize].name.clone() })
        }
        Instruction::Havoc(place, HavocKind::Uninitialised) => match place.base {
            Base::Variable(v) if place.path.is_empty() => Some(InputKind::Uninitialised {
                name: flow.variables[v.0 as usize].name.clone(),
                variable: v.0,
                instance: None,
                bit: 0,
            }),
            _ => None,
        },
        Instruction::Call { callee: Callee::Function(f), .. } => {
            let known = library::find(&flow.functions[f.0 as usize].name);
            let function = flow.functions[f.0 as usize].name.clone();
            Some(match known.is_some_and(|known| known.makes_block()) {
                true => InputKind::Fails { function },
                false => InputKind::Undefined { function },
            })
        }
        _ => None,
    }
}

/// Does the instruction ask for a pointer?
fn is_pointer(flow: &Flow, place: Place) -> bool {
    let to = match instruction(flow, place) {
        Some(Instruction::Havoc(to, _) | Instruction::Call { result: Some(to), .. }) => to,
        _ => return false,
    };
    matches!(flow.types.types.get_index(to.ty.0 as usize), Some(Type::Pointer(_)))
}

fn instruction(flow: &Flow, place: Place) -> Option<&Instruction> {
    let body = flow.functions.get(place.function as usize)?.body.as_ref()?;
    Some(&body.edges.get(place.instruction as usize)?.instruction)
}

/// Is it a call of a library function that allocates memory?
fn makes_block(flow: &Flow, instruction: &Instruction) -> bool {
    let Instruction::Call { callee: Callee::Function(f), .. } = instruction else { return false };
    let function = &flow.functions[f.0 as usize];
    let known = library::find(&function.name).filter(|_| function.body.is_none());
    known.is_some_and(|known| known.makes_block())
}

/// The error to which a path leads, in words, and its place.
pub fn error(flow: &Flow, automaton: &Automaton, path: &ErrorPath) -> String {
    let last = path.edges.last().map(|&e| &automaton.edges[e as usize]);
    let found = last.filter(|edge| edge.place.instruction != Place::NOWHERE).and_then(|edge| {
        let function = flow.functions.get(edge.place.function as usize)?;
        let edge = function.body.as_ref()?.edges.get(edge.place.instruction as usize)?;
        match edge.instruction {
            Instruction::Error(violation) => Some((violation.words(), edge.span)),
            _ => None,
        }
    });
    match found {
        Some((words, span)) => {
            format!("{} {}", words.unwrap_or("an error"), flow.source.words(span.start))
        }
        None => "an error".into(),
    }
}

/// The first use on a path of a value that the memory model does not know, in words.
pub fn approximation(
    flow: &Flow,
    parts: &FxHashMap<Symbol, Part>,
    automaton: &Automaton,
    path: &ErrorPath,
) -> Option<String> {
    // What objects hold before they are allocated is chosen before `main`.
    let unknown = |e: &&Edge| {
        matches!(e.operation, Operation::Havoc(_, Origin::Approximation))
            && e.place.instruction != Place::NOWHERE
    };
    let edge = path.edges.iter().map(|&e| &automaton.edges[e as usize]).find(unknown)?;
    let text = flow.source.snippet(edge.place.span, 40);
    let place = flow.source.words(edge.place.span.start);
    let Place { function, instruction, .. } = edge.place;
    let here =
        |of: Whole| matches!(of, Whole::Round(f, e, _) if (f.0, e) == (function, instruction));
    let help = match parts.values().any(|part| here(part.of)) {
        true => "; '--limit c.memory.rounds=N' keeps more of its objects apart",
        false => "",
    };
    Some(format!("memory is approximated {place}, '{text}'{help}"))
}
