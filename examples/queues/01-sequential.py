"""Store each record before reading the next."""

from tasks import read_records, report, store, timed


def main() -> None:
    with timed():
        sizes = [store(record) for record in read_records()]
        print(report(sizes))


if __name__ == "__main__":
    main()
