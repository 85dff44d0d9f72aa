"""Campaigns: what `hardbop campaign` does, with the results as objects."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import List, Optional, Union

from .answer import Verdict
from .errors import Error


class CampaignError(Error):
    """The description has mistakes, or the campaign cannot run; the command says why on standard error."""


@dataclass(frozen=True)
class Task:
    """A program, a property, a set of options, and what came of them."""

    program: str
    property: str
    options: str
    verdict: Optional[Verdict]
    """None where the run has failed, or was not made."""
    reason: str
    """Why there is no verdict, in words."""
    seconds: Optional[float]
    cpu_seconds: Optional[float]
    memory_bytes: Optional[int]
    node: str
    """The machine of a cluster."""
    expected: Optional[Verdict]
    """The verdict from elsewhere."""
    task: str
    """The fingerprint of the question."""
    how: str
    """Where the verdict comes from: `check`, `certificate` where one of an earlier run was accepted, or `part NAME` of a task
    that was divided."""


def campaign(
    description: Union[str, os.PathLike[str]],
    *,
    on: str = "local",
    jobs: Optional[int] = None,
    retry: bool = False,
    split: bool = False,
    run: bool = True,
    arguments: Optional[List[str]] = None,
) -> List[Task]:
    """Runs the tasks of a description in TOML that have no result yet, and returns all.

    on: `"local"`, `"ray://HOST:PORT"`, or `"ray://auto"`.
    jobs: tasks at the same time on this machine.
    retry: run tasks without a verdict again.
    split: divide tasks that take long.
    run: False only reads what is known.
    arguments: further ones of the command `hardbop campaign`, such as `["--html", "page.html"]`.

    Progress is shown on a terminal.  Ctrl-C ends the campaign, which goes on where it was when it is started again.
    """
    beside = Path(sys.executable).with_name("hardbop")
    program = str(beside) if beside.exists() else shutil.which("hardbop") or "hardbop"
    words = [program, "campaign", os.fspath(description), "--on", on, "--csv", "-", "--python", sys.executable]
    words += ["--jobs", str(jobs)] if jobs is not None else []
    words += ["--retry"] if retry else []
    words += ["--split"] if split else []
    words += [] if run else ["--no-run"]
    process = subprocess.Popen(words + list(arguments or []), stdout=subprocess.PIPE, text=True)
    try:
        output, _ = process.communicate()
    except BaseException:
        process.terminate()
        process.wait()
        raise
    if process.returncode not in (0, 10, 20, 70):
        if process.returncode == 130:
            raise KeyboardInterrupt
        raise CampaignError(f"'hardbop campaign' ends with exit code {process.returncode}; its messages are above")
    return [_task(row) for row in csv.DictReader(io.StringIO(output))]


def _task(row: "dict[str, str]") -> Task:
    words = {v.value: v for v in Verdict}
    return Task(
        program=row["program"],
        property=row["property"],
        options=row["options"],
        verdict=words.get(row["verdict"]),
        reason=row["reason"],
        seconds=float(row["seconds"]) if row["seconds"] else None,
        cpu_seconds=float(row["cpu_seconds"]) if row["cpu_seconds"] else None,
        memory_bytes=int(row["memory_bytes"]) if row["memory_bytes"] else None,
        node=row["node"],
        expected=words.get(row["expected"]),
        task=row["task"],
        how=row["how"],
    )
