"""Arrays one after another, and BLAS on one thread: one core works, whatever the machine has."""

from tasks import TASKS, describe, handle_share, timed
from threadpoolctl import threadpool_limits


def main() -> None:
    with threadpool_limits(1), timed():
        print(describe(handle_share(TASKS)))


if __name__ == "__main__":
    main()
