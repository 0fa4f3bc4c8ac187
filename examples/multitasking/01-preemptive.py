"""A thread for each task, and all compute: the interpreter decides when the next has its turn."""

from threading import Thread

from tasks import TASKS, WORK_S, Lane, report, timed


def work(lane: Lane, pieces: int) -> None:
    for _ in range(pieces):
        lane.compute(WORK_S / pieces)  # never gives way


def main() -> None:
    lanes = [Lane(f"thread {number}") for number in range(1, TASKS + 1)]
    with timed():
        threads = [Thread(target=work, args=(lane, 4)) for lane in lanes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        report(lanes)


if __name__ == "__main__":
    main()
