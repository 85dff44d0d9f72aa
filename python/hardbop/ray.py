"""The client of a Ray cluster for `hardbop campaign --on ray://...`: `python3 -m hardbop.ray`.

Orders come as lines of JSON on standard input, and what has happened goes to standard output.  A task of Ray runs the
command `hardbop` on its node, several times where tasks are short; the texts of programs go through Ray's store of objects,
each once, unless they are small.  Nodes with another version of hardbop get no tasks.
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
BATCH = 16
"""Most tasks that are one task of Ray, where they are short: one takes Ray some milliseconds."""
BATCH_SECONDS = 1.0
"""A batch takes so long on the average.  After that time it gives back what it has not begun with, so no result waits longer
than for the task before it."""
SMALL = 65536
"""Texts up to this length are sent with each task: to put them into the store takes longer."""
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


def _run(command: List[str], folder: Path, seconds: float) -> Dict[str, Any]:
    """Runs a command to its end, or as long as it may."""
    done: Dict[str, Any] = {}
    before, start = os.times(), time.monotonic()
    # Files, so that nothing can block.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            preexec_fn=_end_with_parent,
        )
        try:
            done["exit"] = process.wait(seconds)
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
    return done


def _is_proof(done: Dict[str, Any]) -> bool:
    """Has `certify --json` accepted a certificate of SAFE?"""
    try:
        document = json.loads(done["output"])
        said = [document["result"], document["verdict"]]
        return done["exit"] == 0 and [str(word).lower() for word in said] == ["valid", "safe"]
    except (ValueError, KeyError, TypeError):
        return False


def work(version: str, orders: List[Dict[str, Any]], *texts: str) -> Dict[str, Any]:
    """Runs tasks on this node, one after the other: those that it has begun with before a batch has to end."""
    program, node = command(), ray.util.get_node_ip_address()
    batch: Dict[str, Any] = {"node": node, "node_id": ray.get_runtime_context().get_node_id(), "done": []}
    found = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
    if found[-1:] != [version]:
        batch["version"] = found[-1] if found else "none"
        return batch
    end, given = time.monotonic() + BATCH_SECONDS, iter(texts)
    for order in orders:
        own = [next(given) for _ in order["files"]]
        if not batch["done"] or time.monotonic() < end:
            batch["done"].append(_check(program, order, own))
    return batch


def _check(program: str, order: Dict[str, Any], texts: List[str]) -> Dict[str, Any]:
    """Runs a task in a folder of its own."""
    done: Dict[str, Any] = {"certified": False}
    done.update(dict.fromkeys(["page", "learned", "certificate", "cpu_seconds", "tried"]))
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
        if order["certify"] is not None:
            words, known, own = list(order["certify"]["words"]), Path(root, "known"), Path(root, "own")
            known.write_text(order["certify"]["certificate"], encoding="utf-8")
            if order["certify"]["adapts"]:
                words[1:1] = ["--adapt", str(own)]
            tried = _run([program, *words, str(known)], folder, order["seconds"])
            if _is_proof(tried):
                if own.exists():
                    done["certificate"] = own.read_text(encoding="utf-8")
                return {**done, **tried, "certified": True}
            done["tried"] = [tried["seconds"], tried["cpu_seconds"]]
        written = {"page": Path(root, "page.html"), "learned": Path(root, "learned"), "certificate": Path(root, "certificate")}
        options = {"page": "--html", "learned": "--learned", "certificate": "--certificate"}
        wanted = {"page": order["page"], "learned": order["learned"] is not None, "certificate": order["certificate"]}
        words = list(order["words"])
        for name, path in written.items():
            if wanted[name]:
                words[1:1] = [options[name], str(path)]
        if order["learned"]:
            written["learned"].write_text(order["learned"], encoding="utf-8")
        done.update(_run([program, *words], folder, order["seconds"]))
        for name, path in written.items():
            if path.exists():
                done[name] = path.read_text(encoding="utf-8")
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
        self.waiting: List[Dict[str, Any]] = []
        """Orders that are not with Ray yet."""
        self.running: Dict[Any, Batch] = {}
        self.refused: Dict[str, str] = {}
        self.processors = 0
        self.room = -1
        self.seconds = BATCH_SECONDS
        """The mean time of the last tasks."""

    def nodes(self) -> List[Dict[str, Any]]:
        """Those that are there, and have the right version as far as is known."""
        alive = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) > 0]
        return [node for node in alive if node["NodeID"] not in self.refused]

    def look(self) -> None:
        """Looks how many tasks the cluster takes."""
        nodes = self.nodes()
        fit = [n for n in nodes if n["Resources"].get("memory", 0) >= self.memory]
        if nodes and not fit:
            most = max(n["Resources"].get("memory", 0) for n in nodes)
            raise Refusal(f"no node has the memory that a task may take: {self.memory} bytes; the most is {most:.0f}")
        if not nodes and self.refused:
            raise Refusal(f"all nodes have another version of hardbop than {self.version}: {self.words()}")
        self.processors = sum(
            min(int(n["Resources"]["CPU"]), int(n["Resources"].get("memory", 0) // self.memory)) for n in fit
        )
        self.tell_room()

    def tell_room(self) -> None:
        room = self.processors * AHEAD * self.size()
        if room != self.room:
            self.room = room
            tell("room", tasks=room)

    def size(self) -> int:
        """How many tasks are a batch: one, unless they are short."""
        return max(1, min(BATCH, int(BATCH_SECONDS / max(self.seconds, 0.001))))

    def words(self) -> str:
        return ", ".join(sorted(set(self.refused.values())))

    def submit(self) -> None:
        """Hands what waits to Ray, in batches that leave no processor without work."""
        parts = [order for order in self.waiting if order["run"][1] > 0]
        tasks = [order for order in self.waiting if order["run"][1] == 0]
        self.waiting = []
        # A part of a task takes long, and may have to be cancelled.
        for order in parts:
            self.start([order])
        idle = self.processors - len(self.running)
        size = min(self.size(), -(-len(tasks) // idle)) if idle > 0 and tasks else self.size()
        for i in range(0, len(tasks), size):
            self.start(tasks[i : i + size])

    def start(self, orders: "List[Dict[str, Any]]") -> None:
        """Hands a batch to Ray: it chooses the node, unless some are refused."""
        how: Dict[str, Any] = {"num_cpus": 1, "memory": self.memory, "max_retries": RETRIES}
        batch = Batch(orders)
        if self.refused:
            nodes = self.nodes()
            load = {n["NodeID"]: 0 for n in nodes}
            for other in self.running.values():
                if other.on in load:
                    load[other.on] += 1
            if not load:
                self.look()
                for order in orders:
                    tell("lost", run=order["run"], why="there is no node")
                return
            batch.on = min(load, key=lambda n: load[n])
            how["scheduling_strategy"] = NodeAffinitySchedulingStrategy(batch.on, soft=False)
        else:
            how["scheduling_strategy"] = "SPREAD"
        texts = [self.texts[sum] for order in orders for _, sum in order["files"]]
        self.running[self.remote.options(**how).remote(self.version, orders, *texts)] = batch

    def collect(self) -> None:
        """Tells what has ended."""
        if not self.running:
            return
        waiting = list(self.running)
        ended, _ = ray.wait(waiting, num_returns=len(waiting), timeout=0)
        for reference in ended:
            batch = self.running.pop(reference)
            try:
                results = ray.get(reference)
            except Exception as e:  # Whatever it is that Ray has, there are no results.
                self.failed(batch, f"{type(e).__name__}: {str(e).splitlines()[0] if str(e) else ''}")
                continue
            if "version" in results:
                self.refuse(results)
            for order, done in zip(batch.orders, results["done"]):
                self.seconds += (done["seconds"] - self.seconds) / BATCH
                tell("done", run=order["run"], node=results["node"], **done)
            self.again(batch, batch.orders[len(results["done"]) :])
        self.tell_room()

    def refuse(self, results: Dict[str, Any]) -> None:
        """A node gets no more tasks."""
        if results["node_id"] not in self.refused:
            self.refused[results["node_id"]] = results["version"]
            text = f"warning: {results['node']} has hardbop {results['version']}, not {self.version}: it gets no tasks"
            tell("note", text=text)
            self.look()

    def failed(self, batch: "Batch", why: str) -> None:
        """A batch has no results: as its node is gone, or one of its tasks was cancelled."""
        if batch.cancelled:
            return self.again(batch, batch.orders)
        for order in batch.orders:
            tell("lost", run=order["run"], why=why)

    def again(self, batch: "Batch", orders: "List[Dict[str, Any]]") -> None:
        """Tasks that were not run are run later, unless nobody waits for them."""
        for order in orders:
            if order["run"] in batch.cancelled:
                tell("cancelled", run=order["run"])
            else:
                self.waiting.append(order)

    def cancel(self, run: List[int]) -> None:
        """Ends a run that nobody waits for; it is told as one that has ended."""
        if any(order["run"] == run for order in self.waiting):
            self.waiting = [order for order in self.waiting if order["run"] != run]
            return tell("cancelled", run=run)
        for reference, batch in self.running.items():
            if any(order["run"] == run for order in batch.orders):
                batch.cancelled.append(run)
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


class Batch:
    """Tasks that are one task of Ray."""

    def __init__(self, orders: "List[Dict[str, Any]]") -> None:
        self.orders = orders
        self.on: Optional[str] = None
        """The node, where it was chosen here."""
        self.cancelled: List[List[int]] = []


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
                    text = order["text"]
                    client.texts[order["sum"]] = ray.put(text) if len(text) > SMALL else text
                elif order["do"] == "task":
                    client.waiting.append(order)
                elif order["do"] == "cancel":
                    client.cancel(order["run"])
                try:
                    order = orders.get_nowait()
                except queue.Empty:
                    break
            if order is None:
                break
            client.submit()
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
