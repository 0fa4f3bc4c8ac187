"""The code of threads with a session each, but with greenlets instead of threads: one thread runs
them all, because the blocking calls were replaced by cooperative ones."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

import threading  # noqa: E402
from concurrent.futures import ThreadPoolExecutor  # noqa: E402
from contextlib import ExitStack  # noqa: E402

import requests  # noqa: E402
from tasks import (  # noqa: E402
    TIMEOUT_S,
    WORKERS,
    list_days,
    locate_server,
    read_prices,
    timed,
)

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
