"""Stop a call that takes too long: it runs in a process of its own, which can be killed."""

from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import sleep

SPAWN = get_context("spawn")


def call(seconds: float) -> str:
    """Take a while, or far too long: put your own work here."""
    sleep(seconds)
    return f"done after {seconds} s"


def send(sender: Connection, function: Callable[[float], object], item: float) -> None:
    sender.send(function(item))


def run(limit_s: float, function: Callable[[float], object], item: float) -> object:
    receiver, sender = SPAWN.Pipe(duplex=False)
    process = SPAWN.Process(target=send, args=(sender, function, item))
    process.start()
    sender.close()  # so that the death of the process is noticed here
    try:
        if not receiver.poll(limit_s):
            raise TimeoutError(f"no result within {limit_s} s")
        return receiver.recv()  # raises EOFError if the process died without a result
    finally:  # also after Ctrl-C
        process.kill()
        process.join()


if __name__ == "__main__":
    for seconds in (0.1, 5.0):
        try:
            print(run(1.0, call, seconds))
        except (TimeoutError, EOFError) as error:
            print(f"{type(error).__name__}: {error}")
