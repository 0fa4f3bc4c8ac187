"""Twenty-one Fibonacci numbers, a process for each: more processes than cores take turns."""

from multiprocessing.queues import SimpleQueue

from tasks import NUMBERS, PROCESSES, fib, timed


def work(number: int, values: "SimpleQueue[int]") -> None:
    values.put(fib(number))


def main() -> None:
    with timed():
        queue = PROCESSES.SimpleQueue()
        processes = [PROCESSES.Process(target=work, args=(number, queue)) for number in NUMBERS]
        for process in processes:
            process.start()
        values = [queue.get() for _ in processes]
        for process in processes:
            process.join()
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
