"""All threads look into one table. They only read it, yet each use writes its reference counts."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, load_fees, report, share_out, timed

ORDERS = count_orders(6_000_000)

fees = load_fees()


def add_up(orders: range) -> float:
    total = 0.0
    for order in orders:
        total += fees[order % 4]
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
