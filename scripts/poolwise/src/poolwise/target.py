"""Target: the function that is tried, what it is called with, and the program to paste.

A file is found from its name, and imported as the module of its package. What can't be found or read
is ``Refused``, with what to do.
"""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from keyword import iskeyword
from math import inf
from pathlib import Path
from typing import Any, Literal, get_args

from poolwise import attempt
from poolwise.comparison import Lap
from poolwise.proof import Proof
from poolwise.words import Message, Refused, Words

Way = Literal["loop", "threads", "coroutines", "interpreters", "processes"]
WAYS: tuple[Way, ...] = get_args(Way)  # the simplest first
# All of it takes as long as about so many loops over the items, start-up aside.
LOOPS_COMPUTING = 24
LOOPS_WAITING = 14  # the same where many at once take a small part of that
# A function that uses a CPU for more than this share of its time can't use more workers than cores.
COMPUTING = 0.9
WAITING_SHARE = 0.5  # one that uses it for less waits, whatever others do with the cores
PROGRAMS = Path(__file__).with_name("programs")
ITEM_FILES = (".json", ".jsonl", ".ndjson", ".txt", ".csv", ".tsv")
# Names that a program to paste has itself.
_TAKEN = {
    *("AT_ONCE", "Path", "asyncio", "group", "handle_item", "isinstance", "item", "items", "json"),
    *("line", "lines", "list", "dict", "main", "pool", "print", "result", "room", "task", "tasks"),
}
_RELATIVE = re.compile(r"^[ \t]*from[ \t]+(\.+)[\w.]*[ \t]+import\b", re.MULTILINE)
_FUNCTION = re.compile(r"^(?:async[ \t]+)?def[ \t]+([^\W_]\w*)", re.MULTILINE)
_HANDLE_ITEM = """\
def handle_item(item):
    return {call}


"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A function of a module that is imported from a folder, and what it is called with.

    ``items`` is a file of JSON; where a function of the user's makes them, ``items_from`` is that,
    as ``module:function``. ``is_spread`` hands an item over as arguments: a list by place, a dict by
    keyword.
    """

    folder: str
    module: str
    function: str
    items: str = ""
    items_from: str = ""
    is_spread: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Target):
    """An attempt at a function, and what came of it; ``is_idle`` starts the way but does no work.

    ``time_s`` is endless until it has ended well. ``fault`` says why the way is out, also where it was fast.
    """

    way: Way | Literal["probe"] = "probe"
    workers: int = 1
    count: int | None = None
    limit_s: float = 0.0
    is_idle: bool = False
    time_s: float = inf
    fault: Message | None = None
    proof: Proof | None = None
    lap: Lap | None = None

    @property
    def label(self) -> str:
        """The name of the way, in English."""
        return Words().say(self.name)

    @property
    def name(self) -> Message:
        """The name of the way for people."""
        way = self.way.replace("probe", "loop")
        return Message(f"suggestion.{way}", {"workers": self.workers})


RESULT_FIELDS = ("time_s", "fault", "proof", "lap")  # the fields of a task that say what came of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Nature:
    """The findings of the first try, one item after the other; see ``attempt.probe``.

    Of the ``given`` items there was time for ``count``: ``total_s``, and ``whole_s`` with comparing what
    they gave. ``cpu_share`` is the share of its time that it used a CPU, the time without a core aside.
    ``blocked_share`` is ``None`` where two threads at once were not tried, or too many. ``blocks_loop`` is
    a coroutine that lets no other run.
    """

    count: int
    total_s: float
    cpu_share: float
    blocked_share: float | None
    is_coroutine: bool
    given: int = 0
    whole_s: float = 0.0
    blocks_loop: bool = False

    @property
    def waits(self) -> bool:
        """Tell whether more workers than cores may gain something."""
        return self.cpu_share < COMPUTING

    @property
    def loops(self) -> int:
        """How many loops over the items take as long as everything that is tried."""
        if self.cpu_share < WAITING_SHARE:
            return LOOPS_WAITING
        return LOOPS_COMPUTING


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Items of a file, and how a program reads them; or the function that makes them, without any."""

    values: Sequence[Any] = ()
    path: Path = Path()
    form: Literal["lines", "json", "json-lines"] = "lines"
    maker: str = ""
    notes: Sequence[Message] = ()


def find_target(text: str) -> Target:
    """Return the function that ``work.py:handle`` or ``package.work:handle`` names."""
    place, _, function = text.rpartition(":")
    place, function = place.rstrip(":"), function.removesuffix("()")
    names = function.split(".")
    if not place or not all(map(str.isidentifier, names)):
        raise Refused(_explain_no_function(text))
    path = Path(place)
    if path.suffix == ".ipynb":
        script = path.with_suffix(".py")
        raise Refused("target.notebook", file=place, function=function, script=script)
    if path.suffix != ".py" and "/" not in place and not path.is_file():
        return Target(folder=str(Path.cwd()), module=place, function=function)
    if not path.exists():
        raise Refused(_explain_no_file(path, (".py", ".ipynb")))
    if path.is_dir():
        raise Refused("target.folder", folder=place)
    if path.suffix != ".py":
        raise Refused("target.no-python", file=place)
    folder, module = locate_module(path)
    return Target(folder=str(folder), module=module, function=function)


def locate_module(path: Path) -> tuple[Path, str]:
    """Return the folder that a file is imported from, and the name of its module there.

    A package is told by its ``__init__.py``, or by a relative import of the file.
    """
    path = path.resolve()
    folder, names = path.parent, [path.stem]
    source = path.read_text(encoding="utf-8", errors="replace")
    dots = max(map(len, _RELATIVE.findall(source)), default=0)
    # A dot is the file's package, each further one the package above.
    while len(names) <= dots or (folder / "__init__.py").is_file():
        if not is_importable(folder.name):
            if len(names) <= dots:
                raise Refused("target.no-name", name=folder.name)
            break
        names.insert(0, folder.name)
        folder = folder.parent
    if names[-1] == "__init__" and len(names) > 1:
        names.pop()
    if not is_importable(path.stem):
        raise Refused("target.no-name", name=path.stem)
    if names[0] in sys.stdlib_module_names:
        raise Refused("target.like-python", module=names[0])
    return folder, ".".join(names)


def is_importable(name: str) -> bool:
    """Tell whether an import statement can have this name."""
    return name.isidentifier() and not iskeyword(name)


def read_items(text: str, target: Target) -> Items:
    """Return the items of a file: of a JSON list, of lines of JSON, or of any other file its lines.

    ``work.py:make_items`` names a function of the target's folder that makes them.
    """
    path = Path(text)
    if ":" in text and not path.exists():
        maker = find_target(text)
        if maker.folder != target.folder:
            raise Refused("target.items-elsewhere", items=text, folder=target.folder)
        return Items(maker=f"{maker.module}:{maker.function}")
    if not path.exists():
        raise Refused(_explain_no_file(path, ITEM_FILES))
    if path.is_dir():
        raise Refused("target.items-folder", folder=text)
    try:
        content = path.read_text(encoding="utf-8-sig")
    except ValueError:
        raise Refused("target.items-no-text", file=text) from None
    if not content.strip():
        raise Refused("target.items-empty", file=text)
    if Path(target.folder) != Path.cwd():  # the program is run there
        path = path.resolve()
    match path.suffix:
        case ".json":
            return Items(values=_read_json(content, text), path=path, form="json")
        case ".jsonl" | ".ndjson":
            return Items(values=_read_json_lines(content, text), path=path, form="json-lines")
        case ".csv" | ".tsv":
            notes = [Message("target.items-table", {"file": text})]
            return Items(values=content.splitlines(), path=path, notes=notes)
    return Items(values=content.splitlines(), path=path)


def _read_json(content: str, file: str) -> list[Any]:
    try:
        values = json.loads(content)
    except ValueError as error:
        try:
            _read_json_lines(content, file)
        except Refused:
            raise Refused("target.items-no-json", file=file, reason=str(error)) from None
        raise Refused("target.items-are-lines", file=file) from None
    if isinstance(values, dict):
        raise Refused("target.items-object", file=file)
    if not isinstance(values, list):
        raise Refused("target.items-single", file=file)
    if not values:
        raise Refused("target.items-none", file=file)
    return values


def _read_json_lines(content: str, file: str) -> list[Any]:
    values = []
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            try:
                values.append(json.loads(line))
            except ValueError as error:
                place = f"{file}:{number}"
                raise Refused("target.items-no-json", file=place, reason=str(error)) from None
    return values


def _explain_no_function(text: str) -> Message:
    path = Path(text.rstrip(":"))
    if path.suffix == ".py" and path.is_file():
        source = path.read_text(encoding="utf-8", errors="replace")
        if functions := [f"{path}:{name}" for name in _FUNCTION.findall(source)[:3]]:
            return Message("target.name-function", {"file": path, "functions": functions})
    return Message("target.no-function", {"target": text})


def _explain_no_file(path: Path, suffixes: Sequence[str]) -> Message:
    folder = path.parent
    if not folder.is_dir():
        return Message("target.no-folder", {"file": path, "folder": folder})
    files = {file.stem: file.name for file in folder.iterdir() if file.suffix in suffixes}
    stems = get_close_matches(path.stem, files, 1) or ([*files] if len(files) == 1 else [])
    if stems:
        near = folder / files[stems[0]]
        return Message("target.no-file-near", {"file": path, "near": near})
    return Message("target.no-file", {"file": path, "folder": folder.resolve()})


def write_program(task: Task, nature: Nature, given: int, items: Items) -> str:
    """Write the program that does the work in a way other than a loop."""
    if task.way == "loop":
        return ""
    function, statement = _write_import(task.module, task.function)
    call, chunk, wrapper = _write_call(function, task, items), "", ""
    reading, statements = _write_reading(items)
    modules = {"json"} if "json." in reading else set()
    froms = set() if items.maker else {"from pathlib import Path"}
    pool = attempt.POOLS.get(task.way)
    if pool:
        froms.add(f"from concurrent.futures import {pool}")
    if nature.is_coroutine:
        modules.add("asyncio")
    if pool and nature.is_coroutine:
        call = f"asyncio.run({call})"
    if task.is_spread or nature.is_coroutine:
        wrapper, function = _HANDLE_ITEM.format(call=call), "handle_item"
    if task.way == "processes":
        size = attempt.find_chunk(given, task.workers)
        chunk = f", chunksize={size}" if size > 1 else ""
    standard = [*(f"import {module}" for module in sorted(modules)), *sorted(froms)]
    template = PROGRAMS / ("pool.txt" if pool else "coroutines.txt")
    return template.read_text(encoding="utf-8").format(
        imports="\n".join([*standard, "", *sorted({statement, *statements})]),
        task=task,
        wrapper=wrapper,
        function=function,
        call=call,
        reading=reading,
        pool=pool,
        chunk=chunk,
    )


def _write_import(module: str, function: str) -> tuple[str, str]:
    """Return the name of a function in the program, and the statement that imports it."""
    outer, dot, rest = function.partition(".")
    if outer not in _TAKEN:
        return function, f"from {module} import {outer}"
    name = f"{outer}_of_{module.rpartition('.')[2]}"
    return name + dot + rest, f"from {module} import {outer} as {name}"


def _write_call(function: str, task: Task, items: Items) -> str:
    if not task.is_spread:
        return f"{function}(item)"
    if items.maker:
        return f"({function}(**item) if isinstance(item, dict) else {function}(*item))"
    return f"{function}(**item)" if isinstance(items.values[0], dict) else f"{function}(*item)"


def _write_reading(items: Items) -> tuple[str, list[str]]:
    """Return the statements that read the items, and the imports that these take of the user's."""
    if items.maker:
        function, statement = _write_import(*items.maker.split(":"))
        return f"items = {function}()", [statement]
    name = json.dumps(str(items.path), ensure_ascii=False)
    text = f'Path({name}).read_text(encoding="utf-8")'
    match items.form:
        case "json":
            return f"items = json.loads({text})", []
        case "json-lines":
            lines = f"lines = {text}.splitlines()"
            return f"{lines}\n    items = [json.loads(line) for line in lines if line.strip()]", []
    return f"items = {text}.splitlines()", []
