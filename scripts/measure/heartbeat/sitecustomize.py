"""The heartbeat: how late every running event loop of asyncio is, noted from outside the program.

``site`` imports this before the program, in each of its processes, where this folder is on
PYTHONPATH. While a loop runs, a beat is due every ``INTERVAL_S``. How late each was is appended,
a line of seconds each, to a file per process and thread in the folder ``LOOP_LAG_FOLDER``, when
the loop stops.

Beats stay due while a loop is blocked, and all that were due in a stop of a second count as late:
with one late beat only, the stop would look rare because it was long. This corrects what Gil Tene
calls coordinated omission, as ``recordValueWithExpectedInterval`` of HdrHistogram does.

A program that does not import asyncio pays for one look at the names that it imports. What goes
wrong here must never reach the program. Runs on Python 3.6 and later.
"""

import _thread
import os
import sys

INTERVAL_S = 0.005

TYPE_CHECKING = False  # mypy knows this name; importing typing would cost memory
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from types import ModuleType
    from typing import Any


class Heartbeat:
    """The beats of one loop from when it begins to run until it stops."""

    def __init__(self, loop: "AbstractEventLoop") -> None:
        self._loop = loop
        self._late_s: "list[float]" = []
        self._pid = os.getpid()
        self._due_s = loop.time() + INTERVAL_S
        self._handle = loop.call_at(self._due_s, self._beat)

    def _beat(self) -> None:
        self._note()
        self._handle = self._loop.call_at(self._due_s, self._beat)

    def _note(self) -> None:
        now_s = self._loop.time()
        while self._due_s <= now_s:
            self._late_s.append(now_s - self._due_s)
            self._due_s += INTERVAL_S

    def stop(self) -> None:
        """Write what was seen; a beat that was due and has not come is late as well."""
        self._handle.cancel()
        self._note()
        if self._late_s and self._pid == os.getpid():  # a forked child has but a copy
            name = f"{self._pid}-{_thread.get_ident()}"
            with open(os.path.join(os.environ["LOOP_LAG_FOLDER"], name), "a") as file:
                file.writelines(f"{late_s:.9f}\n" for late_s in self._late_s)


class Finder:
    """Waits for the import of ``asyncio.events``, where every loop says that it runs, or stops."""

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        """The spec as all others find it, with our hook behind its loader; of that module only."""
        if name != "asyncio.events":
            return None
        sys.meta_path.remove(self)
        specs = (finder.find_spec(name, path, target) for finder in sys.meta_path)
        spec = next((spec for spec in specs if spec), None)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_hook(module: "ModuleType") -> None:
            execute(module)
            hook(module)

        spec.loader.exec_module = execute_and_hook  # type: ignore[method-assign]
        return spec


def hook(events: "Any") -> None:
    """Have every loop that begins to run begin to beat. Loops of uvloop say it here too."""
    set_running_loop = events._set_running_loop
    beating: "dict[int, Heartbeat]" = {}  # by thread: in each one loop runs at a time

    def set_and_beat(loop: "AbstractEventLoop | None") -> None:
        set_running_loop(loop)
        try:
            thread = _thread.get_ident()
            if thread in beating:
                beating.pop(thread).stop()
            if loop is not None:
                beating[thread] = Heartbeat(loop)
        except Exception:
            pass

    events._set_running_loop = set_and_beat


def import_next() -> None:
    """Run the ``sitecustomize`` that this one hides, and leave the search path as it was without."""
    here = os.path.dirname(__file__)
    sys.path[:] = [folder for folder in sys.path if folder != here]
    this = sys.modules.pop("sitecustomize")
    try:
        __import__("sitecustomize")
    except ImportError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", this)


sys.meta_path.insert(0, Finder())
import_next()
