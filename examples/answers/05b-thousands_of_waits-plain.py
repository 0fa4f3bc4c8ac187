"""Waits in code that blocks, in a thread pool of the default size: 32 threads at most."""

import os
from concurrent.futures import ThreadPoolExecutor
from urllib.request import build_opener

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(2000)]  # put your own here
OPENER = build_opener()  # made once, before any thread starts


def call(url: str) -> str | OSError:
    """Ask and wait, in plain blocking code: put your own here."""
    try:
        with OPENER.open(url, timeout=60) as response:
            return response.read().decode()
    except OSError as error:
        return error


def main() -> None:
    with ThreadPoolExecutor() as pool:
        pages = list(pool.map(call, URLS[:200]))  # all 2,000 take ten times as long
    errors = [page for page in pages if isinstance(page, OSError)]
    print(f"{len(pages) - len(errors)} pages, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    main()
