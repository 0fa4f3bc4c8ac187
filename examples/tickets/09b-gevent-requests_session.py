"""The code of threads with a session each, but greenlets take the place of the threads: one thread
runs them all, because what would wait was replaced by what lets others work."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

from concurrent.futures import ThreadPoolExecutor  # noqa: E402
from contextlib import ExitStack  # noqa: E402
from threading import local  # noqa: E402

import requests  # noqa: E402
from tasks import WORKERS, describe, find_cheapest_by, list_days, timed  # noqa: E402

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
