"""Thousands of waits in code that blocks: gevent lets other greenlets run during each blocking call."""

from gevent import monkey

monkey.patch_all()  # before every other import

import os
import resource
from urllib.request import build_opener

from gevent.pool import Pool

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
COUNT = int(os.environ.get("TASKS", "2000"))
URLS = [f"{SERVER}/?page={number}" for number in range(COUNT)]  # put your own here
OPENER = build_opener()  # made once, before any greenlet starts


def call(url: str) -> str | OSError:
    try:  # ask and wait, in plain blocking code: put your own here
        with OPENER.open(url, timeout=60) as response:
            return response.read().decode()
    except OSError as error:
        return error


def main() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # each connection is an open file,
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 10_240), hard))  # and often 1,024 may be
    pages = Pool(COUNT).map(call, URLS)
    errors = [page for page in pages if isinstance(page, OSError)]
    print(f"{len(pages) - len(errors)} pages, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    main()
