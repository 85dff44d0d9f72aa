#!/usr/bin/env python3
"""Engines on the Boolean programs that C programs become, side by side.

    from_c.py --hardbop target/release/hardbop --programs DIR [--made FOLDER]

DIR holds C programs, named *.safe.* or *.unsafe.* by their verdict; the folder that they are in is the
family.  Each is made a Boolean program: `lbe`, the last round of `hardbop check --route bp`.  The largest are
made two more: `sbe`, the last round with single blocks (`--single`), and `union`, the abstraction by large blocks for all
predicates that the family's programs have got by then (`--unions`).  The largest of all are given to each engine and, where
Z3 is installed, to its Spacer, exported as Horn clauses.  Writes FROM_C.md and FROM_C.csv.  Times and limits are
processor seconds, so that what else a machine does counts little.  A verdict that cannot be, two
that disagree, or an engine that dies end the run with exit code 1.  What is in the folder `--made` is not made
again.
"""
import argparse
import csv
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench import installed, processor

FAMILIES = "ssh,ssh-simplified,ntdrivers-simplified,locks"
WAYS = {"lbe": ["--blocks", "lbe"], "sbe": ["--blocks", "sbe"]}
ENGINES = ["auto", "qbf", "universal", "bdd", "pdr"]
# Exit codes of `hardbop check`.
VERDICTS = {0: "safe", 10: "unsafe", 20: "unknown"}
NAME = r"(?:\{[^}\n]*\}|[\w$]+)"
HEADER = re.compile(rf"(?:void|bool(?:<\d+>)?) {NAME}\((.*)\)$")
DECLARATION = re.compile(r"(\s*)decl (.*);$")


def limited(command, seconds, out):
    """Runs a command for so many processor seconds: exit code (None at the limit), processor seconds."""
    def limit():
        whole = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))

    with open(out, "w") as file:
        child = subprocess.Popen(command, stdout=file, stderr=subprocess.DEVNULL, preexec_fn=limit)
        _, status, usage = os.wait4(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    child.returncode = code
    used = usage.ru_utime + usage.ru_stime
    return (None if code == -signal.SIGXCPU else code), used


def sizes(path):
    """Variables, procedures, statements and bytes of a Boolean program as hardbop writes it."""
    variables = procedures = statements = 0
    text = path.read_text()
    for line in text.splitlines():
        if header := HEADER.match(line):
            procedures += 1
            variables += len(re.findall(NAME, header[1]))
        elif declaration := DECLARATION.match(line):
            variables += len(re.findall(NAME, declaration[2]))
        elif line.endswith(";") and not line.lstrip().startswith("//"):
            statements += 1
    return {"variables": variables, "procedures": procedures, "statements": statements, "bytes": len(text)}


class Program:
    """A C program, and what is made of it."""

    def __init__(self, path, made):
        self.path, self.family = path, path.parent.name
        self.unsafe = ".unsafe." in path.name
        self.made = made / self.family / path.stem
        self.finished = {}

    def rounds(self, way):
        return sorted((self.made / way).glob("round-*.bp"))

    def refine(self, arguments, way):
        """The rounds of a way."""
        folder = self.made / way
        report = folder / "report.json"
        if not report.exists():
            folder.mkdir(parents=True, exist_ok=True)
            command = [arguments.hardbop, "check", str(self.path), "--route", "bp", "--executions", "0", "--json"]
            command += ["--save-bps", str(folder), "--dump-predicates", str(folder / "predicates.smt2")]
            started = folder / "report.part"
            code, used = limited(command + WAYS[way], arguments.limit_make, started)
            started.rename(report)
            print(f"{self.path.name} {way}: {VERDICTS.get(code, 'limit')} after {used:.1f} s, "
                  f"{len(self.rounds(way))} rounds", flush=True)
        try:
            verdict = json.loads(report.read_text())["verdict"].lower()
        except ValueError:
            verdict = "unknown"
        if {verdict, "unsafe" if self.unsafe else "safe"} == {"safe", "unsafe"}:
            sys.exit(f"{self.path}: {verdict} is wrong ({way})")
        self.finished[way] = verdict != "unknown"

    def expected(self, way):
        """What a Boolean program does whatever its predicates (an error stays one), or as they are enough."""
        if self.unsafe:
            return "unsafe"
        return "safe" if self.finished["lbe" if way == "union" else way] else None

    def unite(self, arguments, predicates):
        """The abstraction by the predicates of a family."""
        folder = self.made / "union"
        path, done, given = folder / "union.bp", folder / "done", folder / "given.smt2"
        if not done.exists() or not given.exists() or given.read_text() != predicates.read_text():
            folder.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True)
            given.write_text(predicates.read_text())
            command = [arguments.hardbop, "abstract", str(self.path), "--predicates", str(predicates), "-o", str(path)]
            code, used = limited(command, arguments.limit_make, done)
            print(f"{self.path.name} union: exit code {code} after {used:.1f} s", flush=True)
        return path if path.exists() else None


def family_union(programs, made):
    """The predicates of all programs of a family, as one file."""
    lines = set()
    for program in programs:
        for file in program.made.glob("*/predicates.smt2"):
            lines |= {line for line in file.read_text().splitlines() if line.strip()}
    path = made / programs[0].family / "union.smt2"
    path.write_text("".join(line + "\n" for line in sorted(lines)))
    return path, len(lines)


def measured(arguments, path, name):
    """Verdict and processor seconds of an engine."""
    seconds = arguments.limit
    with tempfile.NamedTemporaryFile("r") as out:
        if name == "spacer":
            clauses = path.with_suffix(".smt2")
            command = [arguments.hardbop, "export", "--format", "chc", str(path), "-o", str(clauses)]
            code, used = limited(command, seconds, out.name)
            if code == 0:
                code, more = limited([arguments.z3, str(clauses)], seconds - used, out.name)
                used += more
            said = out.read().split()
            verdict = {"sat": "safe", "unsat": "unsafe"}.get(said[0] if said else "", "unknown")
        else:
            command = [arguments.hardbop, "check", str(path), "--engine", name, "-q", "--trace", "none"]
            command += ["--memory-limit", arguments.memory]
            code, used = limited(command, seconds, out.name)
            verdict = "unknown" if code is None else VERDICTS.get(code, "died")
    return verdict, used


def last_rounds(programs, way):
    """A row for each: the program, how it was made, the file, its sizes."""
    rows = []
    for program in programs:
        if rounds := program.rounds(way):
            how = f"{way}, round {len(rounds)}" + ("" if program.finished[way] else " (unfinished)")
            rows.append({"program": program, "way": way, "how": how, "path": rounds[-1], **sizes(rounds[-1])})
    return rows


def candidates(arguments):
    """What was made, the largest first, and how many programs there are."""
    programs = [Program(p, arguments.made) for family in arguments.families.split(",")
                for p in sorted((arguments.programs / family).glob("*safe.[ci]"))]
    if not programs:
        sys.exit(f"no programs *.safe.c, *.unsafe.c in '{arguments.programs}'")
    for program in programs:
        program.refine(arguments, "lbe")
    rows = last_rounds(programs, "lbe")
    rows.sort(key=lambda r: -r["variables"])
    largest = list(rows)
    single = [row["program"] for row in largest[:arguments.single]]
    for program in single:
        program.refine(arguments, "sbe")
    rows += last_rounds(single, "sbe")
    for row in largest[:arguments.unions]:
        family = row["program"].family
        predicates, count = family_union([p for p in programs if p.family == family], arguments.made)
        path = row["program"].unite(arguments, predicates)
        how = f"lbe, the {count} predicates of {family}"
        if path and sizes(path)["variables"] > row["variables"]:
            rows.append({**row, "way": "union", "how": how, "path": path, **sizes(path)})
    rows.sort(key=lambda r: (-r["variables"], r["how"], r["program"].path.name))
    return rows, len(programs)


def verdict_shown(row, name):
    verdict, used = row[name]
    return f"{used:.2f}" if verdict in ("safe", "unsafe") else verdict if verdict == "died" else "-"


def page(arguments, rows, names, total, complaints, out):
    out.write("# Boolean programs from C\n\n")
    out.write(f"Written by `make bench-bp-from-c PROGRAMS=folder` ({processor()}, {os.cpu_count()} processors, load "
              f"{arguments.load[0]:.1f}\nat the beginning and {os.getloadavg()[0]:.1f} at the end, by other jobs as well). ")
    out.write(f"Processor seconds of a whole process, one run of each; `-`: not\ndecided within {arguments.limit:g} of them")
    out.write(f" and {arguments.memory} of memory (Spacer: no limit of memory).\n\n")
    out.write(f"The {total} C programs of {arguments.families.replace(',', ', ')} were made Boolean programs in\n"
              f"{arguments.limit_make:g} processor seconds each; here are the {len(rows)} with the most variables (globals, formals and locals of all\n"
              "procedures). How made:\n\n"
              "- *lbe, sbe*: the last round of `hardbop check FILE.c --route bp --executions 0 --save-bps DIR --blocks lbe`\n"
              f"  (or `sbe`, for the {arguments.single} largest); *unfinished*: the last one within the limit.\n"
              f"- *the predicates of*: `hardbop abstract FILE.c --predicates ALL`, for the {arguments.unions} largest, with those of all\n"
              "  programs of the family (`--dump-predicates`; what a program has no variables for is left out).\n\n"
              "Expected: the error of an unsafe C program stays in each Boolean program; a safe one's last round is safe, and with\n"
              "more predicates too; an unfinished round may be either.\n\n")
    out.write("| program | made | variables | procedures | statements | KiB | expected | " + " | ".join(names) + " |\n")
    out.write("|---|---|---:|---:|---:|---:|---|" + "---:|" * len(names) + "\n")
    for row in rows:
        program = row["program"]
        found = {row[name][0] for name in names} & {"safe", "unsafe"}
        expected = row["expected"] or (f"? (all say {found.pop().upper()})" if len(found) == 1 else "?")
        out.write(f"| {program.family}/{program.path.name} | {row['how']} | {row['variables']} | {row['procedures']} | {row['statements']} "
                  f"| {row['bytes'] / 1024:.0f} | {expected.upper() if row['expected'] else expected} | "
                  + " | ".join(verdict_shown(row, name) for name in names) + " |\n")
    out.write("\n| | decided | PAR-2 s |\n|---|---:|---:|\n")
    for name in names:
        decided = [row[name][1] for row in rows if row[name][0] in ("safe", "unsafe")]
        penalty = 2 * arguments.limit * (len(rows) - len(decided))
        out.write(f"| {name} | {len(decided)} of {len(rows)} | {(sum(decided) + penalty) / max(len(rows), 1):.2f} |\n")
    out.write("\nPAR-2: the mean, what is not decided counting twice the limit.\n")
    out.write("".join(f"\n**{c}**\n" for c in complaints) or "\nNo two verdicts differ, and none from what is expected.\n")


def write(arguments, rows, names, total, complaints):
    with open(arguments.out / "FROM_C.md", "w") as out:
        page(arguments, rows, names, total, complaints, out)
    with open(arguments.out / "FROM_C.csv", "w", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        keys = ["variables", "procedures", "statements", "bytes", "expected"]
        writer.writerow(["family", "program", "made", *keys, "engine", "verdict", "seconds"])
        for row in rows:
            for name in names:
                writer.writerow([row["program"].family, row["program"].path.name, row["how"], *(row[k] for k in keys),
                                 name, row[name][0], f"{row[name][1]:.3f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--programs", type=Path, required=True, help="a folder of folders of C programs")
    parser.add_argument("--families", default=FAMILIES)
    parser.add_argument("--single", type=int, default=4, help="how many are made with single blocks as well")
    parser.add_argument("--unions", type=int, default=12, help="how many get all predicates of their family as well")
    parser.add_argument("--made", type=Path, help="where Boolean programs are kept")
    parser.add_argument("--out", type=Path, default=Path("bench-bp"))
    parser.add_argument("--limit", type=float, default=10, help="processor seconds per run")
    parser.add_argument("--limit-make", type=float, default=60, help="processor seconds to make one")
    parser.add_argument("--memory", default="2G", help="memory per run")
    parser.add_argument("--count", type=int, default=24, help="how many are measured")
    parser.add_argument("--make-only", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    arguments.load = os.getloadavg()
    arguments.hardbop = os.path.abspath(arguments.hardbop)
    arguments.z3 = shutil.which("z3") if "spacer" in installed() else None
    kept = tempfile.TemporaryDirectory()
    arguments.made = arguments.made or Path(kept.name)

    rows, total = candidates(arguments)
    for row in rows:
        print(f"{row['program'].path.name}: {row['how']}, {row['variables']} variables", flush=True)
    if arguments.make_only:
        return 0
    rows = rows[:arguments.count]
    names = ENGINES + (["spacer"] if arguments.z3 else [])
    complaints, measured_rows = [], []
    start = time.monotonic()
    for row in rows:
        row["expected"] = row["program"].expected(row["way"])
        for name in names:
            row[name] = measured(arguments, row["path"], name)
        verdicts = {name: row[name][0] for name in names}
        said = {v for v in [*verdicts.values(), row["expected"]] if v in ("safe", "unsafe")}
        if len(said) > 1 or "died" in verdicts.values():
            complaints.append(f"{row['program'].path.name}, {row['how']}: expected {row['expected']}, {verdicts}")
        print(row["path"], row["variables"], *(f"{n}:{row[n][0]}:{row[n][1]:.2f}" for n in names),
              f"[{time.monotonic() - start:.0f} s]", flush=True)
        # After each, so that a run that is ended leaves what it has.
        measured_rows.append(row)
        write(arguments, measured_rows, names, total, complaints)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
