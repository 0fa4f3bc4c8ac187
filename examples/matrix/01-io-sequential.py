"""Thirty pages, one after another: the program waits for each before it asks for the next."""

from tasks import TIMEOUT_S, TLS, make_context, page_urls, timed
from urllib3 import PoolManager


def fetch(client: PoolManager, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


def main() -> None:
    with timed(), PoolManager(ssl_context=make_context() if TLS else None) as client:
        sizes = [fetch(client, url) for url in page_urls(30)]
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
