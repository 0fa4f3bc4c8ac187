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
from tests.factories import (
    CLAIMS,
    DECLARATION,
    VARIANT,
    alter,
    make_experiment,
    make_interpreter,
    make_machine,
)


@pytest.fixture
def lab(tmp_path: Path) -> Experiment:
    for name in (VARIANT.program, "04-io-thread_pool"):
        (tmp_path / f"{name}.py").write_text("pass\n")
    return make_experiment(tmp_path)


def take(experiment: Experiment, version: str = "3.13.0") -> str:
    interpreter = make_interpreter(version=version)
    return take_fingerprint(experiment, VARIANT, "quick", interpreter)


def test_the_interpreter_counts(lab: Experiment) -> None:
    assert take(lab, version="3.14.0") != take(lab)


@pytest.mark.parametrize(
    ("profile", "changes"),
    [
        ("smoke", {"timeout_s": 11.0, "results": {"io": "30 pages"}}),
        ("quick", {"results": {"cpu": "832040"}}),
        ("quick", {"longest_wait_s": {"io": 0.7}}),
    ],
    ids=["another profile", "another family", "what is only judged"],
)
def test_what_is_declared_of_something_else_leaves_a_record_valid(
    lab: Experiment, profile: str, changes: dict[str, object]
) -> None:
    assert take(alter(lab, "profiles", profile, **changes)) == take(lab)


def test_the_protocol_counts(lab: Experiment, monkeypatch: pytest.MonkeyPatch) -> None:
    before = take(lab)
    monkeypatch.setattr(fingerprint, "PROTOCOL", fingerprint.PROTOCOL + 1)
    assert take(lab) != before


def test_a_load_server_that_is_not_needed_does_not_count(
    lab: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    server = tmp_path / "server.py"
    monkeypatch.setattr(fingerprint, "SERVER", server)
    server.write_text("pass\n")
    before = take(lab)
    server.write_text("print()\n")
    assert take(lab) == before


def test_of_pinned_packages_count_those_that_the_program_imports(
    lab: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pins = tmp_path / "examples.txt"
    monkeypatch.setattr(fingerprint, "find_packages", partial(find_packages, requirements=pins))

    def pin(text: str) -> str:
        pins.write_text(text)
        return take(lab)

    (lab.folder / f"{VARIANT.program}.py").write_text("import gevent\n")
    before = pin("aiohttp==1.0\ngevent==2.0\n")
    assert pin("# a word\naiohttp==1.1\ngevent==2.0 \\\n    --hash=sha256:0\n") == before
    assert pin("aiohttp==1.0\ngevent==2.1\n") != before


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


def take_all(folder: Path, changed: str, old: str, new: str) -> dict[str, str]:
    """The fingerprint of each cell of the experiment, one of whose files has another text."""
    folder.mkdir(exist_ok=True)
    assert old in FILES[changed]
    for name, text in FILES.items():
        written = text.replace(old, new, 1) if name == changed else text
        (folder / name).write_text(written, encoding="utf-8")
    experiment = load_experiment(folder)
    pythons, profile = [make_interpreter()], experiment.profiles["quick"]
    variants = list_variants(experiment, profile, make_machine(), pythons, pythons, 2)
    return {
        repr(one): take_fingerprint(experiment, one, "quick", *pythons)
        for one in variants
        if one.program == "one"
    }


@pytest.fixture
def take_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, str]]:
    monkeypatch.setattr(fingerprint, "SERVER", tmp_path / "lab" / "server.py")
    return partial(take_all, tmp_path / "lab")


@pytest.mark.parametrize(
    ("changed", "old", "new"),
    [
        ("experiment.toml", 'title = { en = "Waiting"', 'title = { en = "Patience"'),
        ("experiment.toml", 'title = { en = "Lab"', 'title = { en = "Laboratory"'),
        ("experiment.toml", "place = 10", "place = 20"),
        ("experiment.toml", 'en = "waiting"', 'en = "patience"'),
        ("experiment.toml", 'source = "us"', 'source = "an-article"'),
        ("experiment.toml", "schema = 1", "# Said of the whole.\nschema = 1"),
        ("experiment.toml", "estimate_s = 0.5", "estimate_s = 0.6"),
        ("claims.toml", "margin = 1.2", "margin = 1.5"),
        ("claims.toml", "Threads are", "Threads always are"),
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
def test_a_text_for_people_can_be_mended_without_measuring(
    take_changed: Callable[..., dict[str, str]], changed: str, old: str, new: str
) -> None:
    assert take_changed(changed, old, new) == take_changed("one.py", "", "")


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
def test_what_a_trial_does_voids_its_record(
    take_changed: Callable[..., dict[str, str]], changed: str, old: str, new: str
) -> None:
    before = take_changed("one.py", "", "")
    assert not set(take_changed(changed, old, new).values()) & set(before.values())


def test_a_docstring_counts_where_it_is_read() -> None:
    code = 'def fetch():\n    "{}"\n\nprint(fetch{})\n'
    assert reduce_code(code.format("One.", "")) == reduce_code(code.format("Two.", ""))
    assert reduce_code(code.format("One.", ".__doc__")) != reduce_code(
        code.format("Two.", ".__doc__")
    )


@pytest.mark.parametrize(
    "text",
    [
        "def broken(:\n",
        "type Pages = list[str]\n",
        "a = (" * 3000,
        "try:\n    pass\nexcept A, B:\n    pass\n",
        'pages = t"{page}"\n',
        "null\0\n",
    ],
    ids=["broken", "of 3.12", "nested", "of 3.14", "a template", "null"],
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
