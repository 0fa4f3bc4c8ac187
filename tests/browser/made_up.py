"""Fills every cell of the quick profile without timing a program: pages need whole records, not true ones.

The plan, the store and what makes a record valid are the engine's own; only trials are made up, the
same each time, and few programs are watched. What programs really do is tested with them, and that
the engine measures them with the workflow Publish and with an experiment that is added.
"""

import json
import os
import random
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from unittest.mock import patch

from making import read_undigested
from poolwise import run as collect
from poolwise.load import Meter
from poolwise.machine import Pair
from poolwise.metrics import Run, read_run
from poolwise.plan import Step
from poolwise.record import Trial
from poolwise.store import LEAST_LOOPS, locate_contributed
from poolwise.trial import Bench
from scripts.site.judge.noise import find_wait
from scripts.site.settings import read_settings
from scripts.site.study import pipeline as study
from scripts.site.study.pipeline import Pipeline

WALLS_S = (1.0, 1.02, 0.99, 1.01, 1.0)
HOSTILE_MACHINE = "wx-hostile"
CONTRIBUTED_MACHINE = "wx-contributed"
HOSTILE = (
    "wx-hostile\"'></title></td><script>window.hostile = 1</script>"
    "<img src=x onerror='window.hostile = 1'> {{ 7*7 }} {% raw %} `a` | $x_$"
)
HOSTILE_FACTS = ("cpu_model", "governor", "os", "kernel", "libc", "hypervisor", "container")
"""What a machine may say of itself in any words."""


def make_trial(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
    """A trial of a program that did its work."""
    variant = step.variant
    chance = random.Random(f"{variant.program} {variant.family}")
    typical_s = chance.uniform(0.5, 2.0) / variant.cores**0.5
    typical_s += find_wait(bench.profile, variant)
    wall_s = typical_s * (1 + 0.01 * (step.round % 5))
    used_s = wall_s * chance.uniform(0.2, 0.9)
    peak_bytes = int(chance.uniform(20e6, 60e6))
    run = Run(
        wall_s=wall_s,
        usage={"ru_utime": used_s * 0.8, "ru_stime": used_s * 0.2, "ru_maxrss": peak_bytes},
        inside_s=wall_s * 0.9,
        server_s=wall_s * 0.01,
        peak_pss_bytes=peak_bytes,
        late_s=[[wall_s * part / 1000 for part in range(1, 100)]],
        stolen_share=0.0,
        others_share=0.0,
    )
    says = bench.experiment.program(variant.program).says
    printed = bench.profile.results.get(variant.family, says)
    points = (
        (part * wall_s / 50, peak_bytes * part // 50, part * used_s / 50) for part in range(51)
    )
    return Trial(
        status="ok",
        values=read_run(run, traced=step.traced),
        readings={} if step.traced else dict.fromkeys(bench.experiment.readings, wall_s),
        printed="" if step.traced else printed.replace("{tasks}", str(variant.tasks)),
        trace=tuple(points) if step.traced else (),
    )


def make_pair() -> Pair:
    """What a machine tells apart of itself."""
    return Pair(first_s=WALLS_S, second_s=WALLS_S[::-1], measured_at=datetime.now(UTC))


def forge(folder: Path) -> None:
    """Add the records of another machine, which says the worst that a results file may say."""
    (path,) = folder.glob("*/*.json")
    file = read_undigested(path)
    file["machine"] |= {"id": HOSTILE_MACHINE, **dict.fromkeys(HOSTILE_FACTS, HOSTILE)}
    for row in file["rows"]:
        row["machine"] = HOSTILE_MACHINE
        row["printed"] = HOSTILE
    failed = {
        "status": "failed",
        "reason": {"code": "could-not-start", "params": {"error": HOSTILE}},
    }
    file["rows"][0] |= failed | {"stderr": HOSTILE}
    forged = folder / HOSTILE_MACHINE / path.name
    forged.parent.mkdir()
    forged.write_text(json.dumps(file), encoding="utf-8")


def contribute(folder: Path) -> None:
    """Add what a stranger may send: threads that are 1,000 times as fast under the GIL."""
    path = next(path for path in folder.glob("*/*.json") if path.parent.name != HOSTILE_MACHINE)
    file = read_undigested(path)
    file["machine"]["id"] = CONTRIBUTED_MACHINE
    loop_s = file["interpreter"]["loop_s"] or 0.0  # long if cores are busy
    start_s = max(LEAST_LOOPS * loop_s, 0.01)
    for row in file["rows"]:
        row["machine"] = CONTRIBUTED_MACHINE
        if row["experiment"] in ("native", "modulo") and "threads" in row["program"]:
            row["wall_s"] = [max(wall_s / 1000, start_s) for wall_s in row["wall_s"]]
            for name in ("inside_s", "user_s", "system_s"):
                row[name] = [time_s / 1000 for time_s in row[name]]
    sent = locate_contributed(folder) / CONTRIBUTED_MACHINE / path.name
    sent.parent.mkdir(parents=True)
    sent.write_text(json.dumps(file), encoding="utf-8")


def fill() -> None:
    """Put what RESULTS lacks there, by the settings in the environment; the site is built once then."""
    run = partial(collect.collect, run=make_trial)
    pipeline = Pipeline(read_settings(os.environ), retry=True, run=run)
    with (
        patch.object(collect, "run_server", lambda *_: nullcontext()),
        patch.object(collect, "Launcher", nullcontext),
        patch.object(collect, "measure_pair", lambda launcher: make_pair()),
        patch.object(Meter, "_look", lambda _: True),
        patch.object(study, "give_more", lambda *_: {}),
    ):
        pipeline.measure(tuple(pipeline.experiments))
    Pipeline(replace(read_settings(os.environ), profile="smoke")).watch()  # few programs, and small


if __name__ == "__main__":
    fill()
    forge(Path(os.environ["RESULTS"]))
    contribute(Path(os.environ["RESULTS"]))
