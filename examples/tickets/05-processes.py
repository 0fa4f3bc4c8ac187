"""Tickets of a hundred days, a pool of processes: the waits overlap too, but every process takes
memory for its own interpreter and client."""

from concurrent.futures import ProcessPoolExecutor
from functools import cache

from tasks import (
    PRELOADED,
    PROCESSES,
    TIMEOUT_S,
    WORKERS,
    list_days,
    make_client,
    read_prices,
    timed,
)

get_client = cache(make_client)  # made when a process first asks for it


def find_cheapest(url: str) -> int:
    response = get_client(1).request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return min(read_prices(response.data))


def main() -> None:
    PROCESSES.set_forkserver_preload(PRELOADED)  # imported once, not by each worker
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        prices = list(pool.map(find_cheapest, list_days()))
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
