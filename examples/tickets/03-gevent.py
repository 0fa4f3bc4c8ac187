"""Tickets of a hundred days, a pool of greenlets: the code of threads, but one thread runs it all,
because the functions that would wait were replaced by some that let others work."""

from gevent import monkey

monkey.patch_all()  # before any other import: what is imported earlier keeps on blocking

from functools import partial  # noqa: E402

from gevent.pool import Pool  # noqa: E402
from tasks import WORKERS, describe, find_cheapest, list_days, make_client, timed  # noqa: E402


def main() -> None:
    with make_client(WORKERS) as client, timed():
        prices = Pool(WORKERS).map(partial(find_cheapest, client), list_days())
        print(describe(prices))


if __name__ == "__main__":
    main()
