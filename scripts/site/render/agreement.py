"""Agreement: whether what the source article said of its programs holds here."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from scripts.harness.originals import Original, find_closest, find_time, read_figure
from scripts.site.judge.judge import Evidence, Judgement, take_sample
from scripts.site.judge.selection import choose_interpreter, choose_largest, list_arenas
from scripts.site.judge.statistics import Estimate, estimate_ratio
from scripts.site.judge.verdicts import GAIN_MARGIN
from scripts.site.render.chart import Chart, fold, make_prefix, show_key, show_sign
from scripts.site.render.dots import Dot, Dots, Group
from scripts.site.render.estimates import format_ratio, make_point, tell_ratio
from scripts.site.render.html import Row, join, link_program, prose, small, strong, table
from scripts.site.render.originals import count_cores, name_machine, name_program
from scripts.site.render.pen import Pen
from scripts.site.render.words import Words

Outcome = Literal["gain", "tie", "loss", "open"]
ICONS = {"agrees": "=", "differs": "≠", "open": "?"}
HERE, THEIRS = Pen(0), Pen(1)


@dataclass(frozen=True, slots=True)
class _Gain:
    """Of a program over its baseline: as the article printed it, and as measured here."""

    program: str
    article: float | None = None
    here: Estimate | None = None
    is_baseline: bool = False

    @property
    def outcomes(self) -> tuple[Outcome | None, Outcome | None]:
        """A single run of the article counts as it stands, ours by its interval."""
        return (
            classify(self.article, self.article) if self.article else None,
            classify(self.here.low, self.here.high) if self.here else None,
        )

    @property
    def agreement(self) -> str:
        """A key of ``ICONS``; empty where there are not both."""
        article, here = self.outcomes
        if not article or not here:
            return ""
        return "open" if here == "open" else "agrees" if article == here else "differs"


def show_agreement(evidence: Evidence, words: Words) -> Markup:
    """Per program and core count: the article's gain, ours, and whether they say the same.

    Each is a ratio to the baseline of its own family on its own machine; of the article's
    machines, the one whose core count is closest. A program's first family is the article's, and ours
    is the time that it gives: of the process, or of the work inside. Of several Pythons it is the
    first: what differs by Python is told elsewhere.
    """
    originals = evidence.experiment.originals
    if not originals:
        return Markup("<p>{}</p>").format(words.text("no_originals"))
    first = {program.name: program.families[0] for program in evidence.experiment.programs}
    ours = [
        judgement
        for judgement in evidence.judgements
        if judgement.record.variant.family == first[judgement.record.variant.program]
    ]
    arenas = list_arenas(choose_interpreter(evidence, choose_largest(ours)))
    return join(_show_arena(evidence, arena, originals, words) for arena in arenas)


def _show_arena(
    evidence: Evidence, arena: Sequence[Judgement], originals: Sequence[Original], words: Words
) -> Markup:
    """A chart of the gains with the table of them, or where there are none the table alone."""
    variant = arena[0].record.variant
    machine = find_closest(originals, variant.cores)
    theirs = {name_program(row): row for row in machine}
    caption = (
        f"{words.text('agreement_caption')}. {name_machine(machine[0], words)} "
        f"({count_cores(machine[0], words)}) — {words.count('cores_nominative', variant.cores)}"
    )
    members = [one for one in arena if one.record.variant.program in theirs]
    gains = [_find_gain(one, theirs, evidence) for one in members]
    rows = [_list_cells(gain, words) for gain in gains]
    head = words.texts("program", "article_gain", "here_gain", "agreement")
    numbers = table(words, caption, head, rows, kind="agreement")
    known = [one for one in gains if one.agreement]
    if not known:
        return numbers
    outcomes = [one.agreement for one in known]
    dots = Dots([_list_dots(gain, words) for gain in known], words.text("axis_speedup"), words)
    name = evidence.experiment.name
    return Chart(
        prefix=make_prefix("agreement", name, variant.cores, variant.interpreter),
        title=caption,
        found=words.text(
            "found_agreement", **{key: words.number(outcomes.count(key), 0) for key in ICONS}
        ),
        picture=dots,
        signs=[
            (show_key(HERE), words.text("here_gain")),
            (show_key(THEIRS), words.text("article_gain")),
            (show_sign("band"), words.text("band")),
        ],
        below=fold(numbers, words),
    ).show()


def _find_gain(judgement: Judgement, theirs: Mapping[str, Original], evidence: Evidence) -> _Gain:
    """The article's gain, and ours by the same time; neither of the baseline."""
    variant = judgement.record.variant
    baseline = evidence.experiment.family(variant.family).baseline
    if variant.program == baseline:
        return _Gain(variant.program, is_baseline=True)
    own = theirs[variant.program]
    time = find_time(own)
    taken, base = read_figure(own[time]), read_figure(theirs.get(baseline, {}).get(time, ""))
    ours = None
    if judgement.baseline:  # by the time that the article gives, whatever the verdict goes by
        sides = (judgement.baseline, judgement.record)
        plain, measured = (take_sample(one, time, judgement.spreads) for one in sides)
        ours = estimate_ratio(plain, measured) if plain and measured else None
    return _Gain(variant.program, base / taken if base and taken else None, ours)


def classify(low: float, high: float) -> Outcome:
    """What a speed-up amounts to, by its interval against the gain margin of the verdicts."""
    if low >= GAIN_MARGIN:
        return "gain"
    if high <= 1 / GAIN_MARGIN:
        return "loss"
    return "tie" if low > 1 / GAIN_MARGIN and high < GAIN_MARGIN else "open"


def _list_cells(gain: _Gain, words: Words) -> Row:
    name = link_program(gain.program)
    if gain.is_baseline:
        return (name, words.ratio(1), words.ratio(1), prose(words.text("baseline")))
    ratios = (
        words.ratio(gain.article) if gain.article else "",
        format_ratio(gain.here, words)[0] if gain.here else "",
    )
    shown = (
        strong(ratio) + small(words.text(outcome)) if outcome else None
        for ratio, outcome in zip(ratios, gain.outcomes, strict=True)
    )
    agreement = Markup()
    if key := gain.agreement:
        agreement = Markup(
            '<span class="agreement-{}"><span aria-hidden="true">{}</span> {}</span>'
        ).format(key, ICONS[key], words.text(key))
    return (name, *shown, prose(agreement))


def _list_dots(gain: _Gain, words: Words) -> Group:
    """The article's gain hollow, ours with its interval."""
    assert gain.article
    assert gain.here
    theirs = f"{words.text('article_gain')} {words.ratio(gain.article)}"
    here = f"{words.text('here_gain')} {tell_ratio(gain.here, words)}"
    dots = (
        Dot(make_point(gain.article), THEIRS, f"{gain.program}: {theirs}"),
        Dot(
            gain.here, HERE, f"{gain.program}: {here}, {theirs}", format_ratio(gain.here, words)[0]
        ),
    )
    return Group(gain.program, {"": [dots]})
