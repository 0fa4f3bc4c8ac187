"""A thread for each connection: all of them wait in recv, and each needs its stack meanwhile."""

from socket import socket
from threading import Thread

from chat import connections


def answer(connection: socket) -> None:
    with connection:
        while message := connection.recv(1024):
            connection.sendall(message)


def main() -> None:
    with connections() as servers:
        threads = [Thread(target=answer, args=[server], daemon=True) for server in servers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()
