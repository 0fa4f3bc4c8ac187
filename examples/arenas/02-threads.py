"""Answer the requests in a pool of threads: the process keeps what every thread has used."""

from concurrent.futures import ThreadPoolExecutor

from tasks import TASKS, THREADS, answer, report, timed


def main() -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(answer, range(TASKS)))
    print(report(results))


if __name__ == "__main__":
    with timed():
        main()
