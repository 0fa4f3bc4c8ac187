"""All threads store into one dictionary, each under its own keys: no race, but one dictionary."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)

prices = {}


def add_prices(orders: range) -> None:
    for order in orders:
        prices[order] = price(order)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(add_prices, share_out(ORDERS)))
        report(ORDERS, sum(prices.values()))


if __name__ == "__main__":
    main()
