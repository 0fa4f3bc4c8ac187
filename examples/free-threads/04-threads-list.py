"""All threads append to one list: a single step for each order, and the same list for all of them."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)

prices = []


def add_prices(orders: range) -> None:
    for order in orders:
        cents = price(order)
        prices.append(cents)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(add_prices, share_out(ORDERS)))
        report(ORDERS, sum(prices))


if __name__ == "__main__":
    main()
