"""An object to a thread and an answer back, again and again: only a reference crosses."""

from concurrent.futures import ThreadPoolExecutor

from tasks import SIZE, TASKS, describe, look_at, make, timed


def main() -> None:
    data = make(SIZE)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(look_at, b"\1").result()  # the thread runs before the clock does
        with timed():
            print(describe([pool.submit(look_at, data).result() for _ in range(TASKS)]))


if __name__ == "__main__":
    main()
