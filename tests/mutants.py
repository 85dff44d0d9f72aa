#!/usr/bin/env python3
"""Breaks the engines on purpose, one place at a time, and expects the tests to notice.

A mutant is a file, a text that occurs there once, and what it becomes.  Each is built in a
copy of the repository and tested with the quick selection below; a mutant that survives, or does not
build, makes the exit code 1.  The tests must pass without any mutant first.

    python3 tests/mutants.py                # all of them
    python3 tests/mutants.py 3 7            # these
    python3 tests/mutants.py --list
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Every engine against explicit states; then what has oracles of its own.
TESTS = ["differential::", "universal::", "queries::", "localization::", "qbf_conformance::", "induction::", "pdr::"]
BINARIES = ["--test", "engines", "--test", "solvers"]
# A mutant may make a fixpoint endless.
SECONDS = 600

MUTANTS = [
    # Path edges and summaries
    ("a block forgets the guard it starts with", "crates/bp/src/engine/symbolic/edge.rs",
     "state.guard = aig.and(state.guard, edge.state.guard);", ""),
    ("a summary is applied without its guard", "crates/bp/src/engine/symbolic/edge.rs",
     "let guard = aig.and(guard, edge.state.guard);", "let guard = edge.state.guard;"),
    ("a call forgets the caller's guard", "crates/bp/src/engine/symbolic/edge.rs",
     "let guard = aig.and(guard, edge.state.guard);", ""),
    ("a merge takes the wrong branch", "crates/bp/src/engine/symbolic/edge.rs",
     "omega[slot] = aig.ite(choose, a.omega[slot], b.omega[slot]);",
     "omega[slot] = aig.ite(choose, b.omega[slot], a.omega[slot]);"),
    ("a merge keeps one guard only", "crates/bp/src/engine/symbolic/edge.rs",
     "let guard = aig.ite(choose, a.guard, b.guard);", "let guard = a.guard;"),
    ("globals after a call are those before it", "crates/bp/src/engine/symbolic/edge.rs",
     "for &(outer, inner) in globals.chain(results) {\n",
     "drop(globals);\n    for &(outer, inner) in results {\n"),
    ("globals are not handed to the callee", "crates/bp/src/engine/symbolic/edge.rs",
     "omega[inner] = edge.state.omega[outer];", "let _ = outer; omega[inner] = Lit::FALSE;"),
    ("choices of a loop are not renamed", "crates/bp/src/engine/symbolic/edge.rs",
     "if block.repeats { rename(aig, &block.choices) } else { Rc::from([]) };",
     "Rc::from([]);"),
    ("choices of a summary are not renamed", "crates/bp/src/engine/symbolic/edge.rs",
     "let inner = rename(aig, &choices(aig, prepared, callee));", "let inner: Renaming = Rc::from([]);"),
    ("schoose forgets its second operand", "crates/bp/src/engine/symbolic/state.rs",
     "let free = aig.and(!b, fresh);", "let free = fresh; let _ = b;"),
    ("a literal of either guard is a selector", "crates/bp/src/engine/symbolic/state.rs",
     "left.iter().copied().find(|&l| right.binary_search(&!l).is_ok())",
     "left.iter().copied().find(|&l| right.binary_search(&l).is_err())"),
    # Property-directed reachability
    ("a lemma is pushed without a check", "crates/bp/src/engine/pdr/search.rs",
     "None => is_inductive = false,", "None => self.frames.add(place, cube, level + 1),"),
    ("a lemma is learned one level too high", "crates/bp/src/engine/pdr/search.rs",
     "self.frames.add(place, cube, level);", "self.frames.add(place, cube, level + 1);"),
    ("a callee's exit is known two levels up", "crates/bp/src/engine/pdr/frames.rs",
     "local.level(Some(query.rule), level)", "local.level(Some(query.rule), level.saturating_sub(2))"),
    ("a return forgets what the callee was given", "crates/bp/src/engine/pdr/system.rs",
     "exited.into_iter().map(Some).chain(given)", "exited.into_iter().map(Some).chain(vec![None; given.len()])"),
    ("values of an inlined procedure are any", "crates/bp/src/engine/pdr/compose.rs",
     "map.replace(self.aig, input, value);", "let _ = (input, value);"),
    ("composed steps share their choices", "crates/bp/src/engine/pdr/compose.rs",
     "let fresh = self.aig.new_input_lit();", "let fresh = self.aig.input(input);"),
    ("a core counts as a lemma unasked", "crates/bp/src/engine/pdr/search.rs",
     "None => needed += 1,", "None => { cube.remove(needed); }"),
    ("the caller's values are not kept for the callee's exit", "crates/bp/src/engine/pdr/search.rs",
     "roots.extend(entering(system, exit));", "let _ = exit;"),
    ("a justification takes one operand only", "crates/bp/src/engine/pdr/cube.rs",
     "todo.extend([b.node(), a.node()]),", "todo.extend([a.node()]),"),
    ("the start is a step like any other", "crates/bp/src/engine/pdr/search.rs",
     "Kind::Start => None,", "Kind::Start => Some(level),"),
    ("what nothing has reached yet cannot be reached", "crates/bp/src/engine/pdr/equations.rs",
     "let mut is_any = hull.is_empty();", "let mut is_any = false;"),
    ("of what may be any, one value counts", "crates/bp/src/engine/pdr/equations.rs",
     "point.toggle(item);", ""),
    ("what is free has one value", "crates/bp/src/engine/pdr/linear.rs",
     "(n, 1 << ((i + 1) % 64))", "(n, 0)"),
    ("states before a change are not looked at again", "crates/bp/src/engine/pdr/equations.rs",
     "self.queue.push_back(next);", ""),
    ("a return is from any call", "crates/bp/src/engine/pdr/explore.rs",
     "lanes &= if exit[item] { word } else { !word };", "let _ = (item, word);"),
    # The search
    ("subsumption ignores the guard of what is known", "crates/bp/src/engine/symbolic/subsume.rs",
     "conclusion: vec![old.guard], equalities }", "conclusion: vec![], equalities }"),
    ("subsumption ignores the values", "crates/bp/src/engine/symbolic/subsume.rs",
     ".filter(|(a, b)| a != b)", ".filter(|(a, b)| a != b && false)"),
    ("a context does not grow", "crates/bp/src/engine/qbf/mod.rs",
     "if cube != before {\n            self.want", "if cube != before && false {\n            self.want"),
    ("dropped path edges stay dropped in a larger context", "crates/bp/src/engine/qbf/mod.rs",
     "for edge in std::mem::take(&mut record.suspended) {",
     "for edge in std::mem::take(&mut record.suspended).into_iter().take(0) {"),
    ("an error of a callee is not handed on", "crates/bp/src/engine/qbf/mod.rs",
     "record.undelivered_errors.push(edge);", "let _ = record;"),
    # BDDs
    ("what is new at a node replaces what was there", "crates/bp/src/engine/bdd/fixpoint.rs",
     "record.frontier = self.m.or(&record.frontier, &new)?;", "record.frontier = new;"),
    ("summaries that come late reach no caller", "crates/bp/src/engine/bdd/fixpoint.rs",
     "let callers = record.callers.clone();", "let callers = BTreeSet::<(ProcId, NodeId, usize)>::new();"),
    ("a context that waits is lost to the next", "crates/bp/src/engine/bdd/fixpoint.rs",
     "record.wanted = self.m.or(&record.wanted, &new)?;", "record.wanted = new;"),
    # Questions to solvers
    ("invalid queries count as valid", "crates/bp/src/engine/symbolic/decide.rs",
     "Validity::Invalid { .. } => Ok(false),", "Validity::Invalid { .. } => Ok(true),"),
    ("satisfiable counts as unsatisfiable for few inputs", "crates/bp/src/engine/symbolic/decide.rs",
     "return Ok(!circuit.every(|words| !some(words)));", "return Ok(circuit.every(|words| !some(words)));"),
    # The checker of certificates
    ("the start need not be as the entry assertion says", "crates/bp/src/proof/check/mod.rs",
     "encoding.oblige((Obligation::Start, place, None), TRUE, &entry, &current);", "let _ = (entry, current);"),
    ("errors need not be excluded", "crates/bp/src/proof/check/mod.rs",
     "procedure.node_ids().filter(|n| cuts.is_cut[n.index()])",
     "procedure.node_ids().filter(|n| cuts.is_cut[n.index()] && *n != procedure.error)"),
    ("paths from nodes without assertions are left out", "crates/bp/src/proof/check/mod.rs",
     "procedure.node_ids().filter(|n| cuts.is_cut[n.index()])",
     "procedure.node_ids().filter(|n| cuts.is_cut[n.index()] && asserted(*n))"),
    ("goals with choices hold", "crates/bp/src/proof/check/mod.rs",
     "goals.retain(|g| !plain(g));", "return Ok(());"),
    ("only the first layer is to hold", "crates/bp/src/proof/check/assertion.rs",
     "let mut ways = Vec::new();", "if layer > 0 { continue; }\n            let mut ways = Vec::new();"),
    ("choices of an assumption may be chosen", "crates/bp/src/proof/check/assertion.rs",
     "choices.retain(|name, _| !given.contains_key(name));", ""),
    ("layers share their choices", "crates/bp/src/proof/check/assertion.rs",
     "*choices.entry((layer, c))", "*choices.entry((0, c))"),
    ("entry values are those at the node", "crates/bp/src/proof/check/assertion.rs",
     "Some(Atom::Entry(x)) => entry[&x],", "Some(Atom::Entry(x)) => current[&x],"),
    ("variables of the caller are replaced", "crates/bp/src/proof/check/assertion.rs",
     "if a >> 1 != b >> 1 && b >> 1 >= first {", "if a >> 1 != b >> 1 && b >> 1 >= first.min(1) {"),
    ("a call need not keep the entry assertion", "crates/bp/src/proof/check/statement.rs",
     "self.oblige(what, taken, &entry, &begin);", "let _ = what;"),
    ("locals of a callee are false", "crates/bp/src/proof/check/statement.rs",
     "self.complete(&mut begin, procedure);",
     "begin.extend(procedure.locals.iter().chain(&procedure.returns).map(|v| (*v, FALSE)));"),
    ("what an exit asserts is not known after a call", "crates/bp/src/proof/check/statement.rs",
     "self.formula.all(&facts)\n", "{ drop(facts); TRUE }\n"),
    ("the last of several branches need not be taken alone", "crates/bp/src/proof/check/statement.rs",
     "if i + 1 < outgoing.len() {", "if i + 1 == outgoing.len() {"),
    ("cycles are not cut", "crates/bp/src/proof/check/region.rs",
     "closing.into_iter().for_each(|node| cuts.is_cut[node.index()] = true);", "drop(closing);"),
]


def run(arguments, folder, **options):
    """Runs a command; its exit code, or None where it takes too long."""
    process = subprocess.Popen(arguments, cwd=folder, start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        return process.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        process.wait()
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("numbers", nargs="*", type=int, help="which; all where none is named")
    parser.add_argument("--list", action="store_true", help="show them and do nothing")
    parser.add_argument("--tests", help="other tests, with commas")
    arguments = parser.parse_args()
    if arguments.list:
        for number, (name, file, _, _) in enumerate(MUTANTS, 1):
            print(f"{number:3}  {file:28} {name}")
        return 0
    tests = arguments.tests.split(",") if arguments.tests else TESTS
    with tempfile.TemporaryDirectory(prefix="hardbop-mutants-") as folder:
        copy = pathlib.Path(folder) / "hardbop"
        ignore = shutil.ignore_patterns("target", ".git", "artifacts", "coverage")
        # New times: cargo takes a file that is older than its last build for unchanged.
        shutil.copytree(ROOT, copy, ignore=ignore, copy_function=shutil.copy)
        # A folder of their own: for cargo, a copy is the same package, and mutants are not to stay in
        # the repository's builds.  To build is what takes the time, so it is not optimised.
        target = os.environ.get("MUTANTS_TARGET_DIR") or str(ROOT / "target" / "mutants")
        environment = dict(os.environ, CARGO_TARGET_DIR=target, CARGO_PROFILE_DEV_OPT_LEVEL="0")
        environment.setdefault("HARDBOP_SHARED", str(ROOT.parent / "shared"))
        build = ["cargo", "test", "--locked", "--no-run", *BINARIES]
        test = ["cargo", "test", "--locked", "--no-fail-fast", *BINARIES, "--", *tests]
        print("without a mutant ...", flush=True)
        subprocess.run(build, cwd=copy, env=environment, check=True)
        if run(test, copy, env=environment) != 0:
            print("the tests fail without any mutant")
            return 1
        failed = 0
        for number, (name, file, old, new) in enumerate(MUTANTS, 1):
            if arguments.numbers and number not in arguments.numbers:
                continue
            path = copy / file
            text = path.read_text()
            if text.count(old) != 1:
                result = f"STALE: its text occurs {text.count(old)} times"
            else:
                path.write_text(text.replace(old, new))
                if subprocess.run(build, cwd=copy, env=environment, capture_output=True).returncode:
                    result = "DOES NOT BUILD"
                else:
                    code = run(test[:3] + test[4:], copy, env=environment)
                    result = {0: "SURVIVED", None: "caught (endless)"}.get(code, "caught")
                path.write_text(text)
            failed += not result.startswith("caught")
            print(f"{number:3}  {result:16} {name}", flush=True)
        return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
