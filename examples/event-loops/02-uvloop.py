"""The same coroutines in uvloop: only the line that starts them differs."""

import uvloop
from streams import exchange
from tasks import CONNECTIONS, MESSAGES, timed


def main() -> None:
    with timed():
        print(f"{uvloop.run(exchange(MESSAGES, CONNECTIONS))} echoes")


if __name__ == "__main__":
    main()
