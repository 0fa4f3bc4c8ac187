"""A function is found from its name as people write it, and what can't be is explained."""

import json
import os
import subprocess
import sys

import pytest

from poolwise.target import Items, Nature, Target, Task, find_target, read_items, write_program
from poolwise.words import LANGUAGES, Refused, Words

HERE = Target(folder="", module="work", function="handle")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, text in {
        "work.py": "def handle(item):\n    return item\n\n\ndef clean(item):\n    return item\n",
        "broken.py": "def handle(:\n",
        "json.py": "",
        "2021.py": "",
        "class.py": "",
        "notes.txt": "some text",
        "analysis.ipynb": "{}",
        "shop/__init__.py": "",
        "shop/prices.py": "from .rates import RATE\n",
        "shop/deep/__init__.py": "",
        "shop/deep/sizes.py": "",
        "loose/prices.py": '"""Taken\n  from the\n\nshop."""\n  \n\nfrom .rates import RATE\n',
        "loose/deep/sizes.py": "if True:\n    from ..rates import RATE\n",
        "email/__init__.py": "",
        "email/send.py": "",
        "my-shop/__init__.py": "",
        "my-shop/prices.py": "",
        "my-shop/sizes.py": "from . import rates\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def explain(call, *arguments) -> str:
    """Return the sentence of a refusal, which both languages must have."""
    with pytest.raises(Refused) as caught:
        call(*arguments)
    sentences = [Words(language).say(caught.value.message) for language in LANGUAGES]
    assert all(sentences)
    return sentences[0]


@pytest.mark.parametrize(
    ("text", "place", "module"),
    [
        ("work.py:handle", "", "work"),
        ("work.py::handle()", "", "work"),
        ("work:handle", "", "work"),
        ("./work.py:handle", "", "work"),
        ("shop/prices.py:handle", "", "shop.prices"),
        ("shop/deep/sizes.py:handle", "", "shop.deep.sizes"),
        ("shop/__init__.py:handle", "", "shop"),
        ("shop.prices:handle", "", "shop.prices"),
        ("loose/prices.py:handle", "", "loose.prices"),
        ("loose/deep/sizes.py:handle", "", "loose.deep.sizes"),
        ("my-shop/prices.py:handle", "my-shop", "prices"),
    ],
)
def test_a_file_is_imported_as_the_module_of_its_package(folder, text, place, module):
    target = find_target(text)
    assert (target.folder, target.module) == (str(folder.resolve() / place), module)
    assert target.function == "handle"


def test_a_method_is_named_by_its_object(folder):
    assert find_target("work.py:cleaner.clean").function == "cleaner.clean"


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("work.py", "such as work.py:handle and work.py:clean"),
        ("broken.py", "such as broken.py:handle"),
        ("work.py:", "work.py:handle"),
        ("gone.py", "Write FILE:FUNCTION"),
        ("work.py:3", "Write FILE:FUNCTION"),
        ("wrok.py:handle", "Did you mean work.py?"),
        ("shop/price.py:handle", "Did you mean shop/prices.py?"),
        ("nothing/like.py:handle", "the folder nothing doesn't exist"),
        ("unlike_any.py:handle", "It was looked for in"),
        ("analysis.ipynb:handle", "Put handle into a .py file, then name analysis.py:handle"),
        ("notes.txt:handle", "a file that ends in .py"),
        ("shop/:handle", "Name a file in it"),
        ("json.py:handle", "json is also the name of one of Python's own modules. Rename yours"),
        ("email/send.py:handle", "email is also the name"),
        ("2021.py:handle", "a module called 2021. Rename it"),
        ("class.py:handle", "a module called class"),
        ("my-shop/sizes.py:handle", "a module called my-shop"),
    ],
)
def test_what_cannot_be_found_is_explained_with_a_remedy(folder, text, remedy):
    assert remedy in explain(find_target, text)


@pytest.mark.parametrize(
    ("name", "content", "values"),
    [
        ("items.json", "[1, [2], {}]", [1, [2], {}]),
        ("items.json", "\ufeff[1, 2]", [1, 2]),
        ("items.jsonl", '{"a": 1}\n\n[2]\n', [{"a": 1}, [2]]),
        ("items.ndjson", "1\r\n2", [1, 2]),
        ("items.txt", "a\nb\r\nc\n", ["a", "b", "c"]),
        ("items", "1\n2", ["1", "2"]),
        ("items.csv", "name,price\na,1", ["name,price", "a,1"]),
    ],
)
def test_items_are_a_json_list_lines_of_json_or_lines_of_text(folder, name, content, values):
    (folder / name).write_text(content, encoding="utf-8", newline="")
    items = read_items(name, HERE)
    assert list(items.values) == values
    assert bool(items.notes) == name.endswith(".csv")


def test_items_may_be_made_by_a_function_next_to_the_target(folder):
    target = find_target("shop/prices.py:handle")
    assert read_items("work.py:make_items", target).maker == "work:make_items"
    assert read_items("shop.prices:make_items", target).maker == "shop.prices:make_items"
    elsewhere = find_target("my-shop/prices.py:handle")
    assert "another folder" in explain(read_items, "work.py:make_items", elsewhere)


@pytest.mark.parametrize(
    ("name", "content", "remedy"),
    [
        ("items.json", b"", "Put a JSON list into it"),
        ("items.txt", b" \n\n", "each line is an item"),
        ("items.json", b"[]", "such as [1, 2, 3]"),
        ("items.json", b'{"a": 1}', "its keys or its values"),
        ("items.json", b"3", "a single value"),
        ("items.json", b"[1, 2", "isn't JSON: "),
        ("items.json", b"1\n2\n", "ends in .jsonl"),
        ("items.jsonl", b"1\nnone\n", "items.jsonl:2 isn't JSON"),
        ("items.parquet", b"\xff\xfe\x00", "--items work.py:make_items"),
    ],
)
def test_items_that_cannot_be_read_are_explained_with_a_remedy(folder, name, content, remedy):
    (folder / name).write_bytes(content)
    assert remedy in explain(read_items, name, HERE)


def test_items_that_are_not_there_are_explained_with_a_remedy(folder):
    (folder / "items.json").write_text("[1]", encoding="utf-8")
    assert "Did you mean items.json?" in explain(read_items, "item.json", HERE)
    assert "a folder" in explain(read_items, "shop", HERE)
    assert "the folder deep doesn't exist" in explain(read_items, "deep/items.json", HERE)


WORK = """\
import asyncio

class Cleaner:
    def clean(self, item):
        return item * 2

cleaner = Cleaner()

def main(item):
    return item * 2

def add(a, b=0):
    return a + b

async def fetch(item):
    await asyncio.sleep(0)
    return item * 2

async def fetch_sum(a, b=0):
    return a + b

def make_items():
    yield from (1, 2, 3)

def make_pairs():
    return [[1, 1], {"a": 2, "b": 2}, (6,)]
"""


@pytest.mark.parametrize(
    ("way", "function", "items", "is_spread"),
    [
        ("threads", "main", "items.json", False),
        ("processes", "main", "items.jsonl", False),
        ("processes", "cleaner.clean", "work.py:make_items", False),
        ("threads", "cleaner.clean", "items.json", False),
        ("processes", "add", "pairs.json", True),
        ("threads", "add", "names.json", True),
        ("processes", "add", "work.py:make_pairs", True),
        ("coroutines", "fetch", "items.jsonl", False),
        ("coroutines", "fetch_sum", "pairs.json", True),
        ("coroutines", "fetch_sum", "work.py:make_pairs", True),
        ("threads", "fetch", "items.json", False),
        ("threads", "fetch_sum", "names.json", True),
        ("interpreters", "add", "pairs.json", True),
    ],
)
@pytest.mark.slow
def test_the_program_to_paste_gives_what_a_loop_gives(
    tmp_path, monkeypatch, way, function, items, is_spread
):
    if way == "interpreters" and sys.version_info < (3, 14):
        pytest.skip("interpreters came with Python 3.14")
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "__init__.py").touch()
    for name, text in {
        "work.py": WORK,
        "items.json": "[1, 2, 3]",
        "items.jsonl": "1\n\n2\n3\n",
        "pairs.json": "[[1, 1], [2, 2], [6]]",
        "names.json": json.dumps([{"a": 1, "b": 1}, {"b": 2, "a": 2}, {"a": 6}]),
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    target = find_target(f"work.py:{function}")
    is_coroutine = function.startswith("fetch")
    task = Task(
        folder=target.folder,
        module=target.module,
        function=function,
        way=way,
        workers=2,
        is_spread=is_spread,
    )
    nature = Nature(
        count=3, total_s=1.0, cpu_share=0.0, blocked_share=None, is_coroutine=is_coroutine
    )
    program = tmp_path / "program.py"
    text = write_program(task, nature, 3, read_items(items, target))
    program.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.stderr == ""
    assert done.stdout.split() == ["2", "4", "6"]


def test_a_loop_needs_no_program_and_lines_are_read_as_they_are(folder):
    task = Task(folder=os.fspath(folder), module="work", function="handle", way="loop")
    nature = Nature(count=3, total_s=1.0, cpu_share=0.0, blocked_share=None, is_coroutine=False)
    assert write_program(task, nature, 3, Items()) == ""
    (folder / "lines.txt").write_text("a\nb", encoding="utf-8")
    pooled = Task(folder=str(folder), module="work", function="handle", way="processes", workers=2)
    items = read_items("lines.txt", find_target("work.py:handle"))
    text = write_program(pooled, nature, 400, items)
    assert 'items = Path("lines.txt").read_text(encoding="utf-8").splitlines()' in text
    assert "chunksize=50" in text
    # A program that belongs into another folder finds the items all the same.
    elsewhere = read_items("lines.txt", find_target("my-shop/prices.py:handle"))
    assert str(folder.resolve() / "lines.txt") in write_program(pooled, nature, 400, elsewhere)
