"""The frame of a block: its language, where its links lead, and where its numbers come from."""

import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from pathlib import Path

from markupsafe import Markup

from scripts.harness.pythons import rank_interpreter
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.rows import Rows
from scripts.site.page.context import here, locate, open_pipeline
from scripts.site.page.drawings import draw_once
from scripts.site.render.facts import tell_limit
from scripts.site.render.html import block, render, slug, strong
from scripts.site.render.signs import explain_signs
from scripts.site.render.svg import read_colours
from scripts.site.render.words import Words, load_words

_OWN_LINK = re.compile(r'href="#(p\d\w*|claim-[\w-]+)"')
MOST_NAMED = 8
"""More interpreters than these are counted where a block says where it comes from."""
_MEASURABLE = ("left-out", "measuring-off")


def show_measured(
    evidence: Evidence,
    draw: Callable[..., Markup],
    families: Sequence[str] = (),
    *,
    programs: Sequence[str] = (),
    everywhere: bool = False,
    kind: str = "chart",
    data: str = "",
) -> Markup:
    """A block of what was measured, with where it comes from; or that nothing was.

    Args:
        evidence: of one experiment.
        draw: makes the content of ``evidence`` and ``words``.
        families: what the block is about; none for the whole experiment.
        programs: only these of them; none for all.
        everywhere: it shows every interpreter, not the first alone that has any of it.
        kind: of the block.
        data: names the CSV file, if it is not that of the family or the experiment.
    """
    words = choose_words()
    if not _has_run(evidence):
        return _show_unmeasured(evidence, words)
    members = Rows(one for one in evidence.rows if not families or one.family in families)
    drawn = draw_once(draw, evidence, words)
    content = link_programs(sign_figures(drawn, words), evidence.experiment.name)
    shown = members if everywhere else members.first_python(evidence.interpreters)
    shown = Rows(one for one in shown if not programs or one.program in programs)
    name = "-".join((evidence.experiment.name, *map(slug, families if len(families) == 1 else ())))
    content += explain_signs(content, words, here().lead("method/"))
    if any(one.record.timed for one in shown):
        content += show_provenance(
            evidence, shown, data or name, [one["id"] for one in _FIGURE.finditer(drawn)]
        )
    return block(content, kind=kind)


def choose_words() -> Words:
    """The words of the page's language."""
    return load_words(here().language).add(open_pipeline().declared.terms)


def locate_data() -> str:
    """The way from the page to the folder of the published data."""
    return f"{here().root}data"


def link_programs(content: Markup, experiment: str) -> Markup:
    """Lead a block's links to programs and claims to where those of the experiment stand."""

    def lead(link: re.Match[str]) -> str:
        return f'href="{here().lead(locate(f"{experiment}.md", link[1]))}#{link[1]}"'

    # Only tags have plain quotation marks: those of texts are escaped.
    return Markup(_OWN_LINK.sub(lead, content))  # noqa: S704


def show_provenance(
    evidence: Evidence, shown: Iterable[Judgement], data: str, pictures: Iterable[str]
) -> Markup:
    """Machine, interpreter, profile, date and trials of what was shown, and where the data is.

    ``data`` names the CSV file; ``pictures`` are the ids of the charts, each a file beside the page.
    """
    words, machine = choose_words(), evidence.machine
    timed = [one.record for one in shown if one.record.timed]
    moments = [record.measured_at for record in timed]
    used = {record.variant.interpreter for record in timed}
    names = [
        one.title
        for one in sorted(evidence.interpreters, key=lambda one: rank_interpreter(one.id))
        if one.id in used
    ]
    sentence = words.markup(
        "provenance",
        machine=(machine.cpu_model or machine.id) + tell_limit(machine, words),
        interpreter=", ".join(names)
        if len(names) <= MOST_NAMED
        else words.count("builds", len(names)),
        profile=evidence.profile,
        date=words.date(max(moments)),
        trials=_count_trials([len(record.timed) for record in timed], words),
    )
    if any(record.variant in evidence.outdated for record in timed):
        sentence += f" {words.text('outdated')}"
    return render(
        "provenance.html",
        words=words,
        sentence=sentence,
        folder=locate_data(),
        name=data,
        pictures=pictures,
    )


def _count_trials(numbers: Sequence[int], words: Words) -> str:
    """``1–3 trials each``, or one number if all have as many."""
    least, most = min(numbers), max(numbers)
    return f"{least}–" * (least < most) + words.count("trials", most)


def _has_run(evidence: Evidence) -> bool:
    """Whether any program was run, be it that it failed."""
    records = [judgement.record for judgement in evidence.judgements]
    return any(record.timed or record.status in ("failed", "timeout") for record in records)


def _show_unmeasured(evidence: Evidence, words: Words) -> Markup:
    """Instead of a block of which nothing was measured: why, and what would measure it."""
    absence = evidence.absence
    reason = words.reason(absence)
    how = words.markup("not_measured_how") if absence and absence.code in _MEASURABLE else ""
    lead = f"{words.text('not_measured')}: {reason}" if reason else words.text("not_measured")
    return block(Markup("<p>{} {}</p>").format(strong(f"{lead}."), how), kind="nothing")


_FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[\w-]{1,150})"[^>]*>.*?</figure>', re.DOTALL
)
_HALO = "text{stroke:var(--chart-paper);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}"


def sign_figures(content: Markup, words: Words) -> Markup:
    """A block in which the title of each chart ends with the sign that links to it."""

    def sign(found: re.Match[str]) -> str:
        name = words.text("chart_link")
        link = Markup(
            '\N{NO-BREAK SPACE}<a class="claim-anchor" href="#{0}" title="{1}" aria-label="{1}: {0}">#</a>'
        ).format(found["id"], name)
        return found[0].replace("</figcaption>", f"{link}</figcaption>", 1)

    return Markup(_FIGURE.sub(sign, content))  # noqa: S704 - the block's own


def write_figures(page: str, folder: Path) -> None:
    """The charts of a page's HTML as pictures that stand alone, in the colours that a viewer prefers.

    Each is a file in ``folder``, named after the chart's id. Of a chart in two widths it is the wide one,
    which comes first and has the tooltips.
    """
    for figure in _FIGURE.finditer(unfold(page)):
        _, start, drawn = figure[0].partition("<svg ")
        if not start:
            continue
        picture = start + "".join(drawn.partition("</svg>")[:2])
        width, height = picture.partition('viewBox="0 0 ')[2].partition('"')[0].split()
        size = f'width="{width}" height="{height}"'
        style = f"<style>{_set_colours()}svg{{font-family:system-ui,sans-serif}}{_HALO}</style>"
        paper = '<rect width="100%" height="100%" style="fill:var(--chart-paper)"/>'
        head, end, rest = picture.partition(">")
        folder.mkdir(parents=True, exist_ok=True)
        text = f"{head} {size}{end}{style}{paper}{rest}"
        (folder / f"{figure['id']}.svg").write_text(text, encoding="utf-8")


def list_ids(html: str) -> set[str]:
    """The ids in HTML."""
    return {one.partition('"')[0] for one in html.split(' id="')[1:]}


def unfold(page: str) -> str:
    """Give a page's HTML, and after it what waits in its folds."""
    waiting = (one.partition("</noscript>")[0] for one in page.split("<noscript>")[1:])
    return "\n".join((page, *map(unescape, waiting)))


def _set_colours() -> str:
    """The colours of charts, as the pages have them, for light and for dark."""
    light, dark = (
        " ".join(f"--chart-{name}: {colour};" for name, colour in colours.items())
        for colours in read_colours()
    )
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
