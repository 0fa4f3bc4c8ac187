"""Pens: how one series of a chart is told from the others, with and without its colour."""

from dataclasses import dataclass

from scripts.site.render.panel import Axes
from scripts.site.render.svg import PAPER, SERIES

DASHED = (0, (2, 1.5))
DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (6, 1.5, 1.5, 1.5)))
MARKERS = ("o", "s", "D", "^", "v", "o", "s")


@dataclass(frozen=True, slots=True)
class Pen:
    """How the series of a number looks: 28 differ, and do so without their colours.

    Every second shape is hollow, so that a shape that comes twice looks different.
    """

    number: int

    @property
    def series(self) -> int:
        """Which of the colours and shapes it has, from nought."""
        return self.number % len(SERIES)

    @property
    def colour(self) -> str:
        """A sentinel of ``svg``."""
        return SERIES[self.series]

    @property
    def dash(self) -> object:
        """A line style of matplotlib."""
        return DASHES[self.number % len(DASHES)]

    def mark(self, axes: Axes, x: float, y: float, key: str, size_pt: float = 7) -> None:
        """Draw its shape at a point; ``key`` is what the tooltip goes by."""
        axes.plot(
            (x,),
            (y,),
            marker=MARKERS[self.series],
            markersize=size_pt,
            markerfacecolor=PAPER if self.series % 2 else self.colour,
            markeredgecolor=self.colour,
            markeredgewidth=2 if size_pt > 5 else 1,
            linestyle="none",
            gid=key,
            clip_on=False,
            zorder=3,
        )
