"""A thread that waits and goes on, alone."""

from tasks import wait_often


def main() -> None:
    wait_often()


if __name__ == "__main__":
    main()
