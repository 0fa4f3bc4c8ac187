"""Contribute: check this machine's records, take out what is private, and say how to send them.

Nothing is sent. The cleaned files are written among the contributed results.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import structs

from scripts.harness.experiment import Experiment
from scripts.harness.machine import describe_machine
from scripts.harness.paths import RESULTS
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
from scripts.site.contributed.privacy import list_names, strip
from scripts.site.declare.declarations import Declarations, load_declarations
from scripts.site.judge.claims import STANDINGS, Standing, check_machines, find_status
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
        statuses.update(find_status(one.checks) for one in checked)
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
