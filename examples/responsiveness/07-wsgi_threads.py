"""Serve with a fixed number of threads: while all of them wait, every request waits."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from socketserver import ThreadingMixIn
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from tasks import HOST, LOAD, WORKERS, wait


def application(environ: dict, start_response) -> list:
    body = (wait() if environ["PATH_INFO"] == "/heavy" else "light").encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


class Server(ThreadingMixIn, WSGIServer):
    """Hands each connection to a pool, as gunicorn's gthread does, not to a thread of its own."""

    request_queue_size = 128
    pool = ThreadPoolExecutor(WORKERS)

    def process_request(self, request, client_address) -> None:
        self.pool.submit(self.process_request_thread, request, client_address)


class Handler(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass  # no line on the screen for each request


def main() -> None:
    with Server((HOST, 0), Handler) as server, Server.pool:
        server.set_app(application)
        Thread(target=server.serve_forever, args=[0.05]).start()  # looks for its end so often
        try:
            subprocess.run([*LOAD, str(server.server_port)], check=True)
        finally:
            server.shutdown()  # or its thread would keep the program alive


if __name__ == "__main__":
    main()
