"""Four sellers check and sell in one call: setdefault() tells each who has the seat."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, timed

SEATS = count_tasks(500_000)

owners = {}
sold = []


def price(seat: int) -> int:
    return 50 - seat % 40


def sell(seat: int, seller: int) -> None:
    if owners.setdefault(seat, seller) == seller:  # nobody was quicker
        sold.append((seat, price(seat)))


def serve(seller: int) -> None:
    for seat in range(SEATS):
        sell(seat, seller)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(serve, range(WORKERS)))
        report(SEATS, "seats", len(sold) - SEATS)


if __name__ == "__main__":
    main()
