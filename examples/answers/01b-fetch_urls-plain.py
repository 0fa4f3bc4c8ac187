"""Fetch 100 URLs one after the other."""

import os
from urllib.request import urlopen

SERVER = os.environ.get("SERVER_URL", "http://127.0.0.1:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(1000)]  # put your own here


def main() -> None:
    pages, errors = [], []
    for url in URLS[:100]:  # all 1,000 take ten times as long
        try:
            with urlopen(url, timeout=30) as response:
                pages.append(response.read().decode(errors="replace"))
        except OSError as error:
            errors.append(error)
    print(f"{len(pages)} pages, {len(errors)} errors", *map(repr, errors), sep="\n")


if __name__ == "__main__":
    main()
