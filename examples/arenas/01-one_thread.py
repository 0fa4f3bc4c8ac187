"""Answer the requests in the main thread, one after another."""

from tasks import TASKS, answer, report, timed


def main() -> None:
    results = [answer(request) for request in range(TASKS)]
    print(report(results))


if __name__ == "__main__":
    with timed():
        main()
