"""Each order's coupon is no number: an exception is raised and caught for every order."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(100_000)


def discount(coupon: str) -> int:
    try:
        return int(coupon)
    except ValueError:
        return 0


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += order % 100 - discount("none")
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
