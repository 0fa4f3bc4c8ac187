"""Four sellers, one plan of seats: each looks whether a seat is free, and then sells it."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, timed

SEATS = count_tasks(1_000_000)

owners = {}
sold = []


def sell(seat: int, seller: int) -> None:
    owners[seat] = seller
    sold.append(seat)


def serve(seller: int) -> None:
    for seat in range(SEATS):
        if seat not in owners:  # the check …
            sell(seat, seller)  # … and the act: in between another may have sold the seat


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(serve, range(WORKERS)))
        report(SEATS, "seats", len(sold) - SEATS)


if __name__ == "__main__":
    main()
