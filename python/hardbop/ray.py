"""The client of a Ray cluster for `hardbop campaign --on ray://...`: `python3 -m hardbop.ray`.

Orders come as lines of JSON on standard input, and what has happened goes to standard output.  Each task is a task of Ray
that runs the command `hardbop` on its node; the texts of programs go through Ray's store of objects, each once.  Nodes
with another version of hardbop get no tasks.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

AHEAD = 2
"""So many tasks for each processor are outstanding: when one ends, the next one is there."""
LOOK = 0.05
PERIOD = 1.0
"""Seconds between two looks at results, and at the nodes."""
RETRIES = 3
"""Ray itself starts a task so often again whose node dies."""


def command() -> str:
    """The program `hardbop` on this machine: the one that was installed with this module, or the first one there is."""
    beside = Path(sys.executable).with_name("hardbop")
    return os.environ.get("HARDBOP_PROGRAM") or (str(beside) if beside.exists() else shutil.which("hardbop") or "hardbop")


def _end_with_parent() -> None:
    """A worker that is killed takes its process along."""
    os.setpgid(0, 0)
    try:
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # Without it, the process ends at its limit.


def work(version: str, order: Dict[str, Any], *texts: str) -> Dict[str, Any]:
    """Runs a task on this node, in a folder of its own."""
    program, node = command(), ray.util.get_node_ip_address()
    context = ray.get_runtime_context()
    done: Dict[str, Any] = {"node": node, "node_id": context.get_node_id(), "page": None, "learned": None, "cpu_seconds": None}
    found = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
    if found[-1:] != [version]:
        done["version"] = found[-1] if found else "none"
        return done
    with tempfile.TemporaryDirectory(prefix="hardbop-") as root:
        names = [name for name, _ in order["files"]]
        # Names may begin with some '..'.
        above = max((Path(name).parts.count("..") for name in names), default=0)
        folder = Path(root, "base", *(["above"] * above))
        folder.mkdir(parents=True)
        for name, text in zip(names, texts):
            path = Path(os.path.normpath(folder / name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        words, page = list(order["words"]), Path(root, "page.html")
        if order["page"]:
            words[1:1] = ["--html", str(page)]
        learned = Path(root, "learned")
        if order["learned"] is not None:
            words[1:1] = ["--learned", str(learned)]
            if order["learned"]:
                learned.write_text(order["learned"], encoding="utf-8")
        before, start = os.times(), time.monotonic()
        # Files, so that nothing can block.
        with open(Path(root, "output"), "w+b") as output, open(Path(root, "errors"), "w+b") as errors:
            process = subprocess.Popen(
                [program, *words],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                preexec_fn=_end_with_parent,
            )
            try:
                done["exit"] = process.wait(order["seconds"])
            except subprocess.TimeoutExpired:
                done["exit"] = None
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            done["seconds"] = time.monotonic() - start
            after = os.times()
            done["cpu_seconds"] = after[2] + after[3] - before[2] - before[3]
            for name, stream in [("output", output), ("errors", errors)]:
                stream.seek(0)
                done[name] = stream.read().decode("utf-8", "replace")
        if page.exists():
            done["page"] = page.read_text(encoding="utf-8")
        if learned.exists():
            done["learned"] = learned.read_text(encoding="utf-8")
    return done


class Client:
    """A campaign's side of the cluster."""

    def __init__(self, order: Dict[str, Any]) -> None:
        self.version: str = order["version"]
        self.memory: int = order["memory_bytes"]
        address = order["address"]
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self.remote = ray.remote(work)
        self.texts: Dict[str, Any] = {}
        self.running: Dict[Any, Dict[str, Any]] = {}
        self.refused: Dict[str, str] = {}
        self.room = -1

    def nodes(self) -> List[Dict[str, Any]]:
        """Those that are there, and have the right version as far as is known."""
        alive = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) > 0]
        return [node for node in alive if node["NodeID"] not in self.refused]

    def look(self) -> None:
        """Tells how many tasks the cluster takes."""
        nodes = self.nodes()
        fit = [n for n in nodes if n["Resources"].get("memory", 0) >= self.memory]
        if nodes and not fit:
            most = max(n["Resources"].get("memory", 0) for n in nodes)
            raise Refusal(f"no node has the memory that a task may take: {self.memory} bytes; the most is {most:.0f}")
        if not nodes and self.refused:
            raise Refusal(f"all nodes have another version of hardbop than {self.version}: {self.words()}")
        processors = sum(
            min(int(n["Resources"]["CPU"]), int(n["Resources"].get("memory", 0) // self.memory)) for n in fit
        )
        if processors * AHEAD != self.room:
            self.room = processors * AHEAD
            tell("room", tasks=self.room)

    def words(self) -> str:
        return ", ".join(sorted(set(self.refused.values())))

    def start(self, order: Dict[str, Any]) -> None:
        """Hands a task to Ray: it chooses the node, unless some are refused."""
        how: Dict[str, Any] = {"num_cpus": 1, "memory": self.memory, "max_retries": RETRIES}
        if self.refused:
            nodes = self.nodes()
            load = {n["NodeID"]: 0 for n in nodes}
            for other in self.running.values():
                if other.get("on") in load:
                    load[other["on"]] += 1
            if not load:
                self.look()
                return tell("lost", run=order["run"], why="there is no node")
            order["on"] = min(load, key=lambda n: load[n])
            how["scheduling_strategy"] = NodeAffinitySchedulingStrategy(order["on"], soft=False)
        else:
            how["scheduling_strategy"] = "SPREAD"
        texts = [self.texts[sum] for _, sum in order["files"]]
        self.running[self.remote.options(**how).remote(self.version, order, *texts)] = order

    def collect(self) -> None:
        """Tells what has ended."""
        if not self.running:
            return
        waiting = list(self.running)
        ended, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0)
        for reference in ended:
            order = self.running.pop(reference)
            try:
                done = ray.get(reference)
            except Exception as e:  # Whatever it is that Ray has, the task has no result.
                if order.get("cancelled"):
                    tell("cancelled", run=order["run"])
                    continue
                tell("lost", run=order["run"], why=f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
                continue
            node = done.pop("node_id")
            if "version" in done:
                if node not in self.refused:
                    self.refused[node] = done["version"]
                    text = f"warning: {done['node']} has hardbop {done['version']}, not {self.version}: it gets no tasks"
                    tell("note", text=text)
                    self.look()
                if order.get("cancelled"):
                    tell("cancelled", run=order["run"])
                else:
                    self.start(order)
            else:
                tell("done", run=order["run"], **done)

    def cancel(self, run: List[int]) -> None:
        """Ends a run that nobody waits for; it is told as one that has ended."""
        for reference, order in self.running.items():
            if order["run"] == run:
                order["cancelled"] = True
                # With an interrupt, so that its process ends and its folder is removed.
                ray.cancel(reference, force=False)

    def end(self) -> None:
        """Cancels what runs."""
        for reference in self.running:
            try:
                ray.cancel(reference, force=True)
            except Exception:
                pass  # The cluster may be gone.
        ray.shutdown()


class Refusal(Exception):
    """The campaign cannot go on here."""


_lock = threading.Lock()


def tell(what: str, **fields: Any) -> None:
    """A line of JSON."""
    with _lock:
        _output.write(json.dumps({"is": what, **fields}) + "\n")
        _output.flush()


def serve(orders: "queue.Queue[Optional[Dict[str, Any]]]") -> None:
    """Takes orders until there are no more."""
    first = orders.get()
    if first is None:
        return
    try:
        client = Client(first)
    except Exception as e:
        return tell("refused", why=f"no Ray cluster: {e}")
    looked = 0.0
    try:
        while True:
            try:
                order = orders.get(timeout=LOOK)
            except queue.Empty:
                order = {"do": "nothing"}
            while order is not None:
                if order["do"] == "text":
                    client.texts[order["sum"]] = ray.put(order["text"])
                elif order["do"] == "task":
                    client.start(order)
                elif order["do"] == "cancel":
                    client.cancel(order["run"])
                try:
                    order = orders.get_nowait()
                except queue.Empty:
                    break
            if order is None:
                break
            client.collect()
            if time.monotonic() - looked >= PERIOD:
                client.look()
                looked = time.monotonic()
    except Refusal as e:
        tell("refused", why=str(e))
    finally:
        client.end()


def _read(orders: "queue.Queue[Optional[Dict[str, Any]]]") -> None:
    for line in sys.stdin:
        orders.put(json.loads(line))
    # The driver has ended, in whatever way.
    orders.put(None)


def main() -> None:
    orders: "queue.Queue[Optional[Dict[str, Any]]]" = queue.Queue()
    threading.Thread(target=_read, args=(orders,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    serve(orders)


if __name__ == "__main__":
    # What libraries print is no message.
    _output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    main()
