#!/usr/bin/env python3
"""Predicate abstraction against IMPACT: Table I and Figs. 1 to 3 of Beyer, Wendler: "Algorithms for
Software Model Checking: Predicate Abstraction vs. IMPACT" (FMCAD 2012) for hardbop.

    impact.py --hardbop target/release/hardbop --programs DIR [DIR ...] --out bench-c [--limit 10] [--jobs 2]

The programs of a DIR are in any folders; the folder is the family.  What is right of a program says
`expected.tsv` in DIR or beside it (columns `file`, `verdict`, and perhaps `data_model`), else its name
(*.safe.*, *.unsafe.*).  Every configuration has the same limit, in processor seconds of the process.
Writes impact.csv, a row at a time, so that a run that was stopped goes on where it was; then IMPACT.md
and the plots impact-1.svg to impact-3.svg.
"""

import argparse
import concurrent.futures
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from harnesses import expected
from quantile import quantile

ALGORITHMS = {
    "IMPACT": ["--algorithm", "impact"],
    "IMPACT with forced covering": ["--algorithm", "impact", "--forced-covering"],
    "IMPACT with abstraction": ["--algorithm", "impact-abstract", "--refinement", "interpolants"],
    "predicate abstraction": ["--algorithm", "predicate", "--refinement", "interpolants"],
}
BLOCKS = {
    "SBE": ["--blocks", "sbe"],
    "ABE-LF": ["--blocks", "abe-lf"],
    "ABE-Loops": ["--blocks", "abe-loops"],
}
ORIGINAL = {
    "original IMPACT": ["--algorithm", "impact-original"],
    "original IMPACT with forced covering": ["--algorithm", "impact-original", "--forced-covering"],
}
# Everything together: executions, a short attempt by IMPACT, states, then predicates and large blocks.
TOGETHER = "auto"
ALONE = ["--route", "tree", "--executions", "0", "--explicit-states", "0"]
# Cartesian abstraction for single blocks, Boolean abstraction for large ones, as in the paper.
CONFIGURATIONS = {
    f"{a}, {b}": ALONE + options + blocks + (["--abstraction", "cartesian"] if "abstraction" in a and b == "SBE" else [])
    for a, options in ALGORITHMS.items() for b, blocks in BLOCKS.items()
} | {f"{a}, SBE": ALONE + options + BLOCKS["SBE"] for a, options in ORIGINAL.items()} | {TOGETHER: ["--algorithm", "auto"]}
STRIDE = 16
COMMON = ["--json", "--quiet", "--trace", "none"]
FIELDS = ["family", "file", "expected", "configuration", "verdict", "right", "seconds", "refinements", "nodes",
          "forced", "covers", "reason"]


def programs(folders):
    """Path, family, expected verdict and options of each program."""
    for folder in folders:
        known = expected(folder)
        for file in sorted(folder.rglob("*.[ci]")):
            row = known.get(str(file.relative_to(folder)), {})
            verdict = row.get("verdict") or next((v for v in ("unsafe", "safe") if f".{v}." in file.name), None)
            if verdict not in ("safe", "unsafe"):
                continue
            model = {"ILP32": ["--32"], "LP64": ["--64"]}.get(row.get("data_model"), ["--32"])
            yield file, file.parent.name, verdict, model


def run(hardbop, file, options, limit, memory):
    """The answer, and the processor seconds that it took."""
    command = ["sh", "-c", f"ulimit -t {limit}; exec \"$@\"", "sh", hardbop, "check", str(file), *COMMON, *options,
               "--memory-limit", memory]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    seconds = usage.ru_utime + usage.ru_stime
    try:
        document = json.loads(text)
    except ValueError:
        over = process.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
        return {"verdict": "unknown" if over else "crash", "reason": "time" if over else "", "seconds": seconds}
    s = document["statistics"]
    return {"verdict": document["verdict"].lower(), "seconds": seconds, "refinements": s.get("refinements", ""),
            "nodes": s.get("nodes-made", ""), "forced": s.get("forced-attempts", ""),
            "covers": s.get("forced-covers", ""), "reason": (document["reason"] or {"message": ""})["message"]}


def table(rows, cell):
    lines = ["| | " + " | ".join(BLOCKS) + " |", "|---|" + "---:|" * len(BLOCKS)]
    for a in ALGORITHMS:
        cells = [cell([r for r in rows if r["configuration"] == f"{a}, {b}"]) for b in BLOCKS]
        lines.append(f"| {a} | " + " | ".join(cells) + " |")
    for a in ORIGINAL:
        lines.append(f"| {a} | {cell([r for r in rows if r['configuration'] == f'{a}, SBE'])} | | |")
    return lines + [""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--hardbop", required=True)
    parser.add_argument("--programs", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=10, help="processor seconds for each run")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="take one program in so many")
    parser.add_argument("--report", action="store_true", help="run nothing; tables of the programs that are complete")
    arguments = parser.parse_args()
    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    file = out / "impact.csv"
    rows = list(csv.DictReader(file.open())) if file.is_file() else []
    done = {(r["family"], r["file"], r["configuration"]) for r in rows}
    chosen = list(programs(arguments.programs))[::arguments.every]
    # A run that was stopped is a sample of all families.
    todo = [(program, name)
            for first in range(STRIDE) for program in chosen[first::STRIDE]
            for name in CONFIGURATIONS
            if not arguments.report and (program[1], program[0].name, name) not in done]
    lock = threading.Lock()

    def work(job):
        (path, family, verdict, model), name = job
        row = run(arguments.hardbop, path, CONFIGURATIONS[name] + model, arguments.limit, arguments.memory)
        row |= {"family": family, "file": path.name, "configuration": name, "expected": verdict,
                "right": row["verdict"] == verdict, "seconds": f"{row['seconds']:.2f}"}
        with lock:
            fresh = not file.is_file()
            with file.open("a", newline="") as f:
                writer = csv.DictWriter(f, FIELDS, lineterminator="\n")
                if fresh:
                    writer.writeheader()
                writer.writerow(row)
            print(f"{path.name} {name}: {row['verdict']} {row['seconds']}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(work, todo))

    rows = list(csv.DictReader(file.open()))
    runs = Counter((r["family"], r["file"]) for r in rows)
    rows = [r for r in rows if runs[r["family"], r["file"]] == len(CONFIGURATIONS)]
    rows.sort(key=lambda r: (r["family"], r["file"], r["configuration"]))
    right = [r for r in rows if r["right"] == "True"]
    count = len({(r["family"], r["file"]) for r in rows})
    # Refinements on the programs that all configurations of a column decide.
    common = {}
    for r in right:
        if r["configuration"] != TOGETHER:
            common.setdefault((r["family"], r["file"], r["configuration"].split(", ")[-1]), []).append(r)
    algorithms = {b: len(ALGORITHMS) + (len(ORIGINAL) if b == "SBE" else 0) for b in BLOCKS}
    shared = [r for (_, _, b), of in common.items() if len(of) == algorithms[b] for r in of]

    def average(of):
        return f"{sum(int(r['refinements'] or 0) for r in of) / len(of):.1f} ({len(of)})" if of else "-"

    text = ["# Predicate abstraction and IMPACT", "",
            f"From `make bench-c-impact`: {count} programs"
            + (f" (one in {arguments.every})" if arguments.every > 1 else "")
            + f", limit {arguments.limit} processor seconds and "
            f"{arguments.memory} for every run; nothing is tried before the tree, and all predicates come from "
            "interpolants.  impact.csv has every run.", "",
            "## Table I a: programs decided", ""]
    text += table(right, lambda of: str(len(of)))
    text += ["## Table I b: refinements, on average of the programs that the configuration decides (how many)", ""]
    text += table(right, average)
    text += ["## The same of the programs that all configurations of the column decide", ""]
    text += table(shared, average)
    text += ["## Processor seconds for the programs decided", ""]
    text += table(right, lambda of: f"{sum(float(r['seconds']) for r in of):.1f}")
    text += ["## All together", "", "`--algorithm auto`: executions, a short attempt by IMPACT, enumerated states, then predicate abstraction "
             "with large blocks.", "", "| family | programs | decided | seconds | best other configuration | decides | seconds |",
             "|---|---:|---:|---:|---|---:|---:|"]
    families = [(f, [r for r in rows if r["family"] == f]) for f in sorted({r["family"] for r in rows})]
    for family, of in families + [("all", rows)]:
        def result(configuration):
            own = [r for r in of if r["configuration"] == configuration]
            # A run that decides nothing counts with the time that it took.
            return sum(r["right"] == "True" for r in own), -sum(float(r["seconds"]) for r in own)

        best = max((c for c in CONFIGURATIONS if c != TOGETHER), key=result)
        (own, seconds), (other, others) = result(TOGETHER), result(best)
        number = len({r["file"] for r in of})
        text.append(f"| {family} | {number} | {own} | {-seconds:.1f} | {best} | {other} | {-others:.1f} |")
    text += ["", "## Programs decided, by family", "", "| family | programs | " + " | ".join(CONFIGURATIONS) + " |",
             "|---|---:|" + "---:|" * len(CONFIGURATIONS)]
    for family in sorted({r["family"] for r in rows}):
        of = [r for r in right if r["family"] == family]
        cells = [str(sum(r["configuration"] == c for r in of)) for c in CONFIGURATIONS]
        number = len({r["file"] for r in rows if r["family"] == family})
        text.append(f"| {family} | {number} | " + " | ".join(cells) + " |")
    text += ["", "![original IMPACT and IMPACT in the framework, single blocks](impact-1.svg)",
             "![the algorithms with single blocks](impact-2.svg)", "![the algorithms with large blocks](impact-3.svg)", ""]
    (out / "IMPACT.md").write_text("\n".join(text))

    def plot(number, wanted):
        times = {c: [float(r["seconds"]) for r in right if r["configuration"] == c] for c in CONFIGURATIONS if wanted(c)}
        quantile(times, out / f"impact-{number}.svg")

    plot(1, lambda c: c.endswith("SBE") and "IMPACT" in c)
    plot(2, lambda c: c.endswith("SBE") and "original" not in c)
    plot(3, lambda c: not c.endswith("SBE") and c != TOGETHER)
    wrong = [r for r in rows if r["verdict"] == "crash" or r["verdict"] in ("safe", "unsafe") and r["right"] != "True"]
    if wrong:
        sys.exit(f"wrong verdicts or crashes: {[(r['file'], r['configuration'], r['verdict']) for r in wrong]}")


if __name__ == "__main__":
    main()
