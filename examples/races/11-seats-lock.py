"""Four sellers check and sell under the same lock."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, count_tasks, report, timed

SEATS = count_tasks(500_000)

owners = {}
sold = []
lock = Lock()


def price(seat: int) -> int:
    return 50 - seat % 40


def sell(seat: int, seller: int) -> None:
    paid = price(seat)
    owners[seat] = seller
    sold.append((seat, paid))


def serve(seller: int) -> None:
    for seat in range(SEATS):
        if seat not in owners:  # what is sold needs no lock
            with lock:
                if seat not in owners:  # nobody was quicker
                    sell(seat, seller)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(serve, range(WORKERS)))
        report(SEATS, "seats", len(sold) - SEATS)


if __name__ == "__main__":
    main()
