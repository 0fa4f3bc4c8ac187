"""The calls one after another: all waits add up."""

from tasks import CALLS, call, timed


def main() -> None:
    with timed():
        answers = [call(number) for number in CALLS]
        print(f"{len(answers)} answers")


if __name__ == "__main__":
    main()
