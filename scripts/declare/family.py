"""Families: what programs of an experiment compete at."""

from collections.abc import Collection, Iterator
from typing import Literal

from scripts.declare.declaration import Declared, Problem
from scripts.declare.languages import find_bad_texts
from scripts.declare.profile import Profile, find_bad_settings
from scripts.declare.program import find_newer_python
from scripts.declare.reason import Reason
from scripts.declare.values import FamilyName, Share, Version


class Family(Declared, frozen=True, kw_only=True):
    """Programs that do the same work and compete, and the plainest of them to compare with.

    ``title`` names it in each language. ``params`` become environment variables of its programs,
    over those of the profile but for those it has for the family. ``longest_task_share`` is the
    part of its CPU work that is one indivisible task; with ``equal_tasks`` all tasks are, and
    equal. With ``serves`` an event loop is to serve others meanwhile, and a program that stops it
    is not recommended. ``interpreters`` is ``every`` for programs without packages that are to run
    on each Python found; with ``offline`` they do not need the load server that the experiment's
    other families do. ``python`` is the first version on which its work can be done, if that is
    not the programs' own matter.
    """

    name: FamilyName
    title: dict[str, str]
    baseline: str
    params: dict[str, str] = {}
    longest_task_share: Share = 0.0
    equal_tasks: bool = False
    serves: bool = False
    interpreters: Literal["wanted", "every"] = "wanted"
    offline: bool = False
    python: Version | None = None

    def merge_params(self, profile: Profile) -> dict[str, str]:
        """What its programs get in a profile: the nearer declaration counts."""
        own = profile.family_params.get(self.name, {})
        return {**profile.params, **self.params, **own}

    def find_obstacle(self, minor: tuple[int, int]) -> Reason | None:
        """Why none of its programs runs on such an interpreter; ``None`` if they do."""
        return find_newer_python(self.python, minor)


def find_family_problems(family: Family, competes: Collection[str]) -> Iterator[Problem]:
    """What of a family cannot be meant, whose baseline competes in these."""
    if family.name not in competes:
        yield ["baseline"], f"{family.baseline!r} is not a program of this family"
    for keys, message in find_bad_texts(family.title):
        yield ["title", *keys], message
    yield from find_bad_settings(family.params)
