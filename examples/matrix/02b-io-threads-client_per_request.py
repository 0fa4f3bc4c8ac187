"""Thirty pages, a thread for each, with `requests.get`: every call makes its own client, which over
TLS loads the trusted certificates again."""

from concurrent.futures import ThreadPoolExecutor

import requests
from tasks import TIMEOUT_S, locate_server, page_urls, timed


def work(url: str) -> int:
    response = requests.get(url, timeout=TIMEOUT_S, verify=locate_server()[1])
    response.raise_for_status()
    return len(response.content)


def main() -> None:
    urls = page_urls(30)
    with timed(), ThreadPoolExecutor(len(urls)) as pool:
        sizes = list(pool.map(work, urls))
        print(f"{len(sizes)} pages, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()
