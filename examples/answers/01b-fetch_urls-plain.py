"""Fetch 1,000 URLs one after the other."""

import os
from urllib.request import urlopen

SERVER = os.environ.get("SERVER_URL", "http://localhost:8000")
URLS = [f"{SERVER}/?page={number}" for number in range(1000)]  # put your own here


def main() -> None:
    pages, errors = {}, {}
    for url in URLS:
        try:
            with urlopen(url, timeout=30) as response:
                pages[url] = response.read().decode(errors="replace")
        except OSError as error:
            errors[url] = error
    print(f"{len(pages)} pages, {len(errors)} errors")
    for url, error in errors.items():
        print(f"{url}: {error!r}")


if __name__ == "__main__":
    main()
