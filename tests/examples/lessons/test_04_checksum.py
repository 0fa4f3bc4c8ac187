"""Lesson 4: which programs compute without the GIL, and what the others hear."""

import pytest

from scripts.site.declare.lessons import LESSONS

NAME = "04-checksum"
SOLUTIONS = LESSONS / "solutions"
GIVEN = LESSONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
SOLVED = SOLUTIONS.joinpath(f"{NAME}.py").read_text(encoding="utf-8")
IMPORTS = """
import functools
import itertools
import multiprocessing
import zlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from threading import Thread
from zlib import adler32

"""
POOLED = """
def checksum_all(files):
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(checksum, files))
"""


def write(body: str, pooled: str = POOLED) -> str:
    """Return a program that computes a checksum so, and those of all files in a pool."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    return f"{IMPORTS}def checksum(data):\n{lines}\n\n{pooled}"


DIRECT = IMPORTS + POOLED.replace("checksum,", "adler32,")
LARGE_PIECES = """
value = 1
for start in range(0, len(data), 1 << 16):
    value = zlib.adler32(memoryview(data)[start : start + (1 << 16)], value)
return value
"""
THREADS = """
def checksum_all(files):
    checksums = [0] * len(files)

    def fill(number):
        checksums[number] = checksum(files[number])

    threads = [Thread(target=fill, args=[number]) for number in range(len(files))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return checksums
"""
C_CODE = "return adler32(data)"
LOOP = "def checksum_all(files):\n    return [checksum(data) for data in files]\n"
JOINED = THREADS.replace("    for thread in threads:\n        thread.join()\n", "").replace(
    "start()", "start()\n        thread.join()"
)
PROCESSES = GIVEN.replace("Thread", "Process")
SPAWNED = PROCESSES.replace("(4)", "(2, mp_context=multiprocessing.get_context('spawn'))").replace(
    "from time", "import multiprocessing\nfrom time"
)

COMPREHENSION = """
highs = itertools.accumulate([low for low in itertools.accumulate((b for b in data), initial=1)])
return (list(highs)[-1] - 1) % 65521 << 16 | (1 + sum(data)) % 65521
"""
BUILT_IN = COMPREHENSION.replace("[low for low in ", "").replace("(b for b in data)", "data")
BUILT_IN = BUILT_IN.replace("initial=1)])", "initial=1))")
REDUCED = """
def add(sums, byte):
    low = (sums[0] + byte) % 65521
    return low, (sums[1] + low) % 65521

low, high = functools.reduce(add, data, (1, 0))
return high << 16 | low
"""
BYTE_BY_BYTE = """
value = 1
for byte in data:
    value = zlib.adler32(bytes([byte]), value)
return value
"""
SMALL_PIECES = LARGE_PIECES.replace("1 << 16", "1024")
FORGETFUL = SMALL_PIECES.replace(", value)", ")")
OUT_OF_ORDER = """
def checksum_all(files):
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(checksum, data) for data in reversed(files)]
        return [future.result() for future in futures]
"""


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (SOLVED, "praise"),
        (DIRECT, "praise"),
        (DIRECT.replace("(4)", "()"), "praise"),
        (DIRECT.replace("(4)", "(2)"), "praise"),
        (DIRECT.replace("list(pool.map(adler32, files))", "pool.map(adler32, files)"), "praise"),
        (write(LARGE_PIECES), "praise"),
        (write(C_CODE, THREADS), "praise"),
        (write(C_CODE, LOOP), "should"),
        (write(C_CODE, JOINED), "should"),
        (DIRECT.replace("(4)", "(1)"), "should"),
        (PROCESSES, "remark"),
        (SPAWNED, "remark"),
        (write(C_CODE, POOLED.replace("Thread", "Process")), "remark"),
    ],
)
def test_what_computes_in_parallel_is_right(hear, source: str, kind: str):
    assert [kind for kind, _ in hear(NAME, source)] == [kind]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (GIVEN, "steps of your code for 80,000 bytes. With the GIL, threads take turns at that"),
        (write(COMPREHENSION), "steps of your code for 80,000 bytes. With the GIL"),
        (write(REDUCED), "steps of your code for 80,000 bytes. With the GIL"),
        (write(BYTE_BY_BYTE), "steps of your code for 80,000 bytes. With the GIL"),
        (write(BUILT_IN), "C code adds up the bytes, but not zlib.adler32"),
        (write(SMALL_PIECES), "zlib.adler32 got at most 1,024 bytes at a time. For up to 5,120"),
        (write(FORGETFUL), "the checksum of b'\\x01\\x02\\x03\\x00' * 5000 is"),
        (write("return zlib.crc32(data)"), "of b'Wikipedia' is 300286872, and checksum_all"),
        (write("return zlib.adler32(data, 0)"), "of b'Wikipedia' is 300286872"),
        (write("return zlib.adler32(data).hex"), "AttributeError: 'int' object has no attribute"),
        (write("zlib.adler32(data)"), "of b'Wikipedia' is 300286872, and checksum_all returned No"),
        (write(C_CODE, OUT_OF_ORDER), "of b'Wikipedia' is 300286872"),
        (write(C_CODE, POOLED.replace("return ", "")), "and it returned None"),
        (write(C_CODE, POOLED.replace("_all", "s")), "keep the names of functions and classes"),
    ],
)
def test_of_any_other_the_reason_is_told(hear, source: str, reason: str):
    ((kind, text),) = hear(NAME, source)
    assert kind == "must"
    assert reason in text


def test_the_reason_is_told_in_russian(hear):
    ((_, text),) = hear(NAME, write(SMALL_PIECES), "ru")
    assert text.startswith("zlib.adler32 получала не больше 1\N{NO-BREAK SPACE}024 байтов за раз.")
