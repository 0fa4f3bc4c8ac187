"""Four files, a count of the steps of Python that run for them, and a watch on zlib.adler32."""

import os
import sys
import threading
import zlib
from concurrent.futures import Future
from itertools import count
from multiprocessing.process import BaseProcess

from checks.failures import describe_error
from checks.remarks import must, praise, remark, say, should

SHORT = [b"Wikipedia", b"", b"abc"]
FILES = [bytes([1, 2, 3, number]) * 5000 for number in range(4)]
TOTAL = sum(map(len, FILES))
LARGEST_WITH_GIL = 5 * 1024  # of a call; above it, zlib.adler32 releases the GIL
PATIENCE = 100  # how often this check takes its turn before it says that no other call will begin
adler32, start_process = zlib.adler32, BaseProcess.start


def start(process):
    watch.processes += 1
    start_process(process)


class Watch:
    """What a program does: steps of Python, calls of zlib.adler32, processes that it starts."""

    def __init__(self):
        self.process = os.getpid()
        self.processes = self.inside = self.most = 0
        self.steps = count()
        self.sizes, self.threads = [], set()
        self.changed = threading.Condition()
        self.is_free = True
        zlib.adler32, BaseProcess.start = self.adler32, start

    def begin(self, program):
        """Count from now on the steps of the program, in all threads that start."""
        file = program.__file__

        def trace(frame, *_):
            if frame.f_code.co_filename != file:
                return None
            next(self.steps)
            return trace

        sys.settrace(trace)
        threading.settrace(trace)

    def adler32(self, data, value=1, /):
        """Call zlib's function; the first call of each thread waits for those of other threads."""
        if os.getpid() == self.process:
            self.sizes.append(memoryview(data).nbytes)
            if threading.get_ident() not in self.threads:
                self.meet()
        return adler32(data, value)

    def meet(self):
        with self.changed:
            self.threads.add(threading.get_ident())
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.is_free = self.is_free or self.inside == len(FILES)
            self.changed.notify_all()
            patience = PATIENCE
            while not self.is_free and patience:
                self.changed.wait(0.01)
                patience -= 1
            self.is_free = True
            self.inside -= 1


watch = Watch()  # before the program is imported: it may import the function itself


def show(data):
    return str(data) if len(data) < 20 else f"{data[:4]} * {len(data) // 4}"


def describe_future(future):
    """Return what a future has instead of a number."""
    if error := future.exception():
        return say(en=f"a future, which keeps {describe_error(error)}",
                   ru=f"future, которая хранит {describe_error(error)}")  # fmt: skip
    return say(en="a future: its number comes from result()",
               ru="future: число вернёт её result()")  # fmt: skip


def describe_wrong(files, returned):
    """Return what is wrong with some checksums, or nothing."""
    expected = [adler32(data) for data in files]
    try:
        checksums = list(returned)
    except TypeError:
        checksums = []
    for data, right, checksum in zip(files, expected, checksums, strict=False):
        if right != checksum:
            returned = describe_future(checksum) if isinstance(checksum, Future) else repr(checksum)
            return must(
                en=f"the checksum of {show(data)} is {right}, and checksum_all returned {returned}",
                ru=f"контрольная сумма {show(data)} — {right}, а checksum_all вернула {returned}",
            )
    if len(checksums) != len(expected):
        return must(
            en=f"checksum_all should return a list of {len(files)} numbers, and it returned {returned!r}",
            ru=f"checksum_all должна вернуть список чисел, их {len(files)}, а вернула {returned!r}",
        )
    return None


def group(number):
    """Return a number as text, with its thousands apart."""
    return say(en=f"{number:,}", ru=f"{number:,}".replace(",", "\N{NO-BREAK SPACE}"))


def describe_use_of_the_gil(steps):
    """Return why the threads still take turns, or nothing."""
    if steps > TOTAL / 20:
        return must(
            en=f"Python ran {group(steps)} steps of your code for {group(TOTAL)} bytes. With the GIL, threads take turns at that",
            ru=f"шагов кода на Python — {group(steps)} на {group(TOTAL)} байтов. С GIL потоки выполняют их по очереди",
        )  # fmt: skip
    if watch.processes:
        return None
    if not watch.sizes:
        return must(
            en="C code adds up the bytes, but not zlib.adler32. C code keeps the GIL unless its author releases it, and sum() doesn't release it",
            ru="байты складывает код на C, но это не zlib.adler32. Код на C держит GIL, пока сам его не освободит, а sum() не освобождает",
        )  # fmt: skip
    if max(watch.sizes) <= LARGEST_WITH_GIL:
        return must(
            en=f"zlib.adler32 got at most {group(max(watch.sizes))} bytes at a time. For up to {group(LARGEST_WITH_GIL)} bytes it keeps the GIL, so threads take turns",
            ru=f"zlib.adler32 получала не больше {group(max(watch.sizes))} байтов за раз. До {group(LARGEST_WITH_GIL)} она держит GIL, и потоки работают по очереди",
        )  # fmt: skip
    return None


def check(program):
    watch.begin(program)
    if fault := describe_wrong(SHORT, program.checksum_all(SHORT)):
        yield fault
        return
    watch.steps, watch.sizes, watch.threads = count(), [], set()
    watch.most, watch.is_free = 0, False
    returned = program.checksum_all(FILES)
    steps = next(watch.steps)
    if fault := describe_wrong(FILES, returned) or describe_use_of_the_gil(steps):
        yield fault
    elif watch.processes:
        yield remark(
            en="each process has its own GIL, so processes compute in parallel too. But they get a copy of each file, and threads with zlib.adler32 need none",
            ru="у каждого процесса свой GIL, поэтому они тоже считают параллельно. Но каждый файл к ним копируется, а потокам с zlib.adler32 копии не нужны",
        )  # fmt: skip
    elif watch.most < 2:
        yield should(
            en="the checksums are computed one at a time, so only one core works. In a pool of threads, several cores would",
            ru="контрольные суммы считаются по одной, и занято одно ядро. В пуле потоков заняты были бы несколько",
        )  # fmt: skip
    else:
        yield praise(
            en=f"{watch.most} threads were inside zlib.adler32 at once, where they need no GIL, and Python ran {steps} steps for {group(TOTAL)} bytes",
            ru=f"внутри zlib.adler32 было потоков сразу: {watch.most}. GIL им там не нужен. Шагов кода на Python — {steps} на {group(TOTAL)} байтов",
        )  # fmt: skip
