"""Contribute: records of this machine, checked, without what is private, ready to be sent.

Nothing is sent. What is written is what ``make measure`` wrote, among the contributed results, less
the names of host and user and of what else tells whose machine it was.
"""

import getpass
import os
import re
import socket
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs

from scripts.harness.declaration import Reason
from scripts.harness.experiment import Experiment
from scripts.harness.machine import Machine, describe_machine
from scripts.harness.machine import make_id as make_machine_id
from scripts.harness.paths import RESULTS
from scripts.harness.pythons import Interpreter
from scripts.harness.record import Record, Trial
from scripts.harness.row import encode_row
from scripts.harness.store import (
    DamagedRecords,
    Results,
    list_files,
    locate,
    locate_contributed,
    read_results,
    write_results,
)
from scripts.harness.timeline import FOLDER as TIMELINES
from scripts.harness.timeline import list_timelines, locate_timeline, read_timeline, write_timeline
from scripts.site.check.contributed import find_doubtful
from scripts.site.check.results import find_untrue
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.judge.judge import Evidence
from scripts.site.judge.places import list_places
from scripts.site.judge.verification import STANDINGS, Standing, check_evidence, find_status
from scripts.site.render.machines import describe_plainly
from scripts.site.render.words import Words, load_words
from scripts.site.settings import BadSetting, read_settings
from scripts.site.study.machines import open_recorded

Facts = TypeVar("Facts", Machine, Interpreter)

_SOMEBODYS = {
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
_NEUTRAL = {"id", "version", "implementation", "architecture", "system"}
"""Facts of a machine or an interpreter by which it is found again; they are no free texts."""
_NOBODY = {"root", "user", "admin", "runner", "ubuntu", "localhost", "docker", "linux", "python"}
"""Names that tell of nobody, and that programs write for other reasons."""
_SENT = """\
To send them, from a clone of your fork:

  git switch --create records-{id}
  git add --force {paths} && git commit --message "Records of {id}"
  git push --set-upstream origin records-{id}

and open a pull request. Without git, drop the .json files of results/contributed/{id}/ that are named above into a new
issue, form Records of a machine.
Nothing has been sent."""
_KEPT = """\
Kept: processor, cores, memory, system and its limits; Python's versions and builds; times, memory
and dates of each trial; what the programs printed. Taken out of all texts, in {count} places: the names
of this host and user in any case, homes below /home, /Users and C:\\Users, mail addresses, IPv4, IPv6
and hardware addresses, UUIDs, names of Git branches of Python's build, and what looks like a
password in a URL or a token of GitHub, GitLab, PyPI, Hugging Face, OpenAI, Slack or AWS. Nothing else: look
through the files before you send them."""


def run_contribute() -> int:
    """Check the records of MACHINE, by default the one at hand, and make them ready to be sent.

    Returns:
        The exit status: 1 if there is nothing that could be sent, or something that cannot be true.

    Raises:
        BadSetting: there are no records of it.
        RecordsError, MalformedDeclaration: as reading and writing them.
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
    words = load_words("en").add(declared.terms)
    watched = [read_timeline(path) for path in list_timelines(settings.results, id_)]
    measured = {
        (one.interpreter.id, each.profile, each.variant.experiment)
        for one in found
        for each in one.records
    }
    timelines = [
        one for one in watched if one and (one.interpreter, one.profile, one.experiment) in measured
    ]
    print("\n".join(tell(found, declared, words)))
    count, folder = 0, locate_contributed(RESULTS)
    sent = []  # not the folder: what was set aside there, or is of smoke alone, was not cleared
    for results in found:
        stripped, hidden = strip(results, list_names())
        count += hidden
        path = locate(folder, stripped.machine.id, stripped.interpreter.id)
        write_results(path, stripped)
        sent.append(path)
        id_ = stripped.machine.id
    timelines = [structs.replace(one, machine=id_) for one in timelines]
    for timeline in timelines:
        write_timeline(folder, timeline)
    if timelines and len(timelines) == len(watched):
        sent.append(folder / id_ / TIMELINES / "*.json")
    else:
        sent += [locate_timeline(folder, id_, one.experiment, one.program) for one in timelines]
    paths = " ".join(str(path.relative_to(RESULTS.parent)) for path in sent)
    print(f"\n{_KEPT.format(count=count)}\n\n{_SENT.format(id=id_, paths=paths)}")
    return 0


def tell_kept(results: Path, id_: str) -> str:
    """What measuring has left on the disk and what can be done with it; empty of nothing."""
    files = list_files(results, id_)
    if not files:
        return ""
    count = sum(len(found.records) for path in files if (found := read_results(path)))
    return (
        f"{results / id_}/ has {count} records (files: {len(files)}, one for each Python)."
        " Next: make site shows them, make contribute checks them and says how to send them."
    )


def tell(found: Sequence[Results], declared: Declarations, words: Words) -> Iterator[str]:
    """What the pages would say of a machine, in lines."""
    cells = open_recorded(found, declared.experiments, "full")
    gathered = (cells.judge(name) for name in declared.experiments)
    evidences = [one for one in gathered if one.judgements]
    yield from describe_plainly(evidences, words)
    for evidence in evidences:
        yield from _tell_recommended(evidence, words)
    statuses: Counter[Standing] = Counter()
    for evidence in evidences:
        claims = declared.claims.get(evidence.experiment.name, ())
        checks = check_evidence(claims, evidence)
        statuses.update(
            find_status([check for check in checks if check.claim is claim]) for claim in claims
        )
    counted = (f"{statuses[one]} {words.term('claim_status', one)}" for one in STANDINGS)
    yield f"Claims: {', '.join(counted)}"


def list_names() -> list[str]:
    """The names of host and user here, as far as they tell of somebody."""
    host = socket.gethostname()
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # the user has no name here
        user = ""
    names = {host, host.partition(".")[0], user}
    return sorted((one for one in names if len(one) > 2 and one.lower() not in _NOBODY), key=len)


def strip(results: Results, names: Sequence[str]) -> tuple[Results, int]:
    """Results without what is private and without ``names``, and in how many places these were."""
    patterns = [(re.compile(pattern), mark) for mark, pattern in _SOMEBODYS.items()]
    for name in reversed(names):
        for spelt in dict.fromkeys((name, ascii(name)[1:-1])):
            alone = rf"(?<![^\W_]){re.escape(spelt)}(?![^\W_])"
            patterns.append((re.compile(alone, re.IGNORECASE), "<name>"))
    count = 0

    def hide(text: str) -> str:
        nonlocal count
        for pattern, mark in patterns:
            found = [
                one for one in pattern.finditer(text) if mark != "<address>" or _is_address(one[0])
            ]
            for one in reversed(found):
                text = text[: one.start()] + mark + text[one.end() :]
            count += len(found)
        return text

    def hide_facts(described: Facts) -> Facts:
        texts = {name: getattr(described, name) for name in described.__dataclass_fields__}
        hidden: dict[str, Any] = {
            name: hide(one)
            for name, one in texts.items()
            if isinstance(one, str) and name not in _NEUTRAL
        }
        return replace(described, **hidden)

    def clear(record: Record) -> Record:
        reason = record.reason and Reason(
            record.reason.code,
            {
                name: hide(one) if isinstance(one, str) else one
                for name, one in record.reason.params.items()
            },
        )
        traced = tuple(map(round_trace, record.traced))
        stderr, printed = hide(record.stderr), hide(record.printed)
        packages = {name: hide(pin) for name, pin in record.packages.items()}
        return replace(
            record,
            reason=reason,
            stderr=stderr,
            printed=printed,
            packages=packages,
            traced=traced,
        )

    machine, interpreter = hide_facts(results.machine), hide_facts(results.interpreter)
    if results.machine.has_own_id and not machine.has_own_id:  # its name is made of its facts
        machine = replace(machine, id=make_machine_id(machine))
    records = tuple(
        replace(one, variant=replace(one.variant, machine=machine.id))
        for one in map(clear, results.records)
    )
    return replace(results, machine=machine, interpreter=interpreter, records=records), count


def _is_address(text: str) -> bool:
    """Whether a text is a network address that is not every machine's own; a time is none."""
    try:
        return not (one := ip_address(text)).is_loopback and not one.is_unspecified
    except ValueError:
        return False


def round_trace(trial: Trial) -> Trial:
    """A trace to a tenth of a millisecond, which is more than its sampling knows: half the bytes."""
    points = (
        (round(at_s, 4), size, None if cpu_s is None else round(cpu_s, 4))
        for at_s, size, cpu_s in trial.trace
    )
    return replace(trial, trace=tuple(points))


def _read(folder: Path, id_: str, experiments: Mapping[str, Experiment]) -> list[Results]:
    """What is recorded of a machine, but for smoke.

    Raises:
        BadSetting: nothing is.
        DamagedRecords: something cannot be true, or was disturbed too often; has every reason.
    """
    paths = list_files(folder, id_)
    if not paths:
        raise BadSetting(f"{folder} has no records of {id_}. First: make measure PROFILE=full")
    read = [results for path in paths if (results := read_results(path))]
    serious = (
        replace(one, records=tuple(each for each in one.records if each.profile != "smoke"))
        for one in read
    )
    found = [one for one in serious if one.records]
    faults = [
        f"{one.machine.id}/{one.interpreter.id}: {fault}"
        for one in found
        for rule in (find_untrue, find_doubtful)
        for fault in rule(list(map(encode_row, one.records)), one.interpreter, experiments)
    ]
    if faults:
        raise DamagedRecords(*faults)
    return found


def _tell_recommended(evidence: Evidence, words: Words) -> Iterator[str]:
    """What is recommended in each family, in its first place."""
    for family in evidence.experiment.families:
        places, _ = list_places([evidence], family.name, 1)
        if not places or len(places[0].cells) < 2:
            continue
        (place,) = places
        best = [name for name, one in place.cells.items() if one.verdict == "recommended"]
        where = f"{words.count('cores', place.cores)}, Python {place.interpreter.name}"
        title = words.choose(family.title)
        told = ", ".join(best) or words.text("open")
        yield f"{evidence.experiment.name}, {title} ({where}): {told}"
