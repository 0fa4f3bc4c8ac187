"""One sum for all threads, and a lock around each addition."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(2_600_000)

lock = Lock()
total = {"price": 0}


def add_prices(orders: range) -> None:
    for order in orders:
        with lock:
            total["price"] += order % 100


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(add_prices, share_out(ORDERS)))
        report(ORDERS, total["price"])


if __name__ == "__main__":
    main()
