"""Tickets of a hundred days, one day after another, with `requests.get`: each call makes its own
session, connects again and, over TLS, loads the trusted certificates again."""

import requests
from tasks import TIMEOUT_S, list_days, locate_server, read_prices, timed


def find_cheapest(url: str) -> int:
    response = requests.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return min(read_prices(response.content))


def main() -> None:
    with timed():
        prices = [find_cheapest(day) for day in list_days()]
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
