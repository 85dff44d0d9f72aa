"""Does the module do what its documentation says?  Runs where the wheel is installed: `make check-wheel`."""

import doctest
import inspect
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import hardbop

EXAMPLES = Path(os.environ["HARDBOP_EXAMPLES"])
# A number that counts up to 2^48: nothing that is short decides it.
HARD = subprocess.run(
    ["hardbop", "gen", "counter", "--size", "48", "--bug"], capture_output=True, text=True
).stdout


class Checks(unittest.TestCase):
    def test_verdicts_of_files(self):
        for name, verdict in [
            ("lock-safe.bp", "SAFE"),
            ("lock-unsafe.bp", "UNSAFE"),
            ("send-queue.c", "SAFE"),
            ("send-queue-bug.c", "UNSAFE"),
        ]:
            with self.subTest(name):
                answer = hardbop.check(EXAMPLES / name)
                self.assertEqual(answer.verdict, verdict)
                self.assertEqual(answer.document["schema"], "hardbop-answer-1")
                self.assertEqual(answer.is_unsafe, answer.trace is not None)

    def test_a_trace_and_an_invariant(self):
        answer = hardbop.check(EXAMPLES / "send-queue-bug.c")
        self.assertIn("send-queue-bug.c:", answer.trace)
        answer = hardbop.check(EXAMPLES / "send-queue.c")
        self.assertTrue(any("locked" in str(i) for i in answer.invariants), answer.invariants)

    def test_the_preprocessor_runs_where_it_is_needed(self):
        text = "#define ERROR reach_error()\nvoid reach_error(void); int main(void) { ERROR; }\n"
        with self.assertRaises(hardbop.NeedsPreprocessor):
            hardbop.check(text, language="c")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "macro.c")
            file.write_text(text)
            self.assertTrue(hardbop.check(file).is_unsafe)
            answer = hardbop.check(file, preprocessor=("cc", "-E", "-Dreach_error=abort"))
            self.assertIn("states no error itself", " ".join(answer.document["warnings"]))
            with self.assertRaises(hardbop.PreprocessorError):
                hardbop.check(file, preprocessor=("cc", "-E", "-include", "nowhere.h"))

    def test_options_change_the_answer(self):
        text = "extern int __VERIFIER_nondet_int(void); int main(void) { return __VERIFIER_nondet_int() + 1; }"
        self.assertTrue(hardbop.check(text, language="c").is_unsafe)
        self.assertTrue(hardbop.check(text, language="c", check_null=True).is_safe)
        self.assertTrue(hardbop.check(text, language="c", overflow_check=True).is_unsafe)
        answer = hardbop.check(EXAMPLES / "lock-safe.bp", engine="bdd")
        self.assertEqual(answer.document["answered-by"], "bdd")

    def test_abstraction(self):
        text = """extern void reach_error(void); extern int nondet(void);
            int x; int main(void) { x = nondet(); while (x == 1) { if (x != 1) reach_error(); x = 3 - x; } }"""
        program = hardbop.abstract(text, ["(= x #x00000001)"])
        self.assertIn("{x == 1}", program.text)
        self.assertTrue(program.check().is_safe)
        with self.assertRaises(hardbop.PredicateError) as caught:
            hardbop.abstract(text, "(= x #b1)")
        self.assertEqual((caught.exception.line, caught.exception.column), (1, 1))


class Errors(unittest.TestCase):
    def test_mistakes_have_their_places(self):
        program = hardbop.BooleanProgram("decl held;\nvoid main() begin hold := T; end", "lock.bp")
        with self.assertRaises(hardbop.ProgramError) as caught:
            program.check()
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column), ("lock.bp", 2, 19))
        self.assertEqual(error.diagnostics[0].hint, "did you mean 'held'?")
        with self.assertRaises(hardbop.ProgramError) as caught:
            hardbop.check('# 7 "part.h"\nint f( { }', language="c", name="whole.c")
        self.assertEqual((caught.exception.file, caught.exception.line), ("part.h", 7))

    def test_a_program_without_errors_is_refused(self):
        with self.assertRaisesRegex(hardbop.NothingToCheck, "nothing in this program counts as an error"):
            hardbop.check("void main() begin skip; end", language="bp")

    def test_options_that_are_none(self):
        file = EXAMPLES / "lock-safe.bp"
        with self.assertRaisesRegex(hardbop.OptionError, "did you mean 'engine'"):
            hardbop.check(file, enginee="bdd")
        for wrong in [{"engine": "fast"}, {"threads": "many"}, {"language": "ada"}]:
            with self.assertRaises(hardbop.OptionError):
                hardbop.check(file, **wrong)
        with self.assertRaises(ValueError):
            hardbop.check(file, time_limit=-1)
        with self.assertRaises(FileNotFoundError):
            hardbop.check(Path("nowhere.bp"))


class Runs(unittest.TestCase):
    def test_a_limit_is_an_answer(self):
        answer = hardbop.check(HARD, language="bp", time_limit=0.2)
        self.assertEqual(answer.verdict, hardbop.Verdict.UNKNOWN)
        self.assertEqual(answer.reason, "time limit reached")

    def test_others_run_meanwhile(self):
        ticks = []
        thread = threading.Thread(target=lambda: hardbop.check(HARD, language="bp", time_limit=1))
        thread.start()
        while thread.is_alive():
            ticks.append(time.monotonic())
            time.sleep(0.01)
        self.assertGreater(len(ticks), 10)

    def test_progress_is_told_and_can_end_a_run(self):
        told = []

        def tell(seconds, statistics):
            told.append(statistics)
            raise KeyError("enough")

        with self.assertRaisesRegex(KeyError, "enough"):
            hardbop.check(HARD, language="bp", time_limit=60, progress=tell, engine="qbf", plain=True)
        self.assertGreater(told[0]["path-edges"], 0)

    def test_an_interrupt_ends_a_run(self):
        # A shell's jobs in the background begin with interrupts ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            hardbop.check(HARD, language="bp", time_limit=60)
        timer.join()


class Package(unittest.TestCase):
    def test_the_command_is_there(self):
        done = subprocess.run(["hardbop", "check", str(EXAMPLES / "send-queue-bug.c")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 10, done.stderr)
        version = subprocess.run(["hardbop", "--version"], capture_output=True, text=True).stdout
        self.assertEqual(version.split()[-1], hardbop.__version__)

    def test_all_is_documented_and_typed(self):
        for name in hardbop.__all__:
            thing = getattr(hardbop, name)
            if callable(thing):
                self.assertTrue(inspect.getdoc(thing), name)
        self.assertTrue(Path(hardbop.__file__).with_name("py.typed").exists())
        self.assertEqual(doctest.testmod(hardbop).failed, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
