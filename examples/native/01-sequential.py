"""Pieces of work for a C function, one after another: one core works, whatever the machine has."""

from tasks import TASKS, describe, handle_share, timed


def main() -> None:
    with timed():
        print(describe(handle_share(TASKS)))


if __name__ == "__main__":
    main()
