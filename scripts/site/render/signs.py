"""Signs: verdicts and noise flags as tables have them, and what they mean."""

from collections.abc import Sequence
from typing import get_args

from markupsafe import Markup

from scripts.harness.record import DISTURBED_SHARE
from scripts.harness.statistics import FEWEST
from scripts.site.judge import noise
from scripts.site.judge.claims import STANDINGS, Standing
from scripts.site.judge.verdicts import Verdict
from scripts.site.render.html import Cell, Row, join, prose, slug, small, table
from scripts.site.render.words import Words

ICONS: dict[Verdict | Standing, str] = {
    "confirmed": "✔",
    "refuted": "✖",
    "not applicable": "–",
    "not measured": "–",
    "recommended": "✔",
    "as good": "=",
    "costs more": "◐",
    "gains nothing": "○",
    "disqualified": "✖",
    "borderline": "≈",
    "open": "?",
}
BADGE_COLOURS: dict[Standing | None, str] = {
    "confirmed": "#1b6b3a",
    "refuted": "#a3261b",
    None: "#5d6670",  # every other status
}
"""Backgrounds on which white letters are read."""


def show_verdict(verdict: Verdict | None, words: Words) -> Markup:
    """An icon and a word; what it means on hovering."""
    return _show(verdict, "verdict", "verdict verdict", words) if verdict else Markup("—")


def show_status(status: Standing, words: Words) -> Markup:
    """An icon and a word; what it means on hovering."""
    return _show(status, "claim_status", "claim-status claim", words)


def show_sign(status: Standing, words: Words) -> Markup:
    """The icon alone, before a sentence that says what came of it; its word and meaning on hovering."""
    return Markup('<span class="claim-status claim-{}" role="img" title="{}: {}">{}</span>').format(
        slug(status),
        words.term("claim_status", status),
        words.term("claim_status_help", status),
        ICONS[status],
    )


def name_status(status: Standing, words: Words) -> str:
    """The same as plain text, for lines below a claim that has its own in full."""
    return f"{ICONS[status]}\N{NO-BREAK SPACE}{words.term('claim_status', status)}"


def _show(name: Verdict | Standing, group: str, kind: str, words: Words) -> Markup:
    """Show a name by the words of a group; ``kind`` is its class, with that of all of them."""
    return Markup(
        '<span class="{}-{}" title="{}"><span aria-hidden="true">{}</span>\N{NO-BREAK SPACE}{}</span>'
    ).format(
        kind, slug(name), words.term(f"{group}_help", name), ICONS[name], words.term(group, name)
    )


def cell_gain(
    verdict: Verdict | None, gain: tuple[str, str], words: Words, *, kind: str = ""
) -> Cell:
    """A cell with a gain and its ends, after the icon of its verdict; what that means on hovering.

    It is one element with another for the ends, for tables have hundreds of them. ``kind`` is one more
    class.
    """
    middle, ends = gain
    classes, title = ["number", "gain", kind], Markup()
    if verdict:
        middle = f"{ICONS[verdict]} {middle}"
        classes += ["verdict", f"verdict-{slug(verdict)}"]
        name, meaning = words.term("verdict", verdict), words.term("verdict_help", verdict)
        title = Markup(' title="{}: {}"').format(name, meaning)
    return Cell('<td class="{}"{}>{}{}</td>').format(
        " ".join(filter(None, classes)), title, middle, small(ends)
    )


def show_flags(flags: Sequence[str], words: Words) -> Markup:
    """Noise flags in a line; what they mean on hovering."""
    shape = Markup('<abbr title="{}">{}</abbr>')
    marks = [shape.format(explain_flag(flag, words), words.term("noise", flag)) for flag in flags]
    shown = Markup('<small class="noise">{}</small>').format(join(marks, ", "))
    return shown if marks else Markup()


def explain_flag(flag: str, words: Words) -> str:
    """Explain a noise flag, with the real thresholds in it."""
    explanation: str = words.term("noise_help", flag)
    return explanation.format(
        few=words.number(FEWEST, 0),
        spread=words.percent(noise.WIDE_SPREAD),
        maximum=words.plain(noise.FAR_MAXIMUM),
        outlier=words.plain(noise.OUTLIER_SCORE),
        server=words.percent(noise.BUSY_SERVER),
        disturbed=words.percent(DISTURBED_SHARE),
        slowed=words.percent(noise.SLOWED),
    )


def explain_signs(content: Markup, words: Words, method: str) -> Markup:
    """Lead from a block with signs or flags to the legend on the page *Method*; or nothing."""
    is_signed = "verdict verdict-" in content or "claim-status claim-" in content
    if not is_signed and 'class="noise"' not in content:
        return Markup()
    link = Markup('<p class="explore-link"><a href="{}#{}">{}</a></p>')
    return link.format(method, "verdicts" if is_signed else "statistics", words.text("signs_mean"))


def show_noise_legend(words: Words) -> Markup:
    """Show every noise flag with its meaning."""
    rows = [(words.term("noise", flag), prose(explain_flag(flag, words))) for flag in noise.FLAGS]
    return _show_legend("noise", "noise_caption", rows, words)


def show_verdict_legend(words: Words) -> Markup:
    """Show every verdict and every status of a claim with its meaning."""
    rows = [
        (show_verdict(verdict, words), prose(words.term("verdict_help", verdict)))
        for verdict in get_args(Verdict)
    ]
    rows += [
        (show_status(status, words), prose(words.term("claim_status_help", status)))
        for status in STANDINGS
    ]
    return _show_legend("verdict", "verdict_legend", rows, words)


def _show_legend(name: str, caption: str, rows: Sequence[Row], words: Words) -> Markup:
    head = words.texts(name, "meaning")
    return table(words, words.text(caption), head, rows, kind="legend")
