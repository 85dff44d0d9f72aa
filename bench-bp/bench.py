#!/usr/bin/env python3
"""Who wins where: every engine on every family of `hardbop gen`, by `hardbop compare --growth`.

usage: bench.py [--hardbop PROGRAM] [--out FOLDER] [--limit SECONDS] [--budget SECONDS]
                [--runs K] [--families NAME,...] [--translator bp2chc.py]

Generates members of each family with growing parameters, safe and unsafe, compares the engines on them,
and writes RESULTS.md and the plots.  An engine that does not decide a member is not run on larger ones.
Each family gets its share of the time budget; what a comparison has measured by then counts.  With
the translator of Boolean programs to Horn clauses, Z3's Spacer takes part.  A verdict that is
not the constructed one, or that differs between engines, ends the run with exit code 1.
"""
import argparse
import glob
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time

# Family: what its parameter is, its values, and how many seeds.
FAMILIES = {
    "driver": ("global variables", [10, 20, 50, 100, 200, 400, 800, 2000], 2),
    "counter": ("bits", [4, 6, 8, 10, 12, 16, 20], 1),
    "shift-register": ("stages", [4, 8, 16, 32, 64, 128], 1),
    "lock-discipline": ("locks", [2, 4, 8, 16, 32, 64], 1),
    "recursive-descent": ("levels", [1, 2, 4, 8, 16, 32], 1),
    "wide-summary": ("wires", [4, 8, 16, 32, 64, 128], 1),
    "terminator": ("bits", [3, 6, 9, 12, 15, 18, 24, 30], 1),
    "slam-regression": ("units", [20, 40, 80, 160, 320], 1),
    "saturating": ("bits", [4, 8, 12, 16, 24, 32], 1),
    "twins": ("bits", [4, 8, 12, 16, 24, 32], 1),
    "complement": ("bits", [4, 8, 12, 16, 24, 32], 1),
    "stride": ("bits", [4, 8, 12, 16, 24, 32], 1),
    "parity": ("bits", [4, 8, 16, 32, 64], 1),
    "multiply": ("bits", [4, 6, 8, 10, 12], 1),
    "ring": ("stations", [4, 8, 16, 32, 64], 1),
    "depth": ("bits", [4, 8, 12, 16, 24], 1),
    "modules": ("modules", [4, 8, 16, 32, 64, 128], 1),
}


def options(family, parameter):
    """Options of `hardbop gen` for a member."""
    if family == "driver":
        return ["--vars", str(parameter), "--procs", str(min(60, max(3, parameter // 8)))]
    return ["--size", str(parameter)]


def members(hardbop, family, folder):
    """Writes the members of a family, with the list of their verdicts."""
    _, parameters, seeds = FAMILIES[family]
    paths = []
    with open(os.path.join(folder, "expected.tsv"), "a") as expected:
        for bug, verdict in (("--safe", "safe"), ("--bug", "unsafe")):
            for parameter in parameters:
                for seed in range(1, seeds + 1):
                    letter = chr(ord("a") + seed - 1) if seeds > 1 else ""
                    name = f"{family}-{verdict}-{parameter}{letter}.bp"
                    path = os.path.join(folder, name)
                    command = [hardbop, "gen", family, bug, "--seed", str(seed)]
                    with open(path, "w") as out:
                        subprocess.run(command + options(family, parameter), stdout=out, check=True)
                    expected.write(f"{name}\t{verdict}\n")
                    paths.append(path)
    return paths


def compare(arguments, paths, seconds, out):
    """The document of a comparison, ended by Ctrl-C after so many seconds; and whether all is well."""
    document = os.path.join(os.path.dirname(paths[0]), "result.json")
    command = [arguments.hardbop, "compare", "--growth", "--quiet", "--json", document, "--svg", out]
    command += ["--time-limit", f"{arguments.limit}s", "--memory-limit", arguments.memory]
    command += ["--runs", str(arguments.runs)]
    if arguments.translator:
        limit = int(arguments.limit) + 1
        # The interpreter that has Z3, by its real path: shims of version managers take time.
        command += ["--peer", f"spacer={sys.executable} {arguments.translator} --timeout {limit} {{}}"]
    run = subprocess.Popen(command + paths, stdout=subprocess.PIPE, text=True)
    try:
        run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        run.communicate()
    if run.returncode not in (0, 70, 130):
        sys.exit(f"'hardbop compare' ended with exit code {run.returncode}")
    with open(document) as file:
        return json.load(file), run.returncode != 70


def shown(seconds):
    return "-" if seconds is None else f"{seconds:.2f}"


def lead(growth):
    """Who is the fastest where."""
    leads = ", ".join(f"from {c['parameter']} on {c['to']}" for c in growth["crossings"])
    return f"Fastest: {leads}." if leads else "Nobody is clearly the fastest."


def family_section(family, result, out):
    names = [c["name"] for c in result["contestants"]]
    interrupted = " The time budget ended before the largest members." if result["interrupted"] else ""
    out.write(f"\n## {family}\n\nSeconds by number of {FAMILIES[family][0]}.{interrupted}\n")
    for growth in result["growth"]:
        verdict = growth["family"].rsplit("-", 1)[1]
        out.write(f"\n| {verdict} | " + " | ".join(names) + " |\n|---:|" + "---:|" * len(names) + "\n")
        for point in growth["points"]:
            row = " | ".join(shown(s) for s in point["seconds"])
            out.write(f"| {point['parameter']} | {row} |\n")
        out.write(f"\n{lead(growth)}\n\n![{growth['family']}](growth-{growth['family']}.svg)\n")
    out.write("\n")
    scores(result, out)


def scores(result, out):
    out.write("| | solved | PAR-2 s | wins | time ratio | ratio from 0.1 s |\n|---|---:|---:|---:|---:|---:|\n")
    for s in result["scores"]:
        out.write(f"| {s['name']} | {s['solved']} of {s['files']} | {s['par2-seconds']:.2f} | {s['wins']} "
                  f"| {shown(s['ratio'])} | {shown(s['long-ratio'])} ({s['long-files']}) |\n")


# From how many seconds on a row counts, and how far from the best engine `auto` should be at most.
SHORT, FACTOR = 0.1, 1.5


def choice(results, out):
    """How far `auto` is from the best engine, over all rows of the growth tables."""
    rows, worse = 0, []
    for result in results.values():
        names = [c["name"] for c in result["contestants"]]
        engines = [i for i, name in enumerate(names) if name not in ("auto", "spacer")]
        auto = names.index("auto")
        for growth in result["growth"]:
            for point in growth["points"]:
                seconds, own = point["seconds"], point["seconds"][auto]
                best = min((seconds[i] for i in engines if seconds[i] is not None), default=None)
                if max(own or 0, best or 0) < SHORT:
                    continue
                rows += 1
                if best is not None and (own is None or own > FACTOR * best):
                    worse.append(f"{growth['family']} {point['parameter']} ({shown(own)} s, {shown(best)} s)")
    out.write(f"\n## What `auto` chooses\n\nOf {rows} rows of {SHORT:g} s or more, `auto` is within {FACTOR:g} times of "
              f"the best single engine on {rows - len(worse)}")
    out.write(f"; not on {', '.join(worse)}.\n" if worse else ".\n")


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
        return names[0] if names else platform.machine()
    except OSError:
        return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp")
    parser.add_argument("--limit", type=float, default=5, help="seconds per run")
    parser.add_argument("--runs", type=int, default=1, help="runs of each; what counts is the median")
    parser.add_argument("--memory", default="2G", help="memory per run")
    parser.add_argument("--budget", type=float, default=420, help="seconds for all families")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--translator", default="", help="bp2chc.py, to run Spacer as well")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    arguments.hardbop = os.path.abspath(arguments.hardbop)
    if arguments.translator and not os.path.exists(arguments.translator):
        sys.exit(f"there is no '{arguments.translator}'")
    chosen = arguments.families.split(",")
    if unknown := [f for f in chosen if f not in FAMILIES]:
        sys.exit(f"no such family: {', '.join(unknown)}")

    for plot in glob.glob(os.path.join(arguments.out, "growth-*.svg")):
        os.remove(plot)
    end = time.monotonic() + arguments.budget
    results, fine = {}, True
    for i, family in enumerate(chosen):
        # What a family leaves is for those after it.
        share = (end - time.monotonic()) / (len(chosen) - i)
        with tempfile.TemporaryDirectory() as folder:
            paths = members(arguments.hardbop, family, folder)
            plots = os.path.join(folder, "plots")
            results[family], agrees = compare(arguments, paths, max(share, arguments.limit), plots)
            fine &= agrees
            for plot in glob.glob(os.path.join(plots, "growth-*.svg")):
                os.replace(plot, os.path.join(arguments.out, os.path.basename(plot)))
        for growth in results[family]["growth"]:
            print(f"{growth['family']}: {lead(growth)}", flush=True)

    version = results[chosen[0]]["version"]
    with open(os.path.join(arguments.out, "RESULTS.md"), "w") as out:
        out.write("# Who wins where\n\nWritten by `make bench` "
                  f"(hardbop {version}; {processor()}, {os.cpu_count()} processors); limits {arguments.limit:g} s "
                  f"and {arguments.memory} each, {arguments.runs} runs.\nWall time of a process, median over runs and seeds; `-`: not decided, "
                  "nor a smaller member. PAR-2: mean time, what is not\ndecided counting twice the limit. Ratio: "
                  "geometric mean of the time over that of the first line, on what both\ndecide; then on what "
                  "takes one of them 0.1 s or more (how many).\n")
        for family in chosen:
            family_section(family, results[family], out)
        choice(results, out)
    if not fine:
        print("verdicts disagree, or an engine failed", file=sys.stderr)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
