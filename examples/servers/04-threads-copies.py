"""A copy of the threaded server for each core. All listen on the same port, and the system gives
every new connection to one of them (SO_REUSEPORT)."""

import socket
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tasks import CLIENTS, HOST, NUMBER, WAIT_S, WORKERS, ask, fib, serving, timed


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        time.sleep(WAIT_S)  # a database, say
        body = str(fib(NUMBER)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


class Server(ThreadingHTTPServer):
    request_queue_size = CLIENTS
    allow_reuse_port = True


def run(ready, port: int) -> None:
    with Server((HOST, port), Handler) as server:
        ready.put(port)
        server.serve_forever()


def main() -> None:
    with socket.socket() as reserved:  # keeps a free port for the copies, without listening
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((HOST, 0))
        with serving(run, WORKERS, reserved.getsockname()[1]) as port, timed():
            print(ask(port))


if __name__ == "__main__":
    main()
