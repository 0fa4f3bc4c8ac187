"""Arrays one after another, and nothing said: BLAS divides each product among threads of its own."""

from tasks import TASKS, describe, handle_share, timed


def main() -> None:
    with timed():
        print(describe(handle_share(TASKS)))


if __name__ == "__main__":
    main()
