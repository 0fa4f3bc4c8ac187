"""Each thread appends to its own list, and the lists are joined at the end: as many steps as 04."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_orders, price, report, share_out, timed

ORDERS = count_orders(2_000_000)


def list_prices(orders: range) -> list[int]:
    prices = []
    for order in orders:
        cents = price(order)
        prices.append(cents)
    return prices


def main() -> None:
    prices = []
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            for own in pool.map(list_prices, share_out(ORDERS)):
                prices.extend(own)
        report(ORDERS, sum(prices))


if __name__ == "__main__":
    main()
