"""The same in subinterpreters: threads of one process, each with its own GIL and nothing shared."""

from concurrent.futures import InterpreterPoolExecutor

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)


def add_up(orders: range) -> int:
    total = 0
    for order in orders:
        total += price(order)
    return total


def main() -> None:
    with timed(), InterpreterPoolExecutor(WORKERS) as pool:
        report(ORDERS, sum(pool.map(add_up, share_out(ORDERS))))


if __name__ == "__main__":
    main()
