#!/usr/bin/env python3
"""Check libraries from Debian's source packages, as projects.toml says, and print a table.

    python3 bench-c/projects/run.py --hardbop target/release/hardbop --cache /tmp/projects

Tarballs are fetched once, by `apt-get source` from the mirrors that this machine's apt is set up for, with a configuration
of their own in the cache; a tarball that lies in the cache is taken from there, so other systems can put it there by hand.
Each has to have the sha256 of projects.toml. Exit code 1: a verdict contradicts the expected one, or an error that was
confirmed did not show up in the compiled harness (--confirm).
"""

import argparse
import glob
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import time
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))


def apt_configuration(cache):
    """A private configuration of apt: this machine's Debian sources, but for source packages."""
    root = os.path.join(cache, "apt")
    for folder in ("lists/partial", "cache/archives/partial"):
        os.makedirs(os.path.join(root, folder), exist_ok=True)
    found = []
    for path in sorted(glob.glob("/etc/apt/sources.list.d/*.sources")):
        text = "\n".join(l for l in open(path).read().splitlines() if not l.startswith("#"))
        found.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", text))
    lines = []
    for path in ["/etc/apt/sources.list"] + sorted(glob.glob("/etc/apt/sources.list.d/*.list")):
        if os.path.exists(path):
            lines += [re.sub(r"^deb(-src)?\s", "deb-src ", l) for l in open(path) if re.match(r"deb(-src)?\s", l)]
    os.makedirs(os.path.join(root, "parts"), exist_ok=True)
    with open(os.path.join(root, "parts", "all.sources"), "w") as out:
        out.write("\n\n".join(found) + "\n")
    with open(os.path.join(root, "sources.list"), "w") as out:
        out.writelines(lines)
    configuration = os.path.join(root, "apt.conf")
    with open(configuration, "w") as out:
        out.write(f'Dir::Etc::sourcelist "{root}/sources.list";\nDir::Etc::sourceparts "{root}/parts";\n'
                  f'Dir::State::lists "{root}/lists";\nDir::Cache "{root}/cache";\nAPT::Sandbox::User "root";\n')
    environment = dict(os.environ, APT_CONFIG=configuration)
    subprocess.run(["apt-get", "-q", "update"], env=environment, check=True, stdout=subprocess.DEVNULL)
    return environment


def fetch(projects, cache):
    environment = None
    for p in projects:
        path = os.path.join(cache, p["tarball"])
        if not os.path.exists(path):
            if environment is None:
                environment = apt_configuration(cache)
            subprocess.run(["apt-get", "-q", "source", "--download-only", "--tar-only", f"{p['package']}={p['version']}"],
                           env=environment, cwd=cache, check=True, stdout=subprocess.DEVNULL)
        with open(path, "rb") as file:
            found = hashlib.sha256(file.read()).hexdigest()
        if found != p["sha256"]:
            sys.exit(f"{path}: the sha256 is {found}, but should be {p['sha256']}")
        if not os.path.isdir(os.path.join(cache, p["folder"])):
            with tarfile.open(path) as tar:
                tar.extractall(cache, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))


def lines_read(command_options, files):
    """Lines of the project's files that the compiler reads: its sources, and its headers, each once."""
    flags = []
    rest = iter(command_options)
    for option in rest:
        if option in ("-I", "-D"):
            flags += [option, next(rest)]
    seen = set()
    for file in files:
        out = subprocess.run(["cc", "-MM", "-MT", "x", *flags, file], capture_output=True, text=True, check=True).stdout
        seen.update(os.path.realpath(f) for f in out.replace("\\\n", " ").split()[1:])
    total = 0
    for path in seen:
        if not path.startswith(HERE + os.sep):
            with open(path, "rb") as file:
                total += sum(1 for _ in file)
    return total


def check(binary, files, options, limit, memory):
    command = [binary, "check", *files, *options, "--time-limit", f"{limit}s", "--memory-limit", memory, "--json"]
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit + 30)
    except subprocess.TimeoutExpired:
        return "HANG", "no answer 30 s after the limit", time.monotonic() - start
    seconds = time.monotonic() - start
    verdict = {0: "SAFE", 10: "UNSAFE", 20: "UNKNOWN"}.get(done.returncode, f"exit code {done.returncode}")
    reason = ""
    if verdict not in ("SAFE", "UNSAFE"):
        try:
            reason = (json.loads(done.stdout).get("reason") or {}).get("message") or ""
        except (ValueError, AttributeError):
            pass
        reason = reason or (done.stderr.strip().splitlines() or [""])[-1]
    return verdict, reason, seconds


def confirm(binary, files, options, limit, memory, folder):
    """The same program as one file, for --harness: whether its compiled harness stops at the error."""
    one, bug, program = (os.path.join(folder, n) for n in ("one.c", "bug.c", "bug"))
    for path in (bug, program):
        if os.path.exists(path):
            os.remove(path)
    with open(one, "w") as out:
        out.writelines(f'#include "{os.path.abspath(f)}"\n' for f in files[1:] + files[:1])
    done = subprocess.run([binary, "check", one, *options, "--time-limit", f"{limit}s", "--memory-limit", memory,
                           "--harness", bug], capture_output=True, text=True)
    if done.returncode != 10 or not os.path.exists(bug):
        return "no harness: " + (done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["?"])[-1]
    text = open(bug).read()
    sanitizer = ["-fsanitize=address,undefined"] if "-fsanitize" in text[:2000] else []
    built = subprocess.run(["gcc", "-w", "-fwrapv", "-g", *sanitizer, "-o", program, bug], capture_output=True, text=True)
    if built.returncode:
        return "does not compile: " + built.stderr.strip().splitlines()[0]
    try:
        ran = subprocess.run([program], capture_output=True, text=True, errors="replace", timeout=20)
    except subprocess.TimeoutExpired:
        return "does not stop"
    message = ran.stdout + ran.stderr
    if ran.returncode != 0 and ("Assertion" in message or "reached" in message or "Sanitizer" in message):
        return "yes"
    return f"no: exit code {ran.returncode}"


def parser(description, limit, what):
    """The options that the programs of this folder have."""
    arguments = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--hardbop", required=True, metavar="BIN")
    arguments.add_argument("--cache", required=True, metavar="FOLDER", help="for tarballs and what is in them")
    arguments.add_argument("--limit", type=int, default=limit, metavar="SECONDS", help=f"for each {what} ({limit})")
    arguments.add_argument("--memory", default="4G", metavar="SIZE", help=f"for each {what} (4G)")
    arguments.add_argument("--only", action="append", metavar="PROJECT", help="may be repeated")
    return arguments


def main():
    arguments = parser(__doc__, 60, "row")
    arguments.add_argument("--confirm", action="store_true", help="compile and run the harness of each error that is found")
    options = arguments.parse_args()

    with open(os.path.join(HERE, "projects.toml"), "rb") as file:
        projects = tomllib.load(file)["project"]
    known = [p["name"] for p in projects]
    for name in options.only or []:
        if name not in known:
            arguments.error(f"no project is named '{name}', but: {', '.join(known)}")
    projects = [p for p in projects if not options.only or p["name"] in options.only]
    cache = os.path.abspath(options.cache)
    os.makedirs(cache, exist_ok=True)
    fetch(projects, cache)

    columns = ["project", "lines", "property", "harness", "verdict", "seconds"]
    columns += ["compiled harness fails"] if options.confirm else []
    print("| " + " | ".join(columns) + " |")
    print("|---|--:|---|---|---|--:|" + ("---|" if options.confirm else ""))
    bad = 0
    decided = rows = 0
    in_the_way = []
    for p in projects:
        src = os.path.join(cache, p["folder"])
        name = f"{p['name']} {p['version'].split(':')[-1].rsplit('-', 1)[0]}"
        for row in p["row"]:
            files = [os.path.join(HERE, row["harness"])] + [os.path.join(src, f) for f in p["files"]]
            given = [o.replace("{src}", src) for o in p["options"]] + row["options"]
            verdict, reason, seconds = check(options.hardbop, files, given, options.limit, options.memory)
            rows += 1
            sure = ""
            shown = verdict
            if verdict in ("SAFE", "UNSAFE"):
                decided += 1
                if verdict != row["expected"]:
                    shown = f"**{verdict}**, not {row['expected']}"
                    bad = 1
            else:
                reason = reason.replace(cache + os.sep, "").replace(HERE + os.sep, "").replace("|", "\\|")
                in_the_way.append([name, f"`{row['harness']}`", row["expected"], reason, row.get("remains", "")])
                if verdict != "UNKNOWN":
                    bad = 1
            if options.confirm and verdict == "UNSAFE":
                sure = confirm(options.hardbop, files, given, options.limit, options.memory, cache)
                sure = sure.replace(cache + os.sep, "").replace("|", "\\|")
                if sure.startswith("no: "):
                    bad = 1
                if sure.startswith("no harness: "):
                    sure = "not built"
            cells = [name, f"{lines_read(given, files):,}", row["property"], f"`{row['harness']}`", shown, f"{seconds:.1f}"]
            print("| " + " | ".join(cells + ([sure] if options.confirm else [])) + " |", flush=True)
    print(f"\n{decided} of {rows} are decided, with {options.limit} s for each.")
    if in_the_way:
        print("\n| project | harness | expected | what hardbop says | why |\n|---|---|---|---|---|")
        for cells in in_the_way:
            print("| " + " | ".join(cells) + " |")
    return bad


if __name__ == "__main__":
    sys.exit(main())
