"""A server in one process with a thread for each connection: waits overlap here too, and under the
GIL the computations take turns."""

import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tasks import CLIENTS, HOST, NUMBER, WAIT_S, ask, fib, serving, timed


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        time.sleep(WAIT_S)  # a database, say
        body = str(fib(NUMBER)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass  # no line on the screen for each request


class Server(ThreadingHTTPServer):
    request_queue_size = CLIENTS  # with the default of 5, others would have to knock again


def run(ready) -> None:
    with Server((HOST, 0), Handler) as server:
        ready.put(server.server_port)
        server.serve_forever()


def main() -> None:
    with serving(run, 1) as port, timed():
        print(ask(port))


if __name__ == "__main__":
    main()
