"""Each thread loads its own table: the same work, and no shared objects."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, load_fees, report, share_out, timed

ORDERS = count_orders(6_000_000)


def add_up(orders: range) -> float:
    fees = load_fees()
    total = 0.0
    for order in orders:
        total += fees[order % 4]
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
