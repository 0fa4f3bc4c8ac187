"""What keeps a function from being called is explained, with what to do about it."""

import contextlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from poolwise import entry
from poolwise.words import LANGUAGES, Message, Words

WORK = """\
import itertools, threading

class Cleaner:
    def __init__(self):
        self.lock = threading.Lock()
    def clean(self, item):
        return item
    @staticmethod
    def strip(item):
        return item

class Reader:
    def read(self, item):
        return item

class Lazy(type):
    def __getattr__(cls, name):
        if name == "work":
            return handle
        raise AttributeError(name)

class Late(metaclass=Lazy):
    pass

cleaner = Cleaner()
NUMBERS = [1, 2]

def handle(item):
    return item

def area(width, height, *, depth=1):
    return width * height * depth

def scale(item, factor=2):
    return item * factor + 0

def named(*, width):
    return width

def nothing():
    return 1

def each(item):
    yield item

async def each_later(item):
    yield item

def price(item):
    return item.price

def count(item):
    return {item: 1}

def half(item):
    return item / 2

def make_items():
    yield from (1, 2)

async def fetch(item):
    return item

class Fetcher:
    fetch = staticmethod(lambda item: fetch(item))

def make_endless():
    return itertools.count()

def make_none():
    return []

def make_text():
    return "abc"

def make_number():
    return 3

def make_failure():
    return open("gone.txt")

def nest():
    return lambda item: item

nested = nest()
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of modules on the path, forgotten after the test."""
    before = {*sys.modules}
    (tmp_path / "work_here.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in {*sys.modules} - before:
        if (getattr(sys.modules[name], "__file__", "") or "").startswith(str(tmp_path)):
            del sys.modules[name]


def make_task(folder: Path, function: str = "handle", **changes: object) -> dict[str, object]:
    task = {"folder": str(folder), "module": "work_here", "function": function}
    return {**task, "items": "", "items_from": "", "is_spread": False, **changes}


def explain(call: Callable[[], object]) -> str:
    """Return the sentence of a fault, which both languages must have."""
    with pytest.raises(entry.Fault) as caught:
        call()
    return say(caught.value)


def say(fault: entry.Fault) -> str:
    message = Message(**fault.answer)
    sentences = [Words(language).say(message) for language in LANGUAGES]
    assert all(sentences)
    return sentences[0]


@pytest.mark.parametrize(
    "name", ["handle", "cleaner.clean", "Cleaner.strip", "nested", "Late.work"]
)
def test_whatever_can_be_called_with_an_item_is_found(folder, name):
    task = make_task(folder, name)
    entry.check_arguments(entry.find_function(task), 1, task)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("hanlde", "work_here has no function hanlde. Did you mean handle?"),
        ("cleaner.claen", "Cleaner has no function claen. Did you mean clean?"),
        ("other", "work_here has no function other."),
        ("NUMBERS", "NUMBERS is of type list"),
        (
            "Cleaner.clean",
            "clean needs an object of Cleaner. Name the method of one: cleaner.clean.",
        ),
        ("Reader.read", "such as reader = Reader(), and name reader.read."),
    ],
)
def test_what_is_no_function_of_an_item_is_explained(folder, name, remedy):
    assert remedy in explain(lambda: entry.find_function(make_task(folder, name)))


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("each", "Collect it: def each_list(item): return list(each(item))."),
        ("each_later", "[part async for part in each_later(item)]"),
        ("Fetcher.fetch", "async def fetch_item(item): return await Fetcher.fetch(item)."),
    ],
)
def test_a_result_whose_work_is_still_to_be_done_is_explained(folder, name, remedy):
    task = make_task(folder, name)
    result = entry.find_function(task)(1)
    assert remedy in explain(lambda: entry.check_result(result, task))
    with contextlib.suppress(AttributeError):
        result.close()
    entry.check_result([1], task)


@pytest.mark.parametrize(
    ("files", "module", "remedy"),
    [
        ({}, "work_hree", "Did you mean work_here?"),
        ({}, "unlike", "There is no module unlike in"),
        ({"a_module.py": "import nowhere_at_all"}, "a_module", "Name a Python that has it"),
        ({"a_module.py": "1 / 0"}, "a_module", "couldn't be imported: ZeroDivisionError"),
        ({"a_module.py": "raise ModuleNotFoundError('no curl')"}, "a_module", "no curl"),
        ({"a_module.py": "exit(3)"}, "a_module", "couldn't be imported: SystemExit: 3"),
        ({"a_module.py": "def f(:"}, "a_module", "couldn't be imported: SyntaxError"),
        ({"a_module.py": "from .b import c"}, "a_module", "PACKAGE.a_module:handle"),
        ({"msgspec.py": "import msgspec\nmsgspec.json.decode"}, "msgspec", "Rename msgspec.py"),
        ({"a_module.py": "from a_module import b"}, "a_module", "Rename a_module.py"),
    ],
)
def test_what_cannot_be_imported_is_explained(folder, monkeypatch, files, module, remedy):
    monkeypatch.delitem(sys.modules, "msgspec", raising=False)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert remedy in explain(lambda: entry.find_function(make_task(folder, module=module)))


def test_a_module_that_imports_from_the_current_folder_is_named_from_there(folder):
    (folder / "jobs").mkdir()
    (folder / "jobs/nightly.py").write_text("import shop_of_ours.prices", encoding="utf-8")
    (folder / "shop_of_ours").mkdir()
    task = make_task(folder / "jobs", module="nightly")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(folder / "jobs"), *sys.path[1:]])
        assert "Name the function from here: jobs.nightly:handle." in explain(
            lambda: entry.find_function(task)
        )


@pytest.mark.parametrize(
    ("name", "item", "is_spread", "remedy"),
    [
        (
            "area",
            [1, 2],
            False,
            "area takes 2 arguments (width and height), and an item is one list",
        ),
        ("area", {"width": 1}, False, "return area(**item)"),
        ("area", 1, False, "Set the others: def area_item(item): return area(item, …)."),
        ("named", {"width": 1}, False, "named takes 1 argument (width), and an item is one dict"),
        ("nothing", 1, False, "Give it one: def nothing(item)."),
        ("area", 1, True, "the first one is of type int"),
        ("area", "ab", True, "the first one is of type str"),
        ("area", [1, 2, 3], True, "can't call area(width, height, *, depth=1) with [1, 2, 3]"),
        ("area", {"width": 1, "hight": 2}, True, "missing a required argument: 'height'"),
    ],
)
def test_arguments_that_do_not_fit_are_explained_before_a_call(
    folder, name, item, is_spread, remedy
):
    task = make_task(folder, name, is_spread=is_spread)
    assert remedy in explain(lambda: entry.check_arguments(entry.find_function(task), item, task))


def test_an_item_is_spread_by_place_or_by_name(folder):
    task = make_task(folder, "area", is_spread=True)
    for item in ([1, 2], (1, 2), {"height": 1, "width": 2, "depth": 3}):
        entry.check_arguments(entry.find_function(task), item, task)
    for function in (print, max):  # what is written in C may not tell its arguments
        entry.check_arguments(function, [1, 2], make_task(folder))


@pytest.mark.parametrize(
    ("name", "item", "remedy"),
    [
        ("price", {"price": 1}, 'Read item["name"], or let a function make your own objects'),
        ("count", [1], "JSON has no tuples"),
        ("half", "12.5", "Use int(item) or float(item)"),
        ("scale", [3, 4], "To hand over the parts, pass --star"),
        ("half", "twelve", "half failed on item 1, 'twelve': TypeError"),
    ],
)
def test_a_failure_that_the_kind_of_items_causes_says_so(folder, name, item, remedy):
    task = make_task(folder, name)
    function = entry.find_function(task)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - whatever it raises
        function(item)
    error = caught.value
    assert remedy in say(entry.explain_failure(function, 1, item, error, task))
    # What later items fail on has nothing to do with their kind.
    later = say(entry.explain_failure(function, 7, item, error, task))
    assert later == f"{name} failed on item 7, {item!r}: {entry.describe_error(error)}."


def test_items_are_those_of_a_file_or_of_a_function(folder):
    (folder / "items.json").write_text("[1, [2]]", encoding="utf-8")
    assert entry.make_items(make_task(folder, items=str(folder / "items.json"))) == [1, [2]]
    assert entry.make_items(make_task(folder, items_from="work_here:make_items")) == [1, 2]


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("make_itmes", "Did you mean make_items?"),
        ("NUMBERS", "def make_items(): return NUMBERS"),
        ("make_none", "made no items: it returned a value of type list"),
        ("make_text", "it returned a value of type str"),
        ("make_number", "it returned a value of type int"),
        ("make_endless", "made more than 1,000,000 items"),
        ("make_failure", "failed while it made the items: FileNotFoundError"),
        ("area", "failed while it made the items: TypeError"),
    ],
)
def test_items_that_cannot_be_made_are_explained(folder, name, remedy):
    task = make_task(folder, items_from=f"work_here:{name}")
    assert remedy in explain(lambda: entry.make_items(task))


@pytest.mark.parametrize(
    ("name", "item", "remedy"),
    [
        ("cleaner.clean", 1, "def clean(item): return cleaner.clean(item)."),
        ("nested", 1, "Define it with def"),
        ("handle", threading.Lock(), "it can't get item 2"),
        ("handle", 1, "it can't hand back what handle returns"),
    ],
)
def test_what_a_process_cannot_get_is_explained(folder, name, item, remedy):
    task = make_task(folder, name)
    error = TypeError("cannot pickle '_thread.lock' object")
    assert entry.is_pickling(error)
    assert entry.is_pickling(AttributeError("Can't get local object 'nest.<locals>.<lambda>'"))
    fault = entry.explain_pickling(entry.find_function(task), [1, item], error, task)
    assert remedy in say(fault)
    assert not entry.is_pickling(ValueError("three"))
