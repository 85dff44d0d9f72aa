"""What a campaign can do on one machine it does on a Ray cluster: certificates, tasks in parts, programs in all their forms."""

import contextlib
import json
import os
import shutil
import sqlite3
import tempfile
import unittest
import unittest.mock
from pathlib import Path

try:
    import ray  # noqa: F401
    from ray.cluster_utils import Cluster
except ImportError:
    raise unittest.SkipTest("Ray is not installed")

import hardbop
import hardbop.ray

LIMITS = """[limits]
time = "60s"
memory = "300M"
"""
SAFE = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define LIMIT 9
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x < LIMIT && x > LIMIT + 1)
        reach_error();
    if (x == LIMIT && x != 9)
        reach_error();
    return 0;
}
"""
# The tree cannot follow calls that deep, and Boolean programs get no work beside it.
DEEP = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int f(int n) { if (n <= 0) return 0; return f(n - 1); }
int main(void) { if (f(__VERIFIER_nondet_int()) != 0) reach_error(); return 0; }
"""
# The only execution has no end, nor a state that comes again soon; other ways prove it at once.
ENDLESS = """extern void reach_error(void);
int main(void) { int x = 0; unsigned long y = 1; while (1) { y = y * 6364136223846793005ul + 1; if (x != 0) reach_error(); } }
"""


class Batches(unittest.TestCase):
    def client(self, seconds):
        """One with two processors that remembers what it would start."""
        client = object.__new__(hardbop.ray.Client)
        client.waiting, client.running, client.processors, client.seconds = [], {}, 2, seconds
        self.started = []
        client.start = lambda orders: self.started.append([order["run"] for order in orders])
        return client

    def sizes(self, client, tasks):
        self.started.clear()
        client.waiting = [{"run": [i, 0]} for i in range(tasks)]
        client.submit()
        self.assertEqual(client.waiting, [])
        return [len(runs) for runs in self.started]

    def test_short_tasks_go_together_and_leave_no_processor_idle(self):
        client = self.client(0.01)
        self.assertEqual(self.sizes(client, 40), [16, 16, 8])
        self.assertEqual(self.sizes(client, 6), [3, 3])
        self.assertEqual(self.sizes(client, 1), [1])
        client.running = {"one": None, "another": None}
        self.assertEqual(self.sizes(client, 6), [6])
        client.seconds = 0.3
        self.assertEqual(self.sizes(client, 7), [3, 3, 1])
        client.seconds = 5.0
        self.assertEqual(self.sizes(client, 3), [1, 1, 1])

    def test_parts_go_alone(self):
        client = self.client(0.01)
        client.waiting = [{"run": [0, 0]}, {"run": [7, 1]}, {"run": [1, 0]}, {"run": [7, 2]}]
        client.submit()
        self.assertEqual(self.started, [[[7, 1]], [[7, 2]], [[0, 0]], [[1, 0]]])

    def test_what_a_batch_gives_back_is_run_later_or_cancelled(self):
        client = self.client(0.01)
        told = []
        orders = [{"run": [i, 0]} for i in range(3)]
        batch = hardbop.ray.Batch(orders)
        batch.cancelled.append([1, 0])
        with unittest.mock.patch.object(hardbop.ray, "tell", lambda what, **fields: told.append((what, fields["run"]))):
            client.failed(batch, "a reason")
            client.cancel([2, 0])
            client.failed(hardbop.ray.Batch(orders[:1]), "a reason")
        self.assertEqual(client.waiting, [{"run": [0, 0]}])
        self.assertEqual(told, [("cancelled", [1, 0]), ("cancelled", [2, 0]), ("lost", [0, 0])])


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        cls.addClassCleanup(cls.cluster.shutdown)
        for _ in range(2):
            cls.cluster.add_node(num_cpus=1, memory=700 << 20, object_store_memory=80 << 20)

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_campaign(self, description, on="ray://auto", **how):
        path = self.write("campaign.toml", description)
        with unittest.mock.patch.dict(os.environ, {"RAY_ADDRESS": self.cluster.address}):
            tasks = hardbop.campaign(path, on=on, **how)
        if on != "local":
            self.assertTrue(all(task.node for task in tasks), tasks)
        return {task.program: (task.verdict and task.verdict.value, task.how) for task in tasks}

    @contextlib.contextmanager
    def store(self):
        with contextlib.closing(sqlite3.connect(self.folder / "campaign.sqlite")) as base, base:
            yield base

    def forget_results(self):
        """As if they were those of another version."""
        with self.store() as base:
            base.execute("DELETE FROM result")

    def test_certificates_are_kept_and_accepted(self):
        self.write("a.c", SAFE)
        self.write("b.bp", "void main() begin decl a; a := T; assert(a); end")
        self.write("c.c", SAFE.replace("x > LIMIT + 1", "x > LIMIT - 2"))
        description = f"certificates = true\n{LIMITS}[[programs]]\nfiles = ['*.c', '*.bp']\n"
        expected = {"a.c": ("SAFE", "check"), "b.bp": ("SAFE", "check"), "c.c": ("UNSAFE", "check")}
        self.assertEqual(self.run_campaign(description), expected)
        self.forget_results()
        expected.update({"a.c": ("SAFE", "certificate"), "b.bp": ("SAFE", "certificate")})
        self.assertEqual(self.run_campaign(description), expected)
        # What a cluster has kept is accepted on one machine, and the other way round.
        self.forget_results()
        self.assertEqual(self.run_campaign(description, on="local"), expected)
        with self.store() as base:
            base.execute("DELETE FROM certificate")
        self.forget_results()
        self.assertEqual(self.run_campaign(description, on="local")["a.c"], ("SAFE", "check"))
        self.forget_results()
        self.assertEqual(self.run_campaign(description), expected)
        # An edited program has its own afterwards.
        with self.store() as base:
            base.execute("UPDATE proved SET seconds = 9")
        for edit in ["x < LIMIT - 1", "x < LIMIT - 2"]:
            self.write("a.c", SAFE.replace("x < LIMIT", edit))
            self.assertEqual(self.run_campaign(description), expected)
        self.write("a.c", SAFE.replace("x > LIMIT + 1", "x > LIMIT - 3"))
        self.assertEqual(self.run_campaign(description)["a.c"], ("UNSAFE", "check"))
        self.write("a.c", SAFE)
        # That of another program proves nothing.
        with self.store() as base:
            base.execute(
                "UPDATE certificate SET certificate = (SELECT c.certificate FROM certificate AS c"
                " WHERE c.question <> certificate.question)"
            )
        self.forget_results()
        self.assertEqual(self.run_campaign(description)["a.c"], ("SAFE", "check"))

    def test_a_hard_task_is_divided(self):
        self.write("deep.c", DEEP)
        self.write("endless.c", ENDLESS)
        steps = '{"auto": [{"do": "executions"}, {"do": "tree"}]}'
        arguments = f"['--strategy', '{steps}', '--limit', 'routes.only-execution-steps=1000000000000']"
        description = f"{LIMITS}[[programs]]\nfiles = ['*.c']\narguments = {arguments}\n"
        found = self.run_campaign(description, split=True)
        self.assertEqual({name: verdict for name, (verdict, _) in found.items()}, {"deep.c": "SAFE", "endless.c": "SAFE"})
        self.assertEqual(found["deep.c"], ("SAFE", "part programs"))
        self.assertTrue(found["endless.c"][1].startswith("part "), found)

    def test_properties_are_decided_one_by_one(self):
        text = SAFE.replace("#define LIMIT 9\n", "").replace("LIMIT", "9")
        self.write("a.c", text)
        self.write("b.i", text.replace("9", "8"))
        description = "split = true\n{}[[programs]]\nfiles = ['{}/*.[ci]']\narguments = ['--route', 'tree']\n"
        short = description.format(LIMITS.replace("60s", "1ms"), self.folder)
        names = [str(self.folder / name) for name in ["a.c", "b.i"]]
        self.assertEqual(self.run_campaign(short), {name: ("UNKNOWN", "part all") for name in names})
        # With these limits they are known as they were asked, and not in parts.
        with self.store() as base:
            base.execute("UPDATE result SET time_limit = 1000, part = NULL")
        found = self.run_campaign(description.format(LIMITS, self.folder))
        for name in names:
            places = ", ".join(f"error at {name}:{line}:9" for line in [6, 8])
            self.assertEqual(found[name], ("SAFE", f"part {places}"))

    def test_programs_in_all_their_forms(self):
        main = '#include "f.h"\nextern void reach_error(void);\nint main(void) { if (f(1) != LIMIT) reach_error(); return 0; }\n'
        other = '#include "f.h"\nint f(int n) { return n + 1; }\n'
        for folder in ["linked", "built"]:
            self.write(f"{folder}/main.c", main)
            self.write(f"{folder}/f.c", other)
        self.write("include/f.h", "#define LIMIT 2\nint f(int n);\n")
        command = f"cc -I{self.folder / 'include'} -c"
        entries = [{"directory": str(self.folder / "built"), "file": n, "command": f"{command} {n}"} for n in ["main.c", "f.c"]]
        self.write("built/compile_commands.json", json.dumps(entries))
        self.write("tasks/p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
        self.write("tasks/t.i", "extern void reach_error(void); int main(void) { if (sizeof(long) != 4) reach_error(); }\n")
        definition = "format_version: '2.0'\ninput_files: 't.i'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n"
        self.write("tasks/t.yml", definition + "options:\n  language: C\n  data_model: ILP32\n")
        description = f"""certificates = true
warm = true
{LIMITS}
[[programs]]
name = "linked"
link = ["linked/main.c", "linked/f.c"]
preprocessor = ["-Iinclude"]
[[programs]]
name = "built"
compile_commands = "built/compile_commands.json"
[[programs]]
files = ["tasks/*.yml"]
"""
        names = ["linked", "built", "tasks/t.yml"]
        self.assertEqual(self.run_campaign(description), {name: ("SAFE", "check") for name in names})
        self.forget_results()
        self.assertEqual(self.run_campaign(description), {name: ("SAFE", "certificate") for name in names})


if __name__ == "__main__":
    unittest.main()
