"""Tables of what stands around the measurements: machine, interpreters, profiles, margins."""

from collections.abc import Iterator
from dataclasses import fields
from html import escape

from scripts.judge import verdicts
from scripts.judge.judgement import Judgement
from scripts.judge.statistics import estimate_ratio
from scripts.measure.experiment import Profile, Range
from scripts.measure.interpreters import Interpreter
from scripts.measure.machine import Cache, Machine
from scripts.pipeline import Evidence
from scripts.render.html import body, cell, column, row_header, table
from scripts.render.tables import show_verdict
from scripts.render.words import Words

MARGINS = ("TIME_MARGIN", "COST_MARGIN", "GAIN_MARGIN")


def show_machine(machine: Machine, interpreters: tuple[Interpreter, ...], words: Words) -> str:
    """Everything known of the machine, and the interpreters that ran on it."""
    rows = [
        row_header(escape(words.term("machine", field.name)))
        + cell(_write_fact(field.name, getattr(machine, field.name), words), kind="prose")
        for field in fields(machine)
    ]
    head = [column(words.text("machine")), column(words.text("value"))]
    shown = table(words, words.text("machine_caption"), head, [body(rows)], kind="facts")
    return shown + _show_interpreters(interpreters, words)


def show_profiles(evidence: Evidence, words: Words) -> str:
    """Sizes, trials and time limits of every profile."""
    head = [
        column(words.text("profile")),
        column(words.text("timed_trials")),
        column(words.text("memory_trials")),
        column(words.text("timeout_s")),
        column(words.text("params")),
    ]
    rows = [
        row_header(f"<code>{escape(profile.name)}</code>")
        + cell(words.number(profile.trials, 0))
        + cell(words.number(profile.memory_trials, 0))
        + cell(words.seconds(profile.timeout_s, 0))
        + cell("<br>".join(_list_sizes(profile)), kind="prose")
        for profile in evidence.experiment.profiles.values()
    ]
    return table(words, words.text("profiles_caption"), head, [body(rows)], kind="profiles")


def _list_sizes(profile: Profile) -> Iterator[str]:
    """The parameters of a profile, then its sweeps: for what, and what is not as declared."""
    for name, value in profile.params.items():
        yield f"<code>{escape(name)}={escape(value)}</code>"
    for sweep in profile.sweeps:
        scope = ", ".join((*sweep.families, *sweep.programs)) or "*"
        sizes = {
            "tasks": _write_numbers(sweep.tasks),
            "workers": _write_numbers(sweep.workers),
            "trials": sweep.trials,
            "memory_trials": sweep.memory_trials,
        }
        said = " ".join(f"{key}={value}" for key, value in sizes.items() if value is not None)
        yield f"{escape(scope)}: <code>{escape(said)}</code>"


def _write_numbers(numbers: list[int] | Range | None) -> str | None:
    match numbers:
        case None:
            return None
        case Range(start=start, end=end, step=step):
            steps = range(start, end + 1, step)
            if len(steps) > 3:
                return f"{start},{start + step}…{end}"
            numbers = list(steps)
    return ",".join(map(str, numbers))


def show_margins(evidence: Evidence, words: Words) -> str:
    """The constants of the verdict rule, and one verdict of the records at hand worked through."""
    rows = [
        row_header(f"<code>{name}</code>")
        + cell(words.plain(getattr(verdicts, name)))
        + cell(escape(words.term("margin", name)), kind="prose")
        for name in MARGINS
    ]
    head = [
        column(words.text("value")),
        column(words.text("margin")),
        column(words.text("meaning")),
    ]
    shown = table(words, words.text("margins_caption"), head, [body(rows)], kind="legend")
    return shown + _work_example(evidence, words)


def _work_example(evidence: Evidence, words: Words) -> str:
    """The recommended program that gains most, against its baseline."""
    candidates = [
        judgement
        for judgement in evidence.judgements
        if judgement.speedup and judgement.wall_s and judgement.verdict == "recommended"
    ]
    if not candidates:
        return f"<p>{words.text('few_records')}</p>"
    best = max(candidates, key=lambda judgement: judgement.speedup.median)  # type: ignore[union-attr]
    variant = best.record.variant
    baseline = _find_baseline(evidence, best)
    if best.wall_s is None or baseline is None or baseline.wall_s is None:
        return f"<p>{words.text('few_records')}</p>"
    ratio = estimate_ratio(
        [trial.wall_s for trial in best.record.timed],
        [trial.wall_s for trial in baseline.record.timed],
    )
    sentence = words.text(
        "example",
        cores=words.count("cores", variant.cores),
        program=f"<code>{escape(variant.program)}</code>",
        wall=f"{words.duration(best.wall_s)} ({words.interval(best.wall_s)})",
        baseline=f"<code>{escape(baseline.record.variant.program)}</code>",
        baseline_wall=f"{words.duration(baseline.wall_s)} ({words.interval(baseline.wall_s)})",
        ratio=f"{words.number(ratio.median, 2)} "
        f"({words.number(ratio.low, 2)}–{words.number(ratio.high, 2)})",
        verdict=show_verdict(best.verdict, words),
    )
    return f"<p>{sentence}</p>"


def _find_baseline(evidence: Evidence, judgement: Judgement) -> Judgement | None:
    variant = judgement.record.variant
    name = evidence.experiment.family(variant.family).baseline
    for other in evidence.judgements:
        found = other.record.variant
        if (found.program, found.cores, found.interpreter) == (
            name,
            variant.cores,
            variant.interpreter,
        ):
            return other
    return None


def _show_interpreters(interpreters: tuple[Interpreter, ...], words: Words) -> str:
    head = [
        column(words.text("interpreter")),
        column("GIL"),
        column("JIT"),
        column(words.text("free_threaded")),
        column(words.text("start_method")),
        column(words.text("compiler")),
        column(words.text("build")),
    ]
    rows = [
        row_header(escape(f"{one.implementation} {one.version}"))
        + cell(words.text("yes" if one.gil == "on" else "no"), kind="prose")
        + cell(words.text("yes" if one.jit else "no"), kind="prose")
        + cell(words.text("yes" if one.free_threaded else "no"), kind="prose")
        + cell(f"<code>{escape(one.start_method)}</code>", kind="prose")
        + cell(escape(one.compiler), kind="prose")
        + cell(escape(one.build), kind="prose")
        for one in interpreters
    ]
    return table(words, words.text("interpreters_caption"), head, [body(rows)], kind="facts")


def _write_fact(name: str, value: object, words: Words) -> str:
    match value:
        case None:
            return words.text("no_limit" if name == "quota_cores" else "unknown")
        case bool():
            return words.text("yes" if value else "no")
        case int() | float() if name.endswith("_bytes"):
            return words.memory(value)
        case int() | float() if name == "cpu_mhz":
            return f"{words.number(value, 0)}\N{NO-BREAK SPACE}{words.term('unit', 'MHz')}"
        case int() | float():
            return words.plain(value)
        case tuple():
            return ", ".join(_write_item(item, words) for item in value) or words.text("unknown")
    return escape(words.term("machine_value", str(value)))


def _write_item(item: object, words: Words) -> str:
    if isinstance(item, Cache):
        times = f" × {item.instances}" if item.instances else ""
        return f"{item.name} {words.memory(item.size_bytes)}{times}"
    return escape(str(item))
