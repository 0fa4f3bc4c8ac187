"""Give up waiting for a call that takes too long: its thread goes on, and the program waits for it."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep


def call(seconds: float) -> str:
    """Take a while, or far too long: put your own work here."""
    sleep(seconds)
    return f"done after {seconds} s"


def main() -> None:
    with ThreadPoolExecutor() as pool:  # leaving this block waits for every call
        for seconds in (0.1, 2.0):
            try:
                print(pool.submit(call, seconds).result(timeout=0.4))
            except TimeoutError:
                print("TimeoutError: no result within 0.4 s")


if __name__ == "__main__":
    main()
