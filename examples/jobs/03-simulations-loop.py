"""The simulations one after another: one core computes."""

from tasks import SEEDS, simulate, timed


def main() -> None:
    with timed():
        distances = [simulate(seed) for seed in SEEDS]
        print(f"{len(distances)} simulations, farthest {max(distances)}")


if __name__ == "__main__":
    main()
