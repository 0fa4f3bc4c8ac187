"""fork next to a thread: Python warns of it since 3.12, but hides the warning by default."""

import warnings
from multiprocessing import get_context
from threading import Event, Thread

from tasks import timed


def work() -> None:
    """Even a child that has nothing to do may wait for ever; this one does not."""


def main() -> None:
    end = Event()
    Thread(target=end.wait).start()
    with timed():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")  # python -W always does it from outside
            child = get_context("fork").Process(target=work)
            child.start()
        child.join()
        end.set()
        for warning in caught:
            print(f"{warning.category.__name__}: … {str(warning.message).partition(', ')[2]}")


if __name__ == "__main__":
    main()
