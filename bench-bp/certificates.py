#!/usr/bin/env python3
"""What certificates cost: their size, what producing them adds to a run, and the time to check them.

usage: certificates.py [--hardbop PROGRAM] [--out FILE] [--limit SECONDS] [--repeat N]
                       [--largest VARIABLES] [FILE.bp ...]

Generated drivers and families, and the files given, with every engine.  Times are processor time
of the process, the least of N runs that take turns.  A certificate that is rejected ends the run
with exit code 1.
"""
import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile

ENGINES = ["auto", "qbf", "universal", "bdd"]
FAMILIES = {"counter": 6, "shift-register": 10, "lock-discipline": 8, "recursive-descent": 6}


def run(command, limit):
    """Last line of standard output, and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command + ["--time-limit", f"{limit}s"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout.strip().splitlines() or [""])[-1], seconds


def generate(hardbop, path, arguments):
    with open(path, "w") as out:
        made = subprocess.run([hardbop, "gen"] + arguments, stdout=out, stderr=subprocess.DEVNULL)
    return made.returncode == 0


def programs(hardbop, folder, largest):
    for variables in (v for v in (50, 100, 200, 400) if v <= largest):
        for seed in (1, 2):
            for bug in ("--safe", "--bug"):
                path = os.path.join(folder, f"driver-{variables}-{seed}{bug}.bp")
                size = ["--vars", str(variables), "--procs", str(variables * 3 // 20 + 2)]
                if generate(hardbop, path, ["driver", "--seed", str(seed), bug] + size):
                    yield path
    for family, size in FAMILIES.items():
        for bug in ("--safe", "--bug"):
            path = os.path.join(folder, f"{family}-{size}{bug}.bp")
            if generate(hardbop, path, [family, "--size", str(size), bug]):
                yield path


def measure(hardbop, path, engine, limit, repeat, document):
    check = [hardbop, "check", path, "--engine", engine, "--trace", "none"]
    plain, producing = [], []
    for _ in range(repeat):
        verdict, seconds = run(check, limit)
        plain.append(seconds)
        certified, seconds = run(check + ["--certificate", document], limit)
        producing.append(seconds)
    verdict, certified = verdict.split(" ")[1:2], certified.split(" ")[1:2]
    if certified != verdict or verdict == ["UNKNOWN"]:
        return verdict, certified, min(plain), min(producing), None, None, None
    result, checking = run([hardbop, "certify", path, document], limit)
    return verdict, certified, min(plain), min(producing), os.path.getsize(document), result, checking


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp/CERTIFICATES.md")
    parser.add_argument("--limit", type=int, default=10)
    parser.add_argument("--repeat", type=int, default=2)
    parser.add_argument("--largest", type=int, default=100, help="variables of drivers, at most")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    hardbop = os.path.abspath(options.hardbop)
    rejected, overheads, rows = 0, {e: [] for e in ENGINES}, []
    with tempfile.TemporaryDirectory() as folder:
        document = os.path.join(folder, "certificate.json")
        for path in list(programs(hardbop, folder, options.largest)) + options.files:
            lines = sum(1 for _ in open(path, errors="replace"))
            for engine in ENGINES:
                verdict, certified, plain, producing, size, result, checking = measure(
                    hardbop, path, engine, options.limit, options.repeat, document)
                name = f"| {os.path.basename(path)} | {lines} | {engine} | {' '.join(verdict)} | {plain:.2f} |"
                if size is None:
                    rows.append(f"{name} {' '.join(certified)} | - | - | - | - |")
                    continue
                overhead = (producing - plain) / max(plain, 0.01) * 100
                overheads[engine].append(overhead)
                rejected += "REJECTED" in result
                word = result.split(" ")[1].lower() if " " in result else "?"
                rows.append(f"{name} {producing:.2f} | {overhead:+.0f} % | {size / 1024:.0f} | {checking:.2f} | {word} |")
    with open(options.out, "w") as out:
        out.write("# Certificates\n\nWritten by `make bench-certificates`. Processor seconds, the least of "
                  f"{options.repeat} runs; limit {options.limit} s; drivers of at most {options.largest} variables.\n"
                  "Overheads of runs below 10 ms are relative "
                  "to 10 ms.\n\n| engine | runs | median overhead of producing |\n|---|---:|---:|\n")
        for engine, values in overheads.items():
            median = f"{statistics.median(values):+.0f} %" if values else "-"
            out.write(f"| {engine} | {len(values)} | {median} |\n")
        out.write("\n| program | lines | engine | verdict | check s | with certificate s | overhead | KiB | certify s | result |\n"
                  "|---|---:|---|---|---:|---:|---:|---:|---:|---|\n" + "\n".join(rows) + "\n")
    sys.exit(1 if rejected else 0)


if __name__ == "__main__":
    main()
