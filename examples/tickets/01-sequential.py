"""Tickets of a hundred days, one day after another: the program waits for each by itself."""

from tasks import TIMEOUT_S, list_days, make_client, read_prices, timed


def find_cheapest(client, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return min(read_prices(response.data))


def main() -> None:
    with make_client(1) as client, timed():
        prices = [find_cheapest(client, day) for day in list_days()]
        print(f"{len(prices)} days, cheapest {min(prices)}")


if __name__ == "__main__":
    main()
