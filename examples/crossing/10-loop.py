"""The same amount of computing cut into ever more tasks, in a plain loop: no task crosses."""

from tasks import LENGTHS, compute, timed


def main() -> None:
    with timed():
        results = list(map(compute, LENGTHS))
        print(f"{len(results)} tasks computed")


if __name__ == "__main__":
    main()
