"""Machines: what each is, when and how it was measured, and how noisy it was."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median, quantiles

from markupsafe import Markup

from scripts.harness.machine import Machine
from scripts.harness.pythons import rank_interpreter
from scripts.harness.record import Record
from scripts.site.judge.judge import Evidence
from scripts.site.judge.noise import compare_with_itself
from scripts.site.judge.selection import list_records
from scripts.site.render.facts import format_pair, link_machine, name_machine
from scripts.site.render.html import Cell, code, join, prose, small, table
from scripts.site.render.words import Words
from scripts.site.study.absent import Column


def show_machines(
    machines: Mapping[str, Sequence[Evidence]], words: Words, folder: str, shown: str
) -> Markup:
    """A row for each machine by its id: what it is, what was measured on it and how noisy that was.

    ``folder`` is the address of the machines' pages, ``shown`` the id of the one on other pages.
    """
    rows = [
        (
            link_machine(evidences[0].machine, words, folder)
            + small(words.text("machine_shown") if id_ == shown else ""),
            *map(_stack, _describe(evidences, words)),
        )
        for id_, evidences in machines.items()
    ]
    heads = words.texts("machine", "machine_is", "machine_measured", "noise")
    return table(words, words.text("machines_caption"), heads, rows, kind="machines")


def show_summary(evidences: Sequence[Evidence], words: Words) -> Markup:
    """The same of one machine, a row for each fact."""
    heads = words.texts("machine_is", "machine_measured", "noise")
    rows = zip(heads, map(_stack, _describe(evidences, words)), strict=True)
    caption = words.text("summary_caption")
    return table(words, caption, words.texts("machine", "value"), rows, kind="facts")


def describe_plainly(evidences: Sequence[Evidence], words: Words) -> list[str]:
    """The same in lines of plain text."""
    facts = (fact for lines in _describe(evidences, words) for fact in lines if fact)
    plain = (fact.striptags() if isinstance(fact, Markup) else fact for fact in facts)
    return [name_machine(evidences[0].machine, words), *plain]


def _describe(evidences: Sequence[Evidence], words: Words) -> tuple[list[str], ...]:
    """What a machine is, what was measured on it, and how noisy it was, each in short lines."""
    records = list_records(evidences)
    return (
        _list_facts(evidences[0].machine, words),
        _list_measured(evidences, records, words),
        _list_noise(evidences[0].machine, records, words),
    )


def _stack(lines: Iterable[str]) -> Cell:
    return prose(join(lines, Markup("<br>")))


def _list_facts(machine: Machine, words: Words) -> list[str]:
    cores = words.count("cores_nominative", machine.logical_cores)
    memory = f"{words.text('memory')} {words.memory(machine.memory_bytes)}"
    virtual = machine.virtualisation and words.text(
        "virtual" if machine.virtualisation == "virtual machine" else "not_virtual"
    )
    around = [virtual or "", machine.hypervisor or "", machine.container or ""]
    return [
        f"{cores}, {machine.architecture}",
        memory,
        machine.os,
        ", ".join(filter(None, around)),
    ]


def _list_measured(
    evidences: Sequence[Evidence], records: Sequence[Record], words: Words
) -> list[str]:
    if not records:
        return [words.text("not_measured")]
    dates = sorted(record.measured_at for record in records)
    days = list(dict.fromkeys(words.date(date) for date in (dates[0], dates[-1])))
    pythons = {one.id: one for evidence in evidences for one in evidence.interpreters}
    used = {record.variant.interpreter for record in records}
    names = [pythons[id_].name for id_ in sorted(used, key=rank_interpreter)]
    profiles = dict.fromkeys(record.profile for record in records)
    outdated = sum(len(evidence.outdated) for evidence in evidences)
    return [
        Markup("{} {}").format(words.text("profile"), join(map(code, profiles), ", ")),
        f"Python {', '.join(dict.fromkeys(names))}",
        " – ".join(days),
        words.count("cells", len(records)),
        *([words.count("cells_outdated", outdated)] if outdated else []),
    ]


def _list_noise(machine: Machine, records: Sequence[Record], words: Words) -> list[str]:
    disturbed = sum(len(record.disturbed) for record in records)
    trials = sum(len(record.timed) for record in records) + disturbed
    differences = [one - 1 for record in records if (one := compare_with_itself(record))]
    lines = []
    if trials:
        share = words.plain(round(disturbed / trials * 100, 1))
        lines.append(words.text("disturbed_share", share=share, trials=words.plain(trials)))
    paced = [one for record in records for one in record.timed if one.values.get("slowed_share")]
    if computed_s := sum(trial.read("cpu_s") or 0.0 for trial in paced):
        lost_s = sum(
            (trial.values["slowed_share"] or 0.0) * (trial.read("cpu_s") or 0.0) for trial in paced
        )
        share = words.plain(round(lost_s / computed_s * 100, 1))
        lines.append(words.text("slowed_share", share=share, trials=words.plain(len(paced))))
    if len(differences) > 1:
        tenths = quantiles(differences, n=10, method="inclusive")
        half, most = (words.plain(round(one * 100, 1)) for one in (median(differences), tenths[-1]))
        lines.append(words.text("with_itself", half=half, most=most))
    if machine.pair:
        lines.append(f"{words.term('machine', 'pair')}: {format_pair(machine.pair, words)}")
    return lines or [words.text("unknown")]


def show_absent(columns: Sequence[Column], words: Words) -> Markup:
    """A row for each column that a build asked runners for in vain; nothing if there are none."""
    if not columns:
        return Markup()
    rows = [
        (
            code(one.runner),
            prose(one.python.replace("+", ", ")),
            prose(code(one.part.only.replace(",", ", "))),
        )
        for one in columns
    ]
    heads = (words.text("absent_runner"), "Python", words.text("absent_part"))
    return table(words, words.text("absent_title"), heads, rows, kind="facts")
