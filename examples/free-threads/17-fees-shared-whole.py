"""All threads read one table of small integers, whose references aren't counted."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(6_000_000)

fees = {0: 5, 1: 7, 2: 9, 3: 12}  # as much in all as those of load_fees()


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += fees[order % 4]
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
