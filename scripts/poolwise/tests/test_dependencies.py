"""A record is valid as long as what it depends on; an interpreter gets the packages there are wheels of."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from making import DECLARATION, make_interpreter, make_machine, write_experiment
from poolwise import dependencies
from poolwise import experiment as experiment_module
from poolwise.declaration import Reason
from poolwise.experiment import load_experiment
from poolwise.plan import list_variants
from pythons import FREE, FREE_WITH_GIL, NEW

BOX = make_machine()

CODE = '''\
"""Fetch pages."""
import asyncio

LIMIT = 10
"""How many at once."""


async def fetch(page: int, *, pause_s: float = 0.5) -> str:
    """Fetch one."""
    # It only waits.
    await asyncio.sleep(pause_s)
    return f"page {page}"
'''
# A whole experiment, with the load server that it needs.
FILES = {
    "experiment.toml": DECLARATION.replace("server = false", "server = true"),
    "claims.toml": "margin = 1.2\n",
    "one.py": CODE,
    "two.py": CODE,
    "tasks.py": CODE,
    "server.py": CODE,
}
CODE_FILES = ["one.py", "tasks.py", "server.py"]
PINNED = """\
# what follows is pinned
aiohttp==3.14.5 \\
    --hash=sha256:0133
gevent==26.9.0 ; python_version < '4' \\
    --hash=sha256:0244
memory-profiler==0.61.0
urllib3==1.26.20 ; python_full_version < '3.7' \\
    --hash=sha256:0355
urllib3==2.8.0 ; python_full_version >= '3.7' and sys_platform != 'none'
"""
SHARED = """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import gevent

class Client:
    import aiohttp

def fetch():
    import urllib3.util

def visit():
    return fetch()

async def compute(client: "gevent.Greenlet"):
    return 1
"""
Take = Callable[..., str]


@pytest.fixture(autouse=True)
def requirements(tmp_path, monkeypatch):
    """The file of pins, and a place for environments."""
    path = tmp_path / "examples.txt"
    path.write_text(PINNED)
    monkeypatch.setattr(dependencies, "REQUIREMENTS", path)
    monkeypatch.setattr(dependencies, "VENVS", tmp_path / "venvs")
    return path


@pytest.fixture
def take(tmp_path, monkeypatch):
    """Takes the fingerprint of a program of the experiment, one of whose files has another text."""
    monkeypatch.setattr(experiment_module, "SERVER", tmp_path / "server.py")

    def take(changed: str = "", old: str = "", new: str = "", **interpreter: str) -> str:
        assert old in FILES.get(changed, "")
        for name, text in FILES.items():
            written = text.replace(old, new, 1) if name == changed else text
            (tmp_path / name).write_text(written, encoding="utf-8")
        experiment = load_experiment(tmp_path)
        python = make_interpreter(**interpreter)
        cells = list_variants(experiment, experiment.profiles["quick"], BOX, [python], [python], 1)
        (cell,) = (one for one in cells if one.program == "one")
        return dependencies.take_fingerprint(experiment, cell, "quick", python)

    return take


def test_the_interpreter_the_way_it_was_built_and_the_protocol_count(take, monkeypatch):
    found = [take(), take(version="3.14.0"), take(compiler="Clang 21.1.0"), take(pgo=True)]
    monkeypatch.setattr(dependencies, "PROTOCOL", dependencies.PROTOCOL + 1)
    assert len({*found, take()}) == 5


def test_a_rebuild_of_an_interpreter_does_not_count(take):
    assert take(build="main Dec  1 2025") == take()


@pytest.mark.parametrize("name", ["one.py", "tasks.py", "experiment.toml"])
def test_a_byte_order_mark_and_the_ends_of_lines_of_windows_make_no_record_invalid(
    take, monkeypatch, name
):
    before = take()
    monkeypatch.setitem(FILES, name, "\ufeff" + FILES[name].replace("\n", "\r\n"))
    assert take() == before


def test_a_load_server_that_is_not_needed_does_not_count(take, monkeypatch):
    monkeypatch.setitem(FILES, "experiment.toml", DECLARATION)
    assert take("server.py", "LIMIT = 10", "LIMIT = 11") == take()


def test_of_pinned_packages_count_those_that_the_program_imports(take, requirements):
    def pin(text: str) -> str:
        requirements.write_text(text)
        return take("one.py", "import asyncio", "import asyncio, gevent")

    before = pin("aiohttp==1.0\ngevent==2.0\n")
    assert pin("# a word\naiohttp==1.1\ngevent==2.0 \\\n    --hash=sha256:0\n") == before
    assert pin("aiohttp==1.0\ngevent==2.1\n") != before


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("experiment.toml", 'title = { en = "Waiting"', 'title = { en = "Patience"'),
        ("experiment.toml", "estimate_s = 0.5", "estimate_s = 0.6"),
        ("experiment.toml", "{ io = 0.5 }", "{ io = 0.7 }"),
        ("experiment.toml", "{ io = 0.5 }", '{ io = 0.5 }\nresults = { "io:5" = "5" }'),
        ("experiment.toml", "[profiles.smoke]", '[profiles.smoke]\nresults = { io = "3" }'),
        ("claims.toml", "margin = 1.2", "margin = 1.5"),
        ("two.py", "LIMIT = 10", "LIMIT = 11"),
        ("experiment.toml", 'workers = "tasks"', 'workers = "tasks"\nends = "error"\nsays = "oh"'),
        *((name, "Fetch pages.", "Fetch all pages.\n\nOne by one.") for name in CODE_FILES),
        *((name, '    """Fetch one."""\n', "") for name in CODE_FILES),
        *((name, "How many at once.", "Most at once.") for name in CODE_FILES),
        *((name, "# It only waits.", "# It waits.\n    # No more.") for name in CODE_FILES),
        *((name, "\n\n\n", "\n") for name in CODE_FILES),
        *((name, "(page: int, *, ", "(\n    page: int, *,\n    ") for name in CODE_FILES),
    ],
)
def test_what_is_for_people_or_of_something_else_can_be_changed_without_measuring(
    take, changed, old, new
):
    assert take(changed, old, new) == take()


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("experiment.toml", 'SIZE = "3"', 'SIZE = "4"'),
        ("experiment.toml", "tasks = 3", "tasks = 4"),
        ("experiment.toml", "workers = 1", "workers = 2"),
        ("experiment.toml", "timeout_s = 10", "timeout_s = 11"),
        ("experiment.toml", "workers = 1", 'workers = 1\nends = "error"'),
        ("experiment.toml", "workers = 1", 'workers = 1\nsays = "oh"'),
        ("experiment.toml", "workers = 1", "workers = 1\ntimeout_s = 3"),
        ("experiment.toml", "longest_wait_s", 'results = { io = "3" }\nlongest_wait_s'),
        ("experiment.toml", "server = true", "server = false"),
        ("experiment.toml", "schema = 1", 'schema = 1\nreadings = ["made"]'),
        ("experiment.toml", "schema = 1", 'schema = 1\ntracer = "memory_profiler"'),
        *((name, "LIMIT = 10", "LIMIT = 11") for name in CODE_FILES),
        *((name, "= 0.5", "= 0") for name in CODE_FILES),
        *((name, "page {page}", "page {page!r}") for name in CODE_FILES),
        *((name, "    await ", "    return await ") for name in CODE_FILES),
    ],
)
def test_what_a_trial_does_voids_its_record(take, changed, old, new):
    assert take(changed, old, new) != take()


def test_a_docstring_counts_where_it_is_read():
    code = 'def fetch():\n    "{}"\n\nprint(fetch{})\n'
    assert dependencies.reduce_code(code.format("One.", "")) == dependencies.reduce_code(
        code.format("Two.", "")
    )
    assert dependencies.reduce_code(code.format("One.", ".__doc__")) != dependencies.reduce_code(
        code.format("Two.", ".__doc__")
    )


@pytest.mark.parametrize(
    "text",
    ["type Pages = list[str]\n", "a = (" * 3000, 'pages = t"{page}"\n', "null\0\n"],
    ids=["of 3.12", "nested", "of 3.14", "null"],
)
def test_what_the_oldest_python_cannot_read_counts_by_its_text(text):
    assert dependencies.reduce_code(text) == text


SYNTAX = r"""
from __future__ import annotations
import os.path as path, sys
from ..a import b as c, d
@decorate(1, *args, key=None, **more)
class A(B, metaclass=M):
    x: int
    y: str = u"é\U0001fae8\ud800", b"\xff".decode()[1:2, ::3, ...]
    (z): float = 1e999 + 0x10 + 1_0j + -0.0
def f(a, /, b=None, *c, d, e=False, **g) -> (yield):
    global h; nonlocal_ = lambda *, i=0: (yield from i)
    return f"{a!r:>{b}}" "x" f"{{}}{c=}" f"" "y", rf"\d{d:<{b}.{c}}", {**e, 1: 2}, {*a, b}
async def j():
    async with a as b, (c): await d
    async for k in [l async for l in m if n if o]: break
    else: continue
for p, *q in r: del p[0], q.s; assert p, "t"
while not (u := v) and w < x <= y is not z in a: pass
else: raise E from None
try: a @= b; a //= c ** d; ~e
except* (E, F) as g: ...
else: h if i else j
finally: print(*k, sep="")
with (open(l) as m, n): o = p = q, = r[s:, *t]
match u:
    case None | True | -1 | 2 + 3j | b.c if w: pass
    case [D(x, y=z), *_] | {"a": a, **b} | (c as d): pass
"""


def test_code_reads_the_same_on_every_python():
    """The tests run on the oldest and the newest: each says this very digest."""
    reduced = dependencies.reduce_code(SYNTAX)
    assert reduced != SYNTAX
    assert reduced.isascii()
    assert hashlib.sha256(reduced.encode()).hexdigest()[:16] == "4bb4155a338e258f"


def find(folder: Path, program: str, shared: str = "pass", python: str = "3.13.0") -> list[str]:
    write_experiment(folder / "lab")
    (folder / "lab" / "one.py").write_text(program)
    (folder / "lab" / "tasks.py").write_text(shared)
    return list(dependencies.find_packages(load_experiment(folder / "lab"), "one", python).values())


@pytest.mark.parametrize(
    ("python", "version"), [("3.6.15", "1.26.20"), ("3.7.0", "2.8.0"), ("3.15.0b1", "2.8.0")]
)
def test_a_python_gets_the_pin_that_is_for_it_and_the_pin_says_no_more(tmp_path, python, version):
    assert find(tmp_path, "import urllib3", python=python) == [f"urllib3=={version}"]


def test_a_project_without_requirements_has_nothing_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr(dependencies, "REQUIREMENTS", tmp_path / "requirements" / "examples.txt")
    assert find(tmp_path, "import urllib3") == []


@pytest.mark.parametrize(
    ("program", "shared", "pins"),
    [
        ("import asyncio, os.path", "", []),
        ("def work():\n    import urllib3, aiohttp", "", ["aiohttp==3.14.5", "urllib3==2.8.0"]),
        ("def broken(:\n    import urllib3", "", []),
        ("from tasks import compute", SHARED, []),
        ("from tasks import fetch", SHARED, ["urllib3==2.8.0"]),
        ("import tasks\ntasks.visit()", SHARED, ["urllib3==2.8.0"]),
        ("from tasks import Client, compute", SHARED, ["aiohttp==3.14.5"]),
        # What it does on being imported counts whatever a program takes of it.
        ("import tasks", f"{SHARED}\nCLIENTS = [fetch]\n", ["urllib3==2.8.0"]),
        ("import tasks", "import aiohttp", ["aiohttp==3.14.5"]),
    ],
)
def test_a_program_needs_the_packages_that_it_imports_and_the_shared_code_that_it_reaches(
    tmp_path, program, shared, pins
):
    assert find(tmp_path, program, shared) == pins


def test_a_program_that_stands_alone_needs_what_it_imports_itself(tmp_path):
    path = tmp_path / "alone.py"
    path.write_text("import os, memory_profiler\nfrom urllib3 import PoolManager\n")
    assert dependencies.find_imported(path, "3.7.0") == {
        "memory-profiler": "memory-profiler==0.61.0",
        "urllib3": "urllib3==2.8.0",
    }


PINS = {"aiohttp": "aiohttp==3.14.5", "gevent": "gevent==26.9.0"}
NO_WHEEL = """\
Using Python 3.15.0 environment at: somewhere
error: No solution found when resolving dependencies
  cause: Because gevent==26.9.0 has no usable wheels, your requirements are unsatisfiable.
"""
UNREACHABLE = """\
error: Request failed after 3 retries in 7.6s
  cause: Failed to fetch: http://somewhere/gevent/
  cause: Connection refused
"""
OFFLINE = """\
error: No solution found when resolving dependencies
  cause: Because gevent was not found in the cache, your requirements are unsatisfiable.

hint: Packages were unavailable because the network was disabled.
"""


class Uv:
    """What uv is asked for, and what it says where asked for a pin or ``venv``; nothing is well.

    ``imports`` is what comes of importing packages, where it is not that the GIL stays off.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, ...]] = []
        self.says: dict[str, str] = {}
        self.imports: dict[str, str] = {}

    def run(self, *arguments: str) -> CompletedProcess[str]:
        self.calls.append(arguments)
        said = self.says.get("venv" if arguments[0] == "venv" else arguments[-1], "")
        if arguments[0] == "venv" and not said:
            python = Path(arguments[-1]) / "bin" / "python"
            python.parent.mkdir(parents=True)
            python.touch()
        return CompletedProcess(arguments, 1 if said else 0, "", said)


@pytest.fixture
def uv(monkeypatch):
    uv = Uv()
    monkeypatch.setattr(dependencies, "_run_uv", uv.run)
    monkeypatch.setattr(dependencies, "try_import", lambda _, name: uv.imports.get(name, "off"))
    return uv


@pytest.mark.parametrize("damage", ["{", "[]", '{"digest": 3}'])
def test_an_environment_is_made_once_from_wheels_and_anew_when_pins_change_or_nothing_is_known(
    uv, requirements, tmp_path, damage
):
    prepared = dependencies.prepare(FREE, PINS)
    assert prepared.installation.interpreter == FREE.interpreter
    folder = tmp_path / "venvs" / "cpython-3.14.7t"
    assert prepared.installation.path == folder / "bin" / "python"
    assert prepared.missing == {}
    assert [call[0] for call in uv.calls] == ["venv", "pip", "pip"]
    assert {"--require-hashes", "--only-binary", str(requirements)} <= set(uv.calls[1])
    requirements.write_text("# said\n" + requirements.read_text() + " \\\n    --hash=sha256:0")
    assert dependencies.prepare(FREE, PINS) == prepared
    locked = dependencies.prepare(FREE_WITH_GIL, PINS)
    assert locked.installation.path == prepared.installation.path
    assert len(uv.calls) == 3
    requirements.write_text("aiohttp==3.14.6\ngevent==26.9.0\n")
    dependencies.prepare(FREE, PINS)
    (folder / "packages.json").write_text(damage)
    dependencies.prepare(FREE, PINS)
    assert [call[0] for call in uv.calls] == ["venv", "pip", "pip"] * 3


def test_what_has_no_wheel_is_missing_and_the_rest_is_installed(uv):
    uv.says[PINS["gevent"]] = NO_WHEEL
    missing = dependencies.prepare(FREE, PINS).missing
    assert missing == {"gevent": Reason("no-wheel", {"package": "gevent"})}
    assert [call[-1] for call in uv.calls if call[0] == "pip"] == list(PINS.values())


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (UNREACHABLE, "gevent cannot be fetched: Request failed .*; Connection refused$"),
        (OFFLINE, "gevent cannot be fetched: No solution found .*; .*network was disabled.$"),
    ],
)
def test_what_cannot_be_fetched_is_not_said_to_have_no_wheel_and_is_tried_again(uv, said, told):
    assert dependencies.prepare(FREE, {"aiohttp": PINS["aiohttp"]}).missing == {}
    uv.says[PINS["gevent"]] = said
    prepared = dependencies.prepare(FREE, PINS)
    assert prepared.missing == {"gevent": Reason("not-fetched", {"package": "gevent"})}
    assert re.search(f"^cpython-3.14.7t: {told}", prepared.problem)
    assert "\n" not in prepared.problem
    uv.says.clear()
    again = dependencies.prepare(FREE, PINS)
    assert (again.missing, again.problem) == ({}, "")


def test_where_no_environment_can_be_made_every_package_is_missing_and_a_sentence_says_why(uv):
    uv.says["venv"] = "error: Python 3.6 is too old\n"
    prepared = dependencies.prepare(NEW, PINS)
    told = "cpython-3.14.7: uv cannot make an environment: Python 3.6 is too old"
    assert (prepared.installation, prepared.problem) == (NEW, told)
    assert {reason.code for reason in prepared.missing.values()} == {"not-fetched"}
    assert prepared.missing.keys() == PINS.keys()


def test_without_uv_what_needs_no_package_still_runs(monkeypatch):
    monkeypatch.setattr(dependencies, "find_uv", lambda: None)
    assert dependencies.prepare(NEW, {}).missing == {}
    assert "uv is needed" in dependencies.prepare(NEW, PINS).problem


def test_what_turns_the_gil_on_again_is_missing_where_the_gil_is_to_be_off(uv):
    uv.imports["gevent"] = "on"
    reason = Reason("package-needs-gil", {"package": "gevent"})
    assert dependencies.prepare(FREE, PINS).missing == {"gevent": reason}
    uv.imports.clear()  # nobody asks again
    assert dependencies.prepare(FREE_WITH_GIL, PINS).missing == {}
    assert dependencies.prepare(FREE, PINS).missing == {"gevent": reason}


def test_what_is_installed_and_cannot_be_imported_is_missing_with_its_error(uv):
    uv.imports |= {"aiohttp": f"ImportError: {dependencies.VENVS}/x/a.so", "gevent": "on"}
    reason = Reason("package-broken", {"package": "aiohttp", "error": "ImportError: x/a.so"})
    assert dependencies.prepare(NEW, PINS).missing == {"aiohttp": reason}
