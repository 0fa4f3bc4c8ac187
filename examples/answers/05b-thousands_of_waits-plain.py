"""Thousands of waits in code that blocks: a thread for each of them."""

import os
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?wait=5&page={number}" for number in range(500)]  # put your own here
LIMIT = 500


def call(url: str) -> str | OSError:
    """Ask and wait, in plain blocking code: put your own here."""
    try:
        with urlopen(url, timeout=60) as response:
            return response.read().decode()
    except OSError as error:
        return error


def main() -> None:
    with ThreadPoolExecutor(max_workers=LIMIT) as pool:
        answers = list(pool.map(call, URLS))
    errors = [answer for answer in answers if isinstance(answer, OSError)]
    print(f"{len(answers) - len(errors)} answers, {len(errors)} errors")
    for error in errors:
        print(repr(error))


if __name__ == "__main__":
    main()
