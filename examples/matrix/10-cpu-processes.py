"""Twenty-one Fibonacci numbers, a process for each: more processes than cores take turns."""

from multiprocessing.connection import Connection

from tasks import NUMBERS, PROCESSES, timed


def fib(n: int) -> int:
    return 1 if n <= 2 else fib(n - 1) + fib(n - 2)  # slow on purpose


def work(number: int, sender: Connection) -> None:
    sender.send(fib(number))


def main() -> None:
    with timed():
        receivers, processes = [], []
        for number in NUMBERS:
            receiver, sender = PROCESSES.Pipe(duplex=False)
            process = PROCESSES.Process(target=work, args=(number, sender))
            process.start()
            sender.close()  # now only the child can write, and its death ends the pipe
            receivers.append(receiver)
            processes.append(process)
        values = [receiver.recv() for receiver in receivers]  # EOFError if a child failed
        for process in processes:
            process.join()
        print(f"{len(values)} Fibonacci numbers, sum {sum(values)}")


if __name__ == "__main__":
    main()
