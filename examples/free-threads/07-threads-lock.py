"""One sum for all threads, with a lock around each addition: correct, but all threads queue for it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)

total = {"cents": 0}
lock = Lock()


def add_up(orders: range) -> None:
    for order in orders:
        cents = price(order)
        with lock:
            total["cents"] += cents


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(add_up, share_out(ORDERS)))
        report(ORDERS, total["cents"])


if __name__ == "__main__":
    main()
