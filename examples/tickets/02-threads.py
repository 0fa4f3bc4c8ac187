"""Tickets of a hundred days, a pool of threads: each of them waits, all of them share a client."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tasks import TIMEOUT_S, WORKERS, list_days, make_client, read_prices, timed


def find_cheapest(client, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return min(read_prices(response.data))


def main() -> None:
    with make_client(WORKERS) as client, timed(), ThreadPoolExecutor(WORKERS) as pool:
        prices = list(pool.map(partial(find_cheapest, client), list_days()))
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
