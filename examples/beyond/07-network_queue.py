"""Two queues at an address, which workers on any machine can reach."""

import secrets
from time import perf_counter

from queues import Server, work
from tasks import LENGTHS, PROCESSES, WORKERS, timed


def main() -> None:
    begun, key = perf_counter(), secrets.token_bytes()
    with Server(("127.0.0.1", 0), key, ctx=PROCESSES) as server:
        given, done = server.find_queue("given"), server.find_queue("done")
        workers = [
            PROCESSES.Process(target=work, args=(server.address, key)) for _ in range(WORKERS)
        ]
        for worker in workers:
            worker.start()
        for _ in workers:
            done.get()  # it is ready
        with timed(begun):
            for length in LENGTHS:
                given.put(length)
            results = [done.get() for _ in LENGTHS]
            print(f"{len(results)} tasks computed")
        for _ in workers:
            given.put(None)
        for worker in workers:
            worker.join()


if __name__ == "__main__":
    main()
