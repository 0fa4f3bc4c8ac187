"""Tables of what stands around the measurements: machines, Pythons, profiles, margins, noise."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields

from markupsafe import Markup

from poolwise.machine import Cache, Machine, Pair
from poolwise.pythons import Interpreter, rank_interpreter
from poolwise.record import Record
from poolwise.statistics import FEWEST, estimate_pairs
from scripts.site.declare.claims import USUAL_TIE
from scripts.site.judge import verdicts
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.rows import list_records
from scripts.site.render.estimates import format_ratio, format_value
from scripts.site.render.html import Cell, Row, code, join, prose, small, strong, table
from scripts.site.render.names import name_python
from scripts.site.render.words import Words
from scripts.site.study.faults import Campaign

# By the names that pages ask for.
MARGINS: dict[str, float] = {
    "GAIN_MARGIN": verdicts.GAIN_MARGIN,
    "COST_MARGIN": verdicts.COST_MARGIN,
    "COST_CPU_S": verdicts.COST_CPU_S,
    "COST_BYTES": verdicts.COST_BYTES,
    "TIE": USUAL_TIE,
    "FEWEST": FEWEST,
}


def name_machine(machine: Machine, words: Words) -> str:
    """The processor, and to how many cores it was limited: ``AMD EPYC, limited to 1 of 2 cores``.

    Where several machines have that processor, the end of its id tells one from the others.
    """
    name = machine.model if machine.cpu_model else words.text("unknown_processor")
    mark = f" ({machine.id.rpartition('-')[2]})" if machine.model in words.namesakes else ""
    return name + mark + tell_limit(machine, words)


def link_machine(machine: Machine, words: Words, page: str) -> Markup:
    """Link a machine by its name to its row on the page of the machines."""
    return Markup('<a href="{0}#machine-{1}" title="{1}">{2}</a>').format(
        page, machine.id, name_machine(machine, words)
    )


def tell_limit(machine: Machine, words: Words) -> str:
    """``, limited to 1 of 2 cores``; empty where all of them are granted."""
    granted = machine.granted_cores
    if granted is None:
        return ""
    cores = words.count("cores_of", machine.logical_cores)
    return f", {words.text('limited', granted=words.plain(granted), cores=cores)}"


def tell_whose(
    machines: Mapping[str, Machine], here: Machine, records: Sequence[Record], words: Words
) -> Markup:
    """Whose numbers the pages show and of when, and if they were built on another machine, on which."""
    if not records:
        return Markup()
    names = join((strong(name_machine(machine, words)) for machine in machines.values()), ", ")
    key = "whose_numbers" if len(machines) == 1 else "whose_home"
    sentences = [words.markup(key, machine=names, days=_tell_days(records, words))]
    if here.id not in machines:
        place = strong(name_machine(here, words)) + Markup(" (") + code(here.id) + Markup(")")
        sentences.append(words.markup("whose_build", machine=place))
    return Markup("<p>{}</p>").format(join(sentences, " "))


def tell_measured(
    evidence: Evidence, machines: Mapping[str, Machine], words: Words, page: str
) -> Markup:
    """Tell when, on how many cores and with which Python it was measured; nothing before it was."""
    rows = evidence.rows.first_python(evidence.interpreters)
    timed = [row.record for row in rows if row.record.timed]
    if not timed:
        return Markup()
    used = dict.fromkeys(machines.get(record.machine, evidence.machine) for record in timed)
    python = timed[0].variant.interpreter
    return words.markup(
        "measured_here",
        days=_tell_days(timed, words),
        cores=words.count("cores", max(machine.logical_cores for machine in used)),
        machine=join((link_machine(machine, words, page) for machine in used), ", "),
        python=next(known.version for known in evidence.interpreters if known.id == python),
    )


def _tell_days(records: Sequence[Record], words: Words) -> str:
    moments = [record.measured_at for record in records]
    return words.dates(min(moments), max(moments))


def show_machine(
    machine: Machine, interpreters: Sequence[Interpreter], words: Words, *, is_other: bool = False
) -> Markup:
    """Everything known of a machine, and its interpreters; tables of another are called after it."""
    facts = {field.name: getattr(machine, field.name) for field in fields(machine)}
    rows = [
        (words.term("machine", name), prose(_format_fact(name, fact, words)))
        for name, fact in facts.items()
    ]
    head = words.texts("machine", "value")
    caption = words.text("machine_caption") + tell_limit(machine, words)
    caption = words.text("known_caption", id=machine.id) if is_other else caption
    facts_table = table(words, caption, head, rows, kind="facts")
    return facts_table + _show_interpreters(
        interpreters, words, f", {machine.id}" if is_other else ""
    )


def show_margins(words: Words) -> Markup:
    """The constants of the verdict rule."""
    rows = []
    for name, value in MARGINS.items():
        text = words.memory(value) if name.endswith("_BYTES") else words.plain(value)
        rows.append((code(name), text, prose(words.term("margin", name))))
    head = words.texts("value", "margin", "meaning")
    return table(words, words.text("margins_caption"), head, rows, kind="legend")


def show_faults(campaign: Campaign, words: Words) -> Markup:
    """How many faults of each kind were tried, held and cost something."""
    rows = []
    for tally in campaign.tallies:
        counts = (tally.tried, tally.tried - tally.lost, tally.lost)
        rows.append((words.term("fault_kind", tally.kind), *map(words.plain, counts)))
    caption = words.text("faults_caption", date=words.date(campaign.ran_at))
    return table(words, caption, words.texts("fault", "tried", "held", "faults_lost"), rows)


def _show_interpreters(interpreters: Sequence[Interpreter], words: Words, whose: str) -> Markup:
    optimised = [(name, words.text("optimised_help")) for name in ("PGO", "LTO")]
    head: list[str | tuple[str, str]] = [words.text("interpreter"), "GIL"]
    loop = (words.text("loop"), words.text("loop_help"))
    head += [words.text("free_threaded"), "JIT", *optimised, loop]
    head += words.texts("start_method", "compiler", "build")
    answers = {True: words.text("yes"), False: words.text("no"), None: words.text("unknown")}
    rows: list[Row] = []
    for python in interpreters:
        facts = (python.gil == "on", python.free_threaded, python.jit, python.pgo, python.lto)
        cells = [prose(answers[fact]) for fact in facts]
        time = format_value(python.loop_s, "wall_s", words) if python.loop_s else answers[None]
        made = map(prose, (code(python.start_method), python.compiler, python.build))
        rows.append((python.title, *cells, time, *made))
    return table(words, words.text("interpreters_caption") + whose, head, rows, kind="facts")


def _format_fact(name: str, value: object, words: Words) -> str:
    match value:
        case None:
            return words.text("no_limit" if name == "quota_cores" else "unknown")
        case Pair():
            return _format_pair(value, words)
        case bool():
            return words.text("yes" if value else "no")
        case int() | float() if name.endswith("_bytes"):
            return words.memory(value)
        case int() | float() if name == "cpu_mhz":
            return words.measure(words.number(value, 0), "MHz")
        case int() | float():
            return words.plain(value)
        case tuple():
            return ", ".join(_format_item(item, words) for item in value) or words.text("unknown")
    return words.term_if_known("machine_value", str(value))


def _format_item(item: object, words: Words) -> str:
    if not isinstance(item, Cache):
        return str(item)
    times = f" × {item.instances}" if item.instances else ""
    return f"{item.name} {words.memory(item.size_bytes)}{times}"


def _format_pair(pair: Pair, words: Words) -> str:
    """Say whether one program measured as two was told apart, with the ratio of its two sides."""
    ratio = estimate_pairs(pair.first_s, pair.second_s)
    key = "pair_same" if ratio.low <= 1 <= ratio.high else "pair_apart"
    low, high = words.number(ratio.low, 3), words.number(ratio.high, 3)
    median, trials = format_ratio(ratio, words)[0], words.count("trials", len(pair.first_s))
    return words.text(key, ratio=median, low=low, high=high, trials=trials)


def show_machines(
    machines: Mapping[str, Sequence[Evidence]], words: Words, displayed: Collection[str]
) -> Markup:
    """A row for each machine by its id: what it is, what was measured on it and how noisy that was."""
    rows = []
    for id_, evidences in machines.items():
        shape = Markup('<span id="machine-{0}" title="{0}">{1}</span>')
        name = shape.format(id_, name_machine(evidences[0].machine, words))
        name += small(words.text("machine_shown") if id_ in displayed else "")
        rows.append((name, *map(stack, _describe(evidences, words))))
    heads = words.texts("machine", "machine_is", "machine_measured", "noise")
    return table(words, words.text("machines_caption"), heads, rows, kind="machines")


def stack(lines: Iterable[str]) -> Cell:
    """A cell of short lines."""
    return prose(join(lines, Markup("<br>")))


def _describe(evidences: Sequence[Evidence], words: Words) -> tuple[list[str], ...]:
    pythons = {python.id: python for evidence in evidences for python in evidence.interpreters}
    outdated = sum(len(evidence.outdated) for evidence in evidences)
    records = list_records(evidences)
    return describe(evidences[0].machine, pythons.values(), records, words, outdated)


def describe(
    machine: Machine,
    pythons: Iterable[Interpreter],
    records: Sequence[Record],
    words: Words,
    outdated: int = 0,
) -> tuple[list[str], ...]:
    """Describe a machine, its measurements and its noise, each in short lines."""
    cores = words.count("cores_nominative", machine.logical_cores)
    memory = f"{words.text('memory')} {words.memory(machine.memory_bytes)}"
    is_virtual = machine.virtualisation == "virtual machine"
    virtual = machine.virtualisation and words.text("virtual" if is_virtual else "not_virtual")
    around = ", ".join(filter(None, (virtual, machine.hypervisor, machine.container)))
    facts = [f"{cores}, {machine.architecture}", memory, machine.os, around]
    measured = _list_measured({python.id: python for python in pythons}, records, words, outdated)
    return facts, measured, _list_noise(machine, records, words)


def _list_measured(
    pythons: Mapping[str, Interpreter], records: Sequence[Record], words: Words, outdated: int
) -> list[str]:
    if not records:
        return [words.text("not_measured")]
    used = {record.interpreter for record in records}
    names = [
        name_python(pythons[id_], pythons.values()) for id_ in sorted(used, key=rank_interpreter)
    ]
    profiles = dict.fromkeys(record.profile for record in records)
    return [
        Markup("{} {}").format(words.text("profile"), join(map(code, profiles), ", ")),
        f"Python {', '.join(dict.fromkeys(names))}",
        _tell_days(records, words),
        words.count("cells", len(records)),
        *([words.count("cells_outdated", outdated)] if outdated else []),
    ]


def _list_noise(machine: Machine, records: Sequence[Record], words: Words) -> list[str]:
    disturbances = [disturbed for record in records for disturbed in record.disturbances]
    lines = []
    if disturbances:
        count, trials = sum(disturbances), len(disturbances)
        total, share = words.plain(count), words.plain(round(count / trials * 100, 1))
        lines.append(
            words.text("disturbed_share", count=total, trials=words.plain(trials), share=share)
        )
    if machine.pair:
        lines.append(f"{words.term('machine', 'pair')}: {_format_pair(machine.pair, words)}")
    return lines or [words.text("unknown")]
