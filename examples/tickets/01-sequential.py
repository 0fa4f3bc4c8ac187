"""Tickets of a hundred days, one day after another: the program waits for each by itself."""

from tasks import describe, find_cheapest, list_days, make_client, timed


def main() -> None:
    with make_client(1) as client, timed():
        prices = [find_cheapest(client, day) for day in list_days()]
        print(describe(prices))


if __name__ == "__main__":
    main()
