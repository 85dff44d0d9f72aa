"""A campaign on a Ray cluster of four simulated nodes, of which some die while it runs; so does the driver, twice.  Each task
has the verdict of a campaign on this machine, once.  HARDBOP_RAY_TASKS says how many there are.
"""

import contextlib
import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
from pathlib import Path

try:
    import ray  # noqa: F401
    from ray.cluster_utils import Cluster
except ImportError:
    raise unittest.SkipTest("Ray is not installed")

import hardbop

TASKS = int(os.environ.get("HARDBOP_RAY_TASKS", "30"))
FAMILIES = ["saturating", "twins", "complement", "stride"]
DESCRIPTION = """
[limits]
time = "3s"
memory = "300M"

[[programs]]
files = ["*.bp", "*.c"]
expected = "expected.tsv"
"""
# A macro, so that the preprocessor runs before the text is sent.
PROGRAM = """#define LIMIT {number}
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {{
    unsigned x = __VERIFIER_nondet_uint();
    if (x {sign} LIMIT && x > LIMIT + 1)
        reach_error();
    return 0;
}}
"""


WARM = """warm = true
[limits]
time = "20s"
memory = "300M"
[[programs]]
files = ["warm.c"]
[[options]]
name = "predicates"
arguments = ["--algorithm", "predicate", "--explicit-states", "0", "--executions", "0", "--limit", "routes.cold-work=0"]
"""
# Its proof by predicates needs some.
FLIP = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = 0, y = 0;
    while (__VERIFIER_nondet_int()) { x = !x; y = x; }
    if (y > 1) reach_error();
}
"""


def programs(folder):
    """Programs that are decided at once, or never within the limit; with the verdicts that they have by construction."""
    lines = []
    for i in range(TASKS):
        hard = i % 5 == 3
        bug = i % 2 == 1 and not hard
        word = "unsafe" if bug else "safe"
        if i % 5 == 4:
            name = f"p{i}.c"
            text = PROGRAM.format(number=i, sign=">" if bug else "<")
        else:
            name = f"p{i}.bp"
            family = "multiply" if hard else FAMILIES[i % len(FAMILIES)]
            words = ["--size", "24" if hard else str(4 + i % 5), "--seed", str(i)]
            words += ["--bug"] if bug else []
            made = subprocess.run(["hardbop", "gen", family, *words], capture_output=True, text=True, check=True)
            # A comment, so that no two programs are the same.
            text = made.stdout + f"// {i}\n"
        Path(folder, name).write_text(text)
        lines.append(f"{name}\t{word}")
    Path(folder, "expected.tsv").write_text("\n".join(lines) + "\n")
    Path(folder, "campaign.toml").write_text(DESCRIPTION)


def verdicts(tasks):
    return {task.program: (task.verdict, task.reason) for task in tasks}


class Chaos(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        programs(self.folder)
        self.store = Path(self.folder, "ray.sqlite")
        arguments = {"initialize_head": True, "head_node_args": {"num_cpus": 0, "include_dashboard": False}}
        self.cluster = Cluster(**arguments)
        self.addCleanup(self.cluster.shutdown)
        self.nodes = [self.node() for _ in range(4)]
        self.environment = {**os.environ, "RAY_ADDRESS": self.cluster.address}

    def node(self):
        return self.cluster.add_node(num_cpus=1, memory=700 << 20, object_store_memory=80 << 20)

    def start(self):
        words = ["hardbop", "campaign", "campaign.toml", "--on", "ray://auto", "--python", sys.executable, "--quiet"]
        words += ["--store", str(self.store)]
        # A driver that is killed takes its client along, by a pipe that ends.
        return subprocess.Popen(words, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True)

    def finished(self):
        """How many results there are."""
        if not self.store.exists():
            return 0
        base = sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)
        try:
            return base.execute("SELECT count(*) FROM result").fetchone()[0]
        except sqlite3.OperationalError:
            return 0  # There is no table yet.
        finally:
            base.close()

    def wait_for(self, number, driver):
        """Waits for so many results; on a fast machine the driver may have all before it is killed."""
        while self.finished() < number and driver.poll() is None:
            time.sleep(0.05)
        self.assertIn(driver.poll(), (None, 10, 20))

    def test_each_task_has_one_verdict(self):
        driver = self.start()
        self.wait_for(TASKS // 10, driver)
        self.cluster.remove_node(self.nodes.pop(), allow_graceful=False)
        self.wait_for(TASKS // 5, driver)
        driver.kill()
        driver.communicate()
        before = self.finished()
        driver = self.start()
        self.nodes.append(self.node())
        self.wait_for(before + TASKS // 10, driver)
        self.cluster.remove_node(self.nodes.pop(0), allow_graceful=False)
        self.wait_for(before + TASKS // 5, driver)
        driver.kill()
        driver.communicate()
        driver = self.start()
        self.nodes.append(self.node())
        output, _ = driver.communicate()
        self.assertIn(driver.returncode, (10, 20), output)
        on_ray = hardbop.campaign(Path(self.folder, "campaign.toml"), run=False, arguments=["--store", str(self.store)])
        here = hardbop.campaign(Path(self.folder, "campaign.toml"))
        self.assertEqual(len(on_ray), TASKS)
        self.assertEqual(len({task.task for task in on_ray}), TASKS)
        self.assertEqual(verdicts(on_ray), verdicts(here))
        for task in on_ray:
            self.assertIn(task.verdict, (task.expected, hardbop.Verdict.UNKNOWN))
            self.assertTrue(task.node)
        unknown = [task.reason for task in on_ray if task.verdict is hardbop.Verdict.UNKNOWN]
        self.assertEqual(set(unknown), {"time limit reached"})

    def test_what_was_learned_goes_to_the_nodes_and_comes_back(self):
        program, store = Path(self.folder, "warm.c"), Path(self.folder, "warm.sqlite")
        words = ["--store", str(store)]
        Path(self.folder, "warm.toml").write_text(WARM)
        environment = {"RAY_ADDRESS": self.cluster.address}

        def run(text):
            program.write_text(text)
            with unittest.mock.patch.dict(os.environ, environment):
                (task,) = hardbop.campaign(Path(self.folder, "warm.toml"), on="ray://auto", arguments=words)
            self.assertIs(task.verdict, hardbop.Verdict.SAFE)
            with contextlib.closing(sqlite3.connect(store)) as base:
                ((packed,),) = base.execute("SELECT learned FROM learned")
            return gzip.decompress(packed).decode()

        self.assertIn("main::y", run(FLIP))
        # One that nobody would find.
        own = "(= |main::x| #x0000002a)"
        packed = gzip.compress(f"; learned in 1000000 units of work\n{own}\n".encode())
        with contextlib.closing(sqlite3.connect(store)) as base, base:
            base.execute("UPDATE learned SET learned = ?", (packed,))
        self.assertIn(own, run(FLIP.replace("y = x;", "y = x; y = y;")))


class Refusals(unittest.TestCase):
    def test_a_node_with_another_version_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder, "hardbop-of-yesterday")
            other.write_text("#!/bin/sh\necho hardbop 0.0.1\n")
            other.chmod(0o755)
            Path(folder, "a.bp").write_text("void main() begin decl a; a := T; assert(a); end")
            Path(folder, "campaign.toml").write_text(DESCRIPTION.replace(', "*.c"', "").replace('expected = "expected.tsv"', ""))
            head = {"num_cpus": 1, "memory": 700 << 20, "include_dashboard": False}
            # Workers inherit it; the driver has its own.
            os.environ["HARDBOP_PROGRAM"] = str(other)
            cluster = Cluster(initialize_head=True, head_node_args=head)
            del os.environ["HARDBOP_PROGRAM"]
            try:
                done = subprocess.run(
                    ["hardbop", "campaign", "campaign.toml", "--on", "ray://auto", "--python", sys.executable],
                    cwd=folder,
                    env={**os.environ, "RAY_ADDRESS": cluster.address},
                    capture_output=True,
                    text=True,
                )
            finally:
                cluster.shutdown()
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("0.0.1", done.stderr)
            self.assertIn("all nodes have another version", done.stderr)


if __name__ == "__main__":
    unittest.main()
