"""Agenda: the stages of a run, and how long all of them may take."""

from collections.abc import Sequence
from dataclasses import dataclass

from poolwise.output import align
from poolwise.progress import format_duration, report


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A part of a run: what is to be done in it, and the seconds that it should take."""

    name: str
    work: str
    estimate_s: float


class Agenda:
    """The stages of a run, in order; what each should take is estimated again when one begins."""

    def __init__(self, stages: Sequence[Stage] = ()) -> None:
        self._stages = {stage.name: stage for stage in stages}

    def describe(self) -> list[str]:
        """Return a line with the time of the whole run, and one for each stage with its share."""
        total_s = sum(stage.estimate_s for stage in self._stages.values())
        if len(self._stages) < 2 or not total_s:
            return []
        rows = []
        for name, stage in self._stages.items():
            share = f"{stage.estimate_s / total_s:.0%}"
            duration = f"about {format_duration(stage.estimate_s)}"
            rows.append((f"  {self._label(name)}", duration, share, stage.work))
        return [f"About {format_duration(total_s)} in all:", *align(rows, 1)]

    def begin(self, name: str, stages: Sequence[Stage] = ()) -> str:
        """Say that a stage begins, with what it and later ones are estimated at now; return its label."""
        for stage in stages:
            if stage.name in self._stages:
                self._stages[stage.name] = stage
        if name not in self._stages:
            return name
        names, stage, label = list(self._stages), self._stages[name], self._label(name)
        left_s = self.estimate(names[names.index(name) :])
        duration, left = format_duration(stage.estimate_s), format_duration(left_s)
        report(f"{label}: {stage.work}, about {duration}; about {left} left in all")
        return label

    def estimate(self, names: Sequence[str]) -> float:
        """Estimate the seconds of some stages; what is none of this run takes no time."""
        return sum(self._stages[name].estimate_s for name in names if name in self._stages)

    def _label(self, name: str) -> str:
        return f"{list(self._stages).index(name) + 1}/{len(self._stages)} {name}"
