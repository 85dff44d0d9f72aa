#!/usr/bin/env python3
"""Check the programs of whole packages of Debian, as programs.toml says, without options of their own, and print a table.

    python3 bench-c/projects/programs.py --hardbop target/release/hardbop --cache target/projects

For each package a compile database is written, and `hardbop check` is asked for all programs in it. Exit code 1: an error was
found of which programs.toml does not say what it is.
"""

import json
import os
import subprocess
import sys
import tomllib

from run import HERE, fetch, parser


def answers(binary, folder, project, limit, memory):
    """What is said of each program: its name, its verdict, seconds, and the line of an error or the reason."""
    commands = [
        {"directory": ".", "file": file, "arguments": ["cc", *project["options"], "-c", file]} for file in project["files"]
    ]
    with open(os.path.join(folder, "compile_commands.json"), "w") as out:
        json.dump(commands, out)
    command = [binary, "check", "--compile-commands", "compile_commands.json", "--json",
               "--time-limit", f"{limit}s", "--memory-limit", memory]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        line = next((l for l in done.stderr.splitlines() if l.startswith("error")), f"exit code {done.returncode}")
        return [(project["name"], "refused", 0.0, line)]
    found = []
    for own in answer.get("properties", [{**answer, "name": project["name"], "answer": answer}]):
        own_answer = own.get("answer") or {}
        reason = own.get("reason") or ""
        said = reason.get("message", "") if isinstance(reason, dict) else reason
        trace = own_answer.get("trace")
        if own["verdict"] == "UNSAFE" and trace:
            last = trace["steps"][-1]
            said = f"{last.get('file', trace['file'])}:{last['line']}"
        found.append((own["name"], own["verdict"], own_answer.get("wall-seconds", 0.0), said))
    return found


def main():
    options = parser(__doc__, 20, "program").parse_args()

    with open(os.path.join(HERE, "programs.toml"), "rb") as file:
        projects = [p for p in tomllib.load(file)["project"] if not options.only or p["name"] in options.only]
    binary, cache = os.path.abspath(options.hardbop), os.path.abspath(options.cache)
    os.makedirs(cache, exist_ok=True)
    fetch(projects, cache)
    print("| package | program | verdict | seconds | error, or reason | is it true? |\n|---|---|---|--:|---|---|")
    counts, unknown = {}, 0
    for project in projects:
        known = {(f["program"], f["line"]): f["why"] for f in project.get("finding", [])}
        for name, verdict, seconds, said in answers(
            binary, os.path.join(cache, project["folder"]), project, options.limit, options.memory
        ):
            why = known.get((name, said), "**not looked at**") if verdict == "UNSAFE" else ""
            unknown |= why.startswith("**")
            counts[verdict] = counts.get(verdict, 0) + 1
            version = project["version"].rsplit("-", 1)[0]
            cells = [f"{project['name']} {version}", name, verdict, f"{seconds:.1f}", said.replace("|", "\\|"), why]
            print("| " + " | ".join(cells) + " |", flush=True)
    print("\n" + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) + ".")
    return int(unknown)


if __name__ == "__main__":
    sys.exit(main())
