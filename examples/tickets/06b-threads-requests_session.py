"""Tickets of a hundred days, a pool of threads, each with a session of requests of its own: a
session is not made for several threads at once."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import local

import requests
from tasks import WORKERS, describe, find_cheapest_by, list_days, timed

own = local()


def open_session(opened: ExitStack) -> None:
    own.session = opened.enter_context(requests.Session())


def work(day: str) -> int:
    return find_cheapest_by(own.session.get, day)


def main() -> None:
    with ExitStack() as opened, timed():  # all sessions are closed at the end
        with ThreadPoolExecutor(WORKERS, initializer=open_session, initargs=(opened,)) as pool:
            prices = list(pool.map(work, list_days()))
        print(describe(prices))


if __name__ == "__main__":
    main()
