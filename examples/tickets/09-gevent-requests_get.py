"""The code of threads around `requests.get`, but with greenlets instead of threads: one thread runs
them all, because the blocking calls were replaced by cooperative ones."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

from concurrent.futures import ThreadPoolExecutor  # noqa: E402

import requests  # noqa: E402
from tasks import (  # noqa: E402
    TIMEOUT_S,
    WORKERS,
    list_days,
    locate_server,
    read_prices,
    timed,
)


def find_cheapest(url: str) -> int:
    response = requests.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return min(read_prices(response.content))


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(find_cheapest, list_days()))
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
