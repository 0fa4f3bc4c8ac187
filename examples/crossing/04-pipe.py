"""An object through a pipe to a process of one's own: pickled too, but without a pool's queues."""

from multiprocessing.connection import Connection

from tasks import PROCESSES, SIZE, TASKS, describe, look_at, make, timed


def serve(connection: Connection) -> None:
    while data := connection.recv():
        connection.send(look_at(data))


def ask(connection: Connection, data: object) -> int:
    connection.send(data)
    return connection.recv()


def main() -> None:
    data = make(SIZE)
    ours, theirs = PROCESSES.Pipe()
    process = PROCESSES.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # now its death ends our waiting, with an EOFError
    ask(ours, b"\1")  # the process runs before the clock does
    with timed():
        print(describe([ask(ours, data) for _ in range(TASKS)]))
    ours.send(None)
    process.join()


if __name__ == "__main__":
    main()
