"""Proof: what an attempt gave and changed, held against what a loop gave and changed.

A way is out where its results differ from a loop's, or where the loop's change is missing after it or
another stands there. What isn't alike in two loops proves nothing. A pool of processes changes its own
copies: that is no loss where the function returns something and the change is a cache or a counter.
"""

import re
from collections import ChainMap
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from poolwise import attempt
from poolwise.attempt import APART
from poolwise.words import Message

# The key of what is said where calls return nothing and change nothing that can be seen.
UNSEEN = "proof.unseen-work"
_MOST_NAMES = 3
_SHORT = 30  # so many letters of a value are worth showing
_FRAME = re.compile(r'^  File "([^"]+)", line (\d+) in (.+)$', re.MULTILINE)
_OTHERS = ("/lib/python3.", "<frozen", "site-packages")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A variable or file before and after calls, as digests: an empty one is of what isn't there.

    ``members`` is the digest of a list's members without their order.
    """

    before: str
    after: str
    text: str
    members: str = ""
    is_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The digests of an attempt's results and of what the calls changed; see ``attempt.Prover``.

    ``items`` has the digests of items that calls changed, ``""`` for one that is as it was or is part of
    the result. ``unread`` has the types of variables that could not be compared, ``overwritten`` that of
    an object that each call returns and changes.
    """

    count: int
    results: Sequence[str]
    texts: Sequence[str]
    is_empty: bool = False
    uncompared: Mapping[str, str] = field(default_factory=dict)
    items: Sequence[str] = ()
    changes: Mapping[str, Change] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    grown: Sequence[str] = ()
    overwritten: str = ""

    @classmethod
    def read(cls, answer: Mapping[str, Any]) -> "Proof":
        """Return the proof of an attempt's answer."""
        changes = {name: Change(**change) for name, change in answer["changes"].items()}
        return cls(**{**answer, "changes": changes})


def find_fault(loops: Sequence[Proof], way: Proof, kind: str) -> Message | None:
    """Say why a way is out; ``None`` if it gave and changed what the loops did."""
    return (
        _find_other_result(loops, way)
        or _find_other_item(loops, way, kind)
        or _find_other_change(loops, way, kind)
    )


def _find_other_result(loops: Sequence[Proof], way: Proof) -> Message | None:
    places = _find_other(_find_common([loop.results for loop in loops]), way.results)
    if not places:
        return None
    values = {"count": len(places), "total": len(way.results)}
    first = places[0]
    if len(way.results) < way.count or first >= min(len(way.texts), len(loops[0].texts)):
        return Message("proof.other-results", values)
    texts = {"item": first + 1, "loop": loops[0].texts[first], "way": way.texts[first]}
    if texts["loop"] == texts["way"]:
        return Message("proof.hidden-result", values | texts)
    return Message("proof.other-result", values | texts)


def _find_other_item(loops: Sequence[Proof], way: Proof, kind: str) -> Message | None:
    expected = _find_common([loop.items or [""] * len(loop.results) for loop in loops])
    others = way.items or [""] * len(way.results)
    for place in _find_other(expected, others)[:1]:
        if kind in APART and not others[place]:
            return Message("proof.lost-item", {"item": place + 1})
        return Message("proof.other-item", {"item": place + 1})
    return None


def _find_other(expected: Sequence[str | None], others: Sequence[str]) -> list[int]:
    """Find the places where something else stands than in all loops."""
    pairs = enumerate(zip(expected, others, strict=False))
    return [place for place, (digest, other) in pairs if digest not in (None, other)]


def _find_other_change(loops: Sequence[Proof], way: Proof, kind: str) -> Message | None:
    expected = _list_steady_changes(loops)
    unsteady = _list_unsteady_changes(loops)
    skipped = set(chain.from_iterable(proof.unread for proof in (*loops, way)))
    for name, change in expected.items():
        other = way.changes.get(name)
        if name in skipped or (other and other.after == change.after):
            continue
        values = {"name": name, "loop": change.text}
        if other:
            return _describe_difference(change, other, values | {"way": other.text})
        if change.is_file:
            return Message("proof.lost-file", values)
        if kind not in APART:
            return Message("proof.no-change", values)
        if all(loop.is_empty for loop in loops):
            return Message("proof.lost-work", values)
        if any(name in loop.grown for loop in loops):
            return Message("proof.lost-collection", values)
    are_files_unsteady = any(change.is_file for change in unsteady.values())
    for name, change in way.changes.items():
        if name in expected or name in unsteady or name in skipped:
            continue
        if not change.is_file:
            return Message("proof.more-changes", {"name": name, "way": change.text})
        if not are_files_unsteady:
            return Message("proof.more-files", {"name": name})
    return None


def _describe_difference(change: Change, other: Change, values: Mapping[str, object]) -> Message:
    if change.is_file:
        return Message("proof.other-file", values)
    if change.members and change.members == other.members:
        return Message("proof.other-order", values)
    is_short = max(len(change.text), len(other.text)) <= _SHORT
    if is_short and change.text != other.text:
        return Message("proof.other-change", values)
    return Message("proof.other-contents", values)


def _find_common(rows: Sequence[Sequence[str]]) -> list[str | None]:
    """Return what all rows have in each place; ``None`` where they differ."""
    common: list[str | None] = []
    for first, *others in zip(*rows, strict=False):
        is_common = {first}.issuperset(others)
        common.append(first if is_common else None)
    return common


def _list_steady_changes(loops: Sequence[Proof]) -> dict[str, Change]:
    steady = dict(loops[0].changes)
    for name, change in loops[0].changes.items():
        for loop in loops[1:]:
            if name not in loop.changes or loop.changes[name].after != change.after:
                steady.pop(name, None)
    return steady


def _list_unsteady_changes(loops: Sequence[Proof]) -> dict[str, Change]:
    changes = dict(ChainMap(*(dict(loop.changes) for loop in loops)))
    for name in _list_steady_changes(loops):
        del changes[name]
    return changes


def describe_unproved(loops: Sequence[Proof]) -> Message | None:
    """Say why results could not be compared, if so."""
    first = loops[0]
    if first.overwritten:
        return Message("proof.overwritten", {"type": first.overwritten})
    for number, kind in first.uncompared.items():
        return Message("proof.uncompared", {"item": int(number) + 1, "type": kind})
    steady = _find_common([loop.results for loop in loops])
    if None in steady:
        place = steady.index(None)
        texts = list(dict.fromkeys(loop.texts[place] for loop in loops if place < len(loop.texts)))
        if len(first.results) == first.count and len(texts) > 1:
            values = {"item": place + 1, "first": texts[0], "second": texts[1]}
            return Message("proof.unsteady-texts", values)
        return Message("proof.unsteady")
    if all(loop.is_empty for loop in loops):
        return _describe_unseen(loops)
    return None


def _describe_unseen(loops: Sequence[Proof]) -> Message | None:
    """Say why what calls do can't be compared where their results don't carry it."""
    first = loops[0]
    unsteady = _list_unsteady_changes(loops)
    if first.unread:
        return Message("proof.unread-work", {"names": _list_names(first.unread)})
    is_seen = _list_steady_changes(loops) or any(first.items)
    if not is_seen and unsteady:
        return Message("proof.unsteady-work", {"names": _list_names(unsteady)})
    if not is_seen and first.texts[0] == "None":
        return Message(UNSEEN)
    return None


def list_effects(loops: Sequence[Proof], *, is_coroutine: bool = False) -> list[Message]:
    """Say what calls change, and what could not be compared: notes that rule nothing out.

    A coroutine function stays in its process, so nothing that it changes is another's copy.
    """
    notes = []
    steady, unsteady = _list_steady_changes(loops), _list_unsteady_changes(loops)
    variables = {name for name, change in steady.items() if not change.is_file}
    if variables and not is_coroutine and not all(loop.is_empty for loop in loops):
        notes.append(Message("proof.changes", {"names": _list_names(variables)}))
    if unsteady:
        notes.append(Message("proof.unsteady-changes", {"names": _list_names(unsteady)}))
    files = {name for name, change in steady.items() if change.is_file}
    if files:
        notes.append(Message("proof.files", {"names": _list_names(files)}))
    unread = dict(ChainMap(*(dict(loop.unread) for loop in loops)))
    large = {name for name, kind in unread.items() if not kind}
    if large:
        notes.append(Message("proof.too-large", {"names": _list_names(large)}))
    if types := {f"{name} ({kind})" for name, kind in unread.items() if kind}:
        notes.append(Message("proof.unread", {"names": _list_names(types)}))
    return notes


def _list_names(names: Collection[str]) -> list[object]:
    """Return the first few names, and how many more there are."""
    listed: list[object] = [*sorted(names)[:_MOST_NAMES]]
    if more := len(names) - len(listed):
        listed.append(Message("proof.more", {"count": more}))
    return listed


def describe_stage(path: Path, function: str) -> Message | None:
    """Say where an attempt was when it was stopped; ``None`` if it ended by itself.

    ``path`` is the file of its stage, with the stack that it wrote there shortly before.
    """
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if len(data) < attempt.STAGE.size:  # stopped as it began
        return None
    number, done, total = attempt.STAGE.unpack_from(data)
    text = data[attempt.STAGE.size :].partition(b"\0")[0].decode(errors="replace")
    values = {"function": function, "done": done, "total": total, "where": _find_place(text)}
    stage = attempt.STAGE_NAMES[number]
    if stage in ("starting", "ending"):
        return None
    if stage == "kept" and not text:
        return Message("proof.kept-alive-at-exit", values)
    if stage == "kept":
        return Message("proof.kept-alive", values | {"thread": text})
    if stage == "pooling" and done == total:
        stage = "ending"
    return Message(f"proof.stuck-{stage}", values | {"item": done + 1})


def _find_place(stack: str) -> object:
    """Return where the main thread is in the user's code, from a stack by ``faulthandler``."""
    main = stack.rpartition("Thread 0x")[2]
    for file, line, name in _FRAME.findall(main):
        if file != attempt.__file__ and not any(part in file for part in _OTHERS):
            where = {"file": Path(file).name, "line": line, "name": name}
            return Message("proof.where", where)
    return ""
