"""Call requests from a coroutine: each call in a thread, at most four at a time."""

import asyncio
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep

import requests


class Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        sleep(0.05)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok")

    def log_message(self, *_: object) -> None:
        pass


def fetch(url: str) -> str:  # the function that you have already
    response = requests.get(url, timeout=10)
    response.raise_for_status()
    return response.text


async def fetch_in_thread(limit: asyncio.Semaphore, url: str) -> str:
    async with limit:
        return await asyncio.to_thread(fetch, url)


async def main(url: str) -> None:
    limit = asyncio.Semaphore(4)  # the default pool has at least five threads
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(fetch_in_thread(limit, url)) for _ in range(20)]
    print(len([task.result() for task in tasks]), "answers, and the loop stayed free")


if __name__ == "__main__":
    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        asyncio.run(main(f"http://127.0.0.1:{server.server_port}/"))
        server.shutdown()
