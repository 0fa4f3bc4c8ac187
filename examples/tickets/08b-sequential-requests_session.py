"""Tickets of a hundred days, one day after another, in one session of requests: it connects once."""

import requests
from tasks import describe, find_cheapest_by, list_days, timed


def main() -> None:
    with requests.Session() as session, timed():
        prices = [find_cheapest_by(session.get, day) for day in list_days()]
        print(describe(prices))


if __name__ == "__main__":
    main()
