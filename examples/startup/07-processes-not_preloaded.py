"""A fork server that has imported nothing: each child imports what its work needs."""

from multiprocessing.synchronize import Barrier

from tasks import PATIENCE_S, PROCESSES, TASKS, linger, tell_started, timed


def work(barrier: Barrier) -> None:
    barrier.wait(PATIENCE_S)  # it has started
    barrier.wait(PATIENCE_S)  # and now may end


def main() -> None:
    PROCESSES.set_forkserver_preload([])  # not even the main module
    with timed():
        barrier = PROCESSES.Barrier(TASKS + 1)
        processes = [PROCESSES.Process(target=work, args=(barrier,)) for _ in range(TASKS)]
        for process in processes:
            process.start()
        barrier.wait(PATIENCE_S)
        tell_started()
    linger()
    barrier.wait(PATIENCE_S)
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
