"""What can go wrong.  A limit that is reached is no error of a check: its verdict is UNKNOWN then."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple


class Error(Exception):
    """Any error of hardbop."""


@dataclass(frozen=True)
class Diagnostic:
    """A mistake in a program, and where it is."""

    kind: str
    """`syntax`, `undeclared`, `duplicate`, `arity`, `type`, `unsupported`, ..."""
    message: str
    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1, in characters."""
    hint: Optional[str] = None


class ProgramError(Error):
    """The program has mistakes: all of them are in `diagnostics`, the first one also in `file`, `line` and `column`."""

    def __init__(self, message: str, rows: Sequence[Tuple[str, str, str, int, int, Optional[str]]]) -> None:
        super().__init__(message)
        self.diagnostics: List[Diagnostic] = [Diagnostic(*row) for row in rows]
        self.file: str = self.diagnostics[0].file
        self.line: int = self.diagnostics[0].line
        self.column: int = self.diagnostics[0].column


class PredicateError(Error):
    """A predicate has a mistake, in `line` and `column` of the predicates' text."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class OptionError(Error, ValueError):
    """There is no option of that name, or a value is none for it."""


class NothingToCheck(Error):
    """Nothing in the program counts as an error, so it would be SAFE whatever it does."""


class NeedsPreprocessor(Error):
    """The C text has `#include` or `#define`: `hardbop.preprocess` is for it."""


class PreprocessorError(Error):
    """The preprocessor fails; the message has its own words."""


class SolverNotFound(Error):
    """Z3 is needed, and cannot be loaded; the message lists what was tried."""


class LimitReached(Error):
    """A limit was reached before there was a Boolean program."""


class InternalError(Error):
    """A mistake in hardbop: please report it."""


def no_option(name: str, known: Sequence[str]) -> OptionError:
    """The error for a name that is none, with the name that may be meant."""
    names = [k.replace("-", "_") for k in known]
    near = difflib.get_close_matches(name, names, n=1)
    return OptionError(f"there is no option '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
