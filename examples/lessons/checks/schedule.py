"""Threads whose order is decided here: try one order after another until one of them fails.

The threads run one at a time. Each stops before it does anything that others could notice: before
it reads or writes an attribute of a watched object, and before it takes a lock. There the schedule
says whose turn it is. Orders that differ in fewer turns from letting each thread go on are tried
first, so the first that fails is easy to read; none has more than a few switches (Musuvathi and
Qadeer, "Iterative context bounding", PLDI 2007). A thread that sleeps, fails to get a lock or only
goes round in a loop lets the others go on.
"""

import _thread
import dis
import inspect
import multiprocessing
import sys
import threading
import time
import weakref
from collections import deque
from copy import copy
from dataclasses import dataclass, field

from checks.remarks import say
from checks.trace import Trace

MOST_SWITCHES = 3  # away from a thread that could have gone on
MOST_ORDERS = 3000
MOST_STEPS = 1000  # of a run: then nobody gets anywhere
MOST_STEPS_IN_TURN = 50  # of a thread, while others could go on
MOST_LINES = 20_000  # of a thread between two steps: then it only goes round
_current = threading.local()
_locks = weakref.WeakSet()


class Cancelled(BaseException):
    """Ends a thread whose run is over, and that nobody waits for any more."""


@dataclass(eq=False)
class Actor:
    """A thread of a run: what it does, and what it waits for."""

    name: str
    act: object
    turn: object = field(default_factory=_thread.allocate_lock)
    lock: object = None
    blockers: list = field(default_factory=list)  # who holds the lock, if this thread is stuck
    may_give_up: bool = False
    lets_others_go_on: bool = False
    spins_at: int = 0  # the line of a loop in which it goes round without a step
    lines: int = 0  # since its last step
    steps_in_turn: int = 0
    has_ended: bool = False
    is_cancelled: bool = False

    def can_go_on(self):
        is_free = self.lock is None or self.lock.free > 0
        return is_free and not self.has_ended and not self.spins_at

    def is_patient(self):
        return self.lets_others_go_on or self.steps_in_turn > MOST_STEPS_IN_TURN


class Run:
    """One run of some threads in one order: ``choices`` has the turns, by number of the decision.

    Where there is no choice for a decision, a thread goes on as long as it can. Afterwards
    ``decisions`` has the threads that could have had each turn and the one that did, ``trace`` what
    happened, ``stuck`` those that never end, ``kept`` those that have ended and still hold a lock,
    with the lock, ``errors`` what was raised, by thread.
    """

    def __init__(self, acts, choices=()):
        self.actors = [Actor(name, act) for name, act in acts.items()]
        self.choices = choices
        self.decisions = []
        self.trace = Trace(acts)
        self.errors = {}
        self.stuck = []
        self.kept = []
        self._has_stopped = _thread.allocate_lock()
        for lock in (self._has_stopped, *(actor.turn for actor in self.actors)):
            lock.acquire()

    def run(self):
        for lock in list(_locks):
            lock.reset()
        _shared.reset()
        for actor in self.actors:
            _thread.start_new_thread(self._act, (actor,))
        last = None
        while len(self.decisions) < MOST_STEPS and (actor := self._choose(last)):
            actor.steps_in_turn = actor.steps_in_turn + 1 if actor is last else 1
            actor.lets_others_go_on = False
            self._give_turn(actor)
            last = actor
        self.kept = [
            (actor, lock)
            for lock in list(_locks)
            for actor in self.actors
            if actor.has_ended and actor in lock.holders
        ]
        self.stuck = [actor for actor in self.actors if not actor.has_ended]
        for actor in self.stuck:
            actor.blockers = [*actor.lock.holders] if actor.lock else []
        for actor in self.stuck:
            actor.is_cancelled = True
            self._give_turn(actor)
        return self

    def _choose(self, last):
        """Return whose turn it is; nobody's if none can go on."""
        able = [actor for actor in self.actors if actor.can_go_on()]
        if not able:
            able = [actor for actor in self.actors if actor.may_give_up and not actor.has_ended]
        if not able:
            return None
        number = len(self.decisions)
        if number < len(self.choices):
            chosen = self.actors[self.choices[number]]
        elif last in able and (len(able) == 1 or not last.is_patient()):
            chosen = last
        else:
            chosen = next(actor for actor in able if actor is not last)
        self.decisions.append((able, chosen, last))
        return chosen

    def _give_turn(self, actor):
        actor.turn.release()
        self._has_stopped.acquire()

    def _act(self, actor):
        actor.turn.acquire()
        _current.run, _current.actor = self, actor
        sys.settrace(_shared.trace_call)
        try:
            if not actor.is_cancelled:
                actor.act()
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - whatever a program to fix may raise
            self.errors[actor.name] = error
        actor.has_ended = True
        self._has_stopped.release()

    def stop(self, actor):
        """Let others have their turn; return when this thread has it again."""
        actor.lines = 0
        self._has_stopped.release()
        actor.turn.acquire()
        if actor.is_cancelled:
            raise Cancelled


def pause():
    """Let the schedule decide who goes on; outside of a run, or after it, do nothing."""
    actor = getattr(_current, "actor", None)
    if actor and not actor.is_cancelled:
        _current.run.stop(actor)


class Shared:
    """The variables of a module that its threads share: reading or writing one is a step."""

    def __init__(self):
        self.module, self.values = None, {}

    def watch(self, module):
        stored = set()
        for code in _list_codes(module):
            stored |= {step.argval for step in dis.get_instructions(code) if step.opname == "STORE_GLOBAL"}  # fmt: skip
        self.module = module
        self.values = {
            name: copy(value) if isinstance(value, CONTAINERS) else value
            for name, value in vars(module).items()
            if not name.startswith("__") and (name in stored or isinstance(value, CONTAINERS))
        }
        self.steps = {code: _list_steps(code, self.values) for code in _list_codes(module)}

    def reset(self):
        """Give each variable the value that it had before the first run."""
        for name, value in self.values.items():
            setattr(self.module, name, copy(value) if isinstance(value, CONTAINERS) else value)

    def trace_call(self, frame, event, _):
        """Follow a function of the module, and no other."""
        if event != "call" or not self.module or frame.f_code.co_filename != self.module.__file__:
            return None
        steps = self.steps.get(frame.f_code, {})
        frame.f_trace_opcodes = bool(steps)
        written = ""

        def trace(frame, event, _):
            nonlocal written
            if event == "line":
                _count_line(frame.f_lineno)
            elif event == "opcode":
                if written:
                    note("writes", written, _show(frame.f_globals.get(written)))
                kind, name = steps.get(frame.f_lasti, ("", ""))
                if kind:
                    pause()
                if kind == "reads":
                    note(kind, name, _show(frame.f_globals.get(name)))
                written = name if kind == "writes" else ""
            return trace

        return trace


WIDEST = 20  # of what a trace shows of a variable
CONTAINERS = list, dict, set, deque
_shared = Shared()
watch_variables = _shared.watch


def _show(value):
    text = str(list(value) if isinstance(value, dict) else value)
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _list_codes(module):
    """Return the code of all functions of a module, and of those within them."""
    kinds = [value for value in vars(module).values() if isinstance(value, type)]
    values = [value for thing in (module, *kinds) for value in vars(thing).values()]
    values += [getattr(value, "fget", None) or getattr(value, "__func__", None) for value in values]
    codes = [value.__code__ for value in values if inspect.isfunction(value)]
    for code in codes:
        codes += [value for value in code.co_consts if inspect.iscode(value)]
    return [code for code in codes if code.co_filename == module.__file__]


def _list_steps(code, names):
    """Return what a code reads or writes of these variables, by the place of the instruction."""
    kinds = {"LOAD_GLOBAL": "reads", "STORE_GLOBAL": "writes"}
    return {
        step.offset: (kinds[step.opname], step.argval)
        for step in dis.get_instructions(code)
        if step.opname in kinds and step.argval in names
    }


def _count_line(number):
    """Stop a thread for good that goes round in a loop and reaches no step."""
    actor = getattr(_current, "actor", None)
    if not actor or actor.is_cancelled:
        return
    actor.lines += 1
    if actor.lines > MOST_LINES:
        actor.spins_at = number
        _current.run.stop(actor)


def note(kind, what, value=""):
    """Add what this thread has done to the trace; outside of a run, or after it, do nothing."""
    actor = getattr(_current, "actor", None)
    if actor and not actor.is_cancelled:
        _current.run.trace.add(actor.name, kind, what, value)


class Lock:
    """A lock like ``threading.Lock``, for which a thread waits without stopping the others."""

    is_reentrant = False

    def __new__(cls, *arguments, **options):
        return _make(cls, sys._getframe(1), *arguments, **options)  # noqa: SLF001

    def __init__(self, value=1):
        self.value = value
        self.name = ""
        self.maker = getattr(_current, "actor", None)
        self.reset()
        _locks.add(self)

    def reset(self):
        self.free, self.holders, self.depth = self.value, [], 0

    @property
    def label(self):
        """What the trace calls it: its name; of a lock without one, whose it is."""
        if self.name or not self.maker:
            return self.name or say(en="the lock", ru="блокировку")
        return say(en=f"the lock made by {self.maker.name}",
                   ru=f"блокировку, которую создал {self.maker.name}")  # fmt: skip

    def acquire(self, blocking=True, timeout=None):
        actor = getattr(_current, "actor", None)
        pause()
        if self.is_reentrant and actor in self.holders:
            self.depth += 1
            return True
        gives_up = timeout is not None and timeout >= 0
        while not self.free:
            if not blocking:
                if actor:
                    actor.lets_others_go_on = True
                return False
            if actor is None:
                raise RuntimeError(f"{self.label} is never released")
            note("waits", self.label)
            actor.lock, actor.may_give_up = self, gives_up
            _current.run.stop(actor)
            actor.lock, actor.may_give_up = None, False
            if gives_up and not self.free:
                return False
        self.free -= 1
        self.holders.append(actor)
        self.depth = 1
        note("takes", self.label)
        return True

    def release(self, n=1):
        actor = getattr(_current, "actor", None)
        if actor in self.holders:
            self.depth -= 1
            if self.is_reentrant and self.depth:
                return
            self.holders.remove(actor)
        else:
            self.check_release()
            del self.holders[:n]
        self.free += n
        note("releases", self.label)

    def check_release(self):
        """Raise an error if a thread that does not hold it may not release it now."""
        if not self.holders:
            raise RuntimeError("release unlocked lock")

    def locked(self):
        pause()
        return not self.free

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()


class RLock(Lock):
    """A lock that its holder may take again, like ``threading.RLock``."""

    is_reentrant = True

    def check_release(self):
        raise RuntimeError("cannot release un-acquired lock")


class Semaphore(Lock):
    """A number of places, like ``threading.Semaphore``."""

    def check_release(self):
        """Let any thread add places."""


class BoundedSemaphore(Semaphore):
    """A number of places to which nobody may add, like ``threading.BoundedSemaphore``."""

    def check_release(self):
        if self.free >= self.value:
            raise ValueError("Semaphore released too many times")


class Condition:
    """A lock and those who wait until they are notified, like ``threading.Condition``."""

    def __new__(cls, *arguments, **options):
        return _make(cls, sys._getframe(1), *arguments, **options)  # noqa: SLF001

    def __init__(self, lock=None):
        self.lock = RLock() if lock is None else lock
        self.acquire, self.release = self.lock.acquire, self.lock.release
        self.waiters = []

    def wait(self, timeout=None):
        waiter, depth = Semaphore(0), self.lock.depth
        waiter.name = f"{self.lock.label}.notify"
        self.waiters.append(waiter)
        self.lock.depth = 1
        self.release()
        try:
            return waiter.acquire(timeout=timeout)
        finally:
            self.acquire()
            self.lock.depth = depth

    def wait_for(self, predicate, timeout=None):
        while not (result := predicate()):
            if not self.wait(timeout):
                return predicate()
        return result

    def notify(self, n=1):
        for waiter in self.waiters[:n]:
            waiter.release()
        del self.waiters[:n]

    def notify_all(self):
        self.notify(len(self.waiters))

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()


def _make(kind, caller, *arguments, **options):
    """Make a lock; modules of Python itself, which nobody schedules, get a real one."""
    module = caller.f_globals.get("__name__", "").partition(".")[0]
    if module in sys.stdlib_module_names:
        return REAL[kind.__name__](*arguments, **options)
    return object.__new__(kind)


KINDS = Lock, RLock, Semaphore, BoundedSemaphore, Condition
REAL = {kind.__name__: getattr(threading, kind.__name__) for kind in KINDS}
_sleep = time.sleep


def sleep(seconds):
    """Let others have their turn instead of sleeping, if the schedule knows this thread."""
    if actor := getattr(_current, "actor", None):
        actor.lets_others_go_on = True
        pause()
    else:
        _sleep(seconds)


def take_over_locks():
    """Let a program that is imported from now on have the locks of this module, and its sleep."""
    for kind in KINDS:
        setattr(threading, kind.__name__, kind)
        setattr(multiprocessing, kind.__name__, kind)
    time.sleep = sleep


def name_locks(thing, prefix=""):
    """Give each lock of a module or an object the name that it has there."""
    for name, value in _list_attributes(thing):
        label = f"{prefix}{name}"
        if isinstance(value, dict):
            items = [(f"{label}[{key!r}]", item) for key, item in value.items()]
        elif isinstance(value, list | tuple):
            items = [(f"{label}[{number}]", item) for number, item in enumerate(value)]
        elif isinstance(value, type) and value.__module__ == getattr(thing, "__name__", ""):
            items = [(f"{name}.{key}", item) for key, item in vars(value).items()]
        else:
            items = [(label, value)]
        for label, item in items:
            lock = item.lock if isinstance(item, Condition) else item
            if isinstance(lock, Lock):
                lock.name = label


def _list_attributes(thing):
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    names = [*getattr(thing, "__dict__", ()), *slots]
    return [(name, getattr(thing, name)) for name in names if hasattr(thing, name)]


_watched_kinds = {}
_names = {}  # of watched objects, by id: they need be neither hashable nor equal to none


def watch(thing, name, quiet=()):
    """Make each reading and writing of an attribute of an object a step, but for the quiet ones."""
    name_locks(thing, f"{name}.")
    key = type(thing), quiet
    if key not in _watched_kinds:
        _watched_kinds[key] = _make_watched(*key)
    _names[id(thing)] = name
    thing.__class__ = _watched_kinds[key]
    return thing


def _make_watched(kind, quiet):
    class Watched(kind):
        __slots__ = ()

        def __getattribute__(self, key):
            if key.startswith("__") or key in quiet or _is_computed(kind, key):
                return super().__getattribute__(key)
            if isinstance(super().__getattribute__(key), Lock | Condition):
                return super().__getattribute__(key)
            pause()
            value = super().__getattribute__(key)
            note("reads", f"{_names.get(id(self), kind.__name__)}.{key}", value)
            return value

        def __setattr__(self, key, value):
            pause()
            super().__setattr__(key, value)
            note("writes", f"{_names.get(id(self), kind.__name__)}.{key}", value)

    Watched.__name__ = Watched.__qualname__ = kind.__name__
    return Watched


def _is_computed(kind, key):
    """Tell whether an attribute is a method or a property, whose own steps count."""
    attribute = inspect.getattr_static(kind, key, None)
    return callable(attribute) or isinstance(attribute, property)


def try_orders(start, find_fault):
    """Return the first run that fails and its fault, or the last run and nothing.

    ``start`` makes everything anew and returns what each thread does, by name;
    ``find_fault(run)`` says of a run that is over what is wrong, or nothing.
    """
    orders, run = deque([((), 0)]), None
    tried = 0
    while orders and tried < MOST_ORDERS:
        choices, switches = orders.popleft()
        run = Run(start(), choices).run()
        tried += 1
        if fault := find_fault(run):
            return run, fault
        orders.extend(_list_others(run, len(choices), switches))
    return run, None


def _list_others(run, first, switches):
    """List the orders that differ from a run in one decision, the first or a later one."""
    taken = [run.actors.index(chosen) for _, chosen, _ in run.decisions]
    for number in range(first, len(taken)):
        able, chosen, last = run.decisions[number]
        for actor in able:
            if actor is chosen:
                continue
            is_switch = last in able
            if switches + is_switch <= MOST_SWITCHES:
                yield (*taken[:number], run.actors.index(actor)), switches + is_switch
