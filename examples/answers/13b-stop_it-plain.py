"""Stop a call that takes too long: a pool of threads gives up waiting, but cannot stop the call."""

from concurrent.futures import ThreadPoolExecutor
from time import sleep


def call(seconds: float) -> str:
    """Take a while, or far too long: put your own work here."""
    sleep(seconds)
    return f"done after {seconds} s"


def main() -> None:
    with ThreadPoolExecutor() as pool:  # whose end waits for every call
        for wait_s in (0.1, 2.0):
            try:
                print(pool.submit(call, wait_s).result(timeout=0.4))
            except TimeoutError:
                print("TimeoutError: no result within 0.4 s")


if __name__ == "__main__":
    main()
