"""An object to a pool of one process: pickled, written to a pipe, read from it, unpickled."""

from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, SIZE, TASKS, describe, look_at, make, timed


def main() -> None:
    data = make(SIZE)
    with ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        pool.submit(look_at, b"\1").result()  # the process runs before the clock does
        with timed():
            print(describe([pool.submit(look_at, data).result() for _ in range(TASKS)]))


if __name__ == "__main__":
    main()
