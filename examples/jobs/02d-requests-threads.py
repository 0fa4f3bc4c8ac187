"""The blocking client in a thread pool: the pool has as many threads as the server allows."""

from concurrent.futures import ThreadPoolExecutor

from limited import LIMIT, REQUESTS, report, send
from tasks import timed


def main() -> None:
    with timed(), ThreadPoolExecutor(LIMIT) as pool:
        statuses = list(pool.map(send, REQUESTS))
        print(report(statuses))


if __name__ == "__main__":
    main()
