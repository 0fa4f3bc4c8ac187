"""As many processes as there is room for, all waiting to read a pipe: an interpreter for each."""

from multiprocessing.connection import Connection
from time import sleep

from guard import Guard
from tasks import PROCESSES, READY_S, timed


def work(ready: Connection, release: Connection, ours: Connection) -> None:
    ours.close()  # the parent must be the last to hold this end
    ready.send_bytes(b"!")
    release.poll(None)


def main() -> None:
    guard = Guard("processes")
    is_ready, ready = PROCESSES.Pipe(duplex=False)
    release, ours = PROCESSES.Pipe(duplex=False)
    processes = []
    with timed():
        with guard:
            for batch in guard.batches():
                for _ in batch:
                    process = PROCESSES.Process(target=work, args=(ready, release, ours))
                    process.start()
                    processes.append(process)
                for _ in batch:
                    if not is_ready.poll(READY_S):
                        raise TimeoutError
                    is_ready.recv_bytes()
        print(f"made {len(processes)} units\nstopped by: {guard.stopped_by}")
    sleep(guard.linger_s())
    ours.close()
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
