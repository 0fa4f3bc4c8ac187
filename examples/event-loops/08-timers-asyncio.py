"""Many short waits with deadlines, in the event loop that comes with Python."""

import asyncio

from tasks import timed
from waits import wait


def main() -> None:
    with timed():
        print(f"{asyncio.run(wait())} waits")


if __name__ == "__main__":
    main()
