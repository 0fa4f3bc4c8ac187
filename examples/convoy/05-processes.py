"""Next to computing processes: each has its own GIL."""

from tasks import PROCESSES, WORKERS, fib, wait_often


def compute(begun) -> None:
    begun.release()
    while True:
        fib(15)


def main() -> None:
    begun = PROCESSES.Semaphore(0)
    computing = [
        PROCESSES.Process(target=compute, args=(begun,), daemon=True) for _ in range(WORKERS)
    ]
    try:
        for process in computing:
            process.start()
        for _ in computing:
            begun.acquire()
        wait_often()
    finally:
        for process in computing:
            process.terminate()
            process.join()


if __name__ == "__main__":
    main()
