"""Tasks that move the clocks by hand, so that every share is exact on any machine."""

import datetime as dt
import os
import time
from itertools import combinations
from math import isclose

from checks.remarks import must, praise, remark, say, should

WALL = {"perf_counter": 5000.0, "monotonic": 3000.0, "time": 1.8e9}
CPU = {"process_time": 20.0, "thread_time": 10.0}
TASKS = [(3, 1), (4, 0), (0, 2)]
"""For how many seconds each task waits and computes; of the first any wrong share is seen."""
CLOSE = 0.01


class Clocks:
    """Clocks that go on only where a task says so, and know which of them were read."""

    def __init__(self):
        self.wall_s = self.cpu_s = 0.0
        self.read = set()
        self.readings = []  # what was read, and what it showed

    def wait(self, seconds):
        self.wall_s += seconds

    def compute(self, seconds):
        self.wall_s += seconds
        self.cpu_s += seconds

    def show(self, name):
        """Return what a clock shows. Reading it computes for a nanosecond, so no time is zero."""
        self.read.add(name)
        self.compute(1e-9)
        shown = WALL[name] + self.wall_s if name in WALL else CPU[name] + self.cpu_s
        self.readings.append((name, shown))
        return shown


clocks = Clocks()


class Datetime(dt.datetime):
    """A class like ``datetime.datetime`` that reads our clock."""

    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(clocks.show("time"), tz)


def take_over():
    """Let a program that is imported from now on read our clocks."""
    for name in (*WALL, *CPU):
        setattr(time, name, lambda name=name: clocks.show(name))
        setattr(time, f"{name}_ns", lambda name=name: round(clocks.show(name) * 1e9))
    time.sleep = clocks.wait
    dt.datetime = Datetime
    os.times = lambda: os.times_result(
        (clocks.show("process_time"), 0.0, 0.0, 0.0, clocks.show("monotonic"))
    )


take_over()  # before the program is imported


def describe_clocks():
    """Say what the clocks that the program read have in common, if that is the fault."""
    read = ", ".join(sorted(clocks.read))
    if not clocks.read:
        return say(en=". It read no clock", ru=". Часов она не читала")
    if clocks.read <= set(WALL):
        return say(en=f". It read only {read}: wall time, which goes on while the task waits",
                   ru=f". Она читала только {read}: это полное время, оно идёт и пока задача ждёт")  # fmt: skip
    if clocks.read <= set(CPU):
        return say(en=f". It read only {read}: CPU time, which stops while the task waits",
                   ru=f". Она читала только {read}: это время ЦП, оно стоит, пока задача ждёт")  # fmt: skip
    return ""


def describe_mix(value):
    """Say which two clocks a share takes one from the other, if that is the fault."""
    spans = [
        (first, last, end - begin)
        for (first, begin), (last, end) in combinations(clocks.readings, 2)
    ]
    for first, last, mixed_s in spans:
        if first == last:
            continue
        quotients = [q for *_, s in spans if s and mixed_s for q in (mixed_s / s, s / mixed_s)]
        if any(isclose(value, quotient, rel_tol=1e-6) for quotient in quotients):
            return say(en=f": it subtracts {first} from {last}, two clocks that count from different moments. Read the same clock at the start and at the end",
                       ru=f": из {last} вычитается {first}, а эти часы отсчитывают время от разных моментов. В начале и в конце читайте одни и те же часы")  # fmt: skip
    return ""


def describe_value(value, share):
    """Say what a wrong share is instead, if that is plain."""
    if abs(value - 1 / share) < CLOSE:
        return say(en=": that is wall time divided by CPU time",
                   ru=": это полное время, делённое на время ЦП")  # fmt: skip
    if abs(value - (1 - share)) < CLOSE:
        return say(en=": that is the share of its time that it waits", ru=": это доля ожидания")
    if abs(value - 100 * share) < CLOSE:
        return say(en=": return a share, not a percentage", ru=": нужна доля, а не проценты")
    if not 0 <= value <= 1:
        return say(en=", which is no share. Take each difference from one clock, with task() between its readings",
                   ru=", а это не доля. Каждая разность — показания одних часов до task() и после")  # fmt: skip
    return ""


def find_fault(value, waits_s, computes_s):
    """Return what is wrong with the share of a task, or nothing."""
    share = computes_s / (waits_s + computes_s)
    if isinstance(value, int | float):
        if abs(value - share) < CLOSE:
            return ""
        reason = describe_clocks() or describe_mix(value)
        if not reason and 0 < share < 1:
            reason = describe_value(value, share)
        returned = f"{value:{'.3g' if abs(value) < 1000 else '.0f'}}{reason}"
    else:
        returned = repr(value)
    return say(en=f"a task waits for {waits_s} s and computes for {computes_s} s: the share is {share:.3g}, "
                  f"and measure_share returned {returned}",
               ru=f"задача {waits_s} с ждёт и {computes_s} с считает: доля равна {share:.3g}, "
                  f"а measure_share вернула {returned}")  # fmt: skip


def check(program):
    read, most_runs = set(), 1
    for waits_s, computes_s in TASKS:
        runs = []

        def task(waits_s=waits_s, computes_s=computes_s, runs=runs):
            runs.append(None)
            clocks.wait(waits_s)
            clocks.compute(computes_s)

        clocks.read.clear()
        clocks.readings.clear()
        value = program.measure_share(task)
        if not runs:
            yield must(
                en="measure_share never calls the task", ru="measure_share не вызывает задачу"
            )
            return
        if fault := find_fault(value, waits_s, computes_s):
            yield must(en=fault, ru=fault)
            return
        read |= clocks.read
        most_runs = max(most_runs, len(runs))
    if most_runs > 1:
        yield should(en="it runs the task more than once. Start both clocks, then run it once: a task may save a file or send an email",
                     ru="задача запускается больше одного раза. Запомните показания обоих часов и запустите её один раз: задача может сохранить файл или отправить письмо")  # fmt: skip
    if "time" in read:
        yield should(en="time.time() jumps when the system's clock is set. perf_counter() never does",
                     ru="time.time() скачет, когда переводят системные часы, а perf_counter() — нет")  # fmt: skip
    if "thread_time" in read:
        yield remark(en="thread_time() leaves out the other threads of a task (lesson 2). process_time() counts all of them",
                     ru="thread_time() не видит других потоков задачи (урок 2), а process_time() считает их все")  # fmt: skip
    yield praise(en="the share is right for a task that waits, for one that computes and for one that does both",
                 ru="доля верна для трёх задач: одна ждёт, другая считает, третья делает и то и другое")  # fmt: skip
