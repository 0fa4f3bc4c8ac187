"""Thirty pages, one after another: the program waits for each before it asks for the next."""

from tasks import TLS, fetch, make_context, page_urls, timed
from urllib3 import PoolManager


def main() -> None:
    with timed(), PoolManager(ssl_context=make_context() if TLS else None) as client:
        sizes = [fetch(client, url) for url in page_urls(30)]
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
