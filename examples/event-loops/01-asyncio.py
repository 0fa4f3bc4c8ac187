"""An echo server and its clients with streams, in the event loop that comes with Python."""

import asyncio

from streams import exchange
from tasks import CONNECTIONS, MESSAGES, timed


def main() -> None:
    with timed():
        print(f"{asyncio.run(exchange(MESSAGES, CONNECTIONS))} echoes")


if __name__ == "__main__":
    main()
