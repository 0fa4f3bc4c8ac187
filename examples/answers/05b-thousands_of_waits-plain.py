"""Thousands of waits in code that blocks: a pool of the default size, 32 threads at most."""

import os
from concurrent.futures import ThreadPoolExecutor
from urllib.request import build_opener

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?wait=1&page={number}" for number in range(500)]  # put your own here
OPENER = build_opener()  # made once, before anything runs at the same time


def call(url: str) -> str | OSError:
    """Ask and wait, in plain blocking code: put your own here."""
    try:
        with OPENER.open(url, timeout=60) as response:
            return response.read().decode()
    except OSError as error:
        return error


def main() -> None:
    with ThreadPoolExecutor() as pool:
        answers = list(pool.map(call, URLS))
    errors = [answer for answer in answers if isinstance(answer, OSError)]
    print(f"{len(answers) - len(errors)} answers, {len(errors)} errors")
    for error in errors:
        print(repr(error))


if __name__ == "__main__":
    main()
