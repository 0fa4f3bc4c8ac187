"""Stop a call that takes too long: run it in its own process, and kill that with all it has started."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from time import sleep

SPAWN = get_context("spawn")


def call(seconds: float) -> str:
    """Take a while, or far too long: put your own work here."""
    sleep(seconds)
    return f"done after {seconds} s"


def run(limit_s: float, item: float) -> str:
    """Return the result of the call, raise its error, or raise TimeoutError after the limit."""
    # The process starts its own session: killing its group ends what the call has started, too.
    with ProcessPoolExecutor(1, mp_context=SPAWN, initializer=os.setsid) as pool:
        group = pool.submit(os.getpid).result()
        try:
            return pool.submit(call, item).result(limit_s)
        finally:  # after a result, an error, the limit or Ctrl-C
            with suppress(ProcessLookupError, PermissionError):  # the process has died already
                os.killpg(group, signal.SIGKILL)


def main() -> None:
    for seconds in (0.1, 2.0):
        try:
            print(run(0.4, seconds))
        except TimeoutError:
            print("TimeoutError: no result within 0.4 s")


if __name__ == "__main__":
    main()
