"""The calls one after another: all waits add up."""

from tasks import TASKS, call, timed


def main() -> None:
    with timed():
        answers = [call(number) for number in range(TASKS)]
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
