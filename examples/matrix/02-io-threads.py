"""Thirty pages, a thread for each: all waits overlap, and the client is shared."""

from threading import Thread

from tasks import TIMEOUT_S, TLS, make_context, page_urls, timed
from urllib3 import PoolManager


def fetch(client: PoolManager, url: str) -> int:
    response = client.request("GET", url, timeout=TIMEOUT_S)
    if response.status != 200:
        raise OSError(f"{url} answered {response.status}")
    return len(response.data)


def main() -> None:
    urls = page_urls(30)
    sizes: list[int] = []

    def work(url: str) -> None:
        sizes.append(fetch(client, url))

    context = make_context() if TLS else None
    with timed(), PoolManager(maxsize=len(urls), ssl_context=context) as client:
        threads = [Thread(target=work, args=(url,)) for url in urls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if len(sizes) < len(threads):  # the thread itself has only printed its exception
            raise RuntimeError(f"{len(threads) - len(sizes)} of {len(threads)} threads failed")
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
