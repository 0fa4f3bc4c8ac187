"""Compute in two processes with pipes alone: no lock, no queue, no /dev/shm."""

from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection


def count_primes(start: int, stop: int, answer: Connection) -> None:
    with answer:
        answer.send(sum(all(n % d for d in range(2, int(n**0.5) + 1)) for n in range(start, stop)))


def main() -> None:
    started = []
    for start, stop in [(2, 15_000), (15_000, 20_000)]:
        receiver, sender = Pipe(duplex=False)
        process = Process(target=count_primes, args=(start, stop, sender))
        process.start()
        sender.close()  # the child has its own
        started.append((process, receiver))
    primes = 0
    for process, receiver in started:
        primes += receiver.recv()
        process.join()
    print(f"{primes} primes below 20,000")


if __name__ == "__main__":
    main()
