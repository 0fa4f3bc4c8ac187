"""Each thread has its own sum and its own lock around each addition: as many steps as 07, no queue."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)


def add_up(orders: range) -> int:
    total = {"cents": 0}
    lock = Lock()
    for order in orders:
        cents = price(order)
        with lock:
            total["cents"] += cents
    return total["cents"]


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
