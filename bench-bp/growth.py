#!/usr/bin/env python3
"""How time and memory grow with the size of a program: generated drivers with a tenth as many procedures as variables.

usage: growth.py [--hardbop PROGRAM] [--out FOLDER] [--limit SECONDS] [--seeds N] [--sizes N,N,...] [--other NAME=PROGRAM]

Writes GROWTH.md and growth.svg.  Times are processor time of the process, the least of two runs.
"""
import argparse
import math
import os
import subprocess
import tempfile

from panels import panels

SIZES = [1000, 2000, 5000, 10000]


def run(program, path, limit):
    """Last line of standard output, processor seconds, and the most memory in MiB."""
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen([program, "check", path, "--trace", "none", "--time-limit", f"{limit}s"],
                                 stdout=out, stderr=subprocess.DEVNULL)
        _, _, used = os.wait4(child.pid, 0)
        out.seek(0)
        lines = out.read().strip().splitlines() or [""]
    return lines[-1], used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(program, path, limit, verdict):
    """Seconds and MiB; no seconds where it does not decide."""
    runs = [run(program, path, limit) for _ in range(2)]
    answers = {line for line, _, _ in runs}
    if any(line.startswith("VERDICT: ") and "UNKNOWN" not in line and line != verdict for line in answers):
        raise SystemExit(f"{path}: {', '.join(answers)} in place of {verdict}")
    seconds = min(s for _, s, _ in runs) if answers == {verdict} else None
    return seconds, max(m for _, _, m in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=SIZES)
    parser.add_argument("--other", metavar="NAME=PROGRAM", help="another hardbop, to compare with")
    arguments = parser.parse_args()
    programs = [("hardbop", arguments.hardbop)]
    if arguments.other:
        programs.append(tuple(arguments.other.split("=", 1)))
    table, growths = [], []
    for bug, verdict in (("--safe", "VERDICT: SAFE"), ("--bug", "VERDICT: UNSAFE")):
        first = None
        points = []
        for size in arguments.sizes:
            rows = []
            for seed in range(1, arguments.seeds + 1):
                with tempfile.TemporaryDirectory() as folder:
                    path = os.path.join(folder, "driver.bp")
                    made = [arguments.hardbop, "gen", "driver", bug, "--seed", str(seed), "--vars", str(size),
                            "--procs", str(size // 10)]
                    with open(path, "w") as out:
                        subprocess.run(made, stdout=out, check=True)
                    with open(path) as text:
                        lines = sum(1 for _ in text)
                    rows.append([measure(program, path, arguments.limit, verdict) for _, program in programs])
            seconds, cells = [], []
            for of_program in zip(*rows):
                decided = [s for s, _ in of_program if s is not None]
                mean = sum(decided) / len(decided) if len(decided) == len(of_program) else None
                seconds.append(mean)
                cells.append(f"{mean:.1f}" if mean is not None else "-")
                cells.append(f"{max(m for _, m in of_program):.0f}")
            points.append({"parameter": size, "seconds": seconds})
            scale = size * math.log(size)
            first = first or (seconds[0] and seconds[0] / scale)
            ratio = f"{seconds[0] / scale / first:.1f}" if first and seconds[0] else "-"
            cells = " | ".join(cells)
            table.append(f"| {size:,} | {size // 10:,} | {lines:,} | {verdict.split()[1]} | {cells} | {ratio} |")
        growths.append((verdict.split()[1], points))
    mean = f", the mean of {arguments.seeds} programs" if arguments.seeds > 1 else ""
    names = "".join(f" {name + ': ' if arguments.other else ''}seconds | MiB |" for name, _ in programs)
    head = [
        "# Growth", "",
        "Written by `make bench-growth`: generated drivers with a tenth as many procedures as variables, processor seconds, the",
        f"least of two runs{mean}; limit {arguments.limit:g} s. The last column is time over",
        f"n log n for n variables, as a multiple of that of {arguments.sizes[0]:,}.", "",
        f"| variables | procedures | lines | verdict |{names} / n log n |",
        "|---:|---:|---:|---|" + "---:|" * (2 * len(programs) + 1),
    ]
    with open(os.path.join(arguments.out, "GROWTH.md"), "w") as out:
        out.write("\n".join(head + table) + "\n\n![seconds by variables](growth.svg)\n")
    with open(os.path.join(arguments.out, "growth.svg"), "w") as out:
        out.write(panels(growths, [name for name, _ in programs], [], arguments.limit))


if __name__ == "__main__":
    main()
