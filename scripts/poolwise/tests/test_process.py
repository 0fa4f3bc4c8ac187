"""A program is run with all its descendants, measured, and never left behind."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from poolwise import launcher as launcher_module
from poolwise import process
from poolwise.declaration import Reason
from poolwise.process import OUTPUT_LIMIT_BYTES, Command, Launcher, LauncherError, Outcome, listen

PROGRAMS = Path(__file__).parent / "programs"
MIB = 1 << 20
SHORT_GRACE_S = 0.5
PATIENCE_S = 120.0  # how long is waited for what must come

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs a child subreaper")


@pytest.fixture(scope="module")
def launcher():
    """One for all: nothing that a program does may disturb the next one."""
    with Launcher() as launcher:
        yield launcher


def command(name: str, *arguments: object) -> Command:
    argv = (sys.executable, str(PROGRAMS / name), *map(str, arguments))
    return Command(argv=argv, env=os.environ, cwd=PROGRAMS, timeout_s=PATIENCE_S)


def inline(code: str, **env: str) -> Command:
    return Command(argv=(sys.executable, "-c", code), env=env, cwd=PROGRAMS, timeout_s=PATIENCE_S)


def run_past_start(launcher: Launcher, program: Command, pids: Path, count: int) -> Outcome:
    """Run what never ends, with longer time limits until so many processes have told their pids."""
    for timeout_s in (0.5, 4.0, PATIENCE_S):
        pids.unlink(missing_ok=True)
        outcome = launcher.run(replace(program, timeout_s=timeout_s))
        if pids.exists() and pids.read_text().count("\n") == count:
            assert outcome.timed_out
            assert outcome.wall_s >= timeout_s
            return outcome
    pytest.fail("the programs did not start")


def wait_until(is_so: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


def read_pids(path: Path, count: int) -> list[int]:
    """Waits until so many programs have told their pids."""
    wait_until(lambda: path.exists() and path.read_text().count("\n") >= count)
    return [int(line) for line in path.read_text().split()]


def read_state(pid: int) -> str:
    """What a process does; nothing if it has ended, collected or not."""
    try:
        state = psutil.Process(pid).status()
    except psutil.NoSuchProcess:
        return ""
    return "" if state == psutil.STATUS_ZOMBIE else state


def start_engine(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """An engine that says the pid of its launcher and runs a Python with these arguments."""
    return subprocess.Popen(
        [sys.executable, str(PROGRAMS / "engine.py"), *arguments],
        env=dict(os.environ) | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Who runs the tests in the background has SIGINT ignored, and so would the engine.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_cpu_time_of_four_processes_is_counted(launcher):
    outcome = launcher.run(command("burn.py", 0.3, 4))
    assert 1.2 <= outcome.cpu_s < 2.4


@linux_only
def test_a_program_is_bound_to_its_cores_and_the_next_is_not(launcher):
    allowed = os.sched_getaffinity(0)
    base = inline("import os; print(sorted(os.sched_getaffinity(0)))")
    assert launcher.run(replace(base, cores=(max(allowed),))).stdout == f"[{max(allowed)}]\n"
    assert launcher.run(base).stdout == f"{sorted(allowed)}\n"


@linux_only
def test_cpu_time_of_a_grandchild_left_behind_is_counted(launcher):
    code = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    if os.fork() == 0:\n"
        "        while time.process_time() < 0.3: pass\n"
        "    os._exit(0)\n"
        "os.wait()\n"
    )
    outcome = launcher.run(inline(code))
    assert (outcome.exit_code, outcome.leftovers) == (0, 0)
    assert outcome.cpu_s >= 0.3


@linux_only
def test_daemon_is_killed_and_reported_and_the_wall_time_ends_before(launcher, tmp_path):
    began_s = time.perf_counter()
    program = command("daemon.py", tmp_path / "pids")
    outcome = launcher.run(replace(program, grace_s=SHORT_GRACE_S))
    whole_s = time.perf_counter() - began_s
    assert outcome.wall_s <= whole_s - SHORT_GRACE_S
    assert (outcome.exit_code, outcome.leftovers) == (0, 1)
    assert not any(map(read_state, read_pids(tmp_path / "pids", 1)))


def test_helpers_of_a_process_pool_are_not_left_over(launcher):
    code = (
        "import multiprocessing, concurrent.futures as futures\n"
        "context = multiprocessing.get_context('forkserver')\n"
        "with futures.ProcessPoolExecutor(2, mp_context=context) as pool:\n"
        "    print(sum(pool.map(abs, [-1, -2, -3])))\n"
    )
    outcome = launcher.run(inline(code))
    assert (outcome.exit_code, outcome.stdout, outcome.leftovers) == (0, "6\n", 0)


@pytest.mark.parametrize(("arguments", "ended_by"), [((), "SIGTERM"), (("deaf",), "SIGKILL")])
def test_hanging_program_is_stopped_with_its_children_and_killed_if_it_does_not_hear(
    launcher, tmp_path, arguments, ended_by
):
    pids = tmp_path / "pids"
    outcome = run_past_start(launcher, command("hang.py", pids, *arguments), pids, 2)
    assert outcome.signal == ended_by
    assert not any(map(read_state, read_pids(pids, 2)))


@linux_only
def test_program_that_answers_sigterm_with_new_processes_is_killed(launcher, tmp_path):
    pids = tmp_path / "pids"
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: os.fork())\n"
        f"with open({str(pids)!r}, 'a') as file: print(os.getpid(), file=file)\n"
        "while True: time.sleep(0.001)\n"
    )
    assert run_past_start(launcher, inline(code), pids, 1).signal == "SIGKILL"
    assert launcher_module.find_descendants(launcher.pid) == []


def test_missing_program_is_told_by_name(launcher):
    outcome = launcher.run(Command(argv=("/no/such/python",), env={}, cwd=PROGRAMS))
    assert outcome.exit_code is None
    assert re.search("No such file.*/no/such/python", outcome.error)


def test_of_endless_output_the_beginning_and_the_end_are_kept(launcher):
    code = "print('first line'); print('x' * 20_000_000); print('last line')"
    outcome = launcher.run(inline(code))
    assert outcome.stdout.startswith("first line\n")
    assert outcome.stdout.endswith("last line\n")
    assert "bytes left out" in outcome.stdout
    assert len(outcome.stdout) < OUTPUT_LIMIT_BYTES + 100


def test_file_that_grows_without_end_is_stopped(launcher, tmp_path):
    hole = f"f = open({str(tmp_path / 'f')!r}, 'wb'); f.truncate({2 << 30})"
    outcome = launcher.run(inline(hole))
    assert outcome.exit_code == 1
    assert "File too large" in outcome.stderr


def test_program_gets_nothing_but_its_own_environment_and_no_input(launcher):
    tell = "import os, sys; print(os.environ['ONE'], 'HOME' in os.environ, repr(sys.stdin.read()))"
    assert launcher.run(inline(tell, ONE="1")).stdout == "1 False ''\n"


def test_program_can_be_interrupted_and_meets_broken_pipes_as_from_a_shell(launcher):
    tell = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    assert launcher.run(inline(tell)).stdout == "True\n"


def test_program_does_not_report_the_engines_memory_as_its_own(launcher):
    ballast = bytearray(150 * MIB)
    ballast[::4096] = b"x" * len(ballast[::4096])
    outcome = launcher.run(inline("pass"))
    assert 1 * MIB < outcome.usage["ru_maxrss"] < 40 * MIB
    with Launcher() as late:
        assert late.run(inline("pass")).usage["ru_maxrss"] < 40 * MIB


@linux_only
def test_what_ends_last_does_not_give_max_rss_if_it_is_smaller(launcher):
    code = (
        "import os\n"
        "ready, held = os.pipe()\n"
        "if os.fork() == 0: os.close(held); os.read(ready, 1); os._exit(0)\n"
        "memory = b'x' * 60_000_000\n"
    )
    assert launcher.run(inline(code)).usage["ru_maxrss"] > 60e6


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGKILL])
def test_nothing_outlives_an_engine_that_is_interrupted_or_killed(tmp_path, ended_by):
    pids = tmp_path / "pids"
    engine = start_engine(tmp_path, str(PROGRAMS / "hang.py"), str(pids))
    try:
        running = read_pids(pids, 2)
        engine.send_signal(ended_by)
        engine.wait(timeout=PATIENCE_S)
    finally:
        engine.kill()
    if ended_by == signal.SIGINT:  # it has seen to that before it ends
        assert b"KeyboardInterrupt" in engine.communicate()[1]
        assert not any(map(read_state, running))
    wait_until(lambda: not any(map(read_state, running)))
    wait_until(lambda: list(tmp_path.iterdir()) == [pids])


def test_program_that_kills_the_launcher_is_killed_itself(tmp_path):
    launcher = Launcher()
    with pytest.raises(LauncherError, match="gone: without a word"):
        launcher.run(inline("import os, time; os.kill(os.getppid(), 9); time.sleep(600)"))
    with pytest.raises(LauncherError):
        launcher.run(inline("pass"))


@linux_only
def test_program_that_stops_the_launcher_has_timed_out_and_the_next_one_runs(monkeypatch):
    monkeypatch.setattr(process, "STOPPED_S", 0.0)
    code = "import os, signal; os.kill(os.getppid(), signal.SIGSTOP)"
    stop = replace(inline(code), timeout_s=1.0, grace_s=0.1)
    with Launcher() as launcher:
        assert launcher.run(stop).timed_out
        assert launcher.run(command("burn.py", 0.0, 1)).error == ""


@linux_only
def test_stopped_launcher_goes_on_and_ends_when_its_engine_is_killed(tmp_path):
    code = "import os, signal, time; os.kill(os.getppid(), signal.SIGSTOP); time.sleep(99)"
    engine = start_engine(tmp_path, "-c", code)
    assert engine.stdout
    pid = int(engine.stdout.readline())
    wait_until(lambda: read_state(pid) == psutil.STATUS_STOPPED)
    engine.kill()
    engine.communicate()
    wait_until(lambda: not read_state(pid))


def test_what_needs_a_temporary_folder_that_is_not_there_says_so(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    for make in (Launcher, listen):
        with pytest.raises(LauncherError, match=r"No such file.*/no/such/folder"), make():
            pass


@pytest.mark.parametrize("argv", [("sleep", "0"), ("/no/such/program",)])
@pytest.mark.parametrize("running", [True, False])
def test_launcher_whose_folder_has_been_removed_says_so(argv, running):
    with Launcher() as launcher:
        if running:
            launcher.run(inline("pass"))
        folder = launcher.stdout_path.parent
        shutil.rmtree(folder)
        with pytest.raises(LauncherError, match=f"No such file.*{folder}"):
            launcher.run(Command(argv=argv, env=os.environ, cwd=PROGRAMS))


def test_program_does_not_fail_because_there_is_no_room_for_what_it_writes():
    """A small limit on the engine's files stands for a disk that is full."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Launcher() as launcher:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        try:
            with pytest.raises(LauncherError, match="cannot be kept"):
                launcher.run(inline("raise SystemExit('No space left on device')"))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome(exit_code=0), None),
        (Outcome(exit_code=3), Reason("exited", {"code": "3"})),
        (Outcome(signal="SIGSEGV"), Reason("killed", {"signal": "SIGSEGV"})),
        (Outcome(error="no such file"), Reason("could-not-start", {"error": "no such file"})),
        (
            Outcome(exit_code=0, timed_out=True, wall_s=60.04),
            Reason("timed-out", {"after_s": 60.0}),
        ),
    ],
)
def test_outcome_says_what_went_wrong(outcome, reason):
    assert (outcome.ok, outcome.reason) == (not reason, reason)
    assert outcome.cpu_s == 0
