"""A trial knows whether a program did its work, and the load server is there as long as it runs."""

import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
from msgspec import structs

from making import (
    VARIANT,
    alter,
    make_experiment,
    make_interpreter,
    make_program,
    make_variant,
    replace,
)
from poolwise import experiment as experiments
from poolwise import trial as trials
from poolwise.declaration import LONGEST, Reason
from poolwise.experiment import Experiment
from poolwise.plan import Step
from poolwise.process import Command, Outcome
from poolwise.pythons import Installation
from poolwise.record import Trial
from poolwise.samplers import ProfilerSampler, Sampler, TreeSampler, Usage

EXPECTED = "30 pages"
WELL = Outcome(exit_code=0)
ERROR = Outcome(exit_code=1)
KILLED = Outcome(signal="SIGKILL")
ABSENT = Outcome(error="no such file")
LATE = Outcome(signal="SIGTERM", timed_out=True)

TRACEBACK = """\
Traceback (most recent call last):
  File "p.py", line 1, in <module>
KeyError: 'b'

Traceback (most recent call last):
  File "p.py", line 3, in <module>
    raise ValueError("not b")
ValueError: not b
"""


USAGE = {"ru_utime": 0.3, "ru_stime": 0.1, "ru_maxrss": 4 << 20}


class FakeLauncher:
    """Runs nothing: every program prints ``stdout`` and ends as ``ending`` says."""

    folder: Path | None = None
    sampler: Sampler | None = None

    def __init__(self, stdout: str, ending: Outcome) -> None:
        self._ending = replace(ending, stdout=stdout, wall_s=1.0, usage=USAGE)

    def run(self, _: Command, sampler: Sampler | None = None) -> Outcome:
        self.sampler = sampler
        return self._ending


def make_bench(experiment: Experiment | None = None, **tools: Any) -> trials.Bench:
    experiment = experiment or make_experiment()
    python = Installation(interpreter=make_interpreter(), path=Path("python"))
    usual = {"installation": python, "launcher": None, "server": None}
    return trials.Bench(
        experiment=experiment, profile=experiment.profiles["quick"], **usual | tools
    )


def run(
    stdout: str,
    experiment: Experiment | None = None,
    *,
    tasks: int = 30,
    traced: bool = False,
    ending: Outcome = WELL,
    tools: Mapping[str, Any] | None = None,
    **cell: object,
) -> tuple[Trial, FakeLauncher]:
    launcher = FakeLauncher(stdout, ending)
    step = Step(variant=make_variant(tasks=tasks, **cell), round=0, traced=traced)
    bench = make_bench(experiment, launcher=launcher, **tools or {})
    return trials.run_trial(bench, step, (0,)), launcher


def test_a_trial_knows_what_others_took_of_the_machine(monkeypatch):
    before = Usage(at_s=0, busy_s=(2, 3), stolen_s=(1, 0))
    told = iter((before, Usage(at_s=2, busy_s=(3, 3.4), stolen_s=(1.5, 0))))
    monkeypatch.setattr(Usage, "read", lambda: next(told))
    trial, _ = run(EXPECTED)
    assert trial.values["stolen_share"] == 0.25
    # Of its core, beside the 0.4 s of its own.
    assert trial.values["others_share"] == pytest.approx(0.3)


@pytest.mark.parametrize("traced", [False, True])
def test_a_timed_trial_knows_the_pace_of_its_cores(traced):
    shares = {(0,): iter((0.25, 0.75))}
    pacer = SimpleNamespace(read=lambda cores: next(shares[cores]))
    trial, _ = run(EXPECTED, traced=traced, tools={"pacer": pacer})
    assert trial.values.get("slowed_share") == (None if traced else 0.5)


def read(*names: str) -> Experiment:
    return structs.replace(make_experiment(), readings=names)


def check(outcome: Outcome, printed: str, expected: str | None = None, **declared: Any) -> Any:
    program = make_program(file="p.py", tasks=30, **declared)
    return trials.check_outcome(outcome, printed, expected, program)


@pytest.mark.parametrize("share", [2.0, None])
def test_the_servers_share_is_what_it_used_while_the_program_ran(share):
    used_s = iter((5.0, 7.0))
    server = (
        SimpleNamespace(cores=(1,), cpu_s=lambda: next(used_s), addresses={}) if share else None
    )
    trial, _ = run(EXPECTED, tools={"server": server})
    assert trial.values["server_share"] == share


LACKING = replace(ERROR, exit_code=os.EX_UNAVAILABLE, stderr="noise\nno quota can be set\n")
NO_QUOTA = Reason("cannot-here", {"says": "no quota can be set"})


@pytest.mark.parametrize(
    ("ends", "outcome", "status", "reason"),
    [
        ("well", WELL, "ok", None),
        ("well", ERROR, "failed", ERROR.reason),
        ("well", KILLED, "failed", KILLED.reason),
        ("well", ABSENT, "failed", ABSENT.reason),
        ("well", LATE, "timeout", LATE.reason),
        ("well", replace(WELL, leftovers=2), "failed", Reason("left-processes")),
        ("well", LACKING, "unavailable", NO_QUOTA),
        ("well", replace(LACKING, stderr=""), "unavailable", Reason("cannot-here", {"says": ""})),
        ("well", replace(LACKING, timed_out=True), "timeout", LATE.reason),
        ("error", ERROR, "ok", None),
        ("error", KILLED, "ok", None),
        ("error", WELL, "failed", Reason("no-error")),
        ("timeout", LATE, "ok", None),
        ("timeout", replace(LATE, leftovers=1), "ok", None),
        ("timeout", WELL, "failed", Reason("ended")),
    ],
)
def test_a_program_is_ok_if_it_ends_as_declared_and_leaves_nothing_behind(
    ends, outcome, status, reason
):
    assert check(outcome, "", ends=ends) == (status, reason)


def test_a_program_must_print_its_result_and_say_what_is_declared():
    other = Reason("other-result", {"printed": "29 pages", "expected": EXPECTED})
    assert check(WELL, "29 pages", f"{EXPECTED}\n") == ("failed", other)
    assert check(WELL, "started, then waiting", says="waiting") == ("ok", None)
    silent = Reason("did-not-say", {"says": "waiting"})
    assert check(WELL, "started", says="waiting") == ("failed", silent)


GIL_IS_BACK = replace(
    WELL,
    stderr="<frozen importlib._bootstrap>:491: RuntimeWarning: The global interpreter lock (GIL) has"
    " been enabled to load module 'gevent._gevent_cident', which has not declared that it can run",
)


def test_a_trial_without_the_gil_into_which_it_came_back_is_none():
    trial, _ = run(EXPECTED, ending=GIL_IS_BACK, gil="off")
    assert (trial.status, trial.reason) == ("unavailable", Reason("gil-back-on"))
    assert "gevent" in trial.stderr
    assert run(EXPECTED, ending=GIL_IS_BACK, gil="on")[0].status == "ok"
    assert run(EXPECTED, ending=replace(GIL_IS_BACK, exit_code=1), gil="off")[0].status == "failed"


def test_a_program_that_is_to_fail_shows_its_error_and_is_no_failure():
    ending = replace(ERROR, stderr=TRACEBACK)
    trial, _ = run(
        "30 pages\ntime 0.5 s\n",
        alter(make_experiment(), "programs", VARIANT.program, ends="error"),
        ending=ending,
    )
    assert (trial.status, trial.reason, trial.stderr) == ("ok", None, "")
    assert trial.printed == "30 pages\nKeyError: 'b'\nValueError: not b"


def test_a_trial_keeps_time_readings_and_the_rest():
    trial, _ = run("30 pages\nmade 12 threads\ntime 0.75 s\n", read("made"))
    assert (trial.read("inside_s"), trial.readings) == (0.75, {"made": 12.0})
    assert trial.printed == EXPECTED


def test_the_declared_result_holds_for_each_number_of_tasks():
    experiment = alter(make_experiment(), "profiles", "quick", results={"io": "{tasks} pages"})
    assert run("40 pages\n", experiment, tasks=40)[0].status == "ok"
    assert run("40 pages\n", experiment, tasks=50)[0].status == "failed"


def test_memory_is_traced_only_in_the_memory_pass_and_with_the_declared_tracer():
    profiled = structs.replace(make_experiment(), tracer="memory_profiler")
    assert run("", traced=False)[1].sampler is None
    assert type(run("", traced=True)[1].sampler) is TreeSampler
    assert type(run("", profiled, traced=True)[1].sampler) is ProfilerSampler


def test_a_program_gets_its_parameters_and_no_python_variables_but_its_interpreters():
    variant = make_variant(params={"SIZE": "3"}, start_method="spawn", tasks=21, workers=5)
    base = {"PATH": "/bin", "PYTHONPATH": "/somewhere", "PYTHON_GIL": "0"}
    installation = replace(make_bench().installation, env={"PYTHON_GIL": "1"})
    bench = make_bench(installation=installation)
    assert trials.set_environment(base, bench, variant) == {
        "PATH": "/bin",
        "PYTHON_GIL": "1",
        "SIZE": "3",
        "START_METHOD": "spawn",
        "TASKS": "21",
        "WORKERS": "5",
    }
    plain = trials.set_environment({}, make_bench(), make_variant(params={}))
    assert plain == {"TASKS": "30", "WORKERS": "1"}


def test_a_family_says_how_long_the_server_waits_before_each_answer():
    server = SimpleNamespace(addresses={"SERVER_URL": "http://127.0.0.1:1"})
    bench = replace(make_bench(), server=server)
    env = trials.set_environment({}, bench, make_variant(params={"SERVER_WAIT_MS": "20"}))
    assert env["SERVER_URL"] == "http://127.0.0.1:1/wait=20"
    assert trials.set_environment({}, bench, make_variant())["SERVER_URL"] == "http://127.0.0.1:1"


def test_a_program_that_says_of_itself_what_cannot_be_did_not_do_its_work():
    trial, _ = run("30 pages\ntime 1.5 s\n", read("made"))
    assert trial.status == "failed"
    assert trial.reason == Reason("wrong-clock", {"printed_s": 1.5, "took_s": 1.0})


def test_what_is_recorded_of_a_trial_is_clean(monkeypatch):
    monkeypatch.setenv("HOME", "/srv/people/bob")
    said = "/srv/people/bob/secret\x07"
    expecting = alter(make_experiment(), "profiles", "quick", results={"io": "none"})
    failed, _ = run(said, expecting, ending=replace(ERROR, stderr=said))
    assert failed.printed == failed.stderr == "~/secret"
    other, _ = run(said, expecting)
    assert other.reason == Reason("other-result", {"printed": "~/secret", "expected": "none"})
    absent, _ = run("", ending=replace(ABSENT, error=said))
    assert absent.reason == Reason("could-not-start", {"error": "~/secret"})
    long = run("x", ending=replace(ABSENT, error="x" * 9999))[0].reason
    assert long
    assert len(str(long.params["error"])) <= LONGEST


SCRIPT = Path(__file__).parent / "programs" / "server.py"
PATIENCE_S = 120.0  # how long is waited for what must come
# In the environment of every server started here: two test runs may go on at once.
TEST_RUN = str(os.getpid())


@pytest.fixture(autouse=True)
def _server_of_the_tests(monkeypatch):
    monkeypatch.setattr(experiments, "SERVER", SCRIPT)
    monkeypatch.setenv("TEST_RUN", TEST_RUN)
    monkeypatch.setenv("MODE", "")  # which make_server sets, and which goes with the test


def make_server(
    mode: str, server: bool | str = True, **profile: Any
) -> AbstractContextManager[Any]:
    experiment = structs.replace(make_experiment(SCRIPT.parent), server=server)
    os.environ["MODE"] = mode
    return trials.run_server(experiment, structs.replace(experiment.profiles["quick"], **profile))


def list_servers() -> list[int]:
    """Servers of this test run that are alive, whatever their parent."""
    processes = psutil.process_iter(["cmdline", "environ", "status"])
    return [
        process.pid
        for process in processes
        if (process.info["environ"] or {}).get("TEST_RUN") == TEST_RUN
        and str(SCRIPT) in (process.info["cmdline"] or ())  # not the launcher, which has it too
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def await_that(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_programs_are_told_where_either_kind_of_server_is():
    with make_server("ready") as server:
        assert server.addresses == {
            "SERVER_URL": "http://127.0.0.1:1",
            "SERVER_TLS_URL": "https://127.0.0.1:2",
            "SSL_CERT_FILE": "/ca.pem",
        }
    with make_server("words", SCRIPT.name, server_args=["--wait", "2"]) as server:
        assert server.addresses == {"SERVER_URL": "http://127.0.0.1:1/?argv=--port,0,--wait,2"}


def test_cpu_time_of_the_server_is_known_while_it_runs():
    with make_server("ready") as server:
        await_that(lambda: server.cpu_s() >= 0.1)  # of the 0.2 s that it burns, told in ticks


@pytest.mark.skipif(sys.platform != "linux", reason="no affinity here")
def test_server_moves_to_the_cores_it_is_given():
    core = max(os.sched_getaffinity(0))
    with make_server("ready") as server:
        (pid,) = list_servers()
        server.move_to((core,))
        assert os.sched_getaffinity(pid) == {core}


def test_server_is_stopped_whatever_happens():
    with pytest.raises(ZeroDivisionError), make_server("ready"):
        assert list_servers()
        raise ZeroDivisionError
    assert not list_servers()


def test_server_that_crashes_is_quoted():
    with pytest.raises(trials.LoadServerError, match=r"(?s)ended before.*no port is free"):
        make_server("crash").__enter__()


def test_server_that_does_not_become_ready_is_told_and_stopped(monkeypatch):
    monkeypatch.setattr(trials, "READY_TIMEOUT_S", 0.3)
    with pytest.raises(trials.LoadServerError, match=r"not ready within 0\.3 s"):
        make_server("silent").__enter__()
    assert not list_servers()


def test_server_that_has_died_is_noticed():
    with make_server("ready") as server:
        (pid,) = list_servers()
        psutil.Process(pid).kill()
        await_that(lambda: not psutil.pid_exists(pid))
        with pytest.raises(trials.LoadServerError, match="died"):
            server.cpu_s()
        if hasattr(os, "sched_setaffinity"):
            with pytest.raises(trials.LoadServerError, match="died"):
                server.move_to((max(os.sched_getaffinity(0)),))
