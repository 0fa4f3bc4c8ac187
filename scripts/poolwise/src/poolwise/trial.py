"""Trials: one run of one program, measured and checked, and the load server that it may need.

The server is ``examples/server.py`` or one of the experiment, started for the programs that fetch pages.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import mean

import psutil

from poolwise import samplers
from poolwise.declaration import LONGEST, Reason
from poolwise.experiment import Ending, Experiment, Profile, Program, Tracer
from poolwise.metrics import ROUNDING_S, Run, Values, read_run
from poolwise.output import Output, clean, read_complaints, read_end, read_output
from poolwise.plan import Step
from poolwise.process import Command, Launcher, Outcome, listen
from poolwise.pythons import Installation, strip_environment
from poolwise.record import Status, Trial, Variant

# Words of a free-threaded Python when a module in C has not declared that it can do without.
_GIL_IS_BACK = "The global interpreter lock (GIL) has been enabled to load module"
_SAMPLERS: Mapping[Tracer, type[samplers.Sampler]] = {
    "pss": samplers.TreeSampler,
    "memory_profiler": samplers.ProfilerSampler,
}


READY_TIMEOUT_S = 30.0
POLL_INTERVAL_S = 0.01


class LoadServerError(RuntimeError):
    """The load server did not start, or died; the message holds what it wrote to stderr."""


class LoadServer:
    """A load server that is ready; its launcher stops it.

    Of ``profile`` are its arguments.
    ``addresses`` are the environment variables that say where it is; ``cores`` are those that
    it was moved to, none if it may run on all.
    """

    def __init__(self, launcher: Launcher, experiment: Experiment, profile: Profile) -> None:
        self._launcher = launcher
        self.cores: tuple[int, ...] = ()
        path = experiment.server_path
        assert path
        argv = [sys.executable, str(path), "--port", "0", *profile.server_args]
        if experiment.server is True:
            argv.insert(4, "--json")
        pid = launcher.start(Command(argv=tuple(argv), env=os.environ, cwd=path.parent))
        if pid is None:
            error = launcher.finish().error
            raise LoadServerError(f"the load server could not be started: {error}")
        self._process = psutil.Process(pid)
        deadline = time.monotonic() + READY_TIMEOUT_S
        while not (line := self._read_line()):
            if not self._process.is_running():
                raise self._explain("ended before it was ready")
            if time.monotonic() > deadline:
                raise self._explain(f"was not ready within {READY_TIMEOUT_S:g} s")
            time.sleep(POLL_INTERVAL_S)
        self.addresses = _read_addresses(line)

    def move_to(self, cores: tuple[int, ...]) -> None:
        """Let it run on these cores from now on; without effect where a system has no affinity."""
        if not hasattr(os, "sched_setaffinity"):
            return
        self.cores = cores
        try:
            os.sched_setaffinity(self._process.pid, cores)
        except ProcessLookupError:
            raise self._explain("died") from None

    def cpu_s(self) -> float:
        """CPU seconds, user and system, that the server has used so far; in ticks of 10 ms."""
        try:
            times = self._process.cpu_times()
        except psutil.NoSuchProcess:
            raise self._explain("died") from None
        return float(times.user + times.system)

    def _read_line(self) -> str:
        """The first line of its stdout, once it is whole."""
        line, ended, _ = self._launcher.stdout_path.read_text(encoding="utf-8").partition("\n")
        return line if ended else ""

    def _explain(self, what: str) -> LoadServerError:
        complaint = self._launcher.stderr_path.read_text(encoding="utf-8", errors="replace")
        return LoadServerError(f"the load server {what}\n{complaint}".rstrip())


def _read_addresses(line: str) -> dict[str, str]:
    """The environment variables that say where a server is, from its first line: JSON, or a URL and words."""
    if not line.startswith("{"):
        return {"SERVER_URL": line.split(maxsplit=1)[0]}
    addresses = json.loads(line)
    return {
        "SERVER_URL": addresses["http"],
        "SERVER_TLS_URL": addresses["https"],
        "SSL_CERT_FILE": addresses["ca"],
    }


@contextmanager
def run_server(experiment: Experiment, profile: Profile) -> Iterator[LoadServer | None]:
    """The load server for as long as programs of an experiment run, if they need one.

    It has a launcher of its own, and so ends with the engine however that ends.
    """
    if not experiment.server_path:
        yield None
        return
    with Launcher() as launcher:
        yield LoadServer(launcher, experiment, profile)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Everything that trials of one experiment need at hand: where and with what they run, and what reads the pace."""

    experiment: Experiment
    profile: Profile
    installation: Installation
    launcher: Launcher
    server: LoadServer | None
    pacer: samplers.Pacer | None = None

    def take_cores(self, variant: Variant, usable: tuple[int, ...]) -> tuple[int, ...]:
        """The first cores, as many as a variant has; the load server gets the others, or else all."""
        if self.server:
            self.server.move_to(usable[variant.cores :] or usable)
        return usable[: variant.cores]

    def read_server(self) -> float | None:
        """Read the CPU seconds of the load server; ``None`` where there is none."""
        if self.server is None:
            return None
        return self.server.cpu_s()

    def read_pace(self, cores: tuple[int, ...]) -> float | None:
        """Read what of their best pace cores lack now; ``None`` where nothing reads it."""
        if self.pacer is None:
            return None
        return self.pacer.read(cores)


def run_trial(bench: Bench, step: Step, cores: tuple[int, ...]) -> Trial:
    """Run a program once on ``cores`` and measure it; a failure is a result, not an exception."""
    variant, command = step.variant, make_command(bench, step.variant, cores)
    server_s = bench.read_server()
    slowed_shares = [bench.read_pace(cores)]
    before = samplers.Usage.read()
    outcome, late_s = _trace(bench, command) if step.traced else (bench.launcher.run(command), ())
    after = samplers.Usage.read()
    slowed_shares.append(bench.read_pace(cores))
    if server_s is not None:
        server_s = (bench.read_server() or 0.0) - server_s
    output = read_output(outcome.stdout, bench.experiment.readings)
    used_s = outcome.cpu_s
    bound = cores if hasattr(os, "sched_setaffinity") else ()  # else it may run on any
    if bench.server and not (bound and {*bound}.isdisjoint(bench.server.cores)):
        used_s += server_s or 0.0
    stolen_share, others_share = samplers.find_shares(before, after, used_s, bound)
    known = [share for share in slowed_shares if share is not None]
    run = Run(
        wall_s=outcome.wall_s,
        usage=outcome.usage,
        inside_s=output.inside_s,
        server_s=server_s,
        peak_pss_bytes=samplers.find_peak(outcome.memory),
        late_s=late_s,
        stolen_share=stolen_share,
        others_share=others_share,
        slowed_share=mean(known) if len(known) == len(slowed_shares) else None,
    )
    values = read_run(run, traced=step.traced) if outcome.usage else {}
    return _describe(bench, variant, outcome, output, values)


def make_command(bench: Bench, variant: Variant, cores: tuple[int, ...]) -> Command:
    """Make the command that runs the program of a variant on these cores."""
    program = bench.experiment.program(variant.program)
    return Command(
        argv=(str(bench.installation.path), program.file),
        env=set_environment(os.environ, bench, variant),
        cwd=bench.experiment.folder,
        cores=cores,
        timeout_s=program.timeout_s or bench.profile.timeout_s,
    )


def _describe(
    bench: Bench, variant: Variant, outcome: Outcome, output: Output, values: Values
) -> Trial:
    installation, program = bench.installation, bench.experiment.program(variant.program)
    printed = output.rest
    if program.ends != "well":
        printed = f"{printed}\n{read_complaints(outcome.stderr)}".strip()
    expected = bench.profile.find_result(variant.family, variant.tasks)
    if expected is not None:
        expected = expected.replace("{tasks}", str(variant.tasks))
    status, reason = check_outcome(outcome, printed, expected, program)
    if status == "ok":
        status, reason = _check_claims(outcome, output, variant)
    return Trial(
        status=status,
        reason=reason and _clean_reason(reason, installation),
        values=values,
        readings=output.readings,
        printed=clean(printed, installation),
        trace=outcome.memory,
        stderr="" if status == "ok" else clean(read_end(outcome.stderr), installation),
    )


def _trace(bench: Bench, command: Command) -> tuple[Outcome, tuple[tuple[float, ...], ...]]:
    """Run a command with its memory sampled and its event loops heard: what it came to, the beats."""
    with listen(bench.launcher.folder) as ear:
        command = replace(command, env={**command.env, **ear.env})
        outcome = bench.launcher.run(command, _SAMPLERS[bench.experiment.tracer]())
        return outcome, ear.hear()


def set_environment(base: Mapping[str, str], bench: Bench, variant: Variant) -> dict[str, str]:
    """The environment of a program: ours, the interpreter's, its parameters, the server's address.

    Nobody's personal ``PYTHON…`` variables get through: they change what Python does.
    """
    env = strip_environment(base) | {**bench.installation.env, **variant.params}
    env |= {"TASKS": str(variant.tasks), "WORKERS": str(variant.workers)}
    if variant.start_method:
        env["START_METHOD"] = variant.start_method
    if bench.server:
        env |= bench.server.addresses
    if bench.server and (wait_ms := variant.params.get("SERVER_WAIT_MS")):
        env["SERVER_URL"] += f"/wait={wait_ms}"
    return env


def check_outcome(
    outcome: Outcome, printed: str, expected: str | None, program: Program
) -> tuple[Status, Reason | None]:
    """Tell whether a program did its work: it ended as it should and printed what it should.

    One that leaves processes behind did not: they were working on, or cannot all be counted. One that
    lacks something of the system ends with ``os.EX_UNAVAILABLE`` and says on stderr what.

    ``printed`` is without time and readings; where no result is expected, any is accepted. Gives a
    reason with any status but ``ok``.
    """
    if outcome.error:
        return "failed", outcome.reason
    if outcome.exit_code == os.EX_UNAVAILABLE and not outcome.timed_out:
        says = "".join(outcome.stderr.splitlines()[-1:])
        return "unavailable", Reason("cannot-here", {"says": says})
    ending: Ending = "error"
    if outcome.timed_out:
        ending = "timeout"
    elif outcome.ok:
        ending = "well"
    if ending != program.ends:
        missed = {"error": Reason("no-error"), "timeout": Reason("ended")}
        status: Status = "timeout" if (program.ends, ending) == ("well", "timeout") else "failed"
        return status, missed.get(program.ends, outcome.reason)
    if outcome.leftovers and not outcome.timed_out:
        return "failed", Reason("left-processes")
    if program.says not in printed:
        return "failed", Reason("did-not-say", {"says": program.says})
    if expected is not None and printed != expected.strip():
        params = {"printed": printed[:200], "expected": expected.strip()}
        return "failed", Reason("other-result", params)
    return "ok", None


def _check_claims(
    outcome: Outcome, output: Output, variant: Variant
) -> tuple[Status, Reason | None]:
    """Tell whether what a program says of itself can be, and it ran as the variant has it."""
    if output.fault:
        return "failed", output.fault
    if output.inside_s is not None and output.inside_s > outcome.wall_s + ROUNDING_S:
        params = {"printed_s": output.inside_s, "took_s": outcome.wall_s}
        return "failed", Reason("wrong-clock", params)
    if variant.gil == "off" and _GIL_IS_BACK in outcome.stderr:
        return "unavailable", Reason("gil-back-on")
    return "ok", None


def _clean_reason(reason: Reason, installation: Installation) -> Reason:
    texts = {name: text for name, text in reason.params.items() if isinstance(text, str)}
    for name, text in texts.items():
        texts[name] = clean(text, installation, LONGEST)
    return Reason(reason.code, {**reason.params, **texts})
