"""Report on a table of connections that nothing changes meanwhile."""

from tasks import count_tasks, report, timed

REPORTS = count_tasks(3_000)

sent_bytes = dict.fromkeys(range(1000), 1500)


def add_up() -> int:
    total = 0
    for sent in sent_bytes.values():
        total += sent
    return total


def main() -> None:
    with timed():
        for _ in range(REPORTS):
            add_up()
        report(REPORTS, "reports", 0)


if __name__ == "__main__":
    main()
