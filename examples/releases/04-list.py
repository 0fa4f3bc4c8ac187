"""All threads append to one list, a step for each order."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, report, share_out, timed

ORDERS = count_orders(13_000_000)

prices = []


def add_prices(orders: range) -> None:
    for order in orders:
        price = order % 100
        prices.append(price)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(add_prices, share_out(ORDERS)))
        report(ORDERS, sum(prices))


if __name__ == "__main__":
    main()
