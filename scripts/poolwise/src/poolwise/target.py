"""Target: the function that is tried, what it is called with, and the program to paste.

A file is found from its name, and imported as the module of its package. What can't be found is
``Failed``, with what to do.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from poolwise import attempt
from poolwise.comparison import Failed

if TYPE_CHECKING:
    from poolwise.suggestion import Nature, Task

_POOL = """\
{imports}

from {task.module} import {outer}


def main() -> None:
    {read}
    with {pool}({task.workers}) as pool:
        for result in pool.map({task.function}, items{chunk}):
            print(result)


if __name__ == "__main__":
    main()
"""
_COROUTINES = """\
{imports}

from {task.module} import {outer}


async def main() -> None:
    {read}
    limit = asyncio.Semaphore({task.workers})

    async def bounded(item):
        async with limit:
            return await {task.function}(item)

    for result in await asyncio.gather(*map(bounded, items)):
        print(result)


asyncio.run(main())
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A function of a module, which is imported from a folder, and the file of its items in JSON."""

    folder: str
    module: str
    function: str
    items: str = ""


def find_target(target: str) -> Target:
    """Return the function that ``work.py:handle`` or ``package.work:handle`` names."""
    place, _, function = target.rpartition(":")
    path = Path(place)
    if not place or not function:
        raise Failed(f"{target} names no function: write FILE:FUNCTION, such as work.py:handle")
    if path.suffix != ".py":
        return Target(folder=str(Path.cwd()), module=place, function=function)
    if not path.is_file():
        raise Failed(f"there is no file {place}")
    if not path.stem.isidentifier():
        raise Failed(f"Python can't import {path.name}: rename it (letters, digits, underscores)")
    return Target(folder=str(path.resolve().parent), module=path.stem, function=function)


def read_items(path: Path) -> list[Any]:
    """Return the items of a file: those of a JSON list, or of any other file its lines."""
    try:
        text = path.read_text(encoding="utf-8")
        items = json.loads(text) if path.suffix == ".json" else text.splitlines()
    except (OSError, ValueError) as error:
        raise Failed(f"{path} couldn't be read: {error}") from None
    if not isinstance(items, list) or not items:
        raise Failed(f"{path} holds no list of items, such as [1, 2, 3]")
    return items


def write_program(task: "Task", nature: "Nature", given: int, path: Path) -> str:
    """Write the program that does the work in a way other than a loop, over the items of a file."""
    pool = attempt.POOLS.get(task.way)
    if task.way == "loop":
        return ""
    size = attempt.find_chunk(given, task.workers) if task.way == "processes" else 1
    is_json = path.suffix == ".json"
    if Path(task.folder) != Path.cwd():  # it is to be run there
        path = path.resolve()
    text = f'Path({json.dumps(str(path))}).read_text(encoding="utf-8")'
    imports = ["import asyncio"] * nature.is_coroutine + ["import json"] * is_json
    if pool:
        imports.append(f"from concurrent.futures import {pool}")
    return (_POOL if pool else _COROUTINES).format(
        imports="\n".join([*imports, "from pathlib import Path"]),
        task=task,
        outer=task.function.partition(".")[0],  # of a static method its class
        read=f"items = json.loads({text})" if is_json else f"items = {text}.splitlines()",
        pool=pool,
        chunk=f", chunksize={size}" if size > 1 else "",
    )
