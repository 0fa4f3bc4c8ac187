"""Navigation: the entry that an experiment has among those of the experiments."""

from scripts.declare.declaration import Declared
from scripts.declare.values import Count


class Navigation(Declared, frozen=True, kw_only=True):
    """The entry of an experiment's page, ``<experiment>.md``.

    ``title`` is its name in each language; of two pages, the one with the lower ``place`` is first.
    """

    title: dict[str, str]
    place: Count
