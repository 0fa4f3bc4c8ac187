"""Heat: the time by number of tasks and of workers, a panel for each program."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from scripts.harness.metrics import SHORTEST_S
from scripts.site.judge.judge import Evidence, Judgement
from scripts.site.judge.selection import select_family
from scripts.site.judge.statistics import Estimate
from scripts.site.render.chart import Chart, fold, make_prefix, show_note, show_nothing, show_sign
from scripts.site.render.estimates import format_estimate, stack_estimate
from scripts.site.render.headlines import tell_workers
from scripts.site.render.html import table
from scripts.site.render.names import describe, group_methods, name_family, name_place
from scripts.site.render.panel import (
    LETTER_PT,
    NARROW_PT,
    SMALL_PT,
    Axes,
    Figure,
    add_panel,
    add_text,
)
from scripts.site.render.svg import INK, MUTED, SERIES
from scripts.site.render.words import Words

Panel = Mapping[tuple[int, int], Judgement]
"""What was measured of a program, by tasks and workers."""

LEFT_PT, HEADING_PT, ROW_PT, TICKS_PT, GAP_PT = 50, 20, 24, 20, 12
NARROWEST_PT, WIDEST_PT = 29, 56
"""Of a cell; where so many do not fit side by side, the rest goes into the next band."""
OPACITY = (0.06, 0.5)
"""Of the least and the most; text must stay readable on it in both themes."""


def draw_heat(evidence: Evidence, words: Words, family: str) -> Markup:
    """A cell per number of tasks and of workers, with its time, the longer the stronger its shade.

    Cells with no more tasks than workers, where none has to wait its turn, are framed.
    """
    cells = [one for one in select_family(evidence, family) if one.estimate("inside_s")]
    if not cells:
        return show_nothing(words)
    panels = {
        name: {(one.record.variant.tasks, one.record.variant.workers): one for one in found}
        for name, found in group_methods(evidence, cells).items()
    }
    place = name_place(evidence, cells[0].record.variant, words)
    title = words.text("heat_title", family=name_family(evidence, family, words), cores=place)
    free = [(show_sign("cell"), words.text("heat_free"))]
    return Chart(
        prefix=make_prefix("heat", evidence.experiment.name, family),
        title=title,
        picture=_Heat(panels, evidence, words),
        signs=free if any(map(_is_free, cells)) else [],
        below=show_note(words.text("heat_note")) + fold(_show_table(panels, title, words), words),
        kind="heat",
        found=tell_workers(panels.values(), evidence, words),
        widths_pt=(NARROW_PT,),
    ).show()


@dataclass(frozen=True, slots=True)
class _Heat:
    """One panel below the other, each in bands of what fits side by side, all on the same scale."""

    panels: Mapping[str, Panel]
    evidence: Evidence
    words: Words

    @property
    def height_pt(self) -> float:
        """Of the whole picture."""
        bands = [band for panel in self.panels.values() for band in _split(panel)]
        cells_pt = sum(len(_list_workers(band)) * ROW_PT + TICKS_PT for band in bands)
        return (HEADING_PT + GAP_PT) * len(self.panels) + cells_pt

    def draw(self, figure: Figure) -> dict[str, str]:
        """Fill a figure that is so high; returns the cells' tooltips."""
        levels = [_find_level(one) for panel in self.panels.values() for one in panel.values()]
        ends = min(levels), max(levels)
        tooltips: dict[str, str] = {}
        top_pt = 0.0
        for name, panel in self.panels.items():
            style: dict[str, Any] = {"color": INK, "weight": "bold"}
            heading = add_panel(figure, LEFT_PT, top_pt, 1, HEADING_PT)
            heading.set_axis_off()
            add_text(heading, name, (0, 0), (0, 7), **style)
            _label(heading, self.words.text("axis_workers"), 7)
            top_pt += HEADING_PT
            for band in _split(panel):
                tooltips |= self._draw_band(figure, band, top_pt, len(tooltips), ends)
                top_pt += len(_list_workers(band)) * ROW_PT + TICKS_PT
            top_pt += GAP_PT
        return tooltips

    def _draw_band(
        self, figure: Figure, band: Panel, top_pt: float, drawn: int, ends: tuple[float, float]
    ) -> dict[str, str]:
        """Axes of the numbers of tasks and workers, the fewest workers at the bottom."""
        tasks, workers = sorted({size for size, _ in band}), _list_workers(band)
        bands = (one for panel in self.panels.values() for one in _split(panel))
        most = max(len({size for size, _ in one}) for one in bands)
        width_pt = min(WIDEST_PT, (NARROW_PT - LEFT_PT) / most)
        size_pt = len(tasks) * width_pt, len(workers) * ROW_PT
        axes = add_panel(figure, LEFT_PT, top_pt, *size_pt)
        axes.set(xlim=(0, len(tasks)), ylim=(0, len(workers)))
        for axis, sizes in ((axes.xaxis, tasks), (axes.yaxis, workers)):
            names = [self.words.number(one, 0) for one in sizes]
            axis.set_ticks([place + 0.5 for place in range(len(sizes))], names, size=SMALL_PT)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.patch.set_visible(False)
        _label(axes, self.words.text("axis_tasks"), -13)
        inset = 1 / width_pt, 1 / ROW_PT
        tooltips: dict[str, str] = {}
        for (size, count), judgement in band.items():
            place = tasks.index(size), workers.index(count)
            key = f"c{drawn + len(tooltips)}"
            tooltips[key] = _describe(judgement, self.evidence, self.words)
            _draw_cell(axes, judgement, place, inset, _shade(judgement, *ends), key, self.words)
        return tooltips


def _draw_cell(
    axes: Axes,
    judgement: Judgement,
    place: tuple[float, float],
    inset: tuple[float, float],
    opacity: float,
    key: str,
    words: Words,
) -> None:
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    (left, bottom), (aside, above) = place, inset
    axes.add_patch(
        Rectangle(
            (left + aside, bottom + above),
            1 - 2 * aside,
            1 - 2 * above,
            facecolor=to_rgba(SERIES[0], opacity),
            edgecolor=INK if _is_free(judgement) else "none",
            linewidth=1.2,
            gid=key,
            clip_on=False,
        )
    )
    style: dict[str, Any] = {"ha": "center", "va": "center", "size": SMALL_PT, "color": INK}
    text = _format_seconds(_time(judgement).median, words)
    axes.text(left + 0.5, bottom + 0.5, text, **style)


def _shade(judgement: Judgement, low: float, high: float) -> float:
    """Opacity on a logarithmic scale, from the least to the greatest of the values."""
    share = (_find_level(judgement) - low) / (high - low) if high > low else 0.5
    faint, strong = OPACITY
    return faint + (strong - faint) * share


def _find_level(judgement: Judgement) -> float:
    """On a logarithmic scale, on which what a program calls no time is the shortest there is."""
    return math.log(max(_time(judgement).median, SHORTEST_S))


def _split(panel: Panel) -> list[Panel]:
    """Bands as equal as can be, with room for the times and for the numbers of tasks."""
    tasks = sorted({size for size, _ in panel})
    letters = len(f"{tasks[-1]:,}") + 1
    most = int((NARROW_PT - LEFT_PT) / max(NARROWEST_PT, letters * LETTER_PT))
    width = math.ceil(len(tasks) / math.ceil(len(tasks) / most))
    chosen = (tasks[start : start + width] for start in range(0, len(tasks), width))
    return [{place: one for place, one in panel.items() if place[0] in own} for own in chosen]


def _list_workers(band: Panel) -> list[int]:
    return sorted({workers for _, workers in band})


def _time(judgement: Judgement) -> Estimate:
    found = judgement.estimate("inside_s")
    assert found
    return found


def _is_free(judgement: Judgement) -> bool:
    """Whether no task has to wait for a worker."""
    return judgement.record.variant.tasks <= judgement.record.variant.workers


def _label(axes: Axes, text: str, up_pt: float) -> None:
    """What an axis is called, at the left edge of the picture."""
    add_text(
        axes, text, (0, 0), (-LEFT_PT, up_pt), xycoords="axes fraction", color=MUTED, size=SMALL_PT
    )


def _format_seconds(seconds: float, words: Words) -> str:
    """As many digits as a cell has room for."""
    if not seconds:
        return words.number(0, 0)
    magnitude = math.floor(math.log10(seconds))
    return words.number(seconds, min(4, max(0, 2 - magnitude if magnitude >= 0 else 1 - magnitude)))


def _describe(judgement: Judgement, evidence: Evidence, words: Words) -> str:
    time = format_estimate(_time(judgement), "inside_s", words)
    text = f"{describe(evidence, judgement.record.variant, words)}: {time}"
    return f"{text}, {words.text('heat_free_tooltip')}" if _is_free(judgement) else text


def _show_table(panels: Mapping[str, Panel], title: str, words: Words) -> Markup:
    """A row per number of tasks, a column per number of workers, program by program."""
    columns = sorted({workers for panel in panels.values() for _, workers in panel})

    def show(judgement: Judgement | None) -> Markup | None:
        return stack_estimate(_time(judgement), "inside_s", words) if judgement else None

    groups = {
        name: [
            (words.count("tasks", tasks), *(show(panel.get((tasks, one))) for one in columns))
            for tasks in sorted({tasks for tasks, _ in panel})
        ]
        for name, panel in panels.items()
    }
    head = [words.text("axis_tasks")]
    head += [words.count("workers", workers) for workers in columns]
    return table(words, title, head, groups, kind="sizes")
