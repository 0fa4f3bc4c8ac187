"""Each order is paid in two instalments, and a generator yields them: a new one for each order."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(300_000)


def list_instalments(order: int) -> Iterator[int]:
    cents = order % 100
    yield cents // 2
    yield cents - cents // 2


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += sum(list_instalments(order))
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
