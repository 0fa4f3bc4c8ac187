"""Tickets of a hundred days, a pool of greenlets: the code of threads, but one thread runs it all,
because the functions that would wait were replaced by some that let others work."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

from functools import partial  # noqa: E402

from gevent.pool import Pool  # noqa: E402
from tasks import TIMEOUT_S, WORKERS, list_days, make_client, read_prices, timed  # noqa: E402


def find_cheapest(client, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return min(read_prices(response.data))


def main() -> None:
    with make_client(WORKERS) as client, timed():
        prices = Pool(WORKERS).map(partial(find_cheapest, client), list_days())
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
