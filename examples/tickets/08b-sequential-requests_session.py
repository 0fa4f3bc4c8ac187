"""Tickets of a hundred days, one day after another, in one session of requests: it connects once."""

import requests
from tasks import TIMEOUT_S, list_days, locate_server, read_prices, timed


def find_cheapest(session: requests.Session, url: str) -> int:
    response = session.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return min(read_prices(response.content))


def main() -> None:
    with requests.Session() as session, timed():
        prices = [find_cheapest(session, day) for day in list_days()]
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
