"""What the programs of the answers promise beyond their output: they stop, recover, refuse and count."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.site.paths import EXAMPLES
from tests.examples.conftest import PATIENCE_S, run

ANSWERS = EXAMPLES / "answers"

STOPS = """
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

import stop_it


def start_child(item):
    child = subprocess.Popen(["sleep", "600"])
    with open("child", "w") as file:
        file.write(f"{child.pid}\\n")
    return child.wait()


def use_pools(item):
    with Pool(2) as pool, ProcessPoolExecutor(2) as executor:
        return sum(pool.map(abs, [-1, item])) + sum(executor.map(abs, [-1, item]))


def fail(item):
    raise LookupError("of the call")


if __name__ == "__main__":
    stop_it.call = globals()[sys.argv[1]]
    try:
        print(stop_it.run(float(sys.argv[2]), 2))
    except (TimeoutError, LookupError) as error:
        print(type(error).__name__)
"""
"""Runs one of these calls the way the answer does, under a limit in seconds."""

SERVICE = """
import asyncio
from multiprocessing import active_children

from aiohttp.test_utils import TestClient, TestServer

import service


async def main():
    async with TestClient(TestServer(service.APP)) as client:

        async def ask(path="/heavy"):
            async with client.get(path) as response:
                return response.status

        print(await ask())
        for child in active_children():
            child.kill()
            child.join()
        print(await ask(), await ask(), await ask("/light"))
        while not service.PLACES.locked():
            await service.PLACES.acquire()
        print(await ask(), await ask("/light"))
        service.PLACES.release()
        print(await ask())


if __name__ == "__main__":
    asyncio.run(main())
"""
"""Asks the service for a result, again after its processes were killed, and with no place left."""


def copy(program: str, name: str, driver: str, folder: Path) -> None:
    source = (ANSWERS / f"{program}.py").read_text(encoding="utf-8")
    (folder / f"{name}.py").write_text(source, encoding="utf-8")
    (folder / "driver.py").write_text(driver, encoding="utf-8")


def wait_for_end(process: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while is_running(process):
        assert time.monotonic() < deadline, "it is still running"
        time.sleep(0.01)


def is_running(process: int) -> bool:
    state = ["ps", "-o", "stat=", "-p", str(process)]
    shown = subprocess.run(state, capture_output=True, text=True, check=False).stdout
    return shown.strip() != "" and not shown.startswith("Z")


def wait_for_child(folder: Path) -> int:
    deadline, file = time.monotonic() + PATIENCE_S, folder / "child"
    while not (file.exists() and file.read_text().endswith("\n")):
        assert time.monotonic() < deadline, "it has started nothing"
        time.sleep(0.01)
    return int(file.read_text())


def test_a_call_over_its_limit_ends_with_the_process_that_it_has_started(tmp_path: Path):
    copy("13-stop_it", "stop_it", STOPS, tmp_path)
    done = run(tmp_path, "driver.py", {}, arguments=["start_child", "2"])
    assert (done.stdout, done.stderr) == ("TimeoutError\n", "")
    wait_for_end(wait_for_child(tmp_path))


def test_ctrl_c_ends_the_call_and_the_process_that_it_has_started(tmp_path: Path):
    copy("13-stop_it", "stop_it", STOPS, tmp_path)
    command = [sys.executable, "driver.py", "start_child", str(PATIENCE_S)]
    with subprocess.Popen(
        command, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as process:
        child = wait_for_child(tmp_path)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, complaint = process.communicate(timeout=PATIENCE_S)
    assert complaint.splitlines()[-1] == "KeyboardInterrupt"
    wait_for_end(child)


@pytest.mark.parametrize(("call", "printed"), [("use_pools", "6"), ("fail", "LookupError")])
def test_a_call_may_use_pools_and_its_error_is_raised(call: str, printed: str, tmp_path: Path):
    copy("13-stop_it", "stop_it", STOPS, tmp_path)
    done = run(tmp_path, "driver.py", {}, arguments=[call, str(PATIENCE_S)])
    assert done.stdout == f"{printed}\n", done.stderr


def test_the_service_recovers_from_killed_processes_and_refuses_requests_when_it_is_full(
    tmp_path: Path,
):
    copy("04-service_that_computes", "service", SERVICE, tmp_path)
    done = run(tmp_path, "driver.py", {})
    assert done.returncode == 0, done.stderr
    first, after_kill, full, with_place = done.stdout.splitlines()
    assert first == "200"
    assert after_kill.split()[1:] == ["200", "200"]  # the first request may meet the broken pool
    assert full == "503 200"
    assert with_place == "200"


@pytest.mark.skipif(sys.version_info < (3, 13), reason="Python 3.13 has PYTHON_CPU_COUNT")
def test_workers_are_as_many_as_the_environment_says(tmp_path: Path):
    copy("07-how_many_workers", "program", "", tmp_path)
    done = run(tmp_path, "program.py", {"PYTHON_CPU_COUNT": "1"})
    assert done.stdout == "40 results, processes: 1\n"
