"""Privacy: taking out of results every text that tells whose machine it was."""

import getpass
import re
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from ipaddress import ip_address
from typing import Any, TypeVar

from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.machine import Machine, make_id
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Results

Facts = TypeVar("Facts", Machine, Interpreter)

_PRIVATE = {
    "<secret>": r"(?<=://)[^/\s@]+(?=@)"
    r"|\b(?:gh[a-z]_|github_pat_|glpat-|pypi-|hf_|sk-|xox[a-z]-)[\w-]{16,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "<home>": r"(?<![\w.-])/(?:home|Users)/(?:\\[uUx][0-9a-f]+|[^/\\\s'\":])+"
    r"|\b[A-Za-z]:(?:\\+|/)Users(?:\\+|/)[^/\\'\":\r\n]+",
    "<mail>": r"[\w.+-]+@[A-Za-z][\w-]*(?:\.[\w-]+)*",
    "<hardware address>": r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b",
    "<serial>": r"\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b",
    "<branch>": r"(?<=\bheads/)(?!(?:main|master|\d+\.\d+)\b)[\w./+-]+",
    "<address>": r"\b(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}\b"
    r"|(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\w:])",
}
# A machine or an interpreter is found again by these facts. They are no free texts.
_IDENTITY = {"id", "version", "implementation", "architecture", "system"}
# Names that everybody has, and that programs write for other reasons.
_COMMON_NAMES = {
    *("root", "user", "admin", "runner", "ubuntu", "localhost", "docker", "linux", "python")
}


def list_names() -> list[str]:
    """List the names of this host and user, without those that everybody has."""
    host = socket.gethostname()
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # the user has no name here
        user = ""
    names = {host, host.partition(".")[0], user}
    telling = (one for one in names if len(one) > 2 and one.lower() not in _COMMON_NAMES)
    return sorted(telling, key=len)


def strip(results: Results, names: Sequence[str]) -> Results:
    """Return results without private texts and ``names``, each replaced by a mark of its kind."""
    clean = partial(_clean, patterns=_list_patterns(names))
    machine = _clean_facts(results.machine, clean)
    if results.machine.has_own_id and not machine.has_own_id:  # the id is made of the facts
        machine = replace(machine, id=make_id(machine))
    records = [
        structs.replace(
            one,
            machine=machine.id,
            reason=one.reason and Reason(one.reason.code, clean(one.reason.params)),
            **{name: clean(getattr(one, name)) for name in ("stderr", "printed", "packages")},
        )
        for one in results.records
    ]
    return structs.replace(
        results,
        machine=machine,
        interpreter=_clean_facts(results.interpreter, clean),
        records=tuple(records),
    )


def _list_patterns(names: Sequence[str]) -> list[tuple[re.Pattern[str], str]]:
    """List what is private, with the mark that stands for it."""
    patterns = [(re.compile(pattern), mark) for mark, pattern in _PRIVATE.items()]
    for name in reversed(names):
        for spelt in dict.fromkeys((name, ascii(name)[1:-1])):
            alone = rf"(?<![^\W_]){re.escape(spelt)}(?![^\W_])"
            patterns.append((re.compile(alone, re.IGNORECASE), "<name>"))
    return patterns


def _clean(value: Any, patterns: Iterable[tuple[re.Pattern[str], str]]) -> Any:  # noqa: ANN401
    """A text without what the patterns find, or a mapping of such; anything else as it is."""
    if isinstance(value, Mapping):
        return {name: _clean(one, patterns) for name, one in value.items()}
    if isinstance(value, str):
        for pattern, mark in patterns:
            value = pattern.sub(partial(_mark, mark), value)
    return value


def _mark(mark: str, found: re.Match[str]) -> str:
    return found[0] if mark == "<address>" and not _is_address(found[0]) else mark


def _clean_facts(described: Facts, clean: Callable[[Any], Any]) -> Facts:
    names = [one.name for one in fields(described) if one.name not in _IDENTITY]
    return replace(described, **{name: clean(getattr(described, name)) for name in names})


def _is_address(text: str) -> bool:
    """Tell a network address from a time, and from those that every machine has."""
    try:
        one = ip_address(text)
    except ValueError:
        return False
    return not one.is_loopback and not one.is_unspecified
