"""Reasons: why there is nothing to show, as a code with parameters; catalogues have the words."""

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

_Ending = Literal["could-not-start", "timed-out", "killed", "exited", "no-error", "ended"]
_Output = Literal["did-not-say", "other-result", "printed-twice", "too-many-digits", "no-number"]
_Clock = Literal["wrong-clock"]
_Refusal = Literal["cannot-here"]  # the program itself says so
_Python = Literal["gil-back-on", "needs-python", "needs-gil", "needs-cores", "wrong-system"]
_Package = Literal[
    "no-wheel", "package-broken", "package-needs-gil", "not-fetched", "needs-internet"
]
_Old = Literal["package-needs-python"]  # older records say so
_Cell = Literal["left-out", "measuring-off", "another-machine", "not-measured"]
_Compared = Literal[
    "disturbed", "other-size", "one-size", "too-few-trials", "no-metric", "no-baseline"
]
_Rest = Literal["left-processes", "nothing-at-all", "needs-ordinary-python"]
Code = Literal[_Ending, _Output, _Clock, _Refusal, _Python, _Package, _Old, _Cell, _Compared, _Rest]

PLACES: Mapping[Code, frozenset[str]] = {
    "could-not-start": frozenset({"error"}),
    "timed-out": frozenset({"after_s"}),
    "killed": frozenset({"signal"}),
    "exited": frozenset({"code"}),
    "did-not-say": frozenset({"says"}),
    "other-result": frozenset({"printed", "expected"}),
    "printed-twice": frozenset({"name", "count"}),
    "too-many-digits": frozenset({"name", "count"}),
    "no-number": frozenset({"name", "printed"}),
    "wrong-clock": frozenset({"printed_s", "took_s"}),
    "cannot-here": frozenset({"says"}),
    "no-wheel": frozenset({"package"}),
    "package-broken": frozenset({"package", "error"}),
    "package-needs-python": frozenset({"package", "since"}),
    "package-needs-gil": frozenset({"package"}),
    "not-fetched": frozenset({"package"}),
    "wrong-system": frozenset({"system"}),
    "needs-python": frozenset({"since"}),
}
"""The parameters of a code; of others there are none."""
LONGEST = 2000
"""Characters of a parameter."""

Param = Annotated[str, Meta(max_length=LONGEST)] | float


class Reason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a trial did not do its work, or a cell or a check has nothing to show.

    Raises:
        ValueError: a parameter is missing, or is none of the code's.
    """

    code: Code
    params: Mapping[str, Param] = {}

    def __post_init__(self) -> None:
        if self.code not in get_args(Code):
            raise ValueError(f"no such reason {self.code!r}")
        if self.params.keys() != PLACES.get(self.code, frozenset()):
            raise ValueError(f"the reason {self.code!r} has other parameters")

    def __str__(self) -> str:
        """For whoever watches a build: ``exited (code 1)``."""
        told = ", ".join(f"{name} {value}" for name, value in self.params.items())
        return f"{self.code.replace('-', ' ')}{f' ({told})' if told else ''}"
