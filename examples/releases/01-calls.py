"""A function works out each order's price: calls and small numbers, and nothing that threads share."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(10_500_000)


def price(order: int) -> int:
    return order % 100


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += price(order)
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
