"""One core only: each page is waited for, computed with, and then comes the next."""

import os
from hashlib import pbkdf2_hmac
from urllib.request import urlopen

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(600)]  # put your own here


def compute(page: bytes) -> str:
    return pbkdf2_hmac("sha256", page, b"salt", 2000).hex()  # put your own work here


def main() -> None:
    results, errors = {}, {}
    for url in URLS:
        try:
            with urlopen(url, timeout=30) as response:
                results[url] = compute(response.read())
        except OSError as error:
            errors[url] = error
    print(f"{len(results)} results, {len(errors)} errors")


if __name__ == "__main__":
    main()
