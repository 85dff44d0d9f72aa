"""What a campaign costs beside its tasks: runs one on a folder of programs, and prints the figures of docs/campaigns.md.

    python3 bench-c/campaign/measure.py --programs FOLDER --hardbop target/release/hardbop --work target/campaign

Goes on where it was stopped; a folder of its own (`--work`) begins anew.
"""

import argparse
import csv
import re
import sqlite3
import subprocess
import time
from pathlib import Path

DESCRIPTION = """\
name = "measure"

[limits]
time = "{time}"
memory = "1G"

[[programs]]
files = ["{programs}/**/*.c"]

[[properties]]
name = "errors"

[[properties]]
name = "overflow"
arguments = ["--overflow-check"]

[[properties]]
name = "null"
arguments = ["--check-null"]

[[properties]]
name = "bounds"
arguments = ["--check-bounds"]

[[options]]
name = "predicate"

[[options]]
name = "impact"
arguments = ["--algorithm", "impact"]
"""


def inserts(folder):
    """Results that SQLite keeps in a second, each in a transaction of its own, as the store does it."""
    path = Path(folder, "inserts.sqlite")
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("PRAGMA synchronous = NORMAL")
    columns = "verdict, reason_code, reason, seconds, cpu_seconds, memory_bytes, node, time_limit, memory_limit, version"
    base.execute(f"CREATE TABLE result (hash TEXT PRIMARY KEY, {columns}, finished DEFAULT (datetime('now'))) WITHOUT ROWID")
    number, start = 0, time.monotonic()
    while time.monotonic() - start < 3:
        for _ in range(100):
            row = (f"{number * 2654435761 % 2**64:064x}", "SAFE", None, None, 0.5, 0.4, 1 << 26, "10.0.0.1", 1.0, 1 << 30, "0")
            base.execute(f"INSERT OR REPLACE INTO result (hash, {columns}) VALUES ({', '.join('?' * 11)})", row)
            number += 1
    seconds = time.monotonic() - start
    base.close()
    path.unlink()
    return number / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, type=Path)
    parser.add_argument("--hardbop", default="target/release/hardbop", type=Path)
    parser.add_argument("--work", default="target/campaign", type=Path)
    parser.add_argument("--time", default="1s", help="limit for each task")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    description = arguments.work / "measure.toml"
    programs = arguments.programs.resolve()
    description.write_text(DESCRIPTION.format(programs=programs, time=arguments.time))
    table = arguments.work / "measure.csv"
    start = time.monotonic()
    command = [arguments.hardbop.resolve(), "campaign", description, "--csv", table, "--html", arguments.work / "measure.html"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    elapsed = time.monotonic() - start
    print(done.stdout.splitlines()[-1])
    effort = next((line for line in done.stderr.splitlines() if line.startswith("campaign: the driver")), None)
    print(f"exit code {done.returncode}, {elapsed:.0f} s; {effort}")
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    numbers = effort and re.search(r"took ([\d.]+) s .* ([\d.]+) s, (.*)$", effort)
    if numbers:
        driver, tasks = float(numbers[1]), float(numbers[2])
        print(f"driver: {100 * driver / (driver + tasks):.2f} % of the processor time, {1000 * driver / len(rows):.2f} ms per task")
        print(f"memory of the driver: {numbers[3]}")
    print(f"SQLite: {inserts(arguments.work):.0f} results per second")


if __name__ == "__main__":
    main()
