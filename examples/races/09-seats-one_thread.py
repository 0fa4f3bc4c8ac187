"""Sell each free seat once, with one seller."""

from tasks import count_tasks, report, timed

SEATS = count_tasks(500_000)

owners = {}
sold = []


def price(seat: int) -> int:
    return 50 - seat % 40


def sell(seat: int, seller: int) -> None:
    paid = price(seat)
    owners[seat] = seller
    sold.append((seat, paid))


def main() -> None:
    with timed():
        for seat in range(SEATS):
            if seat not in owners:
                sell(seat, seller=0)
        report(SEATS, "seats", len(sold) - SEATS)


if __name__ == "__main__":
    main()
