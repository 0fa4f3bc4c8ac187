"""Trials: one run of one program, measured and checked."""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent, indent

from scripts.declare.experiment import Experiment, Tracer
from scripts.declare.profile import Profile
from scripts.declare.program import Ending, Program
from scripts.host.interpreters import Installation, strip_environment
from scripts.measure.load_server import LoadServer
from scripts.measure.plan import Step
from scripts.measure.process import Command, Launcher, Outcome
from scripts.measure.samplers import ProfilerSampler, Sampler, TreeSampler
from scripts.records.variant import Status, Trial, Variant

STDERR_LINES = 40
"""Of a failed program's stderr, so many last lines are kept for the page."""

_TIME = re.compile(r"^time (\d+\.\d+) s$\n?", re.MULTILINE)
_READING = re.compile(r"^([a-z_]+) (\d+(?:\.\d+)?) \S+$\n?", re.MULTILINE)
_GIL_IS_BACK = "The global interpreter lock (GIL) has been enabled to load module"
"""What a free-threaded Python says when a module in C has not declared that it can do without."""
_IN_GROUP = re.compile(r"^ *\| ", re.MULTILINE)
"""Before each line of what an exception group is about."""
_TRACEBACK = ("Traceback (", "During handling of", "The above exception was")
_COMPLAINT = re.compile(r"^([\w.]+:) *\n((?:[ \t].*\n?|\n)+)|^(\S.*)", re.MULTILINE)
"""A line, or an error whose message begins on the next: then it goes on as far as it is indented."""
_SAMPLERS: Mapping[Tracer, type[Sampler]] = {
    "pss": TreeSampler,
    "memory_profiler": ProfilerSampler,
}


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
    program = bench.experiment.program(variant.program)
    command = Command(
        argv=(str(bench.installation.path), f"{variant.program}.py"),
        env=set_environment(os.environ, bench, variant),
        cwd=bench.experiment.folder,
        cores=cores,
        timeout_s=program.timeout_s or bench.profile.timeout_s,
    )
    sampler = _SAMPLERS[bench.experiment.tracer]() if step.traced else None
    server_before_s = bench.server.cpu_s() if bench.server else 0.0
    outcome = bench.launcher.run(command, sampler)
    server_s = bench.server.cpu_s() - server_before_s if bench.server else 0.0
    inside = _TIME.search(outcome.stdout)
    readings, printed = read_output(outcome.stdout, bench.experiment.readings)
    expected = bench.profile.results.get(variant.family)
    if expected is not None:
        expected = expected.replace("{tasks}", str(variant.tasks))
    if program.ends != "well":
        printed = f"{printed}\n{read_complaints(outcome.stderr)}".strip()
    status, reason = check_outcome(outcome, printed, expected, program)
    if status == "ok" and variant.gil == "off" and _GIL_IS_BACK in outcome.stderr:
        status, reason = "unavailable", "an import turned the GIL back on"
    return Trial(
        status=status,
        reason=reason,
        wall_s=outcome.wall_s,
        inside_s=float(inside.group(1)) if inside else None,
        readings=readings,
        printed=printed,
        user_s=outcome.user_s,
        system_s=outcome.system_s,
        max_rss_bytes=outcome.max_rss_bytes,
        peak_pss_bytes=outcome.memory.peak_bytes if outcome.memory else None,
        trace=outcome.memory.points if outcome.memory else (),
        server_share=server_s / outcome.wall_s if bench.server and outcome.wall_s else None,
        stderr="" if status == "ok" else _read_end(outcome.stderr),
    )


def set_environment(base: Mapping[str, str], bench: Bench, variant: Variant) -> dict[str, str]:
    """The environment of a program: ours, the interpreter's, its parameters, the server's address.

    Nobody's personal ``PYTHON…`` variables get through: they change what Python does.
    """
    env = strip_environment(base) | {**bench.installation.env, **variant.params}
    env |= {"TASKS": str(variant.tasks), "WORKERS": str(variant.workers)}
    if variant.start_method:
        env["START_METHOD"] = variant.start_method
    if bench.server:
        env["SERVER_URL"] = bench.server.url
        env["SERVER_TLS_URL"] = bench.server.tls_url
        env["SSL_CERT_FILE"] = str(bench.server.ca)
    return env


def read_output(stdout: str, names: Sequence[str]) -> tuple[dict[str, float], str]:
    """The declared readings of what a program wrote, and the rest without its ``time`` line."""
    readings = {name: float(value) for name, value in _READING.findall(stdout) if name in names}

    def keep(found: re.Match[str]) -> str:
        return "" if found[1] in readings else found[0]

    return readings, _READING.sub(keep, _TIME.sub("", stdout)).strip()


def read_complaints(stderr: str) -> str:
    """What tracebacks come to: the errors, each once, without the ways that led there."""
    told = [
        line or f"{error}\n{indent(dedent(message), '  ')}".rstrip()
        for error, message, line in _COMPLAINT.findall(_IN_GROUP.sub("", stderr))
    ]
    errors = [one for one in told if not one.startswith(_TRACEBACK)]
    return _read_end("\n".join(dict.fromkeys(errors)))


def check_outcome(
    outcome: Outcome, printed: str, expected: str | None, program: Program
) -> tuple[Status, str]:
    """Whether a program did its work: it ended as it should and printed what it should.

    One that leaves processes behind did not: they were working on, or cannot all be counted.

    Args:
        outcome: how the process ended.
        printed: what it wrote, without time and readings.
        expected: the result it must print; ``None`` to accept any.
        program: tells how it is to end, and what it must say.

    Returns:
        The status, and the reason for any but ``ok``.
    """
    if outcome.error:
        return "failed", outcome.reason
    ending: Ending = "timeout" if outcome.timed_out else "well" if outcome.ok else "error"
    if ending != program.ends:
        if program.ends != "well":
            return "failed", f"should have ended with {program.ends}, but ended {ending}"
        return "timeout" if outcome.timed_out else "failed", outcome.reason
    if outcome.leftovers and not outcome.timed_out:
        return "failed", "ended without waiting for its processes, which had to be killed"
    if program.says not in printed:
        return "failed", f"did not say {program.says!r}"
    if expected is not None and printed != expected.strip():
        return "failed", f"printed {printed[:200]!r} instead of {expected.strip()!r}"
    return "ok", ""


def _read_end(stderr: str) -> str:
    return "\n".join(stderr.splitlines()[-STDERR_LINES:])
