"""A counter that all threads share hands out the orders one by one: next() gives each number once."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

from tasks import WORKERS, count_orders, price, report, timed

ORDERS = count_orders(2_000_000)

numbers = count()


def add_up(_worker: int) -> int:
    total = 0
    while (order := next(numbers)) < ORDERS:
        total += price(order)
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, range(WORKERS))))


if __name__ == "__main__":
    main()
