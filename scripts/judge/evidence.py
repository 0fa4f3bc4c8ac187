"""Evidence: what there is to show of an experiment."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from scripts.declare.experiment import Experiment
from scripts.declare.reason import Reason
from scripts.host.interpreters import Interpreter
from scripts.host.machine import Machine
from scripts.judge.judge import Judgement
from scripts.records.record import Variant

Origin = Literal["measured", "contributed"]
"""Whether records were measured by whoever keeps the repository, or are those of a stranger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What there is to show of one experiment: judged records, and where they come from.

    ``judgements`` has one for every cell; it is empty if nothing at all was measured, and
    ``absence`` is the reason. Where trials are of several ``sessions``, these are the judgements of
    each alone, the oldest first. What was recorded of ``outdated`` variants is no longer valid: it is
    of another machine, and cannot be measured anew.
    """

    experiment: Experiment
    profile: str
    machine: Machine
    interpreters: tuple[Interpreter, ...]
    judgements: tuple[Judgement, ...]
    generated_at: datetime
    absence: Reason | None = None
    outdated: frozenset[Variant] = frozenset()
    sessions: tuple[tuple[Judgement, ...], ...] = ()
    origin: Origin = "measured"

    def find_obstacle(self, program: str, interpreter: str, family: str = "") -> Reason | None:
        """Why a program cannot run on an interpreter here; ``None`` if nothing is in its way.

        Without a ``family`` only what holds in each of its families.
        """
        for one in self.interpreters:
            if one.id == interpreter:
                found = self.experiment.program(program).find_obstacle(
                    self.machine.system, one.gil, self.machine.logical_cores, one.minor
                )
                if found is None and family:
                    return self.experiment.family(family).find_obstacle(one.minor)
                return found
        return None
