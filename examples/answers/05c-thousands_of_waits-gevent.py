"""Thousands of waits in code that blocks: gevent makes each blocking call give way to the others."""

from gevent import monkey

monkey.patch_all()  # before every other import

import os
from urllib.request import build_opener

from gevent.pool import Pool

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?wait=1&page={number}" for number in range(500)]  # put your own here
LIMIT = 500
OPENER = build_opener()  # made once, before anything runs at the same time


def call(url: str) -> str | OSError:
    try:  # ask and wait, in plain blocking code: put your own here
        with OPENER.open(url, timeout=60) as response:
            return response.read().decode()
    except OSError as error:
        return error


def main() -> None:
    answers = Pool(LIMIT).map(call, URLS)
    errors = [answer for answer in answers if isinstance(answer, OSError)]
    print(f"{len(answers) - len(errors)} answers, {len(errors)} errors")
    for error in errors:
        print(repr(error))


if __name__ == "__main__":
    main()
