"""Four sellers share a seating plan: each checks whether a seat is free, then sells it."""

from concurrent.futures import ThreadPoolExecutor

from tasks import WORKERS, count_tasks, report, timed

SEATS = count_tasks(500_000)

owners = {}
sold = []


def price(seat: int) -> int:
    return 50 - seat % 40


def sell(seat: int, seller: int) -> None:
    paid = price(seat)
    owners[seat] = seller
    sold.append((seat, paid))


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
