"""Threads whose order is decided here: try one order after another until one of them fails.

The threads run one at a time. Each stops before it does anything that others could notice: before
it reads or writes an attribute of a watched object, and before it takes a lock. There the schedule
says whose turn it is. Orders with fewer switches are tried first, so the first that fails is the
easiest to read (Musuvathi and Qadeer, "Iterative context bounding", PLDI 2007).
"""

import _thread
import inspect
import threading
from collections import deque
from dataclasses import dataclass, field

from checks.trace import Trace

MOST_SWITCHES = 3  # away from a thread that could have gone on
MOST_ORDERS = 3000
_current = threading.local()


class Cancelled(BaseException):
    """Ends a thread whose run is over, and that nobody waits for any more."""


@dataclass(eq=False)
class Actor:
    """A thread of a run: what it does, and what it waits for."""

    name: str
    act: object
    turn: object = field(default_factory=_thread.allocate_lock)
    lock: object = None
    may_give_up: bool = False
    has_ended: bool = False
    is_cancelled: bool = False

    def can_go_on(self):
        return not self.has_ended and (self.lock is None or self.lock.holder is None)


class Run:
    """One run of some threads in one order: ``choices`` has the turns, by number of the decision.

    Where there is no choice for a decision, a thread goes on as long as it can. Afterwards
    ``decisions`` has the threads that could have had each turn and the one that did, ``trace`` what
    happened, ``stuck`` those that still wait, ``errors`` what was raised, by thread.
    """

    def __init__(self, acts, choices=()):
        self.actors = [Actor(name, act) for name, act in acts.items()]
        self.choices = choices
        self.decisions = []
        self.trace = Trace(acts)
        self.errors = {}
        self.stuck = []
        self._is_over = _thread.allocate_lock()
        self._has_stopped = _thread.allocate_lock()
        for lock in (self._has_stopped, *(actor.turn for actor in self.actors)):
            lock.acquire()

    def run(self):
        for actor in self.actors:
            _thread.start_new_thread(self._act, (actor,))
        last = None
        while actor := self._choose(last):
            self._give_turn(actor)
            last = actor
        self.stuck = [actor for actor in self.actors if not actor.has_ended]
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
        else:
            chosen = last if last in able else able[0]
        self.decisions.append((able, chosen, last))
        return chosen

    def _give_turn(self, actor):
        actor.turn.release()
        self._has_stopped.acquire()

    def _act(self, actor):
        actor.turn.acquire()
        _current.run, _current.actor = self, actor
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
        self._has_stopped.release()
        actor.turn.acquire()
        if actor.is_cancelled:
            raise Cancelled


def pause():
    """Let the schedule decide who goes on; outside of a run, or after it, do nothing."""
    actor = getattr(_current, "actor", None)
    if actor and not actor.is_cancelled:
        _current.run.stop(actor)


def note(kind, what, value=""):
    """Add what this thread has done to the trace; outside of a run, or after it, do nothing."""
    actor = getattr(_current, "actor", None)
    if actor and not actor.is_cancelled:
        _current.run.trace.add(actor.name, kind, what, value)


class Lock:
    """A lock like ``threading.Lock``, for which a thread waits without stopping the others."""

    is_reentrant = False

    def __init__(self):
        self.name = "the lock"
        self.holder = None
        self.depth = 0

    def acquire(self, blocking=True, timeout=-1):
        actor = getattr(_current, "actor", None)
        pause()
        if self.is_reentrant and self.holder is (actor or self):
            self.depth += 1
            return True
        if self.holder is not None and not blocking:
            return False
        while self.holder is not None:
            if actor is None:
                raise RuntimeError(f"{self.name} is never released")
            note("waits", self.name)
            actor.lock, actor.may_give_up = self, timeout >= 0
            _current.run.stop(actor)
            actor.lock, actor.may_give_up = None, False
            if self.holder is not None and timeout >= 0:
                return False
        self.holder, self.depth = actor or self, 1
        note("takes", self.name)
        return True

    def release(self):
        if self.holder is None:
            raise RuntimeError("release unlocked lock")
        self.depth -= 1
        if not self.depth:
            self.holder = None
            note("releases", self.name)

    def locked(self):
        return self.holder is not None

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *_):
        self.release()


class RLock(Lock):
    """A lock that its holder may take again, like ``threading.RLock``."""

    is_reentrant = True

    def _is_owned(self):
        return self.holder is (getattr(_current, "actor", None) or self)


def take_over_locks():
    """Let a program that is imported from now on have the locks of this module."""
    threading.Lock, threading.RLock = Lock, RLock


def name_locks(thing, prefix=""):
    """Give each lock among the attributes of a module or an object the name that it has there."""
    for name, value in list(vars(thing).items()):
        if isinstance(value, Lock):
            value.name = f"{prefix}{name}"


def watch(thing, name, quiet=()):
    """Make each reading and writing of an attribute of an object a step, but for the quiet ones."""
    kind = type(thing)

    class Watched(kind):
        __slots__ = ()

        def __getattribute__(self, key):
            if key.startswith("__") or key in quiet or _is_computed(kind, key):
                return super().__getattribute__(key)
            if isinstance(super().__getattribute__(key), Lock):
                return super().__getattribute__(key)
            pause()
            value = super().__getattribute__(key)
            note("reads", f"{name}.{key}", value)
            return value

        def __setattr__(self, key, value):
            pause()
            super().__setattr__(key, value)
            note("writes", f"{name}.{key}", value)

    Watched.__name__ = Watched.__qualname__ = kind.__name__
    thing.__class__ = Watched
    name_locks(thing, f"{name}.")
    return thing


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
