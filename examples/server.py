"""A load server for the examples: pages and bus timetables, slow in a way that can be repeated.

Start it in one terminal, any example in another:

    python examples/server.py

It has thirty pages of noise, and for a hundred days the departures of buses, as JSON and as HTML;
/ answers after a tenth of a second, or after as many seconds as /?wait=1 says, with /?bytes=9 of text.
Each has a latency and a body of its own, made from a fixed seed, so that every run of every
program fetches the same bytes and waits the same time. It listens on loopback only, on free ports,
plain and with TLS. --scale multiplies all latencies: 0.1 makes it ten times as fast.
"""

import argparse
import asyncio
import json
import math
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
DAYS = 100
DEPARTURES = 50
CARRIERS = ("Amber Line", "Blue Coach", "Fernbus", "Nordexpress", "Redtail")
ADDRESS_FILE = Path(__file__).with_name(".server")


@dataclass(frozen=True)
class Page:
    path: str
    latency_s: float
    body: bytes
    content_type: str = "application/octet-stream"


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


def make_tickets(scale: float) -> dict[str, Page]:
    """A hundred days of departures, 28 s of latency in all; either form of a day takes as long."""
    generator = random.Random(SEED + 1)  # of its own: the pages above stay what they are
    road = " ".join(f"{generator.randrange(999)},{generator.randrange(999)}" for _ in range(3800))
    pages = {}
    for day in range(1, DAYS + 1):
        latency_s = generator.triangular(0.12, 0.52, 0.20) * scale
        buses = [make_departure(generator, number) for number in range(DEPARTURES)]
        data = json.dumps({"day": day, "departures": buses})
        forms = {"application/json": data, "text/html": render_day(day, buses, road)}
        for kind, text in forms.items():
            path = f"/tickets/{day}.{kind[-4:]}"
            pages[path] = Page(path, latency_s, text.encode(), kind)
    return pages


def make_departure(generator: random.Random, number: int) -> dict[str, str | int]:
    """One of the buses that leave through the day."""
    minute = number * 24 * 60 // DEPARTURES + generator.randrange(20)
    return {
        "leaves": f"{minute // 60:02}:{minute % 60:02}",
        "carrier": generator.choice(CARRIERS),
        "seats": generator.randrange(1, 50),
        "cents": int(generator.triangular(490, 5990, 1490)),
    }


def render_day(day: int, buses: list[dict[str, str | int]], road: str) -> str:
    """The same departures for people; a good part of the page is the road on a map."""
    rows = "\n".join(
        f"""<tr class="departure" id="bus-{day}-{number}">
<td class="time"><time>{bus["leaves"]}</time></td>
<td class="carrier"><span class="logo" aria-hidden="true"></span>{bus["carrier"]}</td>
<td class="seats">{bus["seats"]}&nbsp;seats</td>
<td class="price">€&nbsp;{int(bus["cents"]) / 100:.2f}</td>
<td class="action"><a class="button" href="/book/{day}/{number}" rel="nofollow">Book</a></td>
</tr>"""
        for number, bus in enumerate(buses, start=1)
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Buses on day {day}</title></head>
<body><h1>Buses on day {day}</h1>
<svg class="map" role="img"><title>The road</title><polyline points="{road}"/></svg>
<table><thead><tr><th>Leaves</th><th>Carrier</th><th>Free</th><th>Price</th><th></th></tr></thead>
<tbody>
{rows}
</tbody></table></body></html>
"""


def make_app(pages: dict[str, Page], scale: float) -> web.Application:
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
        return web.Response(body=page.body, content_type=page.content_type)

    async def get_front(request: web.Request) -> web.Response:
        wait_s, length = (request.query.get(*one) for one in (("wait", "0.1"), ("bytes", "1000")))
        await asyncio.sleep(float(wait_s) * scale)
        return web.Response(text="." * int(length))

    app = web.Application()
    app.router.add_get("/", get_front)
    app.router.add_get("/pages", list_pages)
    app.router.add_get("/site/{site}/{visit}", get_page)
    app.router.add_get("/tickets/{day}", get_page)
    return app


async def serve(port: int, scale: float, *, as_json: bool) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1", "localhost").configure_cert(tls)
    pages = make_pages(scale) | make_tickets(scale)
    runner = web.AppRunner(make_app(pages, scale), access_log=None)
    await runner.setup()
    with tempfile.TemporaryDirectory(prefix="server-") as folder:
        certificate = Path(folder, "ca.pem")
        write_certificates(certificate, authority)
        await web.TCPSite(runner, "127.0.0.1", port).start()
        await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
        plain, secure = (f"127.0.0.1:{address[1]}" for address in runner.addresses)
        stopped = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        with announced(f"http://{plain}", f"https://{secure}", certificate, as_json=as_json):
            await stopped.wait()
        await runner.cleanup()


def write_certificates(path: Path, authority: trustme.CA) -> None:
    """Ours, and those that this machine trusts anyway: as many as a client usually has to load."""
    trusted = ssl.create_default_context().get_ca_certs(binary_form=True)
    authority.cert_pem.write_to_path(str(path))
    with path.open("a", encoding="ascii") as file:
        file.writelines(map(ssl.DER_cert_to_PEM_cert, trusted))


@contextmanager
def announced(plain: str, secure: str, certificate: Path, *, as_json: bool) -> Iterator[None]:
    """Tell where we are: a person and the examples, or the program that started us."""
    if as_json:
        print(json.dumps({"http": plain, "https": secure, "ca": str(certificate)}), flush=True)
        yield
        return
    print(f"Serving {SITES * VISITS} pages and {DAYS} days of tickets at {plain},")
    print(f"and with TLS at {secure}, by a certificate of {certificate}.")
    print("The examples find all of this by themselves. Ctrl-C stops.", flush=True)
    ADDRESS_FILE.write_text(f"{plain}\n{secure}\n{certificate}\n", encoding="utf-8")
    try:
        yield
    finally:
        ADDRESS_FILE.unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Pages and timetables, slow on purpose.")
    parser.add_argument("--port", type=int, default=0, help="of plain HTTP; 0 for any free one")
    parser.add_argument("--json", action="store_true", help="tell the addresses to a program")
    parser.add_argument("--scale", type=float, default=1, help="multiplies all latencies")
    options = parser.parse_args()
    if not 0 <= options.scale < math.inf:
        parser.error(f"--scale {options.scale} is neither zero nor a positive number")
    try:
        asyncio.run(serve(options.port, options.scale, as_json=options.json))
    except OSError as error:
        sys.exit(f"The server cannot start: {error}")


if __name__ == "__main__":
    main()
