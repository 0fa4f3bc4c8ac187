"""Each order is a JSON document, read by the C code behind json."""

import json
from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(340_000)


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        document = f"""{{"number": {order}, "price": {order % 100}}}"""
        total += json.loads(document)["price"]
    return total


def main() -> None:
    with timed(), ThreadPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
