"""Privacy: taking out of results every text that tells whose machine it was."""

import getpass
import re
import socket
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from typing import Any, TypeVar

from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.machine import Machine, make_id
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record, Results

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


def strip(results: Results, names: Sequence[str]) -> tuple[Results, int]:
    """Take private texts and ``names`` out of results.

    Returns:
        The results without them, and how many places had one.
    """
    cleaner = _Cleaner(names)
    machine = cleaner.clean_facts(results.machine)
    interpreter = cleaner.clean_facts(results.interpreter)
    if results.machine.has_own_id and not machine.has_own_id:  # the id is made of the facts
        machine = replace(machine, id=make_id(machine))
    records = tuple(
        structs.replace(cleaner.clean_record(one), machine=machine.id) for one in results.records
    )
    cleaned = structs.replace(results, machine=machine, interpreter=interpreter, records=records)
    return cleaned, cleaner.count


class _Cleaner:
    """Replaces private texts by a mark of their kind, and counts them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.count = 0
        self._patterns = [(re.compile(pattern), mark) for mark, pattern in _PRIVATE.items()]
        for name in reversed(names):
            for spelt in dict.fromkeys((name, ascii(name)[1:-1])):
                alone = rf"(?<![^\W_]){re.escape(spelt)}(?![^\W_])"
                self._patterns.append((re.compile(alone, re.IGNORECASE), "<name>"))

    def clean(self, text: str) -> str:
        for pattern, mark in self._patterns:
            text = pattern.sub(partial(self._replace, mark), text)
        return text

    def _replace(self, mark: str, found: re.Match[str]) -> str:
        if mark == "<address>" and not _is_address(found[0]):
            return found[0]
        self.count += 1
        return mark

    def clean_facts(self, described: Facts) -> Facts:
        cleaned: dict[str, Any] = {}
        for name in described.__dataclass_fields__:
            value = getattr(described, name)
            if isinstance(value, str) and name not in _IDENTITY:
                cleaned[name] = self.clean(value)
        return replace(described, **cleaned)

    def clean_record(self, record: Record) -> Record:
        reason = record.reason
        if reason:
            params = {
                name: self.clean(one) if isinstance(one, str) else one
                for name, one in reason.params.items()
            }
            reason = Reason(reason.code, params)
        return structs.replace(
            record,
            reason=reason,
            stderr=self.clean(record.stderr),
            printed=self.clean(record.printed),
            packages={name: self.clean(pin) for name, pin in record.packages.items()},
        )


def _is_address(text: str) -> bool:
    """Tell a network address from a time, and from those that every machine has."""
    try:
        one = ip_address(text)
    except ValueError:
        return False
    return not one.is_loopback and not one.is_unspecified
