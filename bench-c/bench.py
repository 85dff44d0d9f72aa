#!/usr/bin/env python3
"""Single-block against large-block encoding, Cartesian against Boolean abstraction: Tables I, II and
III of "Software Model Checking via Large-Block Encoding" (Beyer et al., FMCAD 2009) for hardbop.

    bench.py --hardbop target/release/hardbop --programs DIR --out bench-c

DIR holds C programs, named *.safe.* or *.unsafe.* by their verdict, in any folders; the folder is the
family.  Writes RESULTS.md, results.csv and quantile.svg.  Times are processor seconds of the whole
process, as in the paper.  Generated programs (test_locks_N, ladders of N diamonds) need no DIR.
"""

import argparse
import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from quantile import quantile

CONFIGURATIONS = {
    "SBE/Cartesian": ["--blocks", "sbe", "--abstraction", "cartesian"],
    "SBE/Boolean": ["--blocks", "sbe", "--abstraction", "boolean"],
    "LBE/Cartesian": ["--blocks", "lbe", "--abstraction", "cartesian"],
    "LBE/Boolean": ["--blocks", "lbe", "--abstraction", "boolean"],
}


def test_locks(n):
    """n locks in the manner of test_locks_N: taken and released under the same conditions."""
    lines = ["extern int __VERIFIER_nondet_int();", "int main() {"]
    for i in range(1, n + 1):
        lines.append(f"  int p{i} = __VERIFIER_nondet_int(); int lk{i};")
    lines += ["  int cond;", "  while (1) {", "    cond = __VERIFIER_nondet_int();",
              "    if (cond == 0) goto out;"]
    lines += [f"    lk{i} = 0;" for i in range(1, n + 1)]
    lines += [f"    if (p{i} != 0) lk{i} = 1;" for i in range(1, n + 1)]
    lines += [f"    if (p{i} != 0) {{ if (lk{i} != 1) goto ERROR; lk{i} = 0; }}" for i in range(1, n + 1)]
    lines += ["  }", "  out: return 0;", "  ERROR: return 1;", "}"]
    return "\n".join(lines) + "\n"


def ladder(n):
    """n diamonds that change two flags together, then an assertion that they differ."""
    lines = ["extern int __VERIFIER_nondet_int();", "int main() {", "  int x = 0, y = 1;"]
    lines += ["  if (__VERIFIER_nondet_int()) { x = 1 - x; y = 1 - y; } else { x = x ^ 1; y = x ^ 1; }"] * n
    lines += ["  if (x == y) goto ERROR;", "  return 0;", "  ERROR: return 1;", "}"]
    return "\n".join(lines) + "\n"


def sum_ladder(n):
    """n diamonds, then an assertion about their sum."""
    lines = ["extern int __VERIFIER_nondet_int();", "int main() {", "  int x = 0;"]
    lines += ["  if (__VERIFIER_nondet_int()) x = x + 1; else x = x + 2;"] * n
    lines += [f"  if (x < {n} || x > {2 * n}) goto ERROR;", "  return 0;", "  ERROR: return 1;", "}"]
    return "\n".join(lines) + "\n"


def processor_seconds(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(hardbop, file, options, limit, memory):
    command = [hardbop, "check", str(file), "--json", "--quiet", "--trace", "none", "--route", "tree", "--algorithm", "predicate",
               "--refinement", "interpolants", "--executions", "0", "--explicit-states", "0", "--memory-limit", memory, *options]
    start = time.time()
    is_over = False
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        usage = None
        while usage is None:
            done, _, status = os.wait4(process.pid, os.WNOHANG)
            if done:
                usage, process.returncode = status, 0
            elif processor_seconds(process.pid) > limit * (2 if is_over else 1):
                # It ends with its statistics; if it does not, it is killed.
                process.send_signal(signal.SIGKILL if is_over else signal.SIGTERM)
                is_over = True
                time.sleep(0.2)
            else:
                time.sleep(0.02)
        out.seek(0)
        text = out.read()
    wall = time.time() - start
    seconds = usage.ru_utime + usage.ru_stime
    try:
        document = json.loads(text)
    except ValueError:
        return {"verdict": "crash", "reason": "", "seconds": seconds, "wall": wall}
    s = document["statistics"]
    return {
        "verdict": document["verdict"].lower(),
        "reason": "time limit reached" if is_over else (document["reason"] or {"message": ""})["message"],
        "seconds": seconds, "wall": wall, "tree": s["tree-nodes"], "refinements": s["refinements"],
        "predicates": s["predicates"], "average": s["predicates-average"],
        "maximum": s["predicates-most"], "abstractions": s["abstractions"],
    }


def shown(row, expected):
    if row["verdict"] == expected or expected is None and row["verdict"] != "unknown":
        return f"{row['seconds']:.2f}"
    if row["verdict"] in ("safe", "unsafe"):
        return "**WRONG**"
    reason = row["reason"]
    if reason.startswith("time limit"):
        return "time"
    if reason.startswith("memory limit"):
        return "memory"
    return "crash" if row["verdict"] == "crash" else "gives up"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--hardbop", required=True)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=10, help="seconds for each run")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--families", default="locks,ssh,ssh-simplified,ntdrivers-simplified,loops")
    parser.add_argument("--growth", default="5,10,25,50,100,200", help="members of test_locks_N")
    parser.add_argument("--ladders", default="10,100,500,1000,2000")
    arguments = parser.parse_args()
    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    rows = []

    files = []
    if arguments.programs:
        families = arguments.families.split(",")
        files = sorted(f for f in arguments.programs.rglob("*.[ci]") if f.parent.name in families)
    for file in files:
        expected = "unsafe" if ".unsafe." in file.name else "safe"
        for name, options in CONFIGURATIONS.items():
            row = run(arguments.hardbop, file, options, arguments.limit, arguments.memory)
            row |= {"file": file.name, "family": file.parent.name, "configuration": name,
                    "expected": expected, "right": row["verdict"] == expected}
            rows.append(row)
            print(f"{file.name} {name} {shown(row, expected)}", file=sys.stderr, flush=True)

    fields = ["family", "file", "expected", "configuration", "verdict", "right", "seconds", "wall", "tree",
              "refinements", "predicates", "average", "maximum", "abstractions", "reason"]
    with open(out / "results.csv", "w", newline="") as f:
        writer = csv.DictWriter(f, fields, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    times = {c: [r["seconds"] for r in rows if r["configuration"] == c and r["right"]] for c in CONFIGURATIONS}
    quantile(times, out / "quantile.svg")

    of = {(r["file"], r["configuration"]): r for r in rows}
    text = ["# Large blocks against single ones", "",
            f"From `make bench-c`: processor seconds, limit {arguments.limit} s and {arguments.memory} for every run; "
            "predicate abstraction alone (`--algorithm predicate`, no executions, no enumeration), all predicates from interpolants, as in the paper. *gives up*: UNKNOWN with a reason, which results.csv has.", ""]
    for title, wanted in (("Table I: safe programs", "safe"), ("Table II: programs with bugs", "unsafe")):
        text += [f"## {title}", "", "| program | " + " | ".join(CONFIGURATIONS) + " |",
                 "|---|" + "---:|" * len(CONFIGURATIONS)]
        for file in files:
            if ("unsafe" if ".unsafe." in file.name else "safe") == wanted:
                cells = [shown(of[file.name, c], wanted) for c in CONFIGURATIONS]
                text.append(f"| {file.parent.name}/{file.name} | " + " | ".join(cells) + " |")
        totals = []
        for c in CONFIGURATIONS:
            right = [r for r in rows if r["configuration"] == c and r["expected"] == wanted and r["right"]]
            totals.append(f"{len(right)}/{sum(r['seconds'] for r in right):.1f}")
        text += ["| **solved/time** | " + " | ".join(totals) + " |", ""]
    text += ["## Table III: trees, refinements and predicates", "",
             "Nodes of the tree at the end, refinements, predicates in all, on average and at most per location; * not decided.", "",
             "| program | SBE/Cartesian |||||  LBE/Boolean |||||", "|---|" + "---:|" * 10]
    for file in files:
        cells = []
        for c in ("SBE/Cartesian", "LBE/Boolean"):
            r = of[file.name, c]
            star = "" if r["right"] else "*"
            if "tree" in r:
                numbers = [r["tree"], r["refinements"], r["predicates"], f"{r['average']:.0f}", r["maximum"]]
                cells += [f"{n}{star}" for n in numbers]
            else:
                cells += ["-"] * 5
        text.append(f"| {file.parent.name}/{file.name} | " + " | ".join(cells) + " |")
    text.append("")

    generated = out / "generated"
    generated.mkdir(exist_ok=True)
    for title, make, sizes, configurations in (
            ("test_locks_N", test_locks, arguments.growth, ["SBE/Cartesian", "LBE/Boolean"]),
            ("Ladders of N diamonds: two flags", ladder, arguments.ladders, ["SBE/Cartesian", "LBE/Boolean"]),
            ("Ladders of N diamonds: a sum", sum_ladder, arguments.ladders, ["LBE/Boolean"])):
        text += [f"## {title}", "", "| N | configuration | seconds | tree | refinements |", "|---:|---|---:|---:|---:|"]
        stopped = set()
        for n in [int(s) for s in sizes.split(",") if s]:
            file = generated / f"{make.__name__}_{n}.c"
            file.write_text(make(n))
            for c in configurations:
                if c in stopped:
                    continue
                row = run(arguments.hardbop, file, CONFIGURATIONS[c], arguments.limit, arguments.memory)
                text.append(f"| {n} | {c} | {shown(row, 'safe')} | {row.get('tree', '-')} | {row.get('refinements', '-')} |")
                print(f"{file.name} {c} {shown(row, 'safe')}", file=sys.stderr, flush=True)
                if row["verdict"] != "safe":
                    stopped.add(c)
            os.unlink(file)
        text.append("")
    generated.rmdir()
    (out / "RESULTS.md").write_text("\n".join(text))
    wrong = [r for r in rows if r["verdict"] in ("safe", "unsafe") and not r["right"]]
    if wrong:
        sys.exit(f"wrong verdicts: {[(r['file'], r['configuration']) for r in wrong]}")


if __name__ == "__main__":
    main()
