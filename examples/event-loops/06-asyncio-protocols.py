"""The same work with protocols instead of streams, in the loop that comes with Python."""

import asyncio

from protocols import exchange
from tasks import CONNECTIONS, MESSAGES, timed


def main() -> None:
    with timed():
        print(f"{asyncio.run(exchange(MESSAGES, CONNECTIONS))} echoes")


if __name__ == "__main__":
    main()
