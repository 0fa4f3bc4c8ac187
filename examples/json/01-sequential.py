"""Several large JSON texts, one after another: one core works, whatever the machine has."""

from tasks import SIZES, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    with timed():
        lengths = [serialize(size) for size in SIZES]
        print(describe(lengths))


if __name__ == "__main__":
    main()
