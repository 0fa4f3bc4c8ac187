"""The load server is ready before anything uses it, and stopped after."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from scripts.harness import server as load_server
from scripts.harness.server import LoadServer, LoadServerError

SCRIPT = Path(__file__).parent / "programs" / "server.py"
PATIENCE_S = 120.0
"""How long is waited for what must come."""
TEST_RUN = str(os.getpid())
"""In the environment of every server started here: two test runs may go on at once."""


@pytest.fixture(autouse=True)
def _server_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load_server, "SERVER", SCRIPT)


def make_server(mode: str) -> LoadServer:
    return LoadServer({"MODE": mode, "TEST_RUN": TEST_RUN})


def list_servers() -> list[int]:
    """Servers of this test run that are alive, whatever their parent."""
    processes = psutil.process_iter(["environ", "status"])
    return [
        process.pid
        for process in processes
        if (process.info["environ"] or {}).get("TEST_RUN") == TEST_RUN
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def await_that(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_cpu_time_of_the_server_is_known_while_it_runs() -> None:
    with make_server("ready") as server:
        await_that(lambda: server.cpu_s() >= 0.1)  # of the 0.2 s that it burns, told in ticks


@pytest.mark.skipif(sys.platform != "linux", reason="no affinity here")
def test_server_moves_to_the_cores_it_is_given() -> None:
    core = max(os.sched_getaffinity(0))
    with make_server("ready") as server:
        (pid,) = list_servers()
        server.move_to((core,))
        assert os.sched_getaffinity(pid) == {core}


def test_server_is_stopped_whatever_happens() -> None:
    with pytest.raises(ZeroDivisionError), make_server("ready"):
        assert list_servers()
        raise ZeroDivisionError
    assert not list_servers()


def test_server_that_crashes_is_quoted() -> None:
    with pytest.raises(LoadServerError, match=r"(?s)ended before.*no port is free"):
        make_server("crash").__enter__()


def test_server_that_does_not_become_ready_is_told_and_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(load_server, "READY_TIMEOUT_S", 0.3)
    with pytest.raises(LoadServerError, match=r"not ready within 0\.3 s"):
        make_server("silent").__enter__()
    assert not list_servers()


def test_server_that_has_died_is_noticed() -> None:
    with make_server("ready") as server:
        (pid,) = list_servers()
        psutil.Process(pid).kill()
        await_that(lambda: not psutil.pid_exists(pid))
        with pytest.raises(LoadServerError, match="died"):
            server.cpu_s()
        if hasattr(os, "sched_setaffinity"):
            with pytest.raises(LoadServerError, match="died"):
                server.move_to((max(os.sched_getaffinity(0)),))
