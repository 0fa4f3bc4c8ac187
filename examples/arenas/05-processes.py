"""Answer the requests in processes: when they end, all their memory goes back."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, TASKS, answer, report, timed


def main() -> None:
    with ProcessPoolExecutor(PROCESSES) as pool:
        results = list(pool.map(answer, range(TASKS)))
    print(report(results))


if __name__ == "__main__":
    with timed():
        main()
