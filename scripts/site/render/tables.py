"""Tables of what was measured: results, one program in every place, an overview, readings and costs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from markupsafe import Markup

from poolwise.declaration import Reason
from poolwise.metrics import METRICS
from poolwise.statistics import Estimate
from scripts.site.judge.evidence import Evidence, Judgement, Rows
from scripts.site.judge.rows import order_releases, select_family
from scripts.site.render.estimates import format_parts, format_ratio, format_value, stack_alike
from scripts.site.render.html import (
    Cell,
    Row,
    cell,
    code,
    fold_away,
    join,
    link_program,
    prose,
    small,
    strong,
    table,
)
from scripts.site.render.names import (
    group_methods,
    link_title,
    name_family,
    name_place,
    name_python,
    show_flags,
    show_verdict,
    tell_sizes,
    title_program,
)
from scripts.site.render.plot import show_nothing
from scripts.site.render.svg import find_colour
from scripts.site.render.words import Words, capitalise

FIGURES = {
    "memory": "peak_pss_bytes",
    "lag_max_s": "lag_max_s",
    "largest_process": "max_rss_bytes",
    "cpu": "cpu_share",
    "user": "user_s",
    "kernel": "system_s",
}
"""The metric of each column; a telephone shows the first two, after the time and the verdict."""
EXPLAINED = ("wall", "memory", "largest_process", "near_floor", "lag_max_s")
LEAST_OUTSIDE_SHARE = 0.10
"""The share of the whole time outside the work from which on the time inside is shown too."""


def show_results(evidence: Evidence, words: Words, families: Sequence[str] = ()) -> Markup:
    """Show the figures of all or some families on the first Python, a table per core count."""
    largest = evidence.rows.largest()
    displayed = Rows(row for row in largest if not families or row.family in families)
    arenas = displayed.first_python(evidence.interpreters).arenas()
    return join(_show_arena(evidence, arena, words, families) for arena in arenas)


def _show_arena(evidence: Evidence, arena: Rows, words: Words, families: Sequence[str]) -> Markup:
    caption = words.text("results_caption", cores=name_place(evidence, arena[0].variant, words))
    if families:
        caption += f". {', '.join(name_family(evidence, family, words) for family in families)}"

    def name(row: Judgement) -> Markup:
        details = tell_sizes(row, arena, words, ["tasks"])
        details.append(words.count("workers", row.workers))
        return link_title(evidence, row.program, words, details)

    ordered = sort_as_declared(evidence, arena)
    groups = {name_family(evidence, key, words): rows for key, rows in ordered.by("family").items()}
    return _show_figures(evidence, groups, caption, words, corner="program", name=name)


def sort_as_declared(evidence: Evidence, rows: Iterable[Judgement]) -> Rows:
    """Sort as the experiment declares families and programs, then by workers; what it lacks is first."""
    order = {program.name: place for place, program in enumerate(evidence.experiment.programs)}
    places = {family.name: place for place, family in enumerate(evidence.experiment.families)}

    def rank(row: Judgement) -> tuple[int, int, int]:
        return places.get(row.family, 0), order.get(row.program, 0), row.workers

    return Rows(sorted(rows, key=rank))


def show_everywhere(evidence: Evidence, words: Words, program: str) -> Markup:
    """Show a table per family of a program: a row for each Python, the first first, and core count."""
    places = {python.id: place for place, python in enumerate(evidence.interpreters)}

    def rank(row: Judgement) -> tuple[str, int, int, int]:
        place = places.get(row.interpreter, len(places))
        return row.family, place, -row.cores, row.workers

    measured = evidence.rows.largest().where(program=program)
    families = Rows(sorted(measured, key=rank)).by("family")
    return join(_show_family(evidence, family, rows, words) for family, rows in families.items())


def _show_family(evidence: Evidence, family: str, rows: Rows, words: Words) -> Markup:
    def name(row: Judgement) -> Markup:
        details = [*tell_sizes(row, rows, words, ()), words.count("workers", row.workers)]
        place = name_place(evidence, row.variant, words, form="cores_nominative")
        return Markup.escape(place) + small(", ".join(details))

    title = capitalise(title_program(evidence.experiment, rows[0].program, words))
    family = name_family(evidence, family, words)
    caption = words.text("figures_caption", program=title, family=family)
    return _show_figures(evidence, {"": rows}, caption, words, corner="place", name=name)


def _show_figures(
    evidence: Evidence,
    groups: Mapping[str, Rows],
    caption: str,
    words: Words,
    *,
    corner: str,
    name: Callable[[Judgement], Markup],
) -> Markup:
    rows = [row for group in groups.values() for row in group]
    # One has a column where a program of the table has the figure.
    figures = [key for key, metric in FIGURES.items() if any(row.median(metric) for row in rows)]
    columns = ["wall", "verdict", *figures, "near_floor"]
    if "largest_process" in figures and not evidence.experiment.originals:  # an article's figure
        columns.remove("largest_process")
    heads = [
        (words.text(key), words.text(f"{key}_help") if key in EXPLAINED else "") for key in columns
    ]
    lines = {
        heading: [(name(row), *_list_figures(row, evidence, words, columns)) for row in group]
        for heading, group in groups.items()
    }
    results = table(words, caption, [words.text(corner), *heads], lines, kind="results")
    for row in rows:
        if row.record.stderr:
            wrote = Markup('<pre tabindex="0">\n{}</pre>').format(row.record.stderr)
            title = f"{row.program}: {words.text('stderr')}"
            results += fold_away(title, wrote, kind="failure")
    return results


def _list_figures(
    row: Judgement, evidence: Evidence, words: Words, columns: Sequence[str]
) -> list[Cell]:
    if row.wall is None:
        absence = Cell('<td class="absent" colspan="{}">{}</td>')
        return [absence.format(len(columns), _tell_absence(row, words))]
    wall, interval = format_parts(row.wall, "wall_s", words)
    near = words.percent(row.floor_s / row.wall.median) if row.floor_s else None
    inside, own_time = row.estimate("inside_s"), ""
    # Where the start of the interpreter and the imports matter.
    if inside and inside.median <= (1 - LEAST_OUTSIDE_SHARE) * row.wall.median:
        own_time = words.text("inside", time=format_parts(inside, "inside_s", words)[0])
    verdict = show_verdict(row.verdict, words)
    if _is_baseline(evidence, row) and row.verdict == "gains nothing":  # over itself
        verdict = Markup.escape(words.text("baseline"))
    if row.why:
        verdict += small(words.choose(row.why))
    elif row.cheaper:
        title = title_program(evidence.experiment, row.cheaper, words)
        verdict += small(words.text("cheapest", program=title))
    return [
        cell(strong(wall) + small(interval) + small(own_time)),
        cell(verdict + show_flags(row.noise, words), kind="verdict-cell"),
        *(cell(_show(FIGURES[key], row, words)) for key in columns[2:-1]),
        cell(near),
    ]


def _tell_absence(row: Judgement, words: Words) -> Markup:
    why = Markup.escape(words.reason(row.record.reason or Reason("not-measured")))
    if row.record.status == "unavailable":
        return why
    failed = Markup('<strong class="status-{}">{}</strong>: {}')
    return failed.format(row.record.status, words.term("status", row.record.status), why)


def _show(metric: str, row: Judgement, words: Words) -> str:
    value = row.median(metric)
    if value is None:
        return "—"
    in_seconds = METRICS[metric].unit == "CPU s"  # the column says of what
    return format_value(value, "wall_s" if in_seconds else metric, words)


def _is_baseline(evidence: Evidence, row: Judgement) -> bool:
    return row.program == evidence.experiment.family(row.family).baseline


def show_overview(evidence: Evidence, words: Words) -> Markup:
    """Show the time of each program as a bar, on the first Python and all cores.

    A family without a question is there only for comparison, elsewhere.
    """
    measured = evidence.rows.largest().first_python(evidence.interpreters).most("cores")
    if not measured:
        return Markup()
    rows = {}
    for family, group in sort_as_declared(evidence, measured).by("family").items():
        if any(row.decisions for row in group):
            name = name_family(evidence, family, words)
            rows[name] = [_draw_row(evidence, row, group, words) for row in group]
    caption = words.text("overview_caption", cores=name_place(evidence, measured[0].variant, words))
    heads = words.texts("program", "time", "speedup")
    return table(words, caption, heads, rows, kind="overview")


def _draw_row(evidence: Evidence, row: Judgement, family: Rows, words: Words) -> Row:
    way = evidence.experiment.program(row.program).ways[-1]
    size = []
    if way in ("threads", "processes"):
        size.append(words.count(way, row.workers))
    header = link_title(evidence, row.program, words, size)
    if row.wall is None:
        absence = Cell('<td class="absent" colspan="2">{}</td>')
        return (header, absence.format(_tell_absence(row, words)))
    if row.verdict in ("recommended", "as good", "disqualified"):  # the bar says the others
        header += show_verdict(row.verdict, words)
    time = row.estimate(row.time) or row.wall  # that by which verdicts compare
    longest = max(member.median(row.time) or 0.0 for member in family) or 1.0
    bar = Markup('<span class="bar series-{}" style="--part:{:.3f}"></span>{}').format(
        find_colour(way) + 1, time.median / longest, format_parts(time, row.time, words)[0]
    )
    gain = format_ratio(row.speedup, words)[0] if row.speedup else None
    if _is_baseline(evidence, row):
        gain = words.text("baseline")
    return (header, cell(bar, kind="bars"), gain)


WORKLOAD = ("WAIT_MS", "COMPUTE_MS", "DATA_KIB")
"""The parameters of a workload: what each task waits, computes and carries."""


def show_workloads(evidence: Evidence, words: Words) -> Markup:
    """Show a row for each family: what its tasks are, each program's time and memory, and the choice."""
    programs = [program.name for program in evidence.experiment.programs]
    measured = evidence.rows.largest().first_python(evidence.interpreters)
    rows = []
    for family, group in sort_as_declared(evidence, measured).by("family").items():
        row, by_program = group[0], {row.program: row for row in group}
        wait_ms, compute_ms, data_kib = (float(row.record.params[name]) for name in WORKLOAD)
        needs = (
            words.plain(row.tasks),
            words.measure(words.plain(wait_ms), "ms") if wait_ms else None,
            words.measure(words.plain(compute_ms), "ms") if compute_ms else None,
            words.memory(data_kib * 1024) if data_kib else None,
            words.plain(row.cores),
        )
        ways = [_show_way(by_program.get(program), words) for program in programs]
        choice = _name_choice(evidence, group, words)
        rows.append((name_family(evidence, family, words), choice, *needs, *ways))
    needed = ("how_many", "waits_each", "computes_each", "carries_each", "on_cores")
    titles = [link_title(evidence, program, words) for program in programs]
    heads = [*words.texts("workload", "the_choice", *needed), *titles]
    return table(words, words.text("workloads_caption"), heads, rows, kind="sizes")


def _show_way(row: Judgement | None, words: Words) -> Cell:
    if row is None:
        return cell(None)
    if (time := row.estimate(row.time)) is None:
        return prose(_tell_absence(row, words))
    return cell(strong(format_parts(time, row.time, words)[0]) + small(_show(MEMORY, row, words)))


def _name_choice(evidence: Evidence, family: Rows, words: Words) -> Cell:
    """Name what is recommended; of several that are as good, the cheapest first."""
    titles: list[str] = []
    for row in family:
        if row.verdict in ("recommended", "as good"):
            title = title_program(evidence.experiment, row.program, words)
            titles.insert(0 if row.program == row.cheaper else len(titles), title)
    return cell("; ".join(titles) or "—", kind="verdict-cell")  # which breaks no word


# Readings: what programs counted of themselves, and what one more unit costs.


MADE = "made"
"""The reading that counts the units."""
MEMORY = "peak_pss_bytes"
PRICES = {"inside_s": "each_time", MEMORY: "each_memory"}
"""What one unit more takes, and the head of its column."""


def show_readings(
    evidence: Evidence, words: Words, family: str, reading: str, sentence: str = ""
) -> Markup:
    """Show a row for each Python, a column for each program that prints the reading: its median.

    It is that of most cores and most tasks; ``sentence`` is that of the claim which it shows.
    """
    read = _choose_read(evidence.rows.where(family=family), reading)
    if not read:
        return show_nothing(words)
    programs = list(sort_as_declared(evidence, read).by("program"))
    cells = read.pivot(["interpreter"], ["program"], Rows.find_largest)
    rows = []
    for python in order_releases(evidence.interpreters):
        if medians_by_program := cells.get(python.id):
            gil = words.term("where", f"gil {python.gil}")
            medians = []
            for program in programs:
                medians += _show_medians(medians_by_program.get(program), [reading], words)
            name = name_python(python, evidence.interpreters)
            rows.append((name + small(gil), *medians))
    head = ["Python", *(link_title(evidence, name, words) for name in programs)]
    caption = _tell_caption(read.most("cores", "tasks"), [reading], sentence, evidence, words)
    return table(words, caption, head, rows, kind="sizes")


def show_several(
    evidence: Evidence,
    words: Words,
    families: Sequence[str],
    readings: Sequence[str],
    sentence: str = "",
) -> Markup:
    """Show a row for each program and number of workers, a column for each reading: its median.

    Of several families each has its columns, on the first Python that ran any of them.
    """
    rows: list[Judgement] = []
    for family in families:
        members = evidence.rows.where(family=family).first_python(evidence.interpreters)
        rows += _choose_read(members.largest(), readings[0]).most("cores", "tasks")
    if not rows:
        return show_nothing(words)
    read, displayed = sort_as_declared(evidence, rows), []
    families = [family for family in families if read.where(family=family)]
    for group in read.pivot(["program", "start_method", "workers"], ["family"]).values():
        row = next(iter(group.values()))
        name = link_title(evidence, row.program, words, tell_sizes(row, read, words))
        cells = []
        for row_of_family in map(group.get, families):
            cells += _show_medians(row_of_family, readings, words)
        displayed.append((name, *cells))
    titles = [name_family(evidence, family, words) for family in families]
    heads = titles if len(titles) > 1 else list(map(words.metric, readings))
    caption = _tell_caption(read, readings, sentence, evidence, words)
    return table(words, caption, [words.text("program"), *heads], displayed, kind="sizes")


def _choose_read(rows: Rows, reading: str) -> Rows:
    return Rows(row for row in rows.measured if row.record.list_values(reading))


def _tell_caption(
    read: Rows, readings: Sequence[str], sentence: str, evidence: Evidence, words: Words
) -> str:
    family = ", ".join(name_family(evidence, name, words) for name in read.by("family"))
    reading = ", ".join(map(words.metric, readings))
    tasks = words.count("tasks", max(read.values("tasks")))
    caption = words.text("readings_caption", family=family, reading=reading, tasks=tasks)
    return f"{sentence} {caption}".lstrip()


def _show_medians(
    row: Judgement | None, readings: Sequence[str], words: Words
) -> list[Markup | None]:
    """Show the median of each reading; times that were printed alike, as percentiles are, round alike."""
    values = [row.record.list_values(reading) if row else [] for reading in readings]
    # Of counts that have a most, an interval might exceed it.
    estimates = [
        Estimate(median=median(each), low=min(each), high=max(each)) if each else None
        for each in values
    ]
    return stack_alike(estimates, readings, words)


def show_costs(evidence: Evidence, words: Words, family: str) -> Markup:
    """Show a row per program: how many units it made when asked for most, at what price for each.

    The price is the slope between the fewest and the most units made: what the interpreter itself
    takes is in both and so in neither. Where more units took less, there is none: it is noise.
    """
    made = [row for row in select_family(evidence, family) if row.median(MADE) is not None]
    groups = group_methods(evidence, made, words)
    prices = [metric for metric in PRICES if any(row.median(metric) is not None for row in made)]
    rows = []
    for name, rows_of_program in groups.items():
        ordered = sorted(rows_of_program, key=lambda row: row.tasks)
        least, most = ordered[0], ordered[-1]
        costs = (_show_price(metric, least, most, words) for metric in prices)
        numbers = words.number(most.tasks, 0), words.number(most.median(MADE) or 0, 0)
        said = prose(code(most.record.printed))
        rows.append((link_program(most.program, name), *numbers, *costs, said))
    head = words.texts("program", "asked", "made", *map(PRICES.__getitem__, prices), "printed")
    return table(words, name_family(evidence, family, words), head, rows, kind="costs")


def _show_price(metric: str, least: Judgement, most: Judgement, words: Words) -> str | None:
    before, after = least.median(metric), most.median(metric)
    more = (most.median(MADE) or 0.0) - (least.median(MADE) or 0.0)
    if before is None or after is None or more <= 0 or after < before:
        return None
    price = (after - before) / more
    return words.memory(price) if metric == MEMORY else format_value(price, metric, words)
