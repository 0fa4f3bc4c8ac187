"""One thread adds up all orders: the plain way, and the measure of all the others."""

from tasks import count_orders, price, report, timed

ORDERS = count_orders(2_000_000)


def main() -> None:
    with timed():
        total = 0
        for order in range(ORDERS):
            total += price(order)
        report(ORDERS, total)


if __name__ == "__main__":
    main()
