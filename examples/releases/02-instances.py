"""All threads use one class: each order becomes an instance, and its method returns the price."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(4_000_000)


class Order:
    def __init__(self, number: int) -> None:
        self.number = number

    def price(self) -> int:
        return self.number % 100


def add_up(numbers: range) -> int:
    total = 0
    for number in numbers:
        total += Order(number).price()
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
