"""The answer to a check."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


class Verdict(str, enum.Enum):
    """Can an error be reached?"""

    SAFE = "SAFE"
    UNSAFE = "UNSAFE"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True)
class Answer:
    """What a check has found.  `document` is all of it, as `hardbop check --json` prints it."""

    verdict: Verdict
    reason: Optional[str]
    """Why the verdict is UNKNOWN, in words."""
    trace: Optional[str]
    """The way into the error as text, where the verdict is UNSAFE; its steps are in `document["trace"]`."""
    invariants: List[Dict[str, Any]]
    """What holds at places of the program, where the verdict is SAFE."""
    assumptions: List[str]
    """What the verdict takes for granted."""
    warnings: List[str]
    statistics: Dict[str, Any] = field(repr=False)
    document: Dict[str, Any] = field(repr=False)

    @property
    def is_safe(self) -> bool:
        return self.verdict is Verdict.SAFE

    @property
    def is_unsafe(self) -> bool:
        return self.verdict is Verdict.UNSAFE

    @classmethod
    def of(cls, text: str, trace: Optional[str] = None) -> Answer:
        """Of a document in JSON."""
        document = json.loads(text)
        reason = document.get("reason")
        return cls(
            verdict=Verdict(document["verdict"]),
            reason=reason and reason["message"],
            trace=trace,
            invariants=document["invariants"],
            assumptions=document["assumptions"],
            warnings=document["warnings"],
            statistics=document.get("statistics") or {},
            document=document,
        )
