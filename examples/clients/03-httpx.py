"""Fetch addresses with httpx: one Client, which the threads of a pool share."""

from concurrent.futures import ThreadPoolExecutor

import httpx
from tasks import LIMIT, TIMEOUT_S, list_urls, report, timed, trust


def main() -> None:
    urls = list_urls()
    limits = httpx.Limits(max_connections=LIMIT, max_keepalive_connections=LIMIT)

    def fetch(url: str) -> bytes:
        return client.get(url).raise_for_status().content

    with (
        timed(),
        httpx.Client(limits=limits, timeout=TIMEOUT_S, verify=trust()) as client,
        ThreadPoolExecutor(LIMIT) as pool,
    ):
        print(report(list(pool.map(fetch, urls))))


if __name__ == "__main__":
    main()
