#!/usr/bin/env python3
"""How hardbop scales on generated drivers.

usage: growth.py [--hardbop PROGRAM] [--out FILE] [--limit SECONDS] [--seeds N] [--vars N,N,...]

For each number of global variables, generates drivers with and without a bug, checks them, and
writes a table of wall time, processor time and peak memory (medians over the seeds).  A verdict
that is not the constructed one ends the run with exit code 1.
"""
import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

EXPECTED = {False: (0, "VERDICT: SAFE"), True: (10, "VERDICT: UNSAFE")}


def run(command):
    """Exit code, last line, wall seconds, CPU seconds, peak memory in MiB."""
    start = time.monotonic()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, text=True)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        out.seek(0)
        lines = out.read().splitlines()
    cpu = usage.ru_utime + usage.ru_stime
    return process.returncode, lines[-1] if lines else "", wall, cpu, usage.ru_maxrss / 1024


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hardbop", default="target/release/hardbop")
    parser.add_argument("--out", default="bench-bp/RESULTS.md")
    parser.add_argument("--limit", type=float, default=60, help="seconds per program")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--vars", default="50,100,200,400,800,1200,2000")
    arguments = parser.parse_args()

    version = subprocess.run([arguments.hardbop, "--version"], capture_output=True, text=True)
    rows, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for variables in map(int, arguments.vars.split(",")):
            procedures = min(60, max(6, variables // 8))
            for bug in (False, True):
                answers = []
                for seed in range(1, arguments.seeds + 1):
                    file = os.path.join(folder, "driver.bp")
                    command = [arguments.hardbop, "gen", "driver", "--vars", str(variables)]
                    command += ["--procs", str(procedures), "--seed", str(seed)]
                    with open(file, "w") as out:
                        subprocess.run(command + (["--bug"] if bug else []), stdout=out, check=True)
                    answer = run([arguments.hardbop, "check", file, "--trace", "none",
                                  "--time-limit", f"{arguments.limit}s"])
                    answers.append(answer)
                    if answer[:2] != EXPECTED[bug] and answer[0] != 20:
                        wrong += 1
                        print(f"WRONG: {' '.join(command)} bug={bug}: {answer}", file=sys.stderr)
                solved = sum(a[:2] == EXPECTED[bug] for a in answers)
                median = [statistics.median(a[i] for a in answers) for i in (2, 3, 4)]
                rows.append((variables, procedures, "unsafe" if bug else "safe", solved, *median))
                print(*rows[-1], flush=True)

    with open(arguments.out, "w") as out:
        out.write("# Growth on generated drivers\n\n")
        out.write(f"Written by `make bench` ({version.stdout.strip()}; {processor()}, "
                  f"{os.cpu_count()} processors).\n")
        out.write(f"`hardbop gen driver --vars N --procs P`, seeds 1 to {arguments.seeds}, limit "
                  f"{arguments.limit:g} s each; medians.\n\n")
        out.write("| variables | procedures | verdict | decided | wall s | CPU s | peak MiB |\n")
        out.write("|---:|---:|---|---:|---:|---:|---:|\n")
        for variables, procedures, verdict, solved, wall, cpu, peak in rows:
            out.write(f"| {variables} | {procedures} | {verdict} | {solved}/{arguments.seeds} "
                      f"| {wall:.2f} | {cpu:.2f} | {peak:.0f} |\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
