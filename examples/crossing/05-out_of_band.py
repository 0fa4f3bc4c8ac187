"""The same pipe, and pickle 5 with out-of-band buffers: the bytes go past the pickle, uncopied."""

import pickle
from multiprocessing.connection import Connection

from tasks import PROCESSES, SIZE, TASKS, describe, look_at, make, timed


def serve(connection: Connection) -> None:
    while pickled := connection.recv_bytes():
        data = pickle.loads(pickled, buffers=[connection.recv_bytes()])  # noqa: S301 - our own
        connection.send(look_at(data))


def ask(connection: Connection, data: bytes) -> int:
    buffers: list[pickle.PickleBuffer] = []
    wrapped = pickle.PickleBuffer(data)  # NumPy's arrays do so by themselves
    connection.send_bytes(pickle.dumps(wrapped, protocol=5, buffer_callback=buffers.append))
    connection.send_bytes(buffers[0].raw())
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
    ours.send_bytes(b"")
    process.join()


if __name__ == "__main__":
    main()
