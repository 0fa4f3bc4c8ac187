"""One task after another: all waits and all computing add up."""

from tasks import make_data, timed, work


def main() -> None:
    data = make_data()
    with timed():
        results = [work(item) for item in data]
        print(f"{len(results)} results")


if __name__ == "__main__":
    main()
