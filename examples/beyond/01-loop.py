"""One task after another in a plain loop: the others have to beat it."""

from tasks import LENGTHS, compute, timed


def main() -> None:
    with timed():
        results = list(map(compute, LENGTHS))
        print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
