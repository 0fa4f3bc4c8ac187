"""Signals: what asks a command to end lets it save and clean up first, as Ctrl-C does."""

import signal
from types import FrameType


class Ended(KeyboardInterrupt):
    """A signal has asked for the end; ``status`` is the exit status that tells which."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.status = 128 + number


def end_in_order() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP raise ``Ended``, the latter two once.

    What was told to ignore a signal (``nohup``) goes on ignoring it.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)


def _end(number: int, frame: FrameType | None) -> None:
    """A second SIGTERM would interrupt the saving; a second Ctrl-C is a person who cannot wait."""
    del frame
    for later in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(later, signal.SIG_IGN)
    raise Ended(number)
