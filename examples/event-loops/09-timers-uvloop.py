"""The same coroutines in uvloop."""

import uvloop
from tasks import timed
from waits import wait


def main() -> None:
    with timed():
        print(f"{uvloop.run(wait())} waits")


if __name__ == "__main__":
    main()
