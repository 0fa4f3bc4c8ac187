"""Tickets of a hundred days, a pool of threads, each with its own requests session, because a session
isn't made for several threads at once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import requests
from tasks import TIMEOUT_S, WORKERS, list_days, locate_server, read_prices, timed

local = threading.local()


def open_session(opened: ExitStack) -> None:
    local.session = opened.enter_context(requests.Session())


def find_cheapest(url: str) -> int:
    response = local.session.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return min(read_prices(response.content))


def main() -> None:
    with ExitStack() as opened, timed():  # all sessions are closed at the end
        with ThreadPoolExecutor(WORKERS, initializer=open_session, initargs=(opened,)) as pool:
            prices = list(pool.map(find_cheapest, list_days()))
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
