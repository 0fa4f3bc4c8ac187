"""Contributed records: merging what strangers send, and making one's own ready to be sent.

What strangers send is data: a file is taken as a whole or refused with every reason, and nothing of a
refused one goes further. Of one's own records what is private is taken out; the cleaned files are
written among the contributed results, and nothing is sent.
"""

import getpass
import os
import re
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from filecmp import cmp
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from msgspec import structs

from poolwise.declaration import Reason
from poolwise.experiment import Experiment
from poolwise.machine import describe_machine, make_machine_id
from poolwise.output import defuse
from poolwise.record import Results
from poolwise.store import (
    LARGEST_BYTES,
    DamagedRecords,
    RecordsError,
    check_file,
    list_files,
    locate,
    locate_contributed,
    read_bytes,
    read_results,
    write_results,
)
from scripts.site.check.results import find_undeclared, find_untrue
from scripts.site.declare.declarations import load_declarations
from scripts.site.home import list_home, list_lacking, tell_home
from scripts.site.paths import RESULTS
from scripts.site.settings import BadSetting, add_to_summary, read_settings
from scripts.site.study.agenda import FILE as UNFINISHED
from scripts.site.study.contributed import LARGEST_RATIO, Contribution, open_contributed
from scripts.site.study.faults import PATH as FAULTS
from scripts.site.study.signs import FILE as SIGNS
from scripts.site.study.snippets import FILE as SNIPPETS
from scripts.site.study.timeline import FOLDER as TIMELINES
from scripts.site.study.timeline import read_timeline, write_timeline

MOST_LISTED = 20  # reasons of a file, and differences of a machine; the number of the rest is told
# What else is in a folder of results, or handed on with one by a job of Publish.
_OTHER_NAMES = {"README.md", ".lock", SIGNS, SNIPPETS, FAULTS.name, UNFINISHED}


def run_merge(names: Sequence[str]) -> int:
    """Merge folders into RESULTS; tell what was refused and why, within Actions in the summary too.

    Folders in MEASURED hold what this build's own jobs measured; ``names`` are contributed ones. Where
    HOME_COLUMN names a runner and a Python, the machines that these gave are an output for Actions, unless
    they lack what every reader meets first. The exit status is 1 if a file was refused; what could be
    taken is taken nevertheless.
    """
    results = read_settings(os.environ).results
    measured = [Path(name) for name in os.environ.get("MEASURED", "").split()]
    contributed = [Path(name) for name in names]
    if not measured and not contributed:
        raise BadSetting('There is nothing to merge: make merge FROM="folders" names where it is.')
    if results.resolve() in (folder.resolve() for folder in (*measured, *contributed)):
        raise BadSetting(f"RESULTS={results} cannot be merged into itself: name another folder.")
    declared = load_declarations()
    merged = merge_folders(measured, contributed, results, declared.experiments)
    lines = list(describe_merged(merged))
    for contribution in open_contributed(results, declared.experiments, lines.append):
        if contribution.machine.id in merged.contributed:
            lines += describe_differences(contribution)
    if column := os.environ.get("HOME_COLUMN"):
        home = list_home(measured, column)
        lacking = list_lacking(home, results, declared)
        lines += tell_home(column, home, lacking)
        if output := os.environ.get("GITHUB_OUTPUT"):
            places = "" if lacking else ",".join(map("/".join, home))
            with Path(output).open("a", encoding="utf-8") as file:
                file.write(f"machine={places}\n")
    print(defuse("\n".join(lines)), file=sys.stderr if merged.refused else sys.stdout)
    add_to_summary("Records", lines)
    return 1 if merged.refused else 0


@dataclass(slots=True)
class Merged:
    """The outcome of a merge: records taken by machine, of our jobs and of others; reasons by refused file."""

    measured: Counter[str] = field(default_factory=Counter)
    contributed: Counter[str] = field(default_factory=Counter)
    refused: dict[Path, Sequence[str]] = field(default_factory=dict)


def merge_folders(
    measured: Sequence[Path],
    contributed: Sequence[Path],
    results: Path,
    experiments: Mapping[str, Experiment],
) -> Merged:
    """Take what can be true from every results file below the folders, at whatever depth.

    A file's place says nothing: machine and interpreter are those that it describes. Files add to
    each other, and of a cell that is in two the later measured stays. What is contributed has a
    folder of its own: it never adds to what was measured, nor stands for it.
    """
    merged = Merged()
    for folder in (*measured, *contributed):
        is_sent = folder not in measured
        place, taken = results, merged.measured
        if is_sent:
            place, taken = locate_contributed(results), merged.contributed
        # Timelines come last: those of a machine whose records were taken are.
        for path in sorted(_list_files(folder), key=lambda path: path.parent.name == TIMELINES):
            try:
                if path.parent.name == TIMELINES:
                    timeline = None if is_sent else read_timeline(path)  # no page shows strangers'
                    if timeline and timeline.machine in taken:
                        write_timeline(place, timeline)
                elif not (is_sent and _is_there(path, results)):
                    inspected = inspect_file(path, experiments, contributed=is_sent)
                    taken[inspected.machine.id] += _add(inspected, place)
            except RecordsError as error:
                merged.refused[path] = error.faults
    return merged


def inspect_file(
    path: Path, experiments: Mapping[str, Experiment], *, contributed: bool
) -> Results:
    """Read and check a results file; ``contributed`` ones keep more rules than a build's own."""
    data = read_bytes(path, LARGEST_BYTES)
    if data is None:
        raise DamagedRecords(f"{path}: there is no such file or folder")
    if path.suffix != ".json":
        raise DamagedRecords("not a .json file; what is packed has to be unpacked first")
    results = check_file(data, Path(path.name), placed=False)
    faults = list(find_untrue(results.records, experiments))
    if contributed and not results.machine.has_own_id:
        faults.append(f"the machine {results.machine.id} is not what it says of itself")
    for record in results.records:
        if contributed:
            faults += find_undeclared(record, experiments)
        # Every run takes some of each, and pages form ratios of them.
        for name in ("inside_s", "cpu_s", "max_rss_bytes", "peak_pss_bytes"):
            if 0 in record.list_values(name):
                faults.append(f"{record.variant}: {name} is zero")
    if faults:
        raise DamagedRecords(*faults)
    return results


def describe_merged(merged: Merged) -> Iterator[str]:
    """Describe the outcome of a merge in lines."""
    total = merged.measured + merged.contributed
    yield f"Taken: {total.total()} records of {len(total)} machines"
    for taken, whose in ((merged.measured, ""), (merged.contributed, ", contributed")):
        for machine, count in sorted(taken.items()):
            yield f"  - {machine}: {count} records{whose}"
    for path, reasons in merged.refused.items():
        yield f"Refused: {ascii(str(path))[1:-1]}"  # of anybody's making; it ends no line
        yield from _list_first(reasons)


def describe_differences(contribution: Contribution) -> Iterator[str]:
    """Describe in lines where the gains of a contribution differ from those of every measured machine."""
    differences = contribution.differences
    yield (
        f"{contribution.machine.id}: {len(differences)} of {len(contribution.gains)} gains over the"
        f" baseline differ by more than ×{LARGEST_RATIO:g} from those on every measured machine"
    )
    lines = []
    for gain in differences:
        values = (gain.value, gain.least, gain.largest)
        sent, *known = (f"×{float(f'{value:.3g}'):,g}" for value in values)
        place = f"{gain.record.variant}, {gain.record.interpreter}"
        lines.append(f"{place}: {sent}, elsewhere {' to '.join(dict.fromkeys(known))}")
    yield from _list_first(lines)


def _list_first(lines: Sequence[str]) -> Iterator[str]:
    for line in lines[:MOST_LISTED]:
        yield f"  - {line}"
    if len(lines) > MOST_LISTED:
        yield f"  - and {len(lines) - MOST_LISTED} more"


def _list_files(folder: Path) -> list[Path]:
    """List the files below a folder, and links, which are not followed; else what is in its place."""
    if not folder.is_dir():
        return [folder]
    paths = (path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file())
    return [path for path in paths if path.name not in _OTHER_NAMES]


def _is_there(path: Path, results: Path) -> bool:
    """Tell whether the very same file is in its place already, as most of a branch's are."""
    if path.is_symlink() or not path.is_file():
        return False
    for folder in (results, locate_contributed(results)):
        known = folder / path.parent.name / path.name
        if known.is_file() and cmp(path, known, shallow=False):
            return True
    return False


def _add(results: Results, folder: Path) -> int:
    """Put records beside those of the same interpreter on the same machine; return how many are new."""
    path = locate(folder, results.machine.id, results.interpreter.id)
    old = check_file(path.read_bytes(), path).records if path.exists() else ()
    cells = {(record.profile, record.variant): record for record in old}
    taken = 0
    for record in results.records:
        known = cells.get((record.profile, record.variant))
        if known is None or known.measured_at < record.measured_at:
            cells[record.profile, record.variant] = record
            taken += 1
    write_results(path, structs.replace(results, records=tuple(cells.values())))
    return taken


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
    """Check the records of MACHINE, by default the one at hand, and make them ready to be sent."""
    settings = read_settings(os.environ)
    id_ = settings.machine or describe_machine().id
    serious = _read_serious(settings.results, id_, load_declarations().experiments)
    if not serious:
        print(
            f"{id_} has records of PROFILE=smoke alone, which only tells that programs work."
            " First: make measure PROFILE=full",
            file=sys.stderr,
        )
        return 1
    # Git is given these files alone: the folder may hold others that were not cleaned.
    paths = []
    for results in serious:
        stripped = strip(results, list_names())
        id_ = stripped.machine.id
        path = locate(locate_contributed(RESULTS), id_, stripped.interpreter.id)
        write_results(path, stripped)
        paths.append(str(path.relative_to(RESULTS.parent)))
    print(f"{_WHAT_IS_KEPT}\n\n{_HOW_TO_SEND.format(id=id_, paths=' '.join(paths))}")
    return 0


def tell_kept(results: Path, id_: str) -> str:
    """Say how many records measuring has left, and what to do next; empty without records."""
    files = list_files(results, id_)
    if not files:
        return ""
    count = sum(len(kept.records) for path in files if (kept := read_results(path)))
    return (
        f"{results / id_}/ has {count} records (files: {len(files)}, one for each Python)."
        " Next: make site shows them, make contribute checks them and says how to send them."
    )


def _read_serious(folder: Path, id_: str, experiments: Mapping[str, Experiment]) -> list[Results]:
    """Read what a machine has measured at a size that tells something, of what is declared."""
    paths = list_files(folder, id_)
    if not paths:
        raise BadSetting(f"{folder} has no records of {id_}. First: make measure PROFILE=full")
    serious, faults = [], []
    for results in filter(None, map(read_results, paths)):
        records = [
            record
            for record in results.records
            if record.profile != "smoke" and not any(find_undeclared(record, experiments))
        ]
        if records:
            serious.append(structs.replace(results, records=tuple(records)))
        place = f"{results.machine.id}/{results.interpreter.id}"
        faults += [f"{place}: {fault}" for fault in find_untrue(records, experiments)]
    if faults:
        raise DamagedRecords(*faults)
    return serious


def list_names() -> list[str]:
    """List the names of this host and user, without those that everybody has."""
    host = socket.gethostname()
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # the user has no name here
        user = ""
    names = {host, host.partition(".")[0], user}
    telling = (name for name in names if len(name) > 2 and name.lower() not in _COMMON_NAMES)
    return sorted(telling, key=len)


def strip(results: Results, names: Sequence[str]) -> Results:
    """Return results without private texts and ``names``, each replaced by a mark of its kind."""
    patterns = [(re.compile(pattern), mark) for mark, pattern in _PRIVATE.items()]
    for name in reversed(names):
        for spelling in {name, ascii(name)[1:-1]}:
            alone = rf"(?<![^\W_]){re.escape(spelling)}(?![^\W_])"
            patterns.append((re.compile(alone, re.IGNORECASE), "<name>"))

    def clean(value: Any) -> Any:  # noqa: ANN401 - texts, mappings of such, and what is neither
        if isinstance(value, Mapping):
            return {name: clean(part) for name, part in value.items()}
        if isinstance(value, str):
            for pattern, mark in patterns:
                value = pattern.sub(partial(_choose_mark, mark), value)
        return value

    machine = replace(results.machine, **_take_texts(results.machine, clean))
    if results.machine.has_own_id and not machine.has_own_id:  # the id is made of the facts
        machine = replace(machine, id=make_machine_id(machine))
    records = []
    for record in results.records:
        reason = record.reason and Reason(record.reason.code, clean(record.reason.params))
        texts = {name: clean(getattr(record, name)) for name in ("stderr", "printed", "packages")}
        records.append(structs.replace(record, machine=machine.id, reason=reason, **texts))
    interpreter = replace(results.interpreter, **_take_texts(results.interpreter, clean))
    return Results(machine=machine, interpreter=interpreter, records=tuple(records))


def _take_texts(described: Any, clean: Callable[[Any], Any]) -> dict[str, Any]:  # noqa: ANN401
    """Take the cleaned facts of a machine or an interpreter, but for those by which it is found again."""
    names = {field.name for field in fields(described)} - _IDENTITY
    return {name: clean(getattr(described, name)) for name in names}


def _choose_mark(mark: str, text: re.Match[str]) -> str:
    """Choose what stands for a text; what is no address but a time, or any machine's, stays as it is."""
    if mark == "<address>":
        try:
            address = ip_address(text[0])
        except ValueError:
            return text[0]
        if address.is_loopback or address.is_unspecified:
            return text[0]
    return mark
