"""A thread with a small stack for each connection: less is reserved, but as much of it is used."""

from socket import socket
from threading import Thread, stack_size

from chat import connections


def answer(connection: socket) -> None:
    with connection:
        while message := connection.recv(1024):
            connection.sendall(message)


def main() -> None:
    stack_size(256 * 1024)
    with connections() as servers:
        threads = [Thread(target=answer, args=[server], daemon=True) for server in servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()
