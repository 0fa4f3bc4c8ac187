"""One record after another: each is stored and forgotten before the next is read."""

from tasks import read_records, report, store, timed


def main() -> None:
    with timed():
        sizes = [store(record) for record in read_records()]
        print(report(sizes))


if __name__ == "__main__":
    main()
