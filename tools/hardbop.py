"""hardbop for BenchExec: how it is called, and what its output says.  See docs/benchexec.md."""

import glob
import os
import re

import benchexec.result as result
from benchexec.tools.template import (
    BaseTool2,
    ToolNotFoundException,
    UnsupportedFeatureException,
)

# The folders below --tool-directory in which the program may be: an installation's, and a build's.
FOLDERS = ["bin", os.path.join("target", "release")]

# Where `make install` puts Z3's library, seen from the program.
LIBRARIES = ["libz3.so*", os.path.join("..", "lib", "hardbop", "libz3.so*")]

# Exit codes that go with a verdict.  130 is an interrupt, as at a limit of BenchExec.
VERDICTS = {0: "SAFE", 10: "UNSAFE", 20: "UNKNOWN", 130: "UNKNOWN"}

# Other exit codes.
ERRORS = {2: "ERROR (input)", 70: "ERROR (internal)"}

# Reasons for UNKNOWN that are limits.
LIMITS = {
    "time limit reached": result.RESULT_TIMEOUT,
    "memory limit reached": "OUT OF MEMORY",
}

# What a trace begins with where the error is no call, label or assertion.
VIOLATIONS = {
    "a signed overflow": result.RESULT_FALSE_OVERFLOW,
    "a shift by a count out of range": result.RESULT_FALSE_OVERFLOW,
    "an access out of bounds": result.RESULT_FALSE_DEREF,
    "an access through a null pointer": result.RESULT_FALSE_DEREF,
}

# hardbop's limit is that of its own pages; BenchExec counts those of files as well.
SHARE_OF_MEMORY = 0.95


class Tool(BaseTool2):
    """Tool info for hardbop, a software model checker for C and Boolean programs."""

    def name(self):
        return "hardbop"

    def executable(self, tool_locator):
        for folder in FOLDERS:
            try:
                return tool_locator.find_executable("hardbop", subdir=folder)
            except ToolNotFoundException as e:
                missing = e
        raise missing

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="hardbop")

    def program_files(self, executable):
        folder = os.path.dirname(executable)
        libraries = [glob.glob(os.path.join(folder, name)) for name in LIBRARIES]
        return [executable] + sorted(sum(libraries, []))

    def cmdline(self, executable, options, task, rlimits):
        # `hardbop check`, unless the definition names the command.
        options = list(options)
        if options[:1] == ["check"]:
            options = options[1:]
        added = self._statistics(options) + self._limits(options, rlimits)
        if is_c(task):
            added += self._property(options, task) + self._data_model(options, task)
        else:
            require_reachability(task)
        return [executable, "check", *options, *added, *task.input_files]

    @staticmethod
    def _statistics(options):
        return [] if has(options, "--stats", "--json") else ["--stats"]

    @staticmethod
    def _limits(options, rlimits):
        added = []
        seconds = [t for t in (rlimits.cputime, rlimits.walltime) if t]
        if seconds and not has(options, "--time-limit"):
            added += ["--time-limit", f"{min(seconds)}s"]
        if rlimits.memory and not has(options, "--memory-limit"):
            added += ["--memory-limit", str(int(rlimits.memory * SHARE_OF_MEMORY))]
        return added

    @staticmethod
    def _property(options, task):
        if not task.property_file or has(options, "--spec"):
            return []
        return ["--spec", task.property_file]

    @staticmethod
    def _data_model(options, task):
        model = (task.options or {}).get("data_model")
        if not model or has(options, "--32", "--64"):
            return []
        try:
            return [{"ILP32": "--32", "LP64": "--64"}[model]]
        except KeyError:
            raise UnsupportedFeatureException(f"there is no data model '{model}'")

    def determine_result(self, run):
        if run.exit_code.value is None:
            return result.RESULT_ERROR
        code = run.exit_code.value
        if code not in VERDICTS:
            # Of a run that was ended from outside, BenchExec knows more.
            return ERRORS.get(code, result.RESULT_ERROR)
        verdict, reason = last_verdict(run.output)
        if verdict is None and "--json" in run.cmdline:
            verdict, reason = VERDICTS[code], ""
        if verdict != VERDICTS[code]:
            return "ERROR (no verdict)"
        if verdict == "SAFE":
            return result.RESULT_TRUE_PROP
        if verdict == "UNSAFE":
            return violation(run.output)
        return LIMITS.get(reason, result.RESULT_UNKNOWN)

    def get_value_from_output(self, output, identifier):
        """`refinements`, `wall time`: a line of the statistics.  `reason`: that of UNKNOWN; `error`: a message.

        A name that stands below several others is written with that one: `coverage checks/successful`.
        """
        if identifier == "reason":
            return last_verdict(output)[1]
        if identifier == "error":
            errors = [line[len("error: ") :] for line in output if line.startswith("error: ")]
            return errors[0] if errors else ""
        return statistics(output).get(identifier, "")


def has(options, *names):
    """Is one of these options among those of a definition?"""
    return any(o == name or o.startswith(name + "=") for o in options for name in names)


def is_c(task):
    """Does a task have C programs?  By its options, else by the names of its files, as hardbop does."""
    language = (task.options or {}).get("language")
    if language not in (None, "C"):
        raise UnsupportedFeatureException(f"hardbop does not check programs in {language}")
    return language == "C" or all(f.endswith((".c", ".i")) for f in task.input_files)


def require_reachability(task):
    """Boolean programs have labels and assertions, and no other properties."""
    # A file that is not there refuses nothing: BenchExec tries modules with the name of one.
    if not task.property_file or not os.path.exists(task.property_file):
        return
    with open(task.property_file, encoding="utf-8") as file:
        text = file.read()
    if not re.search(r"G\s*!\s*(call|label)\b", text):
        raise UnsupportedFeatureException(
            f"{task.property_file}: of Boolean programs, only reachability is checked"
        )


def last_verdict(output):
    """The verdict and the reason in brackets, from the last verdict line; messages may stand behind it."""
    for line in reversed(list(output)):
        match = re.fullmatch(r"VERDICT: (SAFE|UNSAFE|UNKNOWN)(?: \((.*)\))?", line)
        if match:
            return match[1], match[2] or ""
    return None, ""


def violation(output):
    """What is violated, by the first line of the trace."""
    for line in output:
        match = re.match(r"The error(?:, (.*) in line \d+,)? is reached in \d+ steps?", line)
        if match and match[1]:
            return VIOLATIONS.get(match[1], result.RESULT_FALSE_PROP)
        if match:
            break
    return result.RESULT_FALSE_REACH


def statistics(output):
    """The lines of --stats: names and plain values.  What is indented is there with the name above it, too."""
    values, above = {}, ""
    is_inside = False
    for line in output:
        if line == "Statistics":
            is_inside = True
            continue
        match = re.fullmatch(r"( +)(\S.*?)  +(\S.*)", line)
        is_inside = is_inside and match is not None
        if not is_inside:
            continue
        depth, name, value = len(match[1]), match[2], plain(match[3])
        if depth == 2:
            above = name
        else:
            values[f"{above}/{name}"] = value
        if depth == 2 or name not in values:
            values[name] = value
    return values


def plain(value):
    """A value as BenchExec's tables read it: `4.7 ms` is `0.0047s`, `11.2 MiB` is `11744051B`, `4,300` is `4300`."""
    number = r"([0-9][0-9,.]*)"
    if match := re.fullmatch(number, value):
        return value.replace(",", "")
    if match := re.fullmatch(number + " (ms|s)", value):
        seconds = float(match[1]) / (1000 if match[2] == "ms" else 1)
        return f"{seconds:.4f}s"
    if match := re.fullmatch(r"(\d+) min (\d+) s", value):
        return f"{60 * int(match[1]) + int(match[2])}s"
    if match := re.fullmatch(number + " ([KMGT]?)i?B", value):
        return f"{round(float(match[1]) * 1024 ** ' KMGT'.index(match[2] or ' '))}B"
    return value
