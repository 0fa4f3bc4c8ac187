"""A process for each task: they compute at the same time, as far as there are cores."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, TASKS, WORK_S, Lane, report, timed


def work(name: str) -> Lane:
    lane = Lane(name)
    for _ in range(4):
        lane.compute(WORK_S / 4)
    return lane


def main() -> None:
    names = [f"process {number}" for number in range(1, TASKS + 1)]
    ready = PROCESSES.Barrier(TASKS).wait  # they begin when all of them are there
    with timed(), ProcessPoolExecutor(TASKS, mp_context=PROCESSES, initializer=ready) as pool:
        report(pool.map(work, names))


if __name__ == "__main__":
    main()
