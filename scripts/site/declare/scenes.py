"""Scenes: small models of workers, queue and cores that play in the page, as ``docs/scenes`` declares them.

A task is a line of steps, ``beat: 3x(wait 9; run 1)``. A step is a verb, for most an amount in
milliseconds, and perhaps a label: ``hold 40 call``. An amount may be so many of a price, ``run 4 job``,
where ``[prices]`` says which program tells the price, and what it is taken for where that is not measured.
"""

import json
import re
from collections.abc import Mapping
from itertools import repeat
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from poolwise.declaration import Declared, MalformedDeclaration, convert, read_text, read_toml
from scripts.site.paths import DOCS

SCENES = DOCS / "scenes"
LANES = Literal["thread", "task", "process", "interpreter", "greenlet", "request"]
SHARED = Literal["gil", "core", "loop", "worker", "thread"]
UNTIMED = ("take", "free", "put", "get")
VERBS = ("run", "hold", "wait", "native", "block", "idle", *UNTIMED)
_TASK = re.compile(r"(?:([1-9]\d*)x )?(?:([^\W\d]\w*): )?(.+)")
_REPEATED = re.compile(r"([1-9]\d*)x\(([^()]*)\)")
_STEP = re.compile(r"([a-z]+)(?: (\d+(?:\.\d+)?))?(?: (\w+))?(?: (\w+))?")


class Step(NamedTuple):
    """A step of a task: its verb, how long it takes, and what it is called.

    A task can ``run``, for which it needs what is shared, or ``hold`` that without computing. Without it,
    a task can ``wait`` for something outside, run ``native`` code, ``block`` its thread, or be ``idle``. It can
    ``take`` and ``free`` a lock, ``put`` the next task into the queue, and ``get`` the result of one.
    """

    verb: str
    amount_ms: float = 0
    label: str = ""


class Task(NamedTuple):
    """A task by its name, which may be empty, and its steps."""

    name: str
    steps: tuple[Step, ...]

    @property
    def puts(self) -> bool:
        """Tell whether it puts other tasks into the queue."""
        return any(step.verb == "put" for step in self.steps)


class Price(Declared, frozen=True, kw_only=True):
    """What a task of a program took, such as ``json/01-sequential``, or so many ms where it wasn't measured.

    ``gil`` is how the interpreter had it, if that matters.
    """

    program: str
    gil: Literal["on", "off", ""] = ""
    otherwise_ms: Annotated[float, Meta(gt=0)]


class Panel(Declared, frozen=True, kw_only=True):
    """One way of working: a lane for each task, or for each of ``workers`` that take them from a queue.

    Of what is ``shared`` there are ``slots``; whoever has one gives it back to others that want it after
    ``turn_ms``, or never if that is 0. Whoever waits for a shared ``worker`` is in the queue. ``timeline`` is a
    program whose measured run this models or, without tasks, shows. ``trace`` is a file that it shows instead,
    next to the declaration. What is stuck is drawn until ``until_ms``, and a measured run. ``locks`` are drawn
    with who has them. ``cores`` is how many there are besides.
    """

    lane: LANES
    shared: SHARED = "core"
    slots: Annotated[int, Meta(ge=1)] = 1
    turn_ms: Annotated[float, Meta(ge=0)] = 0
    workers: Annotated[int, Meta(ge=0)] = 0
    tasks: list[str] = []
    until_ms: Annotated[float, Meta(ge=0)] = 0
    locks: list[str] = []
    cores: Annotated[int, Meta(ge=0)] = 0
    timeline: str = ""
    trace: str = ""


class Scene(Declared, frozen=True, kw_only=True):
    """A scene; ``right`` is the number of the option that is right, ``at`` the moments that options mean.

    Its words are in the catalogues, ``[scene.NAME]``.
    """

    right: Annotated[int, Meta(ge=1)]
    unit: Literal["ms", "step"] = "ms"
    at: list[str] = []
    prices: Mapping[str, Price] = {}
    panels: Annotated[list[Panel], Meta(min_length=1, max_length=3)]

    @property
    def timelines(self) -> list[str]:
        """The programs of measured runs that it shows or models."""
        return [panel.timeline for panel in self.panels if panel.timeline]


class TraceEvent(Declared, frozen=True, kw_only=True):
    """What a lane did from ``begin`` to ``end``: ``reads``, of ``A.balance``, ``50``."""

    lane: Annotated[int, Meta(ge=0)]
    kind: str
    what: str
    value: str
    begin: Annotated[int, Meta(ge=0)]
    end: int


class Trace(Declared, frozen=True, kw_only=True):
    """A run as ``check.py --trace`` writes it, in steps, or ``poolwise run --trace``, in microseconds."""

    unit: Literal["step", "us"]
    lanes: list[str]
    events: list[TraceEvent]


def read_trace(name: str, folder: Path = SCENES) -> Trace:
    """Read a trace.

    Raises:
        MalformedDeclaration: it is not there, or something in it is wrong.
    """
    path = folder / name
    try:
        trace = convert(json.loads(read_text(path)), Trace, path)
    except json.JSONDecodeError as error:
        raise MalformedDeclaration(f"{path}: {error}") from None
    if any(event.lane >= len(trace.lanes) for event in trace.events):
        raise MalformedDeclaration(f"{path}: an event of a lane that has no name")
    return trace


def read_scene(name: str, folder: Path = SCENES) -> Scene:
    """Read a scene.

    Raises:
        MalformedDeclaration: it is not there, or something in it is wrong.
    """
    path = folder / f"{name}.toml"
    scene = convert(read_toml(path), Scene, path)
    prices_ms = {name: price.otherwise_ms for name, price in scene.prices.items()}
    try:
        for panel in scene.panels:
            _check_panel(panel, prices_ms)
        for moment in scene.at:
            read_amount_ms(moment, prices_ms)
    except ValueError as error:
        raise MalformedDeclaration(f"{path}: {error}") from None
    return scene


def _check_panel(panel: Panel, prices_ms: Mapping[str, float]) -> None:
    """Check what the steps of different tasks ask of one another, and of the panel.

    Raises:
        ValueError: a step is none, or a part is missing or would never come.
    """
    tasks = list_tasks(panel, prices_ms)
    if not (tasks or panel.timeline or panel.trace):
        raise ValueError("a panel without tasks, timeline and trace")
    names = [task.name for task in tasks if task.name]
    if not panel.workers and len(names) > len(set(names)):
        raise ValueError(f"two lanes of one name: {names}")
    steps: list[Step] = []
    for task in tasks:
        steps += task.steps
    if tasks and not any(step.amount_ms for step in steps):
        raise ValueError("no step takes any time")
    puts = sum(step.verb == "put" for step in steps)
    waiting = [task for task in tasks if not task.puts]
    if puts and not panel.workers:
        raise ValueError("tasks are put into a queue, but there are no workers")
    if puts and puts != len(waiting):
        raise ValueError(f"{puts} tasks are put into the queue, but there are {len(waiting)}")
    if sum(step.verb == "get" for step in steps) > puts:
        raise ValueError("more results are got than tasks are put into the queue")
    for task in tasks:
        _check_locks(task)
    if missing := set(panel.locks) - {step.label for step in steps if step.verb == "take"}:
        raise ValueError(f"locks that no task takes: {sorted(missing)}")


def _check_locks(task: Task) -> None:
    taken: set[str] = set()
    for step in task.steps:
        if step.verb in ("take", "free") and not step.label:
            raise ValueError(f"no lock after {step.verb!r}; a lock and a price can't have one name")
        if step.verb == "take":
            taken.add(step.label)
        elif step.verb == "free" and step.label not in taken:
            raise ValueError(f"free {step.label!r} of a task that hasn't taken it")
        elif step.verb == "free":
            taken.remove(step.label)


def list_tasks(panel: Panel, prices_ms: Mapping[str, float]) -> list[Task]:
    """List the tasks of all lines of a panel.

    Raises:
        ValueError: a step is none.
    """
    tasks: list[Task] = []
    for line in panel.tasks:
        tasks += read_tasks(line, prices_ms)
    return tasks


def read_tasks(line: str, prices_ms: Mapping[str, float]) -> list[Task]:
    """Read the tasks of a line, which are several if it begins with ``3x``.

    Raises:
        ValueError: a step is none.
    """
    match = _TASK.fullmatch(line)
    if match is None:
        raise ValueError(f"no task: {line!r}")
    copies, name, text = match.groups()
    while repeated := _REPEATED.search(text):
        times = "; ".join(repeat(repeated[2], int(repeated[1])))
        text = text.replace(repeated[0], times, 1)
    steps = tuple(_read_step(step, prices_ms) for step in text.split("; "))
    return list(repeat(Task(name or "", steps), int(copies or 1)))


def read_amount_ms(amount: str, prices_ms: Mapping[str, float]) -> float:
    """Read an amount: ``40``, or so many of a price, ``4 job``.

    Raises:
        ValueError: it is neither.
    """
    number, _, price = amount.partition(" ")
    if price and price not in prices_ms:
        raise ValueError(f"no price {price!r}")
    return float(number) * prices_ms.get(price, 1)


def _read_step(text: str, prices_ms: Mapping[str, float]) -> Step:
    match = _STEP.fullmatch(text)
    if match is None or match[1] not in VERBS:
        raise ValueError(f"no step: {text!r}")
    verb, number, *words = match.groups()
    labels = [word for word in words if word]
    amount = number or "0"
    if labels and labels[0] in prices_ms:
        amount = f"{number or 1} {labels.pop(0)}"
    elif number is None and verb not in UNTIMED:
        raise ValueError(f"no amount: {text!r}")
    return Step(verb, read_amount_ms(amount, prices_ms), labels[0] if labels else "")
