"""An object to another interpreter of the same process: its own GIL, its own copy of the object."""

from concurrent.futures import InterpreterPoolExecutor

from tasks import SIZE, TASKS, describe, look_at, make, timed


def main() -> None:
    data = make(SIZE)
    with InterpreterPoolExecutor(1) as pool:
        pool.submit(look_at, b"\1").result()  # the interpreter runs before the clock does
        with timed():
            print(describe([pool.submit(look_at, data).result() for _ in range(TASKS)]))


if __name__ == "__main__":
    main()
