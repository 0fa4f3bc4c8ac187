"""Interpreters of one process: each imports what its work needs again."""

from concurrent import interpreters

from tasks import TASKS, linger, tell_started, timed


def main() -> None:
    with timed():
        workers = [interpreters.create() for _ in range(TASKS)]
        for worker in workers:
            worker.exec("import tasks")  # raises ExecutionFailed here if it fails there
        tell_started()
    linger()
    for worker in workers:
        worker.close()


if __name__ == "__main__":
    main()
