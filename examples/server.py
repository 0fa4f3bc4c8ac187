"""A load server for the examples: thirty pages that are slow in a way that can be repeated.

Start it in one terminal, any example in another:

    python examples/server.py

Every page has a latency and a body of its own, made from a fixed seed, so that every run of every
program fetches the same bytes and waits the same time. It listens on loopback only, on free ports,
plain and with TLS. LATENCY_SCALE multiplies all latencies: 0.1 makes it ten times as fast.
"""

import argparse
import asyncio
import json
import math
import os
import random
import signal
import ssl
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import trustme
from aiohttp import web

SEED = 2163
SITES = 10
VISITS = 3
ADDRESS_FILE = Path(__file__).with_name(".server")


@dataclass(frozen=True)
class Page:
    path: str
    latency_s: float
    body: bytes


def make_pages(scale: float) -> dict[str, Page]:
    """Ten sites, each visited three times: some are far away, none answers twice the same."""
    generator = random.Random(SEED)
    pages = {}
    for site in range(1, SITES + 1):
        distance_s = generator.triangular(0.12, 0.95, 0.40)
        for visit in range(1, VISITS + 1):
            latency_s = distance_s * generator.uniform(0.92, 1.08)
            path = f"/site/{site}/{visit}"
            body = generator.randbytes(generator.randrange(10_000, 100_000))
            pages[path] = Page(path, latency_s * scale, body)
    return pages


def make_app(pages: dict[str, Page]) -> web.Application:
    catalogue = [
        {"path": page.path, "latency_s": page.latency_s, "bytes": len(page.body)}
        for page in pages.values()
    ]

    async def list_pages(_: web.Request) -> web.Response:
        return web.json_response(catalogue)

    async def get_page(request: web.Request) -> web.Response:
        page = pages.get(request.path)
        if page is None:
            raise web.HTTPNotFound
        await asyncio.sleep(page.latency_s)
        return web.Response(body=page.body, content_type="application/octet-stream")

    app = web.Application()
    app.router.add_get("/pages", list_pages)
    app.router.add_get("/site/{site}/{visit}", get_page)
    return app


async def serve(port: int, scale: float, *, as_json: bool) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(tls)
    runner = web.AppRunner(make_app(make_pages(scale)), access_log=None)
    await runner.setup()
    with tempfile.TemporaryDirectory(prefix="server-") as folder:
        certificate = Path(folder, "ca.pem")
        authority.cert_pem.write_to_path(str(certificate))
        await web.TCPSite(runner, "127.0.0.1", port).start()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        plain, secure = (f"127.0.0.1:{address[1]}" for address in runner.addresses)
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        with announced(f"http://{plain}", f"https://{secure}", certificate, as_json=as_json):
            await stopped.wait()
        await runner.cleanup()


@contextmanager
def announced(plain: str, secure: str, certificate: Path, *, as_json: bool) -> Iterator[None]:
    """Tell where we are: a person and the examples, or the program that started us."""
    if as_json:
        print(json.dumps({"http": plain, "https": secure, "ca": str(certificate)}), flush=True)
        yield
        return
    print(f"Serving {SITES * VISITS} pages at {plain}, and with TLS at {secure}.")
    print(f"For TLS: export SERVER_URL={secure} SSL_CERT_FILE={certificate}")
    print("The examples find the plain address by themselves. Ctrl-C stops.", flush=True)
    ADDRESS_FILE.write_text(plain, encoding="utf-8")
    try:
        yield
    finally:
        ADDRESS_FILE.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Thirty pages, slow on purpose, on loopback.")
    parser.add_argument("--port", type=int, default=0, help="of plain HTTP; 0 for any free one")
    parser.add_argument("--json", action="store_true", help="tell the addresses to a program")
    options = parser.parse_args()
    try:
        scale = float(os.environ.get("LATENCY_SCALE", "1"))
    except ValueError:
        sys.exit(f"LATENCY_SCALE={os.environ['LATENCY_SCALE']} is not a number")
    if not 0 <= scale < math.inf:
        sys.exit(f"LATENCY_SCALE={scale} is neither zero nor a positive number")
    try:
        asyncio.run(serve(options.port, scale, as_json=options.json))
    except OSError as error:
        sys.exit(f"The server cannot start: {error}")


if __name__ == "__main__":
    main()
