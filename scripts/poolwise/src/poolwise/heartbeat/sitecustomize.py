"""The heartbeat: how late every running event loop of asyncio is, noted from outside the program.

``site`` imports this before the program, in each of its processes, where this folder is on
PYTHONPATH. While a loop runs, a beat is due every ``BEAT_INTERVAL_S``. How late each was is appended,
a line of seconds each, to a file per process and thread in the folder ``LOOP_LAG_FOLDER``, when
the loop stops.

Beats stay due while a loop is blocked, and all that were due in a stop of a second count as late:
with one late beat only, the stop would look rare because it was long. This corrects what Gil Tene
calls coordinated omission, as ``recordValueWithExpectedInterval`` of HdrHistogram does.

With ``TASK_MARKS`` it is noted besides when each task of a loop ran, and each greenlet: a line of
task, microseconds of the beginning and of the end, and function, in a file ``….tasks``. With
``MAIN_MARK`` the process that has it, and none of its children, notes when its ``main`` was called, and
when it printed the time that it took.

A program that does not import asyncio pays for one look at the names that it imports. What goes
wrong here must never reach the program. Runs on Python 3.6 and later.
"""

import _thread
import os
import sys
from time import perf_counter

BEAT_INTERVAL_S = 0.005
MOST_STEPS = 20_000

TYPE_CHECKING = False  # mypy knows this name; importing typing would cost memory
if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from types import ModuleType
    from typing import Any


def write(name: str, lines: "list[str]") -> None:
    """Append lines to a file for the engine."""
    with open(os.path.join(os.environ["LOOP_LAG_FOLDER"], name), "a") as file:
        file.writelines(lines)


class Heartbeat:
    """The beats of one loop from when it begins to run until it stops."""

    def __init__(self, loop: "AbstractEventLoop") -> None:
        self._loop = loop
        self._late_s: "list[float]" = []
        self._pid = os.getpid()
        self._due_s = loop.time() + BEAT_INTERVAL_S
        self._handle = loop.call_at(self._due_s, self._beat)

    def _beat(self) -> None:
        self._note()
        self._handle = self._loop.call_at(self._due_s, self._beat)

    def _note(self) -> None:
        now_s = self._loop.time()
        while self._due_s <= now_s:
            self._late_s.append(now_s - self._due_s)
            self._due_s += BEAT_INTERVAL_S

    def stop(self) -> None:
        """Write what was seen; a beat that was due and has not come is late as well."""
        self._handle.cancel()
        self._note()
        if self._late_s and self._pid == os.getpid():  # a forked child has but a copy
            lines = [f"{late_s:.9f}\n" for late_s in self._late_s]
            write(f"{self._pid}-{_thread.get_ident()}", lines)


class Steps:
    """When each task of one thread ran, the first ``MOST_STEPS`` times that any did."""

    def __init__(self) -> None:
        from weakref import ref

        self._ref = ref
        self._pid = os.getpid()
        self._thread = getattr(_thread, "get_native_id", int)()
        self._left = MOST_STEPS
        self._lines: "list[str]" = []
        self._known: "dict[int, Any]" = {}
        self._count = 0

    def add(self, task: "Any", begin_s: float, function: "Any") -> None:
        """Note a step that ends now. Nothing is held only because it was seen."""
        if self._left > 0:
            self._left -= 1
            seen, number = self._known.get(id(task), (None, 0))
            if seen is None or seen() is not task:
                number = self._count = self._count + 1
                self._known[id(task)] = (self._ref(task), number)
            name, end_s = getattr(function, "__qualname__", ""), perf_counter()
            self._lines.append(f"{number} {begin_s * 1e6:.0f} {end_s * 1e6:.0f} {name}\n")

    def write(self) -> None:
        """Write what was seen since the last time; a forked child has but a copy."""
        lines, self._lines = self._lines, []
        if lines and self._pid == os.getpid():
            write(f"{self._pid}-{self._thread}.tasks", lines)


class Finder:
    """Waits for the imports of some modules, by name, to run what is to be done after each."""

    def __init__(self, hooks: "dict[str, Any]") -> None:
        self._hooks = hooks

    def find_spec(self, name: str, path: "Any" = None, target: "Any" = None) -> "Any":
        """The spec as all others find it, with our hook behind its loader; of those modules only."""
        hook = self._hooks.pop(name, None)
        if hook is None:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec), None)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_hook(module: "ModuleType") -> None:
            execute(module)
            hook(module)

        spec.loader.exec_module = execute_and_hook  # type: ignore[method-assign]
        return spec


def hook_events(events: "Any") -> None:
    """Have every loop that begins to run begin to beat. Loops of uvloop say it here too.

    In ``asyncio.events`` every loop says that it runs, or stops. Steps of tasks are callbacks of
    handles there, but not in uvloop.
    """
    set_running_loop = events._set_running_loop
    beating: "dict[int, Heartbeat]" = {}  # by thread: in each one loop runs at a time
    steps: "dict[int, Steps]" = {}

    def set_and_beat(loop: "AbstractEventLoop | None") -> None:
        set_running_loop(loop)
        try:
            thread = _thread.get_ident()
            if thread in beating:
                beating.pop(thread).stop()
            if thread in steps:
                steps[thread].write()
            if loop is not None:
                beating[thread] = Heartbeat(loop)
        except Exception:
            pass

    events._set_running_loop = set_and_beat
    if "TASK_MARKS" not in os.environ:
        return
    run = events.Handle._run

    def run_and_note(handle: "Any") -> None:
        task: "Any" = getattr(handle._callback, "__self__", None)
        begin_s = perf_counter()
        run(handle)
        try:
            if hasattr(task, "get_coro"):  # else it is a callback of something else
                thread = _thread.get_ident()
                if thread not in steps:
                    steps[thread] = Steps()
                steps[thread].add(task, begin_s, task.get_coro())
        except Exception:
            pass

    events.Handle._run = run_and_note


def hook_greenlet(greenlet: "Any") -> None:
    """Note when greenlets of this thread run, but for the one that waits for all others."""
    import atexit

    steps, begun = Steps(), [perf_counter()]

    def note(_event: str, places: "Any") -> None:
        origin = places[0]
        if type(origin).__name__ != "Hub":
            steps.add(origin, begun[0], getattr(origin, "_run", None))
        begun[0] = perf_counter()

    greenlet.settrace(note)
    atexit.register(steps.write)


def mark_main() -> None:
    """Note when ``main`` of the program is called: until then it starts and imports."""

    def look(frame: "Any", event: str, _argument: object) -> None:
        is_main = frame.f_code.co_name == "main" and frame.f_globals.get("__name__") == "__main__"
        if event == "call" and is_main:
            sys.setprofile(None)
            try:
                write("begin.main", [f"{perf_counter() * 1e6:.0f}"])
            except OSError:
                pass

    sys.setprofile(look)


def mark_time() -> None:
    """Note when the program prints the time of its work, which has just ended."""
    import builtins

    show = builtins.print

    def show_and_note(*texts: "Any", **options: "Any") -> None:
        now_s = perf_counter()
        show(*texts, **options)
        if texts and "time " in str(texts[0]):
            try:
                write("end.time", [f"{now_s * 1e6:.0f}\n"])
            except OSError:
                pass

    builtins.print = show_and_note


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


hooks: "dict[str, Any]" = {"asyncio.events": hook_events}
if "TASK_MARKS" in os.environ:
    hooks["greenlet"] = hook_greenlet
sys.meta_path.insert(0, Finder(hooks))
import_next()
if os.environ.pop("MAIN_MARK", ""):
    mark_main()
    mark_time()
