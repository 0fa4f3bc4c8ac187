"""Several large JSON texts, one after another: one core works, whatever the machine has."""

from tasks import SIZES, counted_collections, describe, serialize, set_collector, timed


def main() -> None:
    set_collector()
    with timed():
        with counted_collections():
            lengths = [serialize(size) for size in SIZES]
        print(describe(lengths))


if __name__ == "__main__":
    main()
