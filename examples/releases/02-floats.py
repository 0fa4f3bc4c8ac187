"""Prices with their tax: arithmetic with floats, each result a new object."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(800_000)


def add_up(orders: range) -> float:
    total = 0.0
    for order in orders:
        net = order % 100 * 0.8
        total += net + net * 0.25
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
