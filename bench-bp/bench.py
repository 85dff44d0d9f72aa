"""Who wins where: engines and other tools on every family of `hardbop gen`, by `hardbop compare --growth`.

usage: bench.py [--hardbop PROGRAM] [--out FOLDER] [--limit SECONDS] [--budget SECONDS] [--runs K] [--jobs N]
                [--families NAME,...] [--peers NAME,...] [--programs FOLDER]

Generates members of each family with growing parameters, safe and unsafe, compares the engines on them,
and those peers of `compare --peer-preset` that are installed, and writes RESULTS.md and families.svg.  Who does not
decide a member is not run on larger ones.  Each family gets its share of the time budget; what a comparison has
measured by then counts.  `--programs` adds a folder of programs *.bp (with expected.tsv, where verdicts are known).  A verdict
that is not the constructed one, or that differs between tools, ends the run with exit code 1.
"""
import argparse
import glob
import json
import math
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from panels import panels

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
    "feedback": ("stages", [16, 32, 64, 128, 256], 1),
    "queue": ("bits", [4, 8, 12, 16], 1),
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


# Presets of `compare`, with the names that their programs have.
PEERS = {"spacer": ["z3"], "abc": ["berkeley-abc", "abc"], "ric3": ["rIC3"]}


def installed():
    """The peers whose programs are there; Python's own Z3 goes before a shim of a version manager, which takes time."""
    real = os.path.dirname(os.path.realpath(sys.executable))
    if os.path.exists(os.path.join(real, "z3")):
        os.environ["PATH"] = real + os.pathsep + os.environ["PATH"]
    return [name for name, programs in PEERS.items() if any(shutil.which(p) for p in programs)]


def compare(arguments, paths, seconds, growth):
    """The document of a comparison, ended by Ctrl-C after so many seconds; and whether all is well."""
    with tempfile.TemporaryDirectory() as folder:
        document = os.path.join(folder, "result.json")
        command = [arguments.hardbop, "compare", "--quiet", "--json", document]
        command += ["--growth"] if growth else []
        command += ["--time-limit", f"{arguments.limit}s", "--memory-limit", arguments.memory]
        command += ["--runs", str(arguments.runs), "--jobs", str(arguments.jobs)]
        command += ["--peer-preset", ",".join(arguments.peers)] if arguments.peers else []
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


# From how many seconds on a row counts for the second ratio; how far from the best engine `auto` should be at most;
# from how many seconds on a row counts in the list of peers that are faster.
SHORT, FACTOR, LONG = 0.1, 1.5, 0.5
BEST = "best of peers"


def shown(seconds):
    return "-" if seconds is None else f"{seconds:.2f}"


def best(seconds):
    return min((s for s in seconds if s is not None), default=None)


class Times:
    """Seconds of all tools, and of the best peer on each, on the files that all were run on."""

    def __init__(self, tools, peers, results):
        self.tools = tools + ([BEST] if len(peers) > 1 else [])
        self.rows = []
        for row in (row for result in results for row in result["files"]):
            if None not in row["results"]:
                seconds = {r["name"]: r["seconds"] for r in row["results"]}
                seconds[BEST] = best(seconds[p] for p in peers)
                self.rows.append(seconds)

    def solved(self, tool):
        return sum(row[tool] is not None for row in self.rows)

    def par2(self, tool, limit):
        return sum(2 * limit if row[tool] is None else row[tool] for row in self.rows) / max(1, len(self.rows))

    def ratio(self, tool, least):
        """Geometric mean of the time over that of `auto`, where both decide and one takes so long."""
        pairs = [(row[tool], row["auto"]) for row in self.rows if row[tool] is not None and row["auto"] is not None]
        logs = [math.log(max(a, 1e-4) / max(b, 1e-4)) for a, b in pairs if max(a, b) >= least]
        return math.exp(sum(logs) / len(logs)) if logs else None


def overview(names, times, limit, out):
    """Two tables of families and tools."""
    tools = times[names[0]].tools
    line = "| " + " | ".join(["files"] + tools) + " |\n|---|---:|" + "---:|" * len(tools) + "\n"
    out.write("\n## All families\n\nDecided, and PAR-2 in seconds: mean time, what is not decided counting twice the limit.\n\n"
              "| family " + line)
    for name in names:
        t = times[name]
        cells = [f"{t.solved(tool)}, {t.par2(tool, limit):.2f}" for tool in tools]
        out.write(f"| {name} | {len(t.rows)} | " + " | ".join(cells) + " |\n")
    out.write(f"\nTime over that of `auto`: geometric mean on what both decide; behind it, on what takes one of them {SHORT:g} s "
              "or more.\n\n| family " + line)
    for name in names:
        t = times[name]
        cells = [f"{shown(t.ratio(tool, 0))}, {shown(t.ratio(tool, SHORT))}" for tool in tools]
        out.write(f"| {name} | {len(t.rows)} | " + " | ".join(cells) + " |\n")


def points(results):
    """Rows of the growth tables, and files of no family: name, seconds by tool."""
    for result in results.values():
        for growth in result["growth"]:
            for point in growth["points"]:
                yield f"{growth['family']} {point['parameter']}", point["seconds"]
        if not result["growth"]:
            for row in result["files"]:
                if None not in row["results"]:
                    yield os.path.basename(row["file"]), [r["seconds"] for r in row["results"]]


def distances(results, tools, peers, out):
    """Where another engine or a peer is clearly faster than `auto`."""
    auto = tools.index("auto")
    for who, others, least in (("engine", [t for t in tools if t not in peers], SHORT), ("peer", peers, LONG)):
        if not others:
            continue
        rows, worse = 0, []
        for name, seconds in points(results):
            fastest, own = best(seconds[tools.index(t)] for t in others), seconds[auto]
            if max(own or 0, fastest or 0) < least and not (own is None and fastest is not None):
                continue
            rows += 1
            if fastest is not None and (own is None or own > max(least, FACTOR * fastest)):
                winner = next(t for t in others if seconds[tools.index(t)] == fastest)
                worse.append((name, shown(own), winner, shown(fastest)))
        out.write(f"\n## Where another {who} is faster\n\nOf {rows} rows of {least:g} s or more, {len(worse)} on which "
                  f"the best {who} is more than {FACTOR:g} times faster than `auto`.\n")
        if worse:
            out.write(f"\n| row | auto | {who} | seconds |\n|---|---:|---|---:|\n")
        for row in worse:
            out.write("| " + " | ".join(row) + " |\n")


def family_section(family, result, tools, out):
    interrupted = " The time budget ended before the largest members." if result["interrupted"] else ""
    out.write(f"\n## {family}\n\nSeconds by number of {FAMILIES[family][0]}.{interrupted}\n\n")
    out.write(f"| | {' | '.join(tools)} |\n|---|" + "---:|" * len(tools) + "\n")
    for growth in result["growth"]:
        verdict = growth["family"].rsplit("-", 1)[1]
        for point in growth["points"]:
            row = " | ".join(shown(s) for s in point["seconds"])
            out.write(f"| {verdict} {point['parameter']} | {row} |\n")


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            names = [line.split(":", 1)[1].strip() for line in info if line.startswith("model name")]
        return names[0] if names else platform.machine()
    except OSError:
        return platform.machine()


def measure(arguments, chosen):
    """Documents by family, and by the name of the further folder; and whether all is well."""
    end = time.monotonic() + arguments.budget
    results, fine = {}, True
    folders = [arguments.programs] if arguments.programs else []
    for i, name in enumerate(chosen + folders):
        # What a family leaves is for those after it.
        share = max((end - time.monotonic()) / (len(chosen + folders) - i), arguments.limit)
        if name in folders:
            paths = sorted(glob.glob(os.path.join(name, "*.bp")))
            name = os.path.basename(os.path.normpath(name))
            results[name], agrees = compare(arguments, paths, share, False)
        else:
            with tempfile.TemporaryDirectory() as folder:
                paths = members(arguments.hardbop, name, folder)
                results[name], agrees = compare(arguments, paths, share, True)
        fine &= agrees
        scores = ", ".join(f"{s['name']} {s['solved']}" for s in results[name]["scores"])
        print(f"{name}: {scores} of {results[name]['scores'][0]['files']}", flush=True)
    return results, fine


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp")
    parser.add_argument("--limit", type=float, default=20, help="seconds per run")
    parser.add_argument("--runs", type=int, default=1, help="runs of each; what counts is the median")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--memory", default="2G", help="memory per run")
    parser.add_argument("--budget", type=float, default=2400, help="seconds for everything")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--peers", help="known peers; those that are installed if this is not given")
    parser.add_argument("--programs", help="a folder of further programs")
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    arguments.hardbop = os.path.abspath(arguments.hardbop)
    there = installed()
    arguments.peers = there if arguments.peers is None else [p for p in arguments.peers.split(",") if p]
    chosen = [f for f in arguments.families.split(",") if f]
    if unknown := [f for f in chosen if f not in FAMILIES]:
        sys.exit(f"no such family: {', '.join(unknown)}")
    if arguments.programs and not glob.glob(os.path.join(arguments.programs, "*.bp")):
        sys.exit(f"there are no programs in '{arguments.programs}'")

    results, fine = measure(arguments, chosen)
    names = list(results)
    first = results[names[0]]
    tools = [c["name"] for c in first["contestants"]]
    times = {name: Times(tools, arguments.peers, [result]) for name, result in results.items()}
    times["all"] = Times(tools, arguments.peers, results.values())
    growths = [(g["family"], g["points"]) for f in chosen for g in results[f]["growth"]]
    if growths:
        with open(os.path.join(arguments.out, "families.svg"), "w") as out:
            out.write(panels(growths, tools, arguments.peers, arguments.limit))
    with open(os.path.join(arguments.out, "RESULTS.md"), "w") as out:
        out.write("# Who wins where\n\nWritten by `make bench` "
                  f"(hardbop {first['version']}; {processor()}, {os.cpu_count()} processors); limits {arguments.limit:g} s "
                  f"and {arguments.memory} each, {'one run' if arguments.runs == 1 else f'{arguments.runs} runs'}, "
                  f"{arguments.jobs} at a time.\nWall time, from the start of the first process to the end of "
                  "the last; for peers that includes `hardbop export`.\n`-`: not decided, nor a smaller member. ")
        if "abc" in tools or "ric3" in tools:
            out.write("Circuits cannot express recursion, so families with recursion are not decided by their tools.")
        out.write("\n")
        overview(names + ["all"], times, arguments.limit, out)
        distances(results, tools, arguments.peers, out)
        if growths:
            out.write("\n## How time grows\n\n![seconds by parameter, a plot for each family](families.svg)\n")
        for family in chosen:
            family_section(family, results[family], tools, out)
    if not fine:
        print("verdicts disagree, or an engine failed", file=sys.stderr)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
