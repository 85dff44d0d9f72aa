#!/usr/bin/env python3
"""QBF summaries beside universal summaries, the bounds of universal summaries, and the paper's Table 2 once more.

usage: engines.py [--hardbop PROGRAM] [--out FILE] [--limit SECONDS] [FILE.bp ...]

Checks generated drivers, and the files given, with each engine and `--plain` (the algorithms alone,
on whole programs); then counters of k bits with each bound; then generated programs of the sizes of
Table 2, each engine as a user would run it.  Engines that disagree end the run with exit code 1.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

BOUNDS = ["rrd", "fixpoint", "both"]

# Table 2 of "SAT-based Summarization for Boolean Programs": name, variables, whether the property is violated, and the
# times of Bebop, QBF summaries and universal summaries; the computers were those of 2007.
TABLE_2 = [
    ("adddevice", 643, True, "4m37.4s", "0m15.9s", "0m15.7s"),
    ("nulldevice", 856, True, "4m34.0s", "0m7.1s", "0m5.8s"),
    ("pendedcompletedreq", 86, True, "0m30.9s", "0m2.7s", "0m3.2s"),
    ("targetrelationneedsref", 37, False, "0m0.4s", "0m1.8s", "0m1.8s"),
    ("markirppending", 11, False, "0m0.4s", "0m2.4s", "0m2.3s"),
    ("wmiforward", 15, False, "0m0.7s", "0m0.5s", "0m0.5s"),
    ("Terminator 1", 74, True, "timeout", "1m55.9s", "1m55.9s"),
    ("Terminator 2", 60, True, "88m22.6s", "timeout", "timeout"),
]
ENGINES = ["qbf", "universal", "bdd", "pdr", "auto"]


def check(hardbop, path, limit, options):
    """Verdict and statistics."""
    command = [hardbop, "check", path, "--json", "--trace", "none", "--time-limit", f"{limit}s"]
    run = subprocess.run(command + options, capture_output=True, text=True)
    document = json.loads(run.stdout)
    return document["verdict"], document["wall-seconds"], document["statistics"]


def seconds(verdict, wall):
    return "-" if verdict == "UNKNOWN" else f"{wall:.2f}"


def drivers(hardbop, folder):
    for variables in (10, 20, 30, 40):
        for seed in (1, 2):
            for bug in ("--safe", "--bug"):
                path = os.path.join(folder, f"driver-{variables}-{seed}{bug}.bp")
                options = ["--vars", str(variables), "--procs", str(variables // 10 + 2)]
                with open(path, "w") as out:
                    subprocess.run([hardbop, "gen", "driver", "--seed", str(seed), bug] + options,
                                   stdout=out, check=True)
                yield path


def counter(bits, free):
    """Counts through 2^bits states, from 0 or from anywhere; the assertion holds."""
    names = [f"b{i}" for i in range(bits)]
    carry = ["T"] + [" & ".join(names[:i]) for i in range(1, bits)]
    step = ", ".join(f"{n} ^ ({c})" for n, c in zip(names, carry))
    start = "" if free else f"  {', '.join(names)} := {', '.join('F' * bits)};\n"
    return (f"decl ok, {', '.join(names)};\nvoid main() begin\n  ok := T;\n{start}"
            f"  while (*) do {', '.join(names)} := {step}; od;\n"
            f"  assert(ok | !({' & '.join(names)}));\nend\n")


def engine_table(hardbop, folder, paths, limit, out):
    document = os.path.join(folder, "result.json")
    command = [hardbop, "compare", "--quiet", "--json", document, "--time-limit", f"{limit}s"]
    run = subprocess.run(command + ["--check-options=--plain"] + paths, stdout=subprocess.DEVNULL)
    if run.returncode not in (0, 70):
        sys.exit(f"'hardbop compare' ended with exit code {run.returncode}")
    with open(document) as file:
        result = json.load(file)
    engines = [c["name"] for c in result["contestants"]]
    columns = "".join(f" {e} s | QBF calls | checks | SAT calls | nodes |" for e in engines)
    out.write(f"| program | vars |{columns} violation |\n|---|---:|" + "---:|" * 5 * len(engines) + "---|\n")
    totals = {e: [0, 0] for e in engines}
    for file in result["files"]:
        row, verdicts, variables = "", set(), "?"
        for measured in file["results"]:
            verdicts.add(measured["verdict"])
            s = measured["statistics"] or {}
            totals[measured["name"]][0] += s.get("qbf-calls", 0)
            totals[measured["name"]][1] += s.get("subsumption-checks", 0)
            variables = s.get("relevant-variables", variables)
            numbers = [s.get(key, "?") for key in ("qbf-calls", "subsumption-checks", "sat-calls", "aig-nodes")]
            row += f" {seconds(measured['verdict'], measured['seconds'])} |"
            row += "".join(f" {n} |" for n in numbers)
        verdicts.discard("UNKNOWN")
        violation = {"SAFE": "no", "UNSAFE": "yes"}.get("".join(verdicts), "?")
        out.write(f"| {os.path.basename(file['file'])} | {variables} |{row} {violation} |\n")
    out.write("\nIn all: " + "; ".join(
        f"{e} {q} QBF calls, {c} subsumption checks" for e, (q, c) in totals.items()) + ".\n")
    return run.returncode == 0


def bound_table(hardbop, folder, limit, out):
    out.write("\n## Bounds\n\nCounters of k bits, `--engine universal --plain`: seconds, and how often "
              "the loop was unrolled.\n\n")
    out.write("| start | k |" + "".join(f" {b} s | unrolled |" for b in BOUNDS) + "\n")
    out.write("|---|---:|" + "---:|" * 6 + "\n")
    for free in (True, False):
        for bits in range(4, 13, 2):
            path = os.path.join(folder, f"counter-{bits}-{free}.bp")
            with open(path, "w") as file:
                file.write(counter(bits, free))
            row = ""
            for bound in BOUNDS:
                options = ["--plain", "--engine", "universal", "--bound", bound,
                           "--universal-limit", "1000000"]
                verdict, wall, s = check(hardbop, path, limit, options)
                row += f" {seconds(verdict, wall)} | {s['unrollings']} |"
            out.write(f"| {'any' if free else '0'} | {bits} |{row}\n")


def paper_table(hardbop, folder, limit, out):
    out.write("\n## Table 2 of the paper, once more\n\nIts programs are not public, so these are generated: drivers and "
              "Terminator programs with as many variables\n(Terminator's: one more or one less), with the violation that "
              f"the paper reports.  Seconds, limit {limit:g} s; as a user would\nrun them, so without `--plain`.  The paper's "
              "own times, of 2007 and of other programs, are there for the shape only.\n\n")
    out.write("| program of the paper | vars | Bebop | QBF | univ. | " + " | ".join(ENGINES) + " | violation |\n")
    out.write("|---|---:|---:|---:|---:|" + "---:|" * len(ENGINES) + "---|\n")
    agree = True
    for name, variables, violation, *theirs in TABLE_2:
        path = os.path.join(folder, "table-2.bp")
        if name.startswith("Terminator"):
            family = ["terminator", "--size", str((variables - 7) // 2)]
        else:
            family = ["driver", "--vars", str(variables), "--procs", str(variables // 10 + 2)]
        with open(path, "w") as file:
            bug = "--bug" if violation else "--safe"
            subprocess.run([hardbop, "gen", *family, bug], stdout=file, check=True)
        row = ""
        for engine in ENGINES:
            verdict, wall, s = check(hardbop, path, limit, ["--engine", engine])
            agree &= verdict in ("UNKNOWN", "UNSAFE" if violation else "SAFE")
            row += f" {seconds(verdict, wall)} |"
        out.write(f"| {name} | {variables} | {' | '.join(theirs)} |{row} {'yes' if violation else 'no'} |\n")
    return agree


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp/ENGINES.md")
    parser.add_argument("--limit", type=float, default=5)
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open(arguments.out, "w") as out:
        out.write("# QBF summaries and universal summaries\n\nWritten by `make bench`; limit "
                  f"{arguments.limit:g} s each, `-` where it was reached.  All with `--plain`: the "
                  "algorithms alone, on whole\nprograms.  Every subsumption check is a call of the QBF "
                  "solver in the paper; here structure, simulation and\nSAT decide most of them, and "
                  "the 2QBF solver is called for the rest.\n\n")
        paths = list(drivers(arguments.hardbop, folder)) + arguments.files
        agree = engine_table(arguments.hardbop, folder, paths, arguments.limit, out)
        bound_table(arguments.hardbop, folder, arguments.limit, out)
        agree &= paper_table(arguments.hardbop, folder, 20, out)
    if not agree:
        print("engines disagree", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
