"""Signals that end a command: it saves and cleans up first, as after Ctrl-C."""

import signal
from types import FrameType


class Ended(KeyboardInterrupt):
    """The end that a signal has asked for; ``status`` is the exit status that tells which."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.status = 128 + number


def end_in_order() -> None:
    """Make Ctrl-C, SIGTERM and SIGHUP raise ``Ended`` from now on, the latter two once.

    A process that was told to ignore a signal (``nohup``) goes on ignoring it.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    """Raise ``Ended``, and ignore further signals but Ctrl-C."""
    del frame
    # A second SIGTERM would interrupt the saving; a second Ctrl-C is a person who cannot wait.
    for later in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(later, signal.SIG_IGN)
    raise Ended(number)
