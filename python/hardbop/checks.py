"""Checks and abstractions of programs."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, Optional, Sequence, Union

from . import _native
from .answer import Answer
from .errors import NeedsPreprocessor, OptionError, PreprocessorError

Program = Union[str, "os.PathLike[str]", "BooleanProgram"]
"""A text, or a file, or a Boolean program."""

Progress = Callable[[float, Dict[str, Any]], object]
"""Is called twice a second with the seconds so far, and statistics."""

PREPROCESSOR = ("cc", "-E")


class BooleanProgram:
    """A Boolean program: all variables are Boolean, as predicate abstraction makes them."""

    def __init__(self, text: str, name: str = "program.bp") -> None:
        self.text = text
        self.name = name

    @classmethod
    def read(cls, file: Union[str, os.PathLike[str]]) -> BooleanProgram:
        """What is in a file."""
        return cls(Path(file).read_text(encoding="utf-8"), os.fspath(file))

    def check(
        self,
        *,
        time_limit: Optional[float] = None,
        memory_limit: Optional[int] = None,
        progress: Optional[Progress] = None,
        **options: Any,
    ) -> Answer:
        """Can it violate an assertion, or reach an error label?  As `hardbop.check`."""
        given = _options(options, time_limit, memory_limit)
        return Answer.of(*_native.check_boolean(self.name, self.text, given, _told(progress)))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"BooleanProgram(name={self.name!r}, {self.text.count(chr(10)) + 1} lines)"


def check(
    program: Program,
    *,
    language: Optional[str] = None,
    name: Optional[str] = None,
    time_limit: Optional[float] = None,
    memory_limit: Optional[int] = None,
    progress: Optional[Progress] = None,
    preprocessor: Sequence[str] = PREPROCESSOR,
    **options: Any,
) -> Answer:
    """Can the program reach an error?

    program: a file (`pathlib.Path`), a text (`str`), or a `BooleanProgram`.
    language: `"c"` or `"bp"`.  A file that ends in `.c` or `.i` is C, every other one a Boolean program; a text needs it.
    name: what the messages call a text.
    time_limit: seconds; the answer is UNKNOWN then.
    memory_limit: bytes of the whole process; the answer is UNKNOWN beyond them.
    progress: a function that is called twice a second, where there are statistics.
    preprocessor: what is run on a C file that needs it, with the file's name behind; `("cc", "-E", "-Iinclude")`.
    options: any option that `hardbop check --json` shows, with `_` for `-`: `engine="bdd"`, `overflow_check=True`.

    Python's lock is released meanwhile, so that checks run in parallel in threads.  Ctrl-C ends the check.
    """
    if isinstance(program, BooleanProgram):
        if language not in (None, "bp"):
            raise OptionError(f"language: a Boolean program is none in '{language}'")
        return program.check(time_limit=time_limit, memory_limit=memory_limit, progress=progress, **options)
    text, name, is_c = _source(program, language, name)
    if not is_c:
        boolean = BooleanProgram(text, name)
        return boolean.check(time_limit=time_limit, memory_limit=memory_limit, progress=progress, **options)
    given = _options(options, time_limit, memory_limit)

    def run(text: str) -> Answer:
        return Answer.of(*_native.check_c_text(name, text, given, _told(progress)))

    return _preprocessed(run, program, text, preprocessor, options)


def abstract(
    program: Union[str, os.PathLike[str]],
    predicates: Union[str, Sequence[str]],
    *,
    name: Optional[str] = None,
    time_limit: Optional[float] = None,
    memory_limit: Optional[int] = None,
    preprocessor: Sequence[str] = PREPROCESSOR,
    **options: Any,
) -> BooleanProgram:
    """The Boolean program that predicates make of a C program.

    predicates: SMT-LIB terms over the variables, locals as `|function::name|`: `["(= x #x00000001)"]`.

    The rest is as for `check`.
    """
    text, name, _ = _source(program, "c", name)
    given = _options(options, time_limit, memory_limit)
    asked = predicates if isinstance(predicates, str) else "\n".join(predicates)

    def run(text: str) -> BooleanProgram:
        made = _native.abstract_c_text(name, text, asked, given)
        return BooleanProgram(made, os.path.splitext(name)[0] + ".bp")

    return _preprocessed(run, program, text, preprocessor, options)


def preprocess(file: Union[str, os.PathLike[str]], preprocessor: Sequence[str] = PREPROCESSOR) -> str:
    """A C file after the preprocessor; headers are looked for as compilers do."""
    command = [*preprocessor, os.fspath(file)]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as e:
        raise PreprocessorError(f"'{command[0]}' does not run: {e.strerror}") from e
    if done.returncode != 0:
        raise PreprocessorError(done.stderr.strip() or f"'{command[0]}' ends with {done.returncode}")
    return done.stdout


def _source(program: Union[str, "os.PathLike[str]"], language: Optional[str], name: Optional[str]) -> "tuple[str, str, bool]":
    if language not in (None, "c", "bp"):
        raise OptionError(f"language: '{language}' is neither 'c' nor 'bp'")
    if isinstance(program, str):
        if language is None:
            raise OptionError("language: 'c' or 'bp'?  A text does not tell; a file is a pathlib.Path")
        return program, name or f"program.{language}", language == "c"
    file = os.fspath(program)
    is_c = language == "c" or (language is None and file.endswith((".c", ".i")))
    return Path(file).read_text(encoding="utf-8", errors="replace"), name or file, is_c


def _preprocessed(run: Callable[[str], Any], program: Any, text: str, how: Sequence[str], options: Any) -> Any:
    """Runs on a text, or where that needs the preprocessor and is a file, on what it makes of it."""
    try:
        return run(text)
    except NeedsPreprocessor:
        if isinstance(program, str):
            raise
    width = "-m32" if options.get("data_model") == "ilp32" else None
    return run(preprocess(program, [*how, width] if width else how))


def _options(options: Dict[str, Any], time_limit: Optional[float], memory_limit: Optional[int]) -> str:
    limits = {"time_limit_seconds": time_limit, "memory_limit_bytes": memory_limit}
    return json.dumps({**options, **{k: v for k, v in limits.items() if v is not None}})


def _told(progress: Optional[Progress]) -> Optional[Callable[[float, str], object]]:
    if progress is None:
        return None
    tell = progress
    return lambda seconds, statistics: tell(seconds, json.loads(statistics))
