"""Who makes units until there are too many must not take the machine down: a guard stops it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import suppress
from operator import itemgetter
from time import perf_counter

from room import ENDLESS, PROC, memory_room, own_rooms, system_rooms
from tasks import CEILING, SECONDS, TASKS

# Of each kind: how many at most, how many between two looks, and what one takes, in bytes.
KINDS = {
    "tasks": (1_000_000, 5_000, 1_500),
    "greenlets": (1_000_000, 1_000, 8_000),
    "threads": (30_000, 100, 50_000),
    "processes": (2_000, 10, 8_000_000),
}

NO_MORE = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EPIPE}
"""What the system says when it makes no more; the last when the fork server has died of another."""


class Guard:
    """Deals out numbers of units to make until a limit is near, and keeps the name of that.

    The names: nothing (there are as many as asked for), ceiling, time, memory, ulimit -u,
    ulimit -n, threads-max, pid_max, max_map_count, cgroup pids, and refused: the system made no
    more although none of these was near.
    """

    def __init__(self, kind: str) -> None:
        ceiling, self.step, self.unit_bytes = KINDS[kind]
        self.in_kernel = kind in ("threads", "processes")
        self.own = {"ceiling": CEILING or ceiling} | (own_rooms(kind) if self.in_kernel else {})
        self.stopped_by = "nothing"
        self.begin = perf_counter()
        self.left = self.look(0)
        with suppress(OSError):  # should memory run out in spite of all this, then for us first
            (PROC / "self/oom_score_adj").write_text("1000", encoding="ascii")

    def batches(self) -> Iterator[range]:
        """Some numbers at a time, with a look at the limits between them."""
        made = 0
        while made < TASKS:
            limit, left = min(self.left.items(), key=itemgetter(1))
            if left <= 0:
                self.stopped_by = limit
                return
            batch = range(made, min(made + self.step, made + left, TASKS))
            yield batch
            made = batch.stop
            self.left = self.look(made)

    def look(self, made: int) -> dict[str, int]:
        """How many more units fit under each limit."""
        left = {limit: room - made for limit, room in self.own.items()}
        left["time"] = ENDLESS if perf_counter() < self.begin + SECONDS else 0
        left["memory"] = memory_room(made * self.unit_bytes) // self.unit_bytes
        return left | system_rooms() if self.in_kernel else left

    def linger_s(self) -> float:
        """So long all units wait together before they are released, to be seen from outside."""
        return 0.1 + 0.1 * (perf_counter() - self.begin)

    def __enter__(self) -> None:
        """Begin to make units."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> bool:
        """Take it for a result when the system makes no more, or not in time."""
        if isinstance(error, TimeoutError):
            self.stopped_by = "time"
        elif is_refusal(error):
            self.stopped_by = "refused"
        else:
            return False
        return True


def is_refusal(error: BaseException | None) -> bool:
    """Whether the system said no; what else goes wrong is a mistake, and to be seen."""
    if isinstance(error, OSError):
        return error.errno in NO_MORE
    if isinstance(error, RuntimeError):
        return str(error) == "can't start new thread"
    return isinstance(error, MemoryError | EOFError)
