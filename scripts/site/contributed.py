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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from filecmp import cmp
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs

from poolwise.declaration import Reason
from poolwise.experiment import Experiment
from poolwise.machine import Machine, describe_machine, make_machine_id
from poolwise.output import defuse
from poolwise.pythons import Interpreter
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
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.home import list_home, list_lacking, tell_home
from scripts.site.judge.claims import STANDINGS, Standing, check_machines
from scripts.site.paths import RESULTS
from scripts.site.render.facts import describe_plainly
from scripts.site.render.words import load_words
from scripts.site.settings import BadSetting, add_to_summary, read_settings
from scripts.site.study.agenda import FILE as UNFINISHED
from scripts.site.study.contributed import LARGEST_RATIO, Contribution, open_contributed
from scripts.site.study.faults import PATH as FAULTS
from scripts.site.study.machines import open_recorded
from scripts.site.study.signs import FILE as SIGNS
from scripts.site.study.snippets import FILE as SNIPPETS
from scripts.site.study.timeline import FOLDER as TIMELINES
from scripts.site.study.timeline import read_timeline, write_timeline

MOST_REASONS = 20  # that a file is refused for; the number of the rest is told too
MOST_DIFFERENCES = 20  # that are named of a machine, the farthest first
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
    lines = list(tell_merged(merged))
    for contribution in open_contributed(results, declared.experiments, lines.append):
        if contribution.machine.id in merged.contributed:
            lines += tell_differences(contribution)
    if column := os.environ.get("HOME_COLUMN"):
        home = list_home(measured, column)
        lacking = list_lacking(home, results, declared)
        lines += tell_home(column, home, lacking)
        if output := os.environ.get("GITHUB_OUTPUT"):
            places = ",".join(f"{machine}/{python}" for machine, python in home)
            with Path(output).open("a", encoding="utf-8") as file:
                file.write(f"machine={'' if lacking else places}\n")
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
        place = locate_contributed(results) if is_sent else results
        taken = merged.contributed if is_sent else merged.measured
        # Timelines come last: those of a machine whose records were taken are.
        for path in sorted(_list_files(folder), key=lambda one: one.parent.name == TIMELINES):
            try:
                if path.parent.name != TIMELINES:
                    if not (is_sent and _is_there(path, results)):
                        found = inspect_file(path, experiments, contributed=is_sent)
                        taken[found.machine.id] += _add(found, place)
                elif not is_sent:  # no page shows whom strangers watched
                    timeline = read_timeline(path)
                    if timeline and timeline.machine in taken:
                        write_timeline(place, timeline)
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
    found = check_file(data, Path(path.name), placed=False)
    faults = list(find_untrue(found.records, experiments))
    if contributed:
        if not found.machine.has_own_id:
            faults.append(f"the machine {found.machine.id} is not what it says of itself")
        for row in found.records:
            faults += find_undeclared(row, experiments)
    for row in found.records:  # where every run takes something, and pages form ratios
        for name in ("inside_s", "cpu_s", "max_rss_bytes", "peak_pss_bytes"):
            if 0 in row.list_values(name):
                faults.append(f"{row.variant}: {name} is zero")
    if faults:
        raise DamagedRecords(*faults)
    return found


def tell_merged(merged: Merged) -> Iterator[str]:
    """Tell the outcome of a merge in lines."""
    total = merged.measured + merged.contributed
    yield f"Taken: {total.total()} records of {len(merged.measured | merged.contributed)} machines"
    for taken, whose in ((merged.measured, ""), (merged.contributed, ", contributed")):
        for machine, count in sorted(taken.items()):
            yield f"  - {machine}: {count} records{whose}"
    for path, reasons in merged.refused.items():
        yield f"Refused: {ascii(str(path))[1:-1]}"  # of anybody's making; it ends no line
        yield from (f"  - {one}" for one in reasons[:MOST_REASONS])
        if len(reasons) > MOST_REASONS:
            yield f"  - and {len(reasons) - MOST_REASONS} more"


def tell_differences(contribution: Contribution) -> Iterator[str]:
    """Tell in lines where the gains of a contribution differ from those of every measured machine."""
    differences = contribution.differences
    yield (
        f"{contribution.machine.id}: {len(differences)} of {contribution.compared} gains over the"
        f" baseline differ by more than ×{LARGEST_RATIO:g} from those on every measured machine"
    )
    for row in differences[:MOST_DIFFERENCES]:
        gain, *measured = (f"×{float(f'{one:.3g}'):,g}" for one in (row.gain or 0.0, *row.ends))
        place = f"{row.record.variant}, {row.record.interpreter}"
        yield f"  - {place}: {gain}, elsewhere {' to '.join(dict.fromkeys(measured))}"
    if len(differences) > MOST_DIFFERENCES:
        yield f"  - and {len(differences) - MOST_DIFFERENCES} more"


def _list_files(folder: Path) -> list[Path]:
    """List the files below a folder, and links, which are not followed; else what is in its place."""
    if not folder.is_dir():
        return [folder]
    found = (path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file())
    return [path for path in found if path.name not in _OTHER_NAMES]


def _is_there(path: Path, results: Path) -> bool:
    """Tell whether the very same file is in its place already, as most of a branch's are."""
    if path.is_symlink() or not path.is_file():
        return False
    folders = (results, locate_contributed(results))
    known = [folder / path.parent.name / path.name for folder in folders]
    return any(one.is_file() and cmp(path, one, shallow=False) for one in known)


def _add(found: Results, folder: Path) -> int:
    """Put records beside those of the same interpreter on the same machine; returns how many are new."""
    path = locate(folder, found.machine.id, found.interpreter.id)
    old = check_file(path.read_bytes(), path).records if path.exists() else ()
    cells = {(one.profile, one.variant): one for one in old}
    taken = 0
    for one in found.records:
        known = cells.get((one.profile, one.variant))
        if known is None or known.measured_at < one.measured_at:
            cells[one.profile, one.variant] = one
            taken += 1
    write_results(path, structs.replace(found, records=tuple(cells.values())))
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
    """Check the records of MACHINE, by default the one at hand, and make them ready to be sent."""
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
    print("\n".join(tell_pages(found, declared)))
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


def tell_pages(found: Sequence[Results], declared: Declarations) -> Iterator[str]:
    """Tell in lines what the pages would say of a machine."""
    words = load_words("en").add(declared.terms)
    cells = open_recorded(found, declared.experiments, "full")
    gathered = (cells.judge(name) for name in declared.experiments)
    evidences = [one for one in gathered if one.judgements]
    yield from describe_plainly(evidences, words)
    statuses: Counter[Standing] = Counter()
    for one in evidences:
        name = one.experiment.name
        checked = check_machines(name, declared.claims.get(name, ()), [one])
        statuses.update(claim.status for claim in checked)
    counted = (f"{statuses[one]} {words.term('claim_status', one)}" for one in STANDINGS)
    yield f"Claims: {', '.join(counted)}"


def _read(folder: Path, id_: str, experiments: Mapping[str, Experiment]) -> list[Results]:
    paths = list_files(folder, id_)
    if not paths:
        raise BadSetting(f"{folder} has no records of {id_}. First: make measure PROFILE=full")
    found, faults = [], []
    for results in filter(None, map(read_results, paths)):
        serious = tuple(
            row
            for row in results.records
            if row.profile != "smoke" and not any(find_undeclared(row, experiments))
        )
        if serious:
            found.append(structs.replace(results, records=serious))
            place = f"{results.machine.id}/{results.interpreter.id}"
            faults += [f"{place}: {fault}" for fault in find_untrue(serious, experiments)]
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
        machine = replace(machine, id=make_machine_id(machine))
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
    """Choose what stands for a text; what is no address but a time, or any machine's, stays as it is."""
    if mark == "<address>":
        try:
            address = ip_address(found[0])
        except ValueError:
            return found[0]
        if address.is_loopback or address.is_unspecified:
            return found[0]
    return mark


def _clean_facts(described: Facts, clean: Callable[[Any], Any]) -> Facts:
    names = [one.name for one in fields(described) if one.name not in _IDENTITY]
    return replace(described, **{name: clean(getattr(described, name)) for name in names})
