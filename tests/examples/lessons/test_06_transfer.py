"""Lesson 6: which programs lose no money in any order of two threads, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS
from scripts.site.study.snippets import SNIPPETS
from tests.examples.conftest import run

NAME = "06-transfer"
SOLUTIONS = LESSONS / "solutions"
GIVEN = LESSONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
SOLVED = SOLUTIONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
HEAD = """
import multiprocessing
import threading
import time
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import BoundedSemaphore, Condition, Lock, RLock, Semaphore

lock = Lock()
busy = False
"""
PLAIN = """
class Account:
    def __init__(self, name, balance):
        self.name = name
        self.balance = balance
"""
LOCKED = PLAIN + "        self.lock = Lock()\n"
BOTH = """
def transfer(source, target, amount):
    first, second = sorted((source, target), key=lambda account: account.name)
    with first.lock, second.lock:
{move}
"""
MOVE = """
if source.balance < amount:
    return False
source.balance -= amount
target.balance += amount
return True
"""


def indent(text: str, depth: int) -> str:
    return "".join(f"{' ' * 4 * depth}{line}\n" for line in text.strip().splitlines())


def write(body: str, account: str = PLAIN) -> str:
    """Return a program whose transfer has this body; MOVE in it is what should be atomic."""
    lines = []
    for line in body.strip("\n").splitlines():
        depth = (len(line) - len(line.lstrip())) // 4 + 1
        lines.append(indent(MOVE if line.strip() == "MOVE" else line, depth))
    return f"{HEAD}{account}\ndef transfer(source, target, amount):\n{''.join(lines)}"


ORDERED = "first, second = sorted((source, target), key=lambda account: account.name)\n"
BY_NAME = ORDERED + "with first.lock, second.lock:\n    MOVE"
DATACLASS = """
@dataclass
class Account:
    name: str
    balance: int
    lock: Lock = field(default_factory=Lock, repr=False)
"""
SLOTS = DATACLASS.replace("@dataclass", "@dataclass(slots=True, order=True)").replace(
    "repr=False", "compare=False"
)
ENTRIES = """
class Account:
    def __init__(self, name, balance):
        self.name, self.lock, self.entries = name, RLock(), [balance]

    @property
    def balance(self):
        return sum(self.entries)

    @balance.setter
    def balance(self, value):
        self.entries.append(value - self.balance)
"""
LOCKED_PROPERTY = """
class Account:
    def __init__(self, name, balance):
        self.name, self.lock, self._balance = name, Lock(), balance

    @property
    def balance(self):
        with self.lock:
            return self._balance

    @balance.setter
    def balance(self, value):
        with self.lock:
            self._balance = value
"""
CLASS_LOCK = PLAIN.replace("Account:", "Account:\n    lock = Lock()\n")
STEPS = (
    LOCKED
    + """
    def withdraw(self, amount):
        with self.lock:
            if self.balance < amount:
                return False
            self.balance -= amount
            return True

    def deposit(self, amount):
        with self.lock:
            self.balance += amount
"""
)
STACK = "with ExitStack() as stack:\n    for account in sorted((source, target), key=id):\n        stack.enter_context(account.lock)\n    MOVE"
FINALLY = "lock.acquire()\ntry:\n    MOVE\nfinally:\n    lock.release()"
TRY = """
while True:
    with source.lock:
        if target.lock.acquire(blocking=False):
            try:
                MOVE
            finally:
                target.lock.release()
    time.sleep(0.001)
"""
SPIN = "while not lock.acquire(blocking=False):\n    pass\ntry:\n    MOVE\nfinally:\n    lock.release()"
WITHDRAW = "if not source.withdraw(amount):\n    return False\ntarget.deposit(amount)\nreturn True"
RENEWED = (
    HEAD
    + "lock = {kind}\n"
    + PLAIN
    + "\ndef transfer(source, target, amount):\n    with lock:\n"
    + indent(MOVE, 2)
)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        (SOLVED, ["praise"]),
        (write(BY_NAME, LOCKED), ["should", "praise"]),
        (write(BY_NAME, LOCKED.replace("Lock()", "RLock()")), ["praise"]),
        (write(BY_NAME, DATACLASS), ["should", "praise"]),
        (write(BY_NAME.replace(", key=lambda account: account.name", ""), SLOTS), ["should", "praise"]),
        (write(BY_NAME, ENTRIES), ["praise"]),
        (write(STACK, LOCKED), ["should", "praise"]),
        (write(WITHDRAW, STEPS), ["praise"]),
        (write("with lock:\n    MOVE"), ["remark", "praise"]),
        (write("with Account.lock:\n    MOVE", CLASS_LOCK), ["remark", "praise"]),
        (write("with source.lock:\n    MOVE", CLASS_LOCK), ["remark", "praise"]),
        (write(FINALLY), ["remark", "praise"]),
        (write(SPIN), ["praise"]),
        (write(TRY, LOCKED), ["should", "praise"]),
        (RENEWED.format(kind="Semaphore(1)"), ["remark", "praise"]),
        (RENEWED.format(kind="BoundedSemaphore()"), ["remark", "praise"]),
        (RENEWED.format(kind="Condition()"), ["remark", "praise"]),
        (RENEWED.format(kind="multiprocessing.Lock()"), ["remark", "praise"]),
    ],
)  # fmt: skip
def test_a_program_that_loses_no_money_is_right(hear, source: str, kinds: list[str]):
    assert [kind for kind, _ in hear(NAME, source)] == kinds


CHECKED = "with lock:\n    enough = source.balance >= amount\nif not enough:\n    return False"
CHANGED = "source.balance -= amount\ntarget.balance += amount"
PAIRS = "with pairs[frozenset((source.name, target.name))]:\n    MOVE"
FLAG = "global busy\nwhile busy:\n    pass\nbusy = True\ntry:\n    MOVE\nfinally:\n    busy = False"
CLASS_FLAG = FLAG.replace("global busy\n", "").replace("busy", "Account.busy")
EARLY = f"lock.acquire()\n{MOVE.replace('return True', 'lock.release()')}return True"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "should leave 50 each. In this order they leave A 40, B 50"),
        (write("time.sleep(0.1)\nMOVE"), "should leave 50 each. In this order they leave"),
        (write("with Lock():\n    MOVE"), "The two threads have no lock in common"),
        (write("lock = RLock()\nwith lock:\n    MOVE"), "The two threads have no lock in common"),
        (write(f"{CHECKED}\n{CHANGED}\nreturn True"), "should leave 50 each. In this order"),
        (write(f"{CHECKED}\nwith lock:\n    source.balance -= amount\n    target.balance += amount\nreturn True"),
         "only one of two transfers of 10 can happen. In this order they leave A -10, B 20"),
        (write("with source.lock:\n    MOVE", LOCKED), "The two threads have no lock in common"),
        (write("with target.lock:\n    MOVE", LOCKED), "The two threads have no lock in common"),
        (write("with source.lock and target.lock:\n    MOVE", LOCKED), "The two threads have no lock in common"),
        (write(BY_NAME.replace(ORDERED, "first, second = source, target\n"), LOCKED),
         "a deadlock, nobody goes on: thread 1 waits for B.lock, which thread 2 holds; thread 2 waits for A.lock"),
        (write("with source.lock:\n    with target.lock:\n        MOVE", DATACLASS), "a deadlock"),
        (write(BY_NAME.replace("account.name", "account.balance"), LOCKED), "a deadlock"),
        (write("MOVE", LOCKED_PROPERTY), "should leave 50 each. In this order"),
        (write(PAIRS).replace("lock = Lock()", "pairs = defaultdict(Lock)"), "should leave B as it was"),
        (write(EARLY), "has ended and never released lock"),
        (RENEWED.format(kind="Semaphore(2)"), "should leave 50 each. In this order"),
        (write("with lock:\n    with lock:\n        MOVE"), "thread 1 waits for lock, which thread 1 holds"),
        (write(FLAG), "Both threads saw busy as False before it changed"),
        (write(FLAG.replace("pass", "time.sleep(0.01)")), "Both threads saw busy as False"),
        (write(CLASS_FLAG, f"{PLAIN}\nAccount.busy = False\n"), "thread 2 goes round and round in line"),
        (write("while True:\n    pass"), "thread 1 goes round and round in line"),
        (write("while True:\n    source.balance"), "thread 1 goes on and on"),
        (write("with lock:\n    source.balance -= amount\n    return True"), "Even one after the other"),
        (write("with lock:\n    MOVE").replace("return True", "pass"), "but 0 of 2 transfers returned True"),
        (write("with sorted((source, target)):\n    MOVE"), "line 1"),
    ],
)  # fmt: skip
def test_a_program_that_may_lose_some_hears_why(hear, source: str, reason: str):
    ((kind, text),) = hear(NAME, source)
    assert kind == "must"
    assert reason in text


def test_what_is_wrong_is_said_in_russian(hear):
    ((_, text),) = hear(NAME, write("with source.lock, target.lock:\n    MOVE", LOCKED), "ru")
    assert text.startswith("взаимная блокировка, никто не идёт дальше: поток 1 ждёт B.lock")


@pytest.mark.parametrize(
    ("snippet", "printed"),
    [
        ("lesson-races", "stock: 6\n"),
        ("lesson-races_lock", "take_half_locked: 6\ntake_locked: 2\n"),
    ],
)
def test_the_programs_of_the_page_lose_onions_unless_the_lock_is_held_throughout(
    snippet: str, printed: str
):
    done = run(SNIPPETS, f"{snippet}.py", {})
    assert (done.stdout, done.stderr) == (printed, "")
