"""The frame of a block: its language, where its links lead, and where its numbers come from."""

import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from pathlib import Path

from markupsafe import Markup

from poolwise.pythons import rank_interpreter
from poolwise.record import Record
from scripts.site.judge.agreement import Denied
from scripts.site.judge.claims import UNMEASURED
from scripts.site.judge.evidence import Evidence, Rows
from scripts.site.page.context import here, locate, open_pipeline, tell
from scripts.site.render.facts import name_machine
from scripts.site.render.html import block, render, slug
from scripts.site.render.names import explain_signs
from scripts.site.render.plot import NO_FINDING
from scripts.site.render.svg import read_colours
from scripts.site.render.words import Words, load_words

_OWN_LINK = re.compile(r'href="#(p\d\w*|claim-[\w-]+)"')
_FIGURE = re.compile(
    r'<figure class="chart[^"]*" id="(?P<id>[\w-]{1,150})"[^>]*>.*?</figure>', re.DOTALL
)
_SIGN = Markup(
    '\N{NO-BREAK SPACE}<a class="claim-anchor" href="#{0}" title="{1}" aria-label="{1}: {0}">#</a>'
)
_HALO = "text{stroke:var(--chart-paper);stroke-width:3px;stroke-linejoin:round;paint-order:stroke}text.plain{stroke:none}"
MOST_NAMED = 8
"""More interpreters than these are counted where a block says where it comes from."""


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
    name = evidence.experiment.name
    try:
        drawn = draw(evidence=evidence, words=words)
    except Denied as denied:
        tell(str(denied))
        drawn = draw(evidence=evidence, words=words, finding=NO_FINDING)
    content = link_programs(sign_figures(drawn, words), name)
    content += explain_signs(content, words, here().lead("method/"))
    rows = Rows(row for row in evidence.rows if not families or row.family in families)
    if not everywhere:
        rows = rows.first_python(evidence.interpreters)
    chosen = (row.record for row in rows if not programs or row.program in programs)
    if timed := [record for record in chosen if record.timed]:
        file = data or (f"{name}-{slug(families[0])}" if len(families) == 1 else name)
        pictures = [figure["id"] for figure in _FIGURE.finditer(drawn)]
        content += _show_provenance(evidence, timed, file, pictures)
    return block(content, kind=kind)


def choose_words() -> Words:
    """The words of the page's language."""
    pipeline = open_pipeline()
    return load_words(here().language).add(pipeline.declared.terms, pipeline.namesakes)


def locate_data() -> str:
    """The way from the page to the folder of the published data."""
    return f"{here().root}data"


def link_programs(content: Markup, experiment: str) -> Markup:
    """Lead a block's links to programs and claims to where those of the experiment stand."""

    def lead(link: re.Match[str]) -> str:
        return f'href="{here().lead(locate(f"{experiment}.md", link[1]))}#{link[1]}"'

    # Only tags have plain quotation marks: those of texts are escaped.
    return Markup(_OWN_LINK.sub(lead, content))  # noqa: S704


def _show_provenance(
    evidence: Evidence, timed: Sequence[Record], data: str, pictures: Iterable[str]
) -> Markup:
    """Machine, interpreter, profile, date and trials of what was shown, and where the data is.

    ``data`` names the CSV file; ``pictures`` are the ids of the charts, each a file beside the page.
    """
    words, known = choose_words(), open_pipeline().machines
    machines = [known.get(record.machine, evidence.machine) for record in timed]
    processors = [name_machine(machine, words) for machine in machines]
    used = {record.variant.interpreter for record in timed}
    ordered = sorted(evidence.interpreters, key=lambda python: rank_interpreter(python.id))
    names = [python.title for python in ordered if python.id in used]
    counts = {len(record.timed) for record in timed}
    least = f"{min(counts)}–" if len(counts) > 1 else ""  # of the trials each, as in 1–3
    sentence = words.markup(
        "provenance",
        machine="; ".join(dict.fromkeys(processors)),
        interpreter=", ".join(names)
        if len(names) <= MOST_NAMED
        else words.count("builds", len(names)),
        profile=evidence.profile,
        date=words.date(max(record.measured_at for record in timed)),
        trials=least + words.count("trials", max(counts)),
    )
    if any(record.variant in evidence.outdated for record in timed):
        sentence += f" {words.text('outdated')}"
    places = {"sentence": sentence, "folder": locate_data(), "name": data, "pictures": pictures}
    return render("provenance.html", words=words, **places)


def _has_run(evidence: Evidence) -> bool:
    records = [judgement.record for judgement in evidence.judgements]
    return any(record.timed or record.status in ("failed", "timeout") for record in records)


def _show_unmeasured(evidence: Evidence, words: Words) -> Markup:
    absence, sentence = evidence.absence, words.text("not_measured")
    if absence and absence.code not in UNMEASURED:
        sentence = words.text("not_tried", reason=words.reason(absence))
    return block(Markup("<p>{}</p>").format(sentence), kind="nothing")


def sign_figures(content: Markup, words: Words) -> Markup:
    """A block in which the title of each chart ends with the sign that links to it."""

    def sign(figure: re.Match[str]) -> str:
        link = _SIGN.format(figure["id"], words.text("chart_link"))
        return figure[0].replace("</figcaption>", f"{link}</figcaption>", 1)

    return Markup(_FIGURE.sub(sign, content))  # noqa: S704 - the block's own


def write_figures(page: str, folder: Path) -> None:
    """The charts of a page's HTML as pictures that stand alone, in the colours that a viewer prefers.

    Each is a file in ``folder``, named after the chart's id. Of a chart in two widths it is the wide one,
    which comes first and has the tooltips.
    """
    light, dark = (
        " ".join(f"--chart-{name}: {colour};" for name, colour in colours.items())
        for colours in read_colours()
    )
    style = f"<style>:root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    style += f"svg{{font-family:system-ui,sans-serif}}{_HALO}</style>"
    paper = '<rect width="100%" height="100%" style="fill:var(--chart-paper)"/>'
    for figure in _FIGURE.finditer(unfold(page)):
        head, end, drawn = figure[0].partition("<svg ")[2].partition(">")
        if not end:
            continue
        width, height = head.partition('viewBox="0 0 ')[2].partition('"')[0].split()
        text = f'<svg {head} width="{width}" height="{height}">{style}{paper}'
        text += "".join(drawn.partition("</svg>")[:2])
        (folder / f"{figure['id']}.svg").write_text(text, encoding="utf-8")


def unfold(page: str) -> str:
    """Give a page's HTML, and after it what waits in its folds."""
    waiting = (part.partition("</noscript>")[0] for part in page.split("<noscript>")[1:])
    return "\n".join((page, *map(unescape, waiting)))
