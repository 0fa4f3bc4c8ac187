"""Stop a call that takes too long: it runs in a process of its own, which ends with the limit."""

from multiprocessing import get_context
from time import sleep

SPAWN = get_context("spawn")


def call(seconds: float) -> str:
    """Take a while, or far too long: put your own work here."""
    sleep(seconds)
    return f"done after {seconds} s"


def run(limit_s: float, item: float) -> str:
    with SPAWN.Pool(1) as pool:  # whose end terminates the process, also after an error or Ctrl-C
        return pool.apply_async(call, (item,)).get(timeout=limit_s)


def main() -> None:
    for seconds in (0.1, 2.0):
        try:
            print(run(0.4, seconds))
        except SPAWN.TimeoutError:  # too slow, or the process died
            print("TimeoutError: no result within 0.4 s")


if __name__ == "__main__":
    main()
