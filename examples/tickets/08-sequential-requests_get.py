"""Tickets of a hundred days, one day after another, by `requests.get`: each call makes a session of
its own, connects anew and, over TLS, loads the trusted certificates anew."""

import requests
from tasks import describe, find_cheapest_by, list_days, timed


def main() -> None:
    with timed():
        prices = [find_cheapest_by(requests.get, day) for day in list_days()]
        print(describe(prices))


if __name__ == "__main__":
    main()
