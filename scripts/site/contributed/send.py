"""Contribute: check this machine's records, take out what is private, and say how to send them.

Nothing is sent. The cleaned files are written among the contributed results.
"""

import getpass
import os
import re
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.machine import Machine, describe_machine, make_id
from scripts.harness.paths import RESULTS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Results
from scripts.harness.store import (
    DamagedRecords,
    list_files,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.site.check.results import find_doubtful
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.judge.claims import STANDINGS, Standing, check_machines
from scripts.site.render.facts import describe_plainly
from scripts.site.render.words import Words, load_words
from scripts.site.settings import BadSetting, read_settings
from scripts.site.study.machines import open_recorded

_HOW_TO_SEND = """\
To send them, from a clone of your fork:

  git switch --create records-{id}
  git add --force {paths} && git commit --message "Records of {id}"
  git push --set-upstream origin records-{id}

and open a pull request. Without git, open an issue with the form Records of a machine and drop the
files named above into it. Nothing has been sent."""
_WHAT_IS_KEPT = """\
Kept: processor, cores, memory, system and its limits; versions and builds of Python; times, memory
and dates of each trial; the output of the programs.
Taken out: names of this host and user; homes below /home, /Users and C:\\Users;
mail, IP and hardware addresses; UUIDs; Git branches of Python's build; passwords in URLs; tokens of
GitHub, GitLab, PyPI, Hugging Face, OpenAI, Slack and AWS.
Nothing else was taken out: look through the files before you send them."""
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


def run_contribute() -> int:
    """Check the records of MACHINE, by default the one at hand, and make them ready to be sent.

    Returns:
        The exit status: 1 if there is nothing worth sending.

    Raises:
        BadSetting: there are no records of the machine.
        DamagedRecords: something in them cannot be true, or was disturbed too often.
    """
    settings, declared = read_settings(os.environ), load_declarations()
    id_ = settings.machine or describe_machine().id
    found = _read(settings.results, id_, declared.experiments)
    if not found:
        print(
            f"{id_} has records of PROFILE=smoke alone, which only tells that programs work."
            " First: make measure PROFILE=full",
            file=sys.stderr,
        )
        return 1
    print("\n".join(tell(found, declared, load_words("en").add(declared.terms))))
    folder = locate_contributed(RESULTS)
    # Git is given these files alone: the folder may hold others that were not cleaned.
    sent = []
    for results in found:
        stripped = strip(results, list_names())
        id_ = stripped.machine.id
        sent.append(locate(folder, id_, stripped.interpreter.id))
        write_results(sent[-1], stripped)
    paths = " ".join(str(path.relative_to(RESULTS.parent)) for path in sent)
    print(f"\n{_WHAT_IS_KEPT}\n\n{_HOW_TO_SEND.format(id=id_, paths=paths)}")
    return 0


def tell_kept(results: Path, id_: str) -> str:
    """Say how many records measuring has left, and what to do next; empty without records."""
    files = list_files(results, id_)
    if not files:
        return ""
    count = sum(len(found.records) for path in files if (found := read_results(path)))
    return (
        f"{results / id_}/ has {count} records (files: {len(files)}, one for each Python)."
        " Next: make site shows them, make contribute checks them and says how to send them."
    )


def tell(found: Sequence[Results], declared: Declarations, words: Words) -> Iterator[str]:
    """Tell in lines what the pages would say of a machine."""
    cells = open_recorded(found, declared.experiments, "full")
    gathered = (cells.judge(name) for name in declared.experiments)
    evidences = [one for one in gathered if one.judgements]
    yield from describe_plainly(evidences, words)
    statuses: Counter[Standing] = Counter()
    for evidence in evidences:
        name = evidence.experiment.name
        checked = check_machines(name, declared.claims.get(name, ()), [evidence])
        statuses.update(one.status for one in checked)
    counted = (f"{statuses[one]} {words.term('claim_status', one)}" for one in STANDINGS)
    yield f"Claims: {', '.join(counted)}"


def _read(folder: Path, id_: str, experiments: Mapping[str, Experiment]) -> list[Results]:
    """Read the records of a machine, except those of smoke, if all of them can be true."""
    paths = list_files(folder, id_)
    if not paths:
        raise BadSetting(f"{folder} has no records of {id_}. First: make measure PROFILE=full")
    found, faults = [], []
    for results in map(read_results, paths):
        serious = [one for one in results.records if one.profile != "smoke"] if results else []
        if not results or not serious:
            continue
        found.append(structs.replace(results, records=tuple(serious)))
        place = f"{results.machine.id}/{results.interpreter.id}"
        told = find_doubtful(serious, results.interpreter, experiments)
        faults += [f"{place}: {fault}" for fault in told]
    if faults:
        raise DamagedRecords(*faults)
    return found


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
