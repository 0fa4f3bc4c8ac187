"""Use one core: wait for a page, compute with it, and only then ask for the next."""

import os
from hashlib import pbkdf2_hmac
from urllib.request import urlopen

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(600)]  # put your own here


def compute(page: bytes) -> str:
    return pbkdf2_hmac("sha256", page, b"salt", 2000).hex()  # put your own work here


def main() -> None:
    results, errors = [], []
    for url in URLS[:100]:  # all 600 take six times as long
        try:
            with urlopen(url, timeout=30) as response:
                results.append(compute(response.read()))
        except OSError as error:
            errors.append(error)
    print(f"{len(results)} results, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    main()
