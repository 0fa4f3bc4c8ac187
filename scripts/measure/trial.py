"""Trials: one run of one program, measured and checked."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from scripts.measure.experiment import Experiment, Profile
from scripts.measure.interpreters import Installation
from scripts.measure.load_server import LoadServer
from scripts.measure.plan import Step
from scripts.measure.process import Command, Launcher, Outcome
from scripts.measure.samplers import TreeSampler
from scripts.measure.variant import Status, Trial, Variant

STDERR_LINES = 40
"""Of a failed program's stderr, so many last lines are kept for the page."""

_TIME = re.compile(r"^time (\d+\.\d+) s$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What trials of one experiment need at hand: where and with what they run."""

    experiment: Experiment
    profile: Profile
    installation: Installation
    launcher: Launcher
    server: LoadServer | None


def run_trial(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
    """Run a program once on ``cores`` and measure it; a failure is a result, not an exception."""
    variant = step.variant
    command = Command(
        argv=(str(bench.installation.path), f"{variant.program}.py"),
        env=set_environment(os.environ, bench, variant),
        cwd=bench.experiment.folder,
        cores=cores,
        timeout_s=bench.profile.timeout_s,
    )
    sampler = TreeSampler() if step.traced else None
    server_before_s = bench.server.cpu_s() if bench.server else 0.0
    outcome = bench.launcher.run(command, sampler)
    server_s = bench.server.cpu_s() - server_before_s if bench.server else 0.0
    status, reason = check_outcome(outcome, bench.profile.results.get(variant.family))
    inside = _TIME.search(outcome.stdout)
    return Trial(
        status=status,
        reason=reason,
        wall_s=outcome.wall_s,
        inside_s=float(inside.group(1)) if inside else None,
        user_s=outcome.user_s,
        system_s=outcome.system_s,
        max_rss_bytes=outcome.max_rss_bytes,
        peak_pss_bytes=outcome.memory.peak_bytes if outcome.memory else None,
        trace=outcome.memory.points if outcome.memory else (),
        server_share=server_s / outcome.wall_s if bench.server and outcome.wall_s else None,
        stderr="" if status == "ok" else "\n".join(outcome.stderr.splitlines()[-STDERR_LINES:]),
    )


def set_environment(base: Mapping[str, str], bench: Bench, variant: Variant) -> dict[str, str]:
    """The environment of a program: ours, the interpreter's, its parameters, the server's address.

    Nobody's personal ``PYTHON…`` variables get through: they change what Python does.
    """
    env = {name: value for name, value in base.items() if not name.startswith("PYTHON")}
    env |= {**bench.installation.env, **variant.params}
    if variant.start_method:
        env["START_METHOD"] = variant.start_method
    if bench.server:
        env["SERVER_URL"] = bench.server.url
    return env


def check_outcome(outcome: Outcome, expected: str | None) -> tuple[Status, str]:
    """Whether a program did its work: it ended by itself, well, and printed what it should.

    Args:
        outcome: how the process ended.
        expected: the result it must print before its ``time`` line; ``None`` to accept any.

    Returns:
        The status, and the reason for any but ``ok``.
    """
    if not outcome.ok:
        return "timeout" if outcome.timed_out else "failed", outcome.reason
    printed = _TIME.sub("", outcome.stdout).strip()
    if expected is not None and printed != expected.strip():
        return "failed", f"printed {printed[:200]!r} instead of {expected.strip()!r}"
    return "ok", ""
