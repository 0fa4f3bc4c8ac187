"""Blocks for the pages: each function gives the HTML that a fence prints.

The language, and the way to the data, are those of the page that is being rendered.
"""

import logging
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from html import escape
from typing import Literal

from scripts.judge.judgement import Judgement
from scripts.page.context import check_all, gather, here, open_pipeline
from scripts.pipeline import Evidence
from scripts.render import charts, claim_list, facts, lines, programs, tables
from scripts.render import claims as checked
from scripts.render import originals as article
from scripts.render.choices import load_choices, show_choices
from scripts.render.costs import show_costs
from scripts.render.heat import draw_heat
from scripts.render.html import block, slug
from scripts.render.lanes import draw_lanes
from scripts.render.outputs import show_output, show_outputs
from scripts.render.series import Metric
from scripts.render.stages import show_stages
from scripts.render.traces import draw_traces
from scripts.render.versions import draw_versions
from scripts.render.words import Words, load_words

_PROGRAM_LINK = re.compile(r'href="#(?=p\d)')
_logger = logging.getLogger("mkdocs.plugins.evidence")


def results(experiment: str, cores: int | str = "all", families: Sequence[str] = ()) -> str:
    """The table of results on ``cores`` cores, or one for every core count."""
    evidence, words = gather(experiment), _words()
    if not _is_measured(evidence):
        return _show_nothing(words)
    _warn_of_failures(evidence.judgements)
    count = None if cores == "all" else int(cores)
    content = tables.show_results(evidence, words, count, families)
    return block(content + _provenance(evidence, words), kind="results")


def chart(experiment: str, family: str) -> str:
    """The wall times of a family."""
    return _show(experiment, family, partial(charts.draw_family, family=family))


def sweep(
    experiment: str,
    family: str,
    *,
    metric: Metric = "inside_s",
    programs: Sequence[str] = (),
    least: int | None = None,
    most: int | None = None,
    stairs: bool = False,
    log: bool = False,
) -> str:
    """A metric by the number of tasks, a line for each program.

    ``least`` and ``most`` bound the tasks shown; ``stairs`` marks the multiples of the core count.
    """
    draw = partial(
        lines.draw_lines,
        family=family,
        metric=metric,
        programs=programs,
        least=least,
        most=most,
        stairs=stairs,
        log=log,
    )
    return _show(experiment, family, draw)


def heat(experiment: str, family: str, *, programs: Sequence[str] = ()) -> str:
    """The time by tasks and workers, a panel for each program."""
    return _show(experiment, family, partial(draw_heat, family=family, programs=programs))


def trace(
    experiment: str,
    family: str,
    *,
    of: Literal["memory", "cpu"],
    programs: Sequence[str] = (),
    workers: int | None = None,
    overlay: bool = False,
) -> str:
    """Memory or busy cores over time, a panel for each program or all in one."""
    draw = partial(
        draw_traces, family=family, of=of, programs=programs, workers=workers, overlay=overlay
    )
    members = (one.record for one in gather(experiment).judgements)
    is_traced = any(one.traced for one in members if one.variant.family == family)
    data = f"{experiment}-{slug(family)}-traces" if is_traced else ""
    return _show(experiment, family, draw, data)


def stages(experiment: str, families: Sequence[str], workers: int | None = None) -> str:
    """The peak memory of each program, a column for each family, which adds to the one before.

    ``workers`` leaves of programs measured with several numbers of workers only this one.
    """
    evidence, words = gather(experiment), _words()
    if not _is_measured(evidence):
        return _show_nothing(words)
    content = show_stages(evidence, words, families, workers)
    return block(content + _provenance(evidence, words), kind="stages")


def versions(experiment: str, family: str, program: str) -> str:
    """A program against its baseline on every interpreter that ran both."""
    return _show(experiment, family, partial(draw_versions, family=family, program=program))


def printed(experiment: str, family: str) -> str:
    """What the programs of a family printed."""
    return _show(experiment, family, partial(show_outputs, family=family))


def output(experiment: str, program: str) -> str:
    """What one program printed, and how it ended."""
    evidence, name = gather(experiment), program.removesuffix(".py")
    _warn_of_failures(one for one in evidence.judgements if one.record.variant.program == name)
    return block(show_output(evidence, name, _words()), kind="output")


def lanes(experiment: str, family: str) -> str:
    """When each task ran, a lane for each, as the programs of a family noted it."""
    return _show(experiment, family, partial(draw_lanes, family=family))


def costs(experiment: str, family: str, reading: str = "made") -> str:
    """How many units the programs of a family made, and what each cost."""
    return _show(experiment, family, partial(show_costs, family=family, reading=reading))


def answer(experiment: str = "matrix") -> str:
    """The one picture: what pays, for which work, on one core and on all."""
    evidence, words = gather(experiment), _words()
    if not _is_measured(evidence):
        return _show_nothing(words)
    drawn = charts.draw_answer(evidence, words)
    return block(drawn + _provenance(evidence, words), kind="chart")


def originals(experiment: str) -> str:
    """The article's own figures."""
    return block(article.show_originals(gather(experiment), _words()), kind="originals")


def agreement(experiment: str) -> str:
    """What of the article holds here."""
    evidence, words = gather(experiment), _words()
    if not _is_measured(evidence):
        return _show_nothing(words)
    content = article.show_agreement(evidence, words)
    return block(content + _provenance(evidence, words), kind="agreement")


def claim(id_: str) -> str:
    """A checked sentence, by its id.

    Raises:
        KeyError: no experiment has such a claim.
    """
    return checked.show_claim(check_all()[id_], _data(), _words())


def claims(*, topic: str = "", source: str = "") -> str:
    """The claims of a topic or a source; without either all of them, with totals and filters."""
    words = _words()
    shown = [
        one
        for one in check_all().values()
        if topic in ("", one.claim.topic) and source in ("", one.claim.source)
    ]
    if topic or source:
        return claim_list.show_claims(shown, _data(), words, {})
    homes = {one.experiment: f"../{one.experiment}/" for one in shown}
    content = claim_list.show_totals(shown, words) + claim_list.show_filters(shown, words)
    content += claim_list.show_claims(shown, _data(), words, homes)
    return block(f"{content}{_link_claims(words)}", kind="claims")


def choices() -> str:
    """What to take for which task, with what it gave here."""
    chosen = load_choices()
    evidences = {name: gather(name) for name in {one.take.partition("/")[0] for one in chosen}}
    return block(show_choices(chosen, evidences, _words()), kind="choices")


def program(name: str) -> str:
    """A program, ``matrix/01-io-sequential`` with or without ``.py``."""
    folder, _, file = name.partition("/")
    file = file.removesuffix(".py") + ".py"
    experiment = open_pipeline().experiments[folder]
    download = f"{here().root}examples/{folder}/{file}"
    return block(programs.show_program(experiment, file, download, _words()), kind="program")


def machine() -> str:
    """The machine and the interpreters that these pages were measured with."""
    pipeline = open_pipeline()
    content = facts.show_machine(pipeline.machine, pipeline.interpreters, _words())
    return block(content, kind="machine")


def margins(experiment: str = "matrix") -> str:
    """The margins of the verdict rule and a verdict worked through."""
    content = tables.show_verdict_legend(_words()) + facts.show_margins(
        gather(experiment), _words()
    )
    return block(content, kind="margins")


def noise() -> str:
    """What the noise flags mean."""
    return block(tables.show_noise_legend(_words()), kind="noise")


def profiles(experiment: str) -> str:
    """How large the work is in each profile."""
    return block(facts.show_profiles(gather(experiment), _words()), kind="profiles")


def _show(experiment: str, family: str, draw: Callable[..., str], data: str = "") -> str:
    """What ``draw`` makes of the evidence and the words, with where it comes from."""
    evidence, words = gather(experiment), _words()
    if not _is_measured(evidence):
        return _show_nothing(words)
    _warn_of_failures(one for one in evidence.judgements if one.record.variant.family == family)
    content = _link_programs(draw(evidence=evidence, words=words), experiment)
    return block(content + _provenance(evidence, words, family, data), kind="chart")


def _link_programs(content: str, experiment: str) -> str:
    """A block whose links to programs lead to the experiment's page, wherever the block stands."""
    place = here()
    if place.url == f"{experiment}/":
        return content
    home = f"{place.root}{place.language}/{experiment}/"
    return _PROGRAM_LINK.sub(f'href="{home}#', content)


def _link_claims(words: Words) -> str:
    address = f"{_data()}/claims.json"
    return f'<p class="provenance"><a href="{address}">{words.text("claims_data")}</a></p>'


def _data() -> str:
    return f"{here().root}data"


def _words() -> Words:
    return load_words(here().language)


def _is_measured(evidence: Evidence) -> bool:
    return any(
        judgement.record.timed or judgement.record.status in ("failed", "timeout")
        for judgement in evidence.judgements
    )


def _show_nothing(words: Words) -> str:
    content = (
        f"<p><strong>{words.text('not_measured')}.</strong> {words.text('not_measured_how')}</p>"
    )
    return block(content, kind="nothing")


def _warn_of_failures(judgements: Iterable[Judgement]) -> None:
    """Through MkDocs' logger, so that a strict build ends non-zero after writing the pages."""
    for judgement in judgements:
        record = judgement.record
        if record.status in ("failed", "timeout"):
            _logger.warning(
                "%s: %s/%s on %d cores: %s: %s\n%s",
                here().source,
                record.variant.experiment,
                record.variant.program,
                record.variant.cores,
                record.status,
                record.reason,
                record.stderr,
            )


def _provenance(evidence: Evidence, words: Words, family: str = "", data: str = "") -> str:
    """Machine, interpreter, profile, date and trials, and where the data is.

    ``data`` names the CSV file, if it is not that of the experiment or the family.
    """
    shown = [one for one in evidence.judgements if family in ("", one.record.variant.family)]
    moments = [one.record.measured_at for one in shown if one.record.timed]
    measured_at: datetime = max(moments, default=evidence.generated_at)
    used = {one.record.variant.interpreter for one in shown}
    names = (
        f"{one.implementation} {one.version}" for one in evidence.interpreters if one.id in used
    )
    sentence = words.text(
        "provenance",
        machine=escape(evidence.machine.cpu_model or evidence.machine.id),
        interpreter=escape(", ".join(names)),
        profile=escape(evidence.profile),
        date=words.date(measured_at),
        trials=words.count("trials", tables.count_trials(shown)),
    )
    name = f"{evidence.experiment.name}-{slug(family)}" if family else evidence.experiment.name
    return (
        f'<p class="provenance" data-search-exclude>{sentence} '
        f'<a href="{_data()}/{data or name}.csv">{words.text("csv")}</a>, '
        f'<a href="{_data()}/results.json">{words.text("json")}</a></p>'
    )
