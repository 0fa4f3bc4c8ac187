"""The same in processes, which share nothing: the rival of threads without the GIL."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += price(order)
    return total


def main() -> None:
    with timed(), ProcessPoolExecutor(WORKERS, mp_context=PROCESSES) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
