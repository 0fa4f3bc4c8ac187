"""Measure programs, each trial in its own process, and keep the records.

A program may build on the modules below, whose names without an underscore are the API. Until version 1.0 they
may change with each minor version; CHANGELOG says how. Other modules may change at any time.

- ``experiment``, ``declaration``, ``metrics``: read what an experiment declares, and what is measured.
- ``machine``, ``pythons``, ``dependencies``: describe the machine, find Pythons, take fingerprints.
- ``plan``, ``run``, ``trial``: decide which trials run, and run them.
- ``process``, ``samplers``, ``watch``, ``load``, ``progress``: start and watch programs, say how far a run is.
- ``record``, ``store``: keep records and read them.
- ``statistics``: intervals of medians and ratios.
- ``output``, ``paths``: text that is fit to be published, files that are written as a whole.
- ``__main__``: the command ``poolwise`` itself, to pass a command line on.
"""


def __getattr__(name: str) -> str:
    """Give ``__version__``, which takes a while to read."""
    if name == "__version__":
        # With python -m, a file json.py of the current folder would be imported from here.
        from importlib.metadata import version

        return version("poolwise")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
