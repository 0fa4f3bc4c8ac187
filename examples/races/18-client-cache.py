"""functools.cache keeps results, but doesn't wait for a call that is still running."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache

from tasks import WORKERS, connect, count_tasks, made, report, timed

SERVICES = count_tasks(50)


@cache
def client(address: str) -> object:
    return connect(address)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            for address in map(str, range(SERVICES)):
                users = [pool.submit(client, address) for _ in range(WORKERS)]
                for user in users:
                    user.result()
        report(SERVICES, "clients", len(made) - SERVICES)


if __name__ == "__main__":
    main()
