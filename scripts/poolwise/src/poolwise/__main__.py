"""The command ``poolwise``, also as ``python -m poolwise``; see ``cli``."""

import sys
from io import TextIOWrapper

if __name__ == "__main__" and not sys.flags.safe_path:
    # A file of the user's such as statistics.py would be imported in the place of Python's own.
    del sys.path[0]


def main(arguments: list[str] | None = None) -> int:
    """Carry out a command line; gives the exit status."""
    try:
        from poolwise.cli import carry_out

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):  # a terminal may know no dash and no Russian
                stream.reconfigure(errors="replace")
        return carry_out(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:  # importing takes long enough for a change of mind
        return 130


if __name__ == "__main__":
    sys.exit(main())
