"""Is hardbop.py what BenchExec needs?  Runs the program on the examples: `make check-benchexec`."""

import os
import subprocess
import sys
import tempfile
import unittest

try:
    import benchexec.result as result
    from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
    from benchexec.util import ProcessExitCode
except ImportError:
    if __name__ == "__main__":
        print("skipped: benchexec is not installed")
        sys.exit()
    raise unittest.SkipTest("benchexec is not installed")

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))

from hardbop import Tool  # noqa: E402  (it needs benchexec)

PROGRAM = os.environ.get("HARDBOP", os.path.join(ROOT, "target", "release", "hardbop"))
EXAMPLES = os.path.join(ROOT, "examples")


def example(name):
    return os.path.join(EXAMPLES, name)


def task(*files, prop=None, **options):
    files = [example(f) for f in files]
    prop = prop and example(prop)
    return BaseTool2.Task.with_files(files, property_file=prop, options=options or None)


def limits(**given):
    return BaseTool2.ResourceLimits(**given)


def captured(output, code=None, signal=None, cmdline=(), termination=None):
    lines = BaseTool2.RunOutput(output.splitlines(keepends=True))
    exit_code = ProcessExitCode.create(value=code, signal=signal)
    return BaseTool2.Run(cmdline, exit_code, lines, termination)


class CommandLine(unittest.TestCase):
    def words(self, task, options=(), **given):
        return Tool().cmdline("hardbop", list(options), task, limits(**given))

    def test_c(self):
        given = task("bisect.c", prop="no-overflow.prp", language="C", data_model="ILP32")
        words = self.words(given, ["--seed", "3"])
        spec = ["--spec", example("no-overflow.prp"), "--32", example("bisect.c")]
        self.assertEqual(words, ["hardbop", "check", "--seed", "3", "--stats", *spec])

    def test_options_of_the_definition_come_first(self):
        given = task("bisect.c", language="C", data_model="LP64")
        words = self.words(given, ["check", "--32", "--time-limit=3", "--json"], walltime=9)
        self.assertEqual(words, ["hardbop", "check", "--32", "--time-limit=3", "--json", example("bisect.c")])

    def test_limits(self):
        words = self.words(task("bisect.c"), cputime=60, cputime_hard=70, walltime=50, memory=1000)
        added = ["--time-limit", "50s", "--memory-limit", "950"]
        self.assertEqual(words, ["hardbop", "check", "--stats", *added, example("bisect.c")])

    def test_boolean_programs_have_no_property_file(self):
        words = self.words(task("lock-safe.bp", prop="unreach-call.prp"))
        self.assertEqual(words, ["hardbop", "check", "--stats", example("lock-safe.bp")])
        with self.assertRaises(UnsupportedFeatureException):
            self.words(task("lock-safe.bp", prop="no-overflow.prp"))

    def test_what_is_not_supported(self):
        with self.assertRaises(UnsupportedFeatureException):
            self.words(task("bisect.c", language="C", data_model="LLP64"))
        with self.assertRaises(UnsupportedFeatureException):
            self.words(task("bisect.c", language="Java"))


class Results(unittest.TestCase):
    def result(self, output, *how, **more):
        return Tool().determine_result(captured(output, *how, **more))

    def test_verdicts(self):
        self.assertEqual(self.result("VERDICT: SAFE\n", 0), "true")
        self.assertEqual(self.result("VERDICT: UNSAFE\n", 10), "false(unreach-call)")
        self.assertEqual(self.result("VERDICT: UNKNOWN (the table of BDD nodes is full)\n", 20), "unknown")

    def test_limits(self):
        unknown = "VERDICT: UNKNOWN ({})\n".format
        self.assertEqual(self.result(unknown("time limit reached"), 20), "TIMEOUT")
        self.assertEqual(self.result(unknown("memory limit reached"), 20), "OUT OF MEMORY")
        interrupted = self.result(unknown("interrupted"), 130, termination="cputime-soft")
        self.assertEqual(interrupted, "unknown", "BenchExec makes TIMEOUT of it")

    def test_violations(self):
        text = "The error, {}, is reached in 1 step:\n  f.c:9  ERROR\nVERDICT: UNSAFE\n".format
        for words, wanted in [
            ("a shift by a count out of range in line 9", result.RESULT_FALSE_OVERFLOW),
            ("an access out of bounds in line 9", result.RESULT_FALSE_DEREF),
            ("something new in line 9", result.RESULT_FALSE_PROP),
        ]:
            self.assertEqual(self.result(text(words), 10), wanted)

    def test_failures(self):
        self.assertEqual(self.result("error: no such file\n", 2), "ERROR (input)")
        self.assertEqual(self.result("internal error\n", 70), "ERROR (internal)")
        self.assertEqual(self.result("", signal=9), result.RESULT_ERROR)
        # The exit code and the last line have to agree.
        self.assertEqual(self.result("", 0), "ERROR (no verdict)")
        self.assertEqual(self.result("VERDICT: SAFE\n", 10), "ERROR (no verdict)")
        self.assertEqual(self.result("{}\n", 0, cmdline=["hardbop", "check", "--json"]), "true")
        # A message may stand behind the verdict, for both streams are in one file.
        self.assertEqual(self.result("VERDICT: SAFE\nwarning: late\n", 0), "true")

    def test_values(self):
        text = (
            "error: cannot read 'x'\nStatistics\n  wall time      1 min 5 s\n    checks        4.7 ms\n"
            "  peak memory   1.5 KiB\n  checks          4,300\n    successful       12\n  cut nodes      3 of 9\n"
            "Size   functions\n  checks      7\nVERDICT: UNKNOWN (a (b) c)\n"
        )
        output = captured(text, 20).output
        for name, wanted in {
            "wall time": "65s",
            "wall time/checks": "0.0047s",
            "checks": "4300",
            "checks/successful": "12",
            "successful": "12",
            "peak memory": "1536B",
            "cut nodes": "3 of 9",
            "reason": "a (b) c",
            "error": "cannot read 'x'",
            "nothing": "",
        }.items():
            self.assertEqual(Tool().get_value_from_output(output, name), wanted, name)


@unittest.skipUnless(os.access(PROGRAM, os.X_OK), f"there is no {PROGRAM}")
class Runs(unittest.TestCase):
    """The program on the examples."""

    def run_tool(self, task, options=(), **given):
        tool = Tool()
        words = tool.cmdline(PROGRAM, list(options), task, limits(**given))
        with tempfile.TemporaryFile(mode="w+") as file:
            code = subprocess.run(words, stdout=file, stderr=file, cwd=ROOT, timeout=120).returncode
            file.seek(0)
            run = captured(file.read(), code, cmdline=words)
        return tool.determine_result(run), run.output

    def test_examples(self):
        for given, wanted in [
            (task("bisect.c", prop="unreach-call.prp", language="C"), result.RESULT_FALSE_REACH),
            (task("bisect.c", prop="no-overflow.prp", language="C"), result.RESULT_FALSE_OVERFLOW),
            (task("handshake.c", data_model="ILP32"), result.RESULT_TRUE_PROP),
            (task("lock-safe.bp", prop="unreach-call.prp"), result.RESULT_TRUE_PROP),
            (task("lock-unsafe.bp"), result.RESULT_FALSE_REACH),
            (task("queue/main.c", "queue/queue.c"), result.RESULT_TRUE_PROP),
            (task("nowhere.bp"), "ERROR (input)"),
        ]:
            self.assertEqual(self.run_tool(given)[0], wanted, given)

    def test_limits(self):
        self.assertEqual(self.run_tool(task("handshake.c"), ["--time-limit", "0s"])[0], "TIMEOUT")
        self.assertEqual(self.run_tool(task("handshake.c"), memory=1 << 20)[0], "OUT OF MEMORY")

    def test_values(self):
        for name in ["handshake.c", "lock-safe.bp"]:
            _, output = self.run_tool(task(name), cputime=60, walltime=60, memory=4 << 30)
            value = Tool().get_value_from_output
            self.assertRegex(value(output, "wall time"), r"^[0-9.]+s$")
            self.assertRegex(value(output, "peak memory"), r"^[0-9]+B$")
            self.assertRegex(value(output, "refinements"), r"^[0-9]+$")

    def test_json(self):
        given = task("lock-unsafe.bp")
        self.assertEqual(self.run_tool(given, ["--json"])[0], result.RESULT_FALSE_REACH)

    def test_version(self):
        self.assertRegex(Tool().version(PROGRAM), r"^\d+\.\d+")

    def test_the_program_is_found(self):
        locator = BaseTool2.ToolLocator(tool_directory=ROOT)
        if PROGRAM == os.path.join(ROOT, "target", "release", "hardbop"):
            self.assertTrue(os.path.samefile(Tool().executable(locator), PROGRAM))


if __name__ == "__main__":
    unittest.main()
