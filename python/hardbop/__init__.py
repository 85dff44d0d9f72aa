"""hardbop: a software model checker for C programs and for Boolean programs.

    >>> import hardbop
    >>> answer = hardbop.check("decl held; void main() begin held := F; assert(!held); end", language="bp")
    >>> answer.verdict
    <Verdict.SAFE: 'SAFE'>

`check` decides a program, `abstract` makes the Boolean program of a C program and predicates; `hardbop.errors` has what
they raise.  The wheel brings the command `hardbop` along.
"""

from ._native import VERSION as __version__
from .answer import Answer, Verdict
from .campaigns import CampaignError, Task, campaign
from .checks import BooleanProgram, abstract, check, preprocess
from .errors import (
    Diagnostic,
    Error,
    InternalError,
    LimitReached,
    NeedsPreprocessor,
    NothingToCheck,
    OptionError,
    PredicateError,
    PreprocessorError,
    ProgramError,
    SolverNotFound,
)

__all__ = [
    "Answer",
    "BooleanProgram",
    "CampaignError",
    "Diagnostic",
    "Error",
    "InternalError",
    "LimitReached",
    "NeedsPreprocessor",
    "NothingToCheck",
    "OptionError",
    "PredicateError",
    "PreprocessorError",
    "ProgramError",
    "SolverNotFound",
    "Task",
    "Verdict",
    "__version__",
    "abstract",
    "campaign",
    "check",
    "preprocess",
]
