"""Pair: measure one short program as if it were two, in shuffled rounds as all others."""

import os
import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from scripts.host.interpreters import strip_environment
from scripts.host.pair import Pair
from scripts.measure.plan import SEED
from scripts.measure.process import Command, Launcher

ROUNDS = 11
"""As many trials as a verdict has that was looked at more than once; see ``rounds.LEVELS``."""
WORK = "sum(i * i for i in range(1_000_000))"


def measure_pair(launcher: Launcher) -> Pair | None:
    """The times of both sides; ``None`` if the program could not be run.

    The first round is a warm-up and is not counted.
    """
    argv = (sys.executable, "-I", "-S", "-c", WORK)
    command = Command(argv=argv, env=strip_environment(os.environ), cwd=Path("/"), timeout_s=60)
    shuffle = random.Random(SEED).shuffle
    sides: tuple[list[float], list[float]] = ([], [])
    for number in range(ROUNDS + 1):
        order = [0, 1]
        shuffle(order)
        for side in order:
            outcome = launcher.run(command)
            if not outcome.ok:
                return None
            if number:
                sides[side].append(outcome.wall_s)
    return Pair(first_s=tuple(sides[0]), second_s=tuple(sides[1]), measured_at=datetime.now(UTC))
