"""What the second night takes: the time of a run after a small edit of a program, with what the run before has left and without.

    python3 bench-c/campaign/edits.py --programs FILE... --hardbop target/release/hardbop --work target/campaign-edits

Each program is checked once, and then, for each of ten edits, with an empty store and with that of the first run: with its
predicates (`warm`), and with its certificates.  Prints the tables of docs/campaigns.md.
"""

import argparse
import csv
import re
import shutil
import subprocess
from pathlib import Path

DESCRIPTION = """\
name = "edits"
{keeps}

[limits]
time = "{time}"
memory = "1G"

[[programs]]
files = ["*.c"]

[[options]]
name = "defaults"

[[options]]
name = "predicates"
arguments = ["--algorithm", "predicate", "--explicit-states", "0"]
"""

ASSIGNMENT = re.compile(r"^[ \t]*[A-Za-z_][\w>.-]* = [^=;{}]+;$", re.M)
CONSTANT = re.compile(r"^[ \t]*[A-Za-z_][\w>.-]* = (\d+);$", re.M)
COMPARISON = re.compile(r"\bif \((\w[\w>.-]*) == (\d+)\)")


def put(text, at, what):
    return text[:at] + what + text[at:]


def some(pattern, text, part):
    """One of the places, so far into them."""
    found = list(pattern.finditer(text))
    return found[int(part * (len(found) - 1))] if found else None


def around(pattern, part, change):
    """An edit of one place; none where there is none."""

    def edit(text):
        found = some(pattern, text, part)
        return found and text[: found.start()] + change(found) + text[found.end() :]

    return edit


def renamed(text):
    """With another name for the variable that is assigned most often."""
    names = [m[0].split("=")[0].strip() for m in ASSIGNMENT.finditer(text)]
    names = [name for name in names if re.fullmatch(r"\w+", name)]
    name = max(sorted(set(names)), key=names.count)
    return re.sub(rf"(?<!->)(?<!\.)\b{name}\b", f"{name}_renamed", text)


GLOBAL = "int edited;\n"
EDITS = [
    ("a function that nothing calls", lambda t: t + "\nint not_called(int n) { return n + 1; }\n"),
    ("a variable that is written", around(ASSIGNMENT, 0.3, lambda m: m[0] + " edited = 1;")),
    ("a variable that is read", around(ASSIGNMENT, 0.5, lambda m: m[0] + " if (edited) { edited = edited - 1; }")),
    ("a statement twice", around(ASSIGNMENT, 0.6, lambda m: m[0] + m[0].strip())),
    ("a statement less", around(ASSIGNMENT, 0.7, lambda m: ";")),
    ("a statement on a condition", around(ASSIGNMENT, 0.4, lambda m: f"if (edited) {{ {m[0].strip()} }}")),
    ("another constant", around(CONSTANT, 0.8, lambda m: m[0].replace(m[1] + ";", str(int(m[1]) + 1) + ";"))),
    ("another constant, earlier", around(CONSTANT, 0.2, lambda m: m[0].replace(m[1] + ";", str(int(m[1]) + 1) + ";"))),
    ("a comparison the other way round", around(COMPARISON, 0.5, lambda m: f"if ({m[2]} == {m[1]})")),
    ("another name of a variable", renamed),
]


WAYS = {"anew": "", "warm": "warm = true", "certificates": "certificates = true"}


def run(arguments, store, folder, keeps):
    """The seconds and the verdict of each task, and whether a certificate was accepted."""
    table, description = arguments.work / "edits.csv", folder / "edits.toml"
    description.write_text(DESCRIPTION.format(time=arguments.time, keeps=keeps))
    command = [arguments.hardbop.resolve(), "campaign", description, "--store", store, "--csv", table]
    subprocess.run([*command, "--jobs", "1", "--quiet"], stdout=subprocess.DEVNULL, check=False)
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))

    def seconds(row):
        clock, processor = float(row["seconds"]), float(row["cpu_seconds"] or 0)
        return processor if processor >= 0.1 else clock

    of = {(r["options"], r["program"]): (seconds(r), r["verdict"], r["how"] == "certificate") for r in rows}
    return dict(sorted(of.items()))


def cells(times):
    """The columns of a table for the results in each of the ways, in lists."""
    sums = {way: sum(result[0] for result in results) for way, results in times.items()}
    accepted = [result[2] for result in times["certificates"]]
    found = [f"{sums['anew']:.1f} s"] + [f"{sums[w]:.1f} s ({sums[w] / sums['anew']:.2f})" for w in ("warm", "certificates")]
    return [*found, f"{sum(accepted)} of {len(accepted)}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, type=Path, nargs="+")
    parser.add_argument("--hardbop", default="target/release/hardbop", type=Path)
    parser.add_argument("--work", default="target/campaign-edits", type=Path)
    parser.add_argument("--time", default="60s", help="limit for each task")
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    shutil.rmtree(arguments.work, ignore_errors=True)
    folder = arguments.work / "programs"
    folder.mkdir(parents=True)
    texts = {program.name: GLOBAL + program.read_text() for program in arguments.programs}

    def write(edit):
        for name, text in texts.items():
            edited = edit(text)
            (folder / name).unlink(missing_ok=True)
            if edited:
                (folder / name).write_text(edited)

    write(lambda text: text)
    store = arguments.work / "first.sqlite"
    first = run(arguments, store, folder, "warm = true\ncertificates = true")
    options = list(dict.fromkeys(key[0] for key in first))
    by_program, differ = {}, []
    print("| edit | " + " | ".join(f"{o}: anew | warm | certificates | accepted" for o in options) + " |")
    print("|---|" + "---|---|---|---|" * len(options))
    for number, (what, edit) in enumerate(EDITS):
        write(edit)
        results = {}
        for way, keeps in WAYS.items():
            own = arguments.work / f"{way}-{number}.sqlite"
            if way != "anew":
                shutil.copy(store, own)
            results[way] = run(arguments, own, folder, keeps)
        row = []
        for option in options:
            keys = [key for key in results["anew"] if key[0] == option]
            times = {way: [results[way][key] for key in keys] for way in WAYS}
            row += cells(times)
            for key in keys:
                known = by_program.setdefault(key, {way: [] for way in WAYS})
                for way in WAYS:
                    known[way].append(results[way][key])
        for key, result in results["anew"].items():
            differ += [(what, way, key, result[1], r[key][1]) for way, r in results.items() if r[key][1] != result[1]]
        print(f"| {what} | " + " | ".join(row) + " |", flush=True)
    print("\n| program | options | unedited | ten edits: anew | warm | certificates | accepted |")
    print("|---|---|---|---|---|---|---|")
    for (option, program), times in sorted(by_program.items(), key=lambda item: item[0][::-1]):
        print(f"| {program} | {option} | {first[option, program][0]:.1f} s | " + " | ".join(cells(times)) + " |")
    print(f"\n{len(differ)} verdicts differ" + "".join(f"\n  {row}" for row in differ))


if __name__ == "__main__":
    main()
