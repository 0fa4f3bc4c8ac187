"""The same protocols in uvloop."""

import uvloop
from protocols import exchange
from tasks import CONNECTIONS, MESSAGES, timed


def main() -> None:
    with timed():
        print(f"{uvloop.run(exchange(MESSAGES, CONNECTIONS))} echoes")


if __name__ == "__main__":
    main()
