"""All threads call one decorated function: the decorator's inner function is one object for all."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)


def checked(function: Callable[[int], int]) -> Callable[[int], int]:
    @wraps(function)
    def wrapper(order: int) -> int:
        if order < 0:
            raise ValueError(f"no such order: {order}")
        return function(order)

    return wrapper


checked_price = checked(price)


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += checked_price(order)
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
