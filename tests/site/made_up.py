"""Fills every cell of the smoke profile without running a program: pages need whole records, not true ones.

The plan, the store and what makes a record valid are the engine's own; only trials are made up, the
same each time. What programs really do is tested with the programs, and that the engine measures
them with the workflow Publish and with an experiment that is added.
"""

import os
import random
from contextlib import nullcontext
from datetime import UTC, datetime
from unittest.mock import patch

from scripts.host.pair import Pair
from scripts.measure import collect
from scripts.measure.plan import Step
from scripts.measure.trial import Bench
from scripts.pipeline import Pipeline
from scripts.records.variant import Trial
from scripts.settings import read_settings
from tests.factories import make_values

WALLS_S = (1.0, 1.02, 0.99, 1.01, 1.0)


def make_trial(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
    """A trial of a program that did its work."""
    variant = step.variant
    chance = random.Random(f"{variant.program} {variant.family}")
    typical_s = chance.uniform(0.5, 2.0) / variant.cores**0.5
    wall_s = typical_s * (1 + 0.01 * (step.round % 5))
    says = bench.experiment.program(variant.program).says or "Done."
    printed = bench.profile.results.get(variant.family, says)
    if step.traced:
        peak = int(chance.uniform(20e6, 60e6))
        trace = tuple(
            (wall_s * part / 50, peak * part // 50, wall_s * part / 60) for part in range(51)
        )
        return Trial(status="ok", values={"peak_pss_bytes": peak, "lag_max_s": 0.01}, trace=trace)
    return Trial(
        status="ok",
        values=make_values(wall_s, wall_s * chance.uniform(0.2, 0.9)),
        readings=dict.fromkeys(bench.experiment.readings, wall_s),
        printed=printed.replace("{tasks}", str(variant.tasks)),
    )


def fill() -> None:
    """Put what RESULTS lacks there, by the settings in the environment."""
    pipeline = Pipeline(read_settings(os.environ), retry=True)
    with patch.multiple(
        collect,
        run_trial=make_trial,
        Launcher=nullcontext,
        LoadServer=lambda params: nullcontext(),
        measure_pair=lambda launcher: Pair(
            first_s=WALLS_S, second_s=WALLS_S[::-1], measured_at=datetime.now(UTC)
        ),
    ):
        pipeline.measure(tuple(pipeline.experiments))


if __name__ == "__main__":
    fill()
