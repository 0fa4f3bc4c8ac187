"""One thread looks up the fee of each order in a table."""

from tasks import count_orders, load_fees, report, timed

ORDERS = count_orders(6_000_000)

fees = load_fees()


def add_up(orders: range) -> float:
    total = 0.0
    for order in orders:
        total += fees[order % 4]
    return total


def main() -> None:
    with timed():
        report(ORDERS, add_up(range(ORDERS)))


if __name__ == "__main__":
    main()
