#!/usr/bin/env python3
"""Compiles and runs the harness of every C program for which hardbop finds an error.

    harnesses.py DIR [--limit SECONDS] [--hardbop PATH] [--sample N]

DIR holds C programs in any folders.  An `expected.tsv` in DIR or beside it says of a program (column
`file`) its verdict and, with a column `data_model`, that of its `long`.  A harness is compiled by gcc
for the data model that hardbop names and linked with the C library; where there is none for 32 bits,
with the harness's own stand-ins.  Prints a table, and exits with 1 if a harness does not reach the error.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

REACHED = 107
OPTIONS = ["-std=gnu11", "-w", "-O0", "-fno-builtin", "-fno-strict-aliasing"]
FREESTANDING = ["-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-stack-protector", "-DHARDBOP_FREESTANDING"]


def expected(folder):
    """What is known of programs: rows of `expected.tsv` by path below the folder."""
    known = {}
    for beside, prefix in ((folder, ""), (folder.parent, folder.name + "/")):
        file = beside / "expected.tsv"
        if file.is_file():
            for row in csv.DictReader(file.open(), delimiter="\t"):
                # The table may count its paths from a folder further up.
                before, found, name = ("/" + row["file"]).partition("/" + (prefix or folder.name + "/"))
                known.setdefault(name if found else before[1:], row)
    return known


def hosted(model, folder):
    """Can gcc link programs of this data model with the C library?"""
    program = folder / "empty.c"
    program.write_text("int main(void) { return 0; }\n")
    command = ["gcc", model, str(program), "-o", str(folder / "empty")]
    return subprocess.run(command, capture_output=True).returncode == 0


def compiled(harness, model, with_library, folder):
    """The program, or the first error of the compiler."""
    program = folder / "harness"
    command = ["gcc", *OPTIONS, model, "-fwrapv"]
    command += ["-msse2", "-mfpmath=sse"] if model == "-m32" else []
    command += [] if with_library else FREESTANDING
    command += [str(harness), "-o", str(program)]
    command += ["-lm"] if with_library else []
    made = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if made.returncode == 0:
        return program, ""
    lines = [line for line in made.stderr.splitlines() if "error" in line or "undefined reference" in line]
    return None, (lines or made.stderr.splitlines() or ["?"])[0]


def outcome(file, row, arguments, libraries, folder):
    """The verdict, and of a harness what came of it in words."""
    harness = folder / "harness.c"
    harness.unlink(missing_ok=True)
    model = {"ILP32": ["--32"], "LP64": ["--64"]}.get((row or {}).get("data_model"), [])
    command = [arguments.hardbop, "check", str(file), "--time-limit", str(arguments.limit)]
    command += ["--harness", str(harness), *model]
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace",
                             timeout=4 * arguments.limit + 10)
    except subprocess.TimeoutExpired:
        return "unknown", "", "no answer in time"
    verdict = {0: "safe", 10: "unsafe"}.get(run.returncode, "unknown")
    if verdict != "unsafe":
        return verdict, "", ""
    bits = "-m32" if "data model: ILP32" in run.stdout else "-m64"
    notes = "; ".join(l.removeprefix("harness: ") for l in run.stderr.splitlines() if l.startswith("harness: "))
    program, error = compiled(harness, bits, libraries[bits], folder)
    if program is None:
        return verdict, "does not compile", error
    try:
        ended = subprocess.run([str(program)], capture_output=True, stdin=subprocess.DEVNULL,
                               timeout=arguments.limit + 10).returncode
    except subprocess.TimeoutExpired:
        return verdict, "does not", f"no end in time {notes}".strip()
    if ended == REACHED:
        return verdict, "reaches the error", ""
    return verdict, "does not", f"exit {ended} {notes}".strip()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", type=Path, metavar="PROGRAM_FOLDER")
    parser.add_argument("--limit", type=int, default=10, metavar="SECONDS")
    parser.add_argument("--hardbop", default="target/release/hardbop", metavar="PATH")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="only every N-th program")
    arguments = parser.parse_args()
    known = expected(arguments.programs.resolve())
    files = sorted(f for e in ("*.c", "*.i") for f in arguments.programs.rglob(e))[::arguments.sample]
    counts, wrong = Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        libraries = {model: hosted(model, folder) for model in ("-m32", "-m64")}
        for file in files:
            name = file.relative_to(arguments.programs).as_posix()
            row = known.get(name)
            verdict, what, words = outcome(file, row, arguments, libraries, folder)
            counts[what or verdict] += 1
            if row and verdict == "unsafe" and row["verdict"] == "safe":
                wrong.append(name)
            if what:
                print(f"{what:18} {name}  {words}".rstrip(), flush=True)
    print()
    for what in ("reaches the error", "does not", "does not compile"):
        print(f"| {what:18} | {counts[what]:5} |")
    print(f"| no error found     | {counts['safe'] + counts['unknown']:5} |")
    for model, found in libraries.items():
        if not found:
            print(f"linked without a C library, for there is none: {model}")
    for name in wrong:
        print(f"UNSAFE, but expected to be safe: {name}")
    sys.exit(1 if counts["does not"] or counts["does not compile"] or wrong else 0)


if __name__ == "__main__":
    main()
