"""Custody: what the launcher is born with, so that no program escapes it.

Run as ``python -I -S custody.pyc launcher.pyc``, it becomes the launcher: limits and the duty of a
child subreaper (Linux, prctl(2)) outlive ``exec``, the memory of the modules they take does not.
"""

import os
import resource
import signal
import sys

FILE_LIMIT_BYTES = 1 << 30
"""The largest file a program may write (RLIMIT_FSIZE), lest endless output fills the disk."""
PR_SET_CHILD_SUBREAPER = 36
PR_SET_PDEATHSIG = 1


def become_subreaper() -> bool:
    """Adopt orphans from now on; false where the system does not offer it.

    And go on when the engine dies: a program may have stopped the launcher, which has to kill it.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_PDEATHSIG, signal.SIGCONT, 0, 0, 0)
    return bool(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def limit_files() -> None:
    """Bound what every program started from here may write into one file."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    soft = FILE_LIMIT_BYTES if hard == resource.RLIM_INFINITY else min(hard, FILE_LIMIT_BYTES)
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


if __name__ == "__main__":
    limit_files()
    duty = "subreaper" if become_subreaper() else "parent"
    os.execv(sys.executable, [sys.executable, "-I", "-S", sys.argv[1], duty])
