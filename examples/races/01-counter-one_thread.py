"""Count in one thread: nothing comes in between."""

from tasks import count_tasks, report, timed

VISITS = count_tasks(1_000_000)

hits = {"home": 0}


def main() -> None:
    with timed():
        for _ in range(VISITS):
            hits["home"] += 1
        report(VISITS, "visits", VISITS - hits["home"])


if __name__ == "__main__":
    main()
