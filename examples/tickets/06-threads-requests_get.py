"""Tickets of a hundred days, a pool of threads around `requests.get`: each call makes its own session,
connects again and, over TLS, loads the trusted certificates again."""

from concurrent.futures import ThreadPoolExecutor

import requests
from tasks import TIMEOUT_S, WORKERS, list_days, locate_server, read_prices, timed


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
