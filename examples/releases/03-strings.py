"""The last two digits of an order's number are its price: text is made, cut and read as a number."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(200_000)


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += int(f"{order:08}"[-2:])
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
