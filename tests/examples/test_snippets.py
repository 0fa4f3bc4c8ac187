"""What the pages show in a few lines keeps what their text promises, in every language."""

import asyncio
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent
from threading import BoundedSemaphore

import pytest

from scripts.paths import DOCS, EXAMPLES

LANGUAGES = sorted(path.name for path in DOCS.iterdir() if (path / "index.md").is_file())
CORES = 8
ANSWER_S = 30
"""No program here waits for anything; what has not ended by then hangs."""


def read_snippet(page: str, name: str) -> str:
    """The code in the page that defines a function of that name."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^( *)```python\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE)
    (code,) = [dedent(code) for _, code in blocks if f"def {name}(" in code]
    return code


def define(source: str, **names: object) -> dict[str, object]:
    """What the source defines, with other values for some of its names."""
    defined: dict[str, object] = {"__name__": "snippet"}
    exec(source, defined)
    defined.update(names)
    return defined


USABLE_CORES = {
    "mistakes/11b": (EXAMPLES / "mistakes/11b-cpu_count.py").read_text(encoding="utf-8"),
    **{one: read_snippet(f"{one}/theory/containers.md", "usable_cores") for one in LANGUAGES},
}


@pytest.mark.parametrize("source", USABLE_CORES.values(), ids=USABLE_CORES)
@pytest.mark.parametrize(
    ("files", "cores"),
    [
        ({}, CORES),
        ({"cpu.max": "max 100000\n"}, CORES),
        ({"cpu.max": "200000 100000\n"}, 2),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "10000 100000\n"}, 1),
        ({"cpu.max": "6400000 100000\n"}, CORES),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, CORES),
        ({"cpu/cpu.cfs_quota_us": "200000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 2),
        ({"cpu/cpu.cfs_quota_us": "50000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 1),
    ],
)
def test_the_quota_of_either_version_limits_the_cores(
    source: str, files: dict[str, str], cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(CORES)), raising=False)

    assert define(source, GROUP=tmp_path)["usable_cores"]() == cores


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_task_that_no_pool_takes_gives_its_place_back(language: str):
    room = BoundedSemaphore(1)
    snippet = define(read_snippet(f"{language}/theory/pools.md", "submit"), room=room)
    pool = ThreadPoolExecutor(1)

    assert snippet["submit"](pool, int, "7").result() == 7
    pool.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        snippet["submit"](pool, int, "7")

    assert room.acquire(blocking=False)


def shut_down(language: str, serve, deadline_s: float) -> None:
    """Run the service of the page about shutting down, with what it serves and another deadline."""
    source = read_snippet(f"{language}/questions.md", "main")
    assert "timeout=10" in source
    main = define(source.replace("timeout=10", f"timeout={deadline_s}"), serve=serve)["main"]
    asyncio.run(asyncio.wait_for(main(), ANSWER_S))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_service_whose_server_has_ended_ends_too(language: str):
    async def serve(_: asyncio.Event) -> None:
        pass

    shut_down(language, serve, ANSWER_S)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_service_whose_server_has_failed_says_so(language: str):
    async def serve(_: asyncio.Event) -> None:
        raise OSError("no port is free")

    with pytest.raises(ExceptionGroup) as caught:
        shut_down(language, serve, ANSWER_S)

    assert caught.group_contains(OSError, match="no port is free")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_service_has_begun_it_finishes_within_the_deadline(language: str):
    finished = []

    async def serve(stop: asyncio.Event) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
        await asyncio.sleep(0.01)
        finished.append("what was begun")

    shut_down(language, serve, ANSWER_S)

    assert finished == ["what was begun"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_late_is_cancelled(language: str):
    cancelled = []

    async def serve(_: asyncio.Event) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            cancelled.append("what was late")
            raise

    shut_down(language, serve, 0.01)

    assert cancelled == ["what was late"]
