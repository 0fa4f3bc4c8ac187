"""Two deposits, each of which takes so long to add that the other thread gets its turn."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError

from checks.words import say

adding = Barrier(2, timeout=2)


class Amount(int):
    """An amount whose addition waits for another one to begin, though not forever."""

    def __add__(self, other):
        with suppress(BrokenBarrierError):  # the other thread waits for a lock
            adding.wait()
        return int(self) + int(other)

    __radd__ = __add__


def find_fault(program):
    account = program.Account()
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(account.deposit, [Amount(10), Amount(10)]))
    if account.balance != 20:
        return say("two deposits of 10, and the balance is {}", account.balance)
    return ""
