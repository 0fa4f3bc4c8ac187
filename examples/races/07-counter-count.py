"""Count by one C call: next() of itertools.count gives each number once."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

from tasks import WORKERS, count_tasks, report, share_out, timed

VISITS = count_tasks(1_000_000)

numbers = count()


def draw(visits: int) -> None:
    for _ in range(visits):
        next(numbers)


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(draw, share_out(VISITS)))
        hits = next(numbers)  # the first number nobody has drawn
        report(VISITS, "visits", VISITS - hits)


if __name__ == "__main__":
    main()
