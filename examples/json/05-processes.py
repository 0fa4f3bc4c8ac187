"""Several large JSON texts, a process for each: more processes than cores take turns."""

from multiprocessing.connection import Connection

from tasks import PROCESSES, SIZES, describe, serialize, set_collector, timed


def work(size: int, sender: Connection) -> None:
    sender.send(serialize(size))


def main() -> None:
    set_collector()
    with timed():
        receivers, processes = [], []
        for size in SIZES:
            receiver, sender = PROCESSES.Pipe(duplex=False)
            process = PROCESSES.Process(target=work, args=(size, sender))
            process.start()
            sender.close()  # now only the child can write, and its death ends the pipe
            receivers.append(receiver)
            processes.append(process)
        lengths = [receiver.recv() for receiver in receivers]  # EOFError if a child failed
        for process in processes:
            process.join()
        print(describe(lengths))


if __name__ == "__main__":
    main()
