"""Fetch addresses with urllib3: one PoolManager, which the threads of a pool share."""

from concurrent.futures import ThreadPoolExecutor

import urllib3
from tasks import LIMIT, TIMEOUT_S, list_urls, report, timed, trust


def main() -> None:
    urls = list_urls()

    def fetch(url: str) -> bytes:
        response = client.request("GET", url)
        if response.status != 200:
            raise OSError(f"{url} answered {response.status}")
        return response.data

    with (
        timed(),
        urllib3.PoolManager(maxsize=LIMIT, timeout=TIMEOUT_S, ssl_context=trust()) as client,
        ThreadPoolExecutor(LIMIT) as pool,
    ):
        print(report(list(pool.map(fetch, urls))))


if __name__ == "__main__":
    main()
