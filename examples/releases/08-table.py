"""All threads read one table. Even reading counts references to the objects in it."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(1_000_000)


prices = {zone: float(zone) for zone in range(100)}


def add_up(orders: range) -> float:
    total = 0.0
    for order in orders:
        total += prices[order % 100]
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
