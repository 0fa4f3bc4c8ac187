"""Count the connections that 50 threads open for 400 requests, with httpx's default limits and with 50."""

from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import sleep

import httpx


class Slow(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # keeps connections
    opened = 0

    def setup(self) -> None:  # for each connection
        super().setup()
        Slow.opened += 1

    def do_GET(self) -> None:
        sleep(0.05)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        pass


def count_connections(url: str, limits: httpx.Limits) -> str:
    Slow.opened = 0
    with httpx.Client(limits=limits) as client, ThreadPoolExecutor(50) as pool:
        futures = [pool.submit(client.get, url) for _ in range(400)]
        failed = sum(isinstance(future.exception(), httpx.TransportError) for future in futures)
    return f"{Slow.opened} connections, {failed} requests failed"


class Server(ThreadingHTTPServer):
    request_queue_size = 100


if __name__ == "__main__":
    with Server(("127.0.0.1", 0), Slow) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/"
        default = httpx.Limits(max_connections=100, max_keepalive_connections=20)
        print("default limits:", count_connections(url, default))
        enough = httpx.Limits(max_connections=50, max_keepalive_connections=50)
        print("limits of 50:  ", count_connections(url, enough))
        server.shutdown()
