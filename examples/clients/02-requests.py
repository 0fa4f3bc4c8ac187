"""Fetch addresses with requests: each thread of a pool has its own session."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import requests
from tasks import LIMIT, TIMEOUT_S, list_urls, locate_server, report, timed

thread = threading.local()


def open_session(opened: ExitStack) -> None:
    thread.session = opened.enter_context(requests.Session())


def fetch(url: str) -> bytes:
    response = thread.session.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return response.content


def main() -> None:
    urls = list_urls()
    with (
        timed(),
        ExitStack() as opened,  # closes the sessions once all threads are done
        ThreadPoolExecutor(LIMIT, initializer=open_session, initargs=(opened,)) as pool,
    ):
        print(report(list(pool.map(fetch, urls))))


if __name__ == "__main__":
    main()
