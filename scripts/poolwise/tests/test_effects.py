"""What a function's code can change is found through the code, in the user's modules and folder."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from poolwise import effects

SOURCE = """
import functools, json, random, threading
TOTALS, SEEN, UNUSED = {}, [], []
count = 0
LOCK, LOCAL, CHANCE = threading.Lock(), threading.local(), random.Random(1)

class Store:
    rows = []
    def __init__(self):
        self.lock, self.size = threading.Lock(), 0
    def add(self, item):
        self.rows.append(item)
        self.size += 1

store = Store()

def helper(item):
    SEEN.append(item)

HANDLERS = {"help": helper}

@functools.lru_cache
def remember(item):
    return len(TOTALS)

def handle(item, kept=[]):
    global count
    with LOCK:
        count += CHANCE.random() > 2
    LOCAL.item = item
    kept.append(item)
    remember(item)
    HANDLERS["help"](item)
    json.dumps(item)

def named(item):
    globals()["UNUSED"].append(item)

def close():
    rows = []
    def inner(item):
        rows.append(item)
    return inner

closed = close()
"""


@pytest.fixture
def module(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "effects_work", raising=False)
    (tmp_path / "effects_work.py").write_text(SOURCE, encoding="utf-8")
    module = __import__("effects_work")
    monkeypatch.delitem(sys.modules, "effects_work")
    sys.modules["effects_work"] = module
    return module


def read(module: ModuleType, name: str, folder: Path | None = None) -> effects.Snapshot:
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part)
    return effects.Snapshot(function, "effects_work", name, [str(folder)] if folder else [])


def list_own(snapshot: effects.Snapshot) -> set[str]:
    return {name for name in snapshot.digests if not name.startswith("os.")}


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("handle", {"TOTALS", "SEEN", "HANDLERS", "count", "handle.kept"}),
        ("store.add", {"store.size", "Store.rows"}),
        ("closed", {"close.inner.rows"}),
    ],
)
def test_the_variables_that_code_can_change_are_found(module, name, variables):
    assert list_own(read(module, name)) == variables


def test_code_that_takes_names_from_texts_can_change_any_of_its_module(module):
    assert "UNUSED" in list_own(read(module, "named"))


def test_changes_are_told_with_the_order_of_lists_apart(module):
    before = read(module, "handle")
    module.SEEN += [1, 2]
    forth = before.list_changes(read(module, "handle"))["SEEN"]
    module.SEEN.reverse()
    back = before.list_changes(read(module, "handle"))["SEEN"]
    assert forth["after"] != back["after"]
    assert forth["members"] == back["members"]
    assert forth["text"] == "[1, 2]"


def test_what_grows_is_a_container(module):
    before = read(module, "handle")
    module.SEEN.append(1)
    module.count += 10**20
    assert before.list_grown(read(module, "handle"), ["SEEN", "count", "TOTALS"]) == ["SEEN"]


def test_a_variable_that_is_too_large_is_not_read(module, monkeypatch):
    monkeypatch.setattr(effects, "MOST_BYTES", 100_000)
    module.TOTALS["big"] = "x" * 200_000
    assert read(module, "handle").unread["TOTALS"] == effects.ABSENT


def test_a_variable_without_a_state_is_named_with_its_type(module):
    module.SEEN.append(part for part in "ab")
    assert read(module, "handle").unread == {"SEEN": "generator"}


def test_of_a_dict_with_a_client_the_other_parts_are_compared(module):
    module.TOTALS |= {"rows": [], "source": (n for n in "ab")}
    before = read(module, "handle")
    module.TOTALS["rows"].append(1)
    after = read(module, "handle")
    assert list(before.list_changes(after)) == ["TOTALS['rows']"]
    assert "TOTALS['source']" in after.unread


def test_an_object_that_has_every_attribute_and_one_that_has_none_end_nothing(module):
    class Endless:
        def __getattr__(self, name: str) -> "Endless":
            return self

    class Broken:
        @property
        def __dict__(self) -> dict:
            raise RuntimeError

    module.HANDLERS |= {"endless": Endless(), "broken": Broken()}
    module.TOTALS = Endless()
    assert "SEEN" in read(module, "handle").digests


def test_files_are_compared_by_what_a_run_adds(module, tmp_path):
    def change(path: Path, text: str, mode: str = "w") -> str:
        before = read(module, "handle", tmp_path)
        with path.open(mode, encoding="utf-8") as file:
            file.write(text)
        ((_, changed),) = before.list_changes(read(module, "handle", tmp_path)).items()
        assert changed["is_file"]
        return str(changed["after"])

    log = tmp_path / "log.txt"
    first = change(log, "one\n")
    assert change(log, "one\n", "a") == first
    assert change(log, "two\n", "a") != first
    (tmp_path / "out").mkdir()
    assert change(tmp_path / "out" / "page.txt", "one\n") == first


def test_files_of_the_tool_itself_are_no_effect(module, tmp_path):
    ours = tmp_path / "launcher"
    ours.mkdir()
    (ours / "stage").touch()
    (tmp_path / "page.txt").touch()
    states = dict(effects.list_file_states([str(tmp_path)], str(ours)))
    assert {Path(path).name for path in states} == {"page.txt", "effects_work.py"}
