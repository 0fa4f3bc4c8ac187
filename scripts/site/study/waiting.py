"""Waiting: until other programs have ended, for a while, before the trials of a build go on."""

import sys
import termios
import time
from select import select

from poolwise.load import Meter, can_ask, find_median
from poolwise.progress import Bar, report

LONGEST_WAIT_S = 60.0


def pause(seconds: float) -> bool:
    """Rest for so long, or until Enter is pressed at a terminal; tell whether it was."""
    if not can_ask():
        time.sleep(seconds)
        return False
    is_pressed = bool(select([sys.stdin], [], [], seconds)[0])
    if is_pressed:
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    return is_pressed


class PatientMeter(Meter):
    """A meter that waits for others once, until ``rest`` says that somebody wants to go on."""

    _has_waited = False

    def wait(self) -> None:
        """Wait until others have ended, once for a minute at most; Enter at a terminal ends that sooner.

        There is a time to wait after the first trials: somebody who looks on has seen something then.
        """
        if self._has_waited or not self._trials:
            return
        self._has_waited = True
        self._look()  # Enter that was pressed before the question is forgotten by it
        if not self.load.is_busy:
            return
        choice = " Enter: go on now; Ctrl-C: stop." if can_ask() else ""
        report(f"Waiting up to {LONGEST_WAIT_S:.0f} s for quiet. Busy: {self.load}.{choice}")
        began_s, waited_s, goes_on = self._read().at_s, 0.0, False
        with Bar("seconds waited", round(LONGEST_WAIT_S)) as bar:
            while self.load.is_busy and waited_s < LONGEST_WAIT_S and not goes_on:
                bar.show(round(waited_s), f"busy: {self.load}")
                goes_on = self._look()
                waited_s = self._read().at_s - began_s
        report(f"Going on. Busy: {self.load}." if self.load.is_busy else "Quiet now: going on.")

    def summarize(self) -> str:
        """Say how many timed trials were disturbed and by how much; nothing if none was."""
        if not self._disturbed:
            return ""
        return (
            f"{len(self._disturbed)} of {self._trials} timed trials were disturbed: "
            f"{find_median(self._disturbed).describe_past()} in the median."
        )
