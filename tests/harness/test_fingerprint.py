"""A fingerprint changes with what a record depends on, and with nothing else."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from scripts.harness import fingerprint
from scripts.harness.experiment import Experiment, load_experiment
from scripts.harness.fingerprint import reduce_code, take_fingerprint
from scripts.harness.packages import find_packages
from scripts.harness.plan import list_variants
from tests.declared import EXPERIMENTS
from tests.factories import CLAIMS, DECLARATION, make_interpreter, make_machine

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
FILES = {
    "experiment.toml": DECLARATION.replace("server = false", "server = true"),
    "claims.toml": CLAIMS,
    "one.py": CODE,
    "two.py": CODE,
    "tasks.py": CODE,
    "server.py": CODE,
}
"""A whole experiment, with the load server that it needs."""
CODE_FILES = ["one.py", "tasks.py", "server.py"]


Take = Callable[..., str]


@pytest.fixture
def take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Take:
    """Takes the fingerprint of a program of the experiment, one of whose files has another text."""
    monkeypatch.setattr(fingerprint, "SERVER", tmp_path / "server.py")

    def take(changed: str = "", old: str = "", new: str = "", **interpreter: str) -> str:
        assert old in FILES.get(changed, "")
        for name, text in FILES.items():
            written = text.replace(old, new, 1) if name == changed else text
            (tmp_path / name).write_text(written, encoding="utf-8")
        experiment = load_experiment(tmp_path)
        python = make_interpreter(**interpreter)
        cells = list_variants(experiment, experiment.profiles["quick"], BOX, [python], [python], 1)
        (cell,) = (one for one in cells if one.program == "one")
        return take_fingerprint(experiment, cell, "quick", python)

    return take


def test_the_interpreter_its_build_and_the_protocol_count(
    take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [take(), take(version="3.14.0"), take(build="main Dec  1 2025")]
    monkeypatch.setattr(fingerprint, "PROTOCOL", fingerprint.PROTOCOL + 1)
    assert len({*found, take()}) == 4


def test_a_load_server_that_is_not_needed_does_not_count(
    take: Take, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FILES, "experiment.toml", DECLARATION)
    assert take("server.py", "LIMIT = 10", "LIMIT = 11") == take()


def test_of_pinned_packages_count_those_that_the_program_imports(
    take: Take, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins = tmp_path / "examples.txt"
    monkeypatch.setattr(fingerprint, "find_packages", partial(find_packages, requirements=pins))

    def pin(text: str) -> str:
        pins.write_text(text)
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
    take: Take, changed: str, old: str, new: str
) -> None:
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
        *((name, '    """Fetch one."""\n', "    print(fetch.__doc__)\n") for name in CODE_FILES),
    ],
)
def test_what_a_trial_does_voids_its_record(take: Take, changed: str, old: str, new: str) -> None:
    assert take(changed, old, new) != take()


def test_a_docstring_counts_where_it_is_read() -> None:
    code = 'def fetch():\n    "{}"\n\nprint(fetch{})\n'
    assert reduce_code(code.format("One.", "")) == reduce_code(code.format("Two.", ""))
    assert reduce_code(code.format("One.", ".__doc__")) != reduce_code(
        code.format("Two.", ".__doc__")
    )


@pytest.mark.parametrize(
    "text",
    ["type Pages = list[str]\n", "a = (" * 3000, 'pages = t"{page}"\n', "null\0\n"],
    ids=["of 3.12", "nested", "of 3.14", "null"],
)
def test_what_the_oldest_python_cannot_read_counts_by_its_text(text: str) -> None:
    assert reduce_code(text) == text


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


def test_code_reads_the_same_on_every_python() -> None:
    """The tests run on the oldest and the newest: each says this very digest."""
    reduced = reduce_code(SYNTAX)
    assert reduced != SYNTAX
    assert reduced.isascii()
    assert hashlib.sha256(reduced.encode()).hexdigest()[:16] == "4bb4155a338e258f"


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
def test_the_oldest_python_can_read_every_program(experiment: Experiment) -> None:
    names = {*experiment.shared, *(program.file for program in experiment.programs)}
    for name in names:
        text = (experiment.folder / name).read_text(encoding="utf-8")
        assert not name.endswith(".py") or reduce_code(text) != text, name
