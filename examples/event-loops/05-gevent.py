"""The same in greenlets: gevent's loop is in C, and the code seems to block."""

import gevent
from gevent import socket
from gevent.server import StreamServer
from tasks import CONNECTIONS, MESSAGE, MESSAGES, WAIT_S, compute, split, timed


def receive(connection: socket.socket) -> bytes:
    """A whole message; nothing once the other side has closed the connection."""
    message = b""
    while len(message) < len(MESSAGE) and (part := connection.recv(65536)):
        message += part
    return message


def serve(connection: socket.socket, _: tuple[str, int]) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    while message := receive(connection):
        compute()
        if WAIT_S:
            gevent.sleep(WAIT_S)
        connection.sendall(message)


def talk(port: int, count: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for _ in range(count):
            connection.sendall(MESSAGE)
            receive(connection)


def main() -> None:
    server = StreamServer(("127.0.0.1", 0), serve)
    server.start()
    clients = [gevent.spawn(talk, server.server_port, n) for n in split(MESSAGES, CONNECTIONS)]
    gevent.joinall(clients, raise_error=True)
    server.stop()
    print(f"{MESSAGES} echoes")


if __name__ == "__main__":
    with timed():
        main()
