"""One seller, one plan of seats: each free seat is sold once."""

from tasks import count_tasks, report, timed

SEATS = count_tasks(1_000_000)

owners = {}
sold = []


def sell(seat: int, seller: int) -> None:
    owners[seat] = seller
    sold.append(seat)


def main() -> None:
    with timed():
        for seat in range(SEATS):
            if seat not in owners:
                sell(seat, seller=0)
        report(SEATS, "seats", len(sold) - SEATS)


if __name__ == "__main__":
    main()
