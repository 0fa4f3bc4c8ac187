"""Threads: the system creates each, and all share what the program has imported."""

from threading import Barrier, Thread

from tasks import PATIENCE_S, TASKS, linger, tell_started, timed


def work(barrier: Barrier) -> None:
    barrier.wait(PATIENCE_S)  # it has started
    barrier.wait(PATIENCE_S)  # and now may end


def main() -> None:
    with timed():
        barrier = Barrier(TASKS + 1)
        threads = [Thread(target=work, args=(barrier,)) for _ in range(TASKS)]
        for thread in threads:
            thread.start()
        barrier.wait(PATIENCE_S)
        tell_started()
    linger()
    barrier.wait(PATIENCE_S)
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
