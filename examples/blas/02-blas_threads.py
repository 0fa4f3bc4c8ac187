"""Arrays one after another, nothing set: BLAS splits each product among its own threads."""

from tasks import TASKS, describe, handle_share, timed


def main() -> None:
    with timed():
        print(describe(handle_share(TASKS)))


if __name__ == "__main__":
    main()
