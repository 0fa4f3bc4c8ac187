"""Context: which page of which language is being rendered, and where evidence comes from.

MkDocs loads a hooks file as a module of its own; what hooks and fences share lives here.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from scripts.declare.claim import Claim, load_claims
from scripts.declare.declaration import MalformedDeclaration
from scripts.declare.languages import list_languages
from scripts.judge.checks import check_claims
from scripts.judge.evidence import CheckedClaim, Evidence
from scripts.pipeline import Pipeline
from scripts.render.claims import FORM
from scripts.render.words import load_words
from scripts.settings import read_settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a fence stands: ``url`` is the page's address below its language."""

    language: str = "en"
    source: str = ""
    url: str = ""

    @property
    def root(self) -> str:
        """The way from the page up to the root of the site, where both languages meet."""
        return "../" * (self.url.removeprefix("./").count("/") + 1)


_place = Place()


def enter(place: Place) -> None:
    """From now on fences stand there."""
    global _place  # noqa: PLW0603 - MkDocs offers no way to hand it to a fence
    _place = place


def here() -> Place:
    """Where the fence that asks stands."""
    return _place


@cache
def open_pipeline() -> Pipeline:
    """The pipeline of this build, by the settings in the environment."""
    return Pipeline(read_settings(os.environ))


@cache
def gather(experiment: str) -> Evidence:
    """The evidence of an experiment, once a build."""
    return open_pipeline().gather(experiment)


@cache
def list_claims() -> dict[str, tuple[Claim, ...]]:
    """The claims by experiment, each fit to stand on a page of every language.

    Raises:
        MalformedDeclaration: a claim is wrong; names file and claim.
    """
    declared = {name: load_claims(one) for name, one in open_pipeline().experiments.items()}
    homes: dict[str, str] = {}
    for name, claims in declared.items():
        for claim in claims:
            problem = _find_problem(claim, homes)
            if problem:
                path = open_pipeline().experiments[name].folder / "claims.toml"
                raise MalformedDeclaration(f"{path}: {claim.id}: {problem}")
            homes[claim.id] = name
    return declared


@cache
def check_all() -> dict[str, CheckedClaim]:
    """Every claim of every experiment with its checks, by id.

    Raises:
        MalformedDeclaration: a claim is wrong.
    """
    checked: dict[str, CheckedClaim] = {}
    for name, claims in list_claims().items():
        evidence = gather(name)
        checks = check_claims(claims, evidence.judgements, evidence.machine.system)
        for claim in claims:
            found = tuple(check for check in checks if check.claim is claim)
            checked[claim.id] = CheckedClaim(experiment=name, claim=claim, checks=found)
    return checked


def check_titles() -> None:
    """Every family is named in every language.

    Raises:
        MalformedDeclaration: a title is missing; names file and family.
    """
    for experiment in open_pipeline().experiments.values():
        for family in experiment.families:
            for language in list_languages():
                if language not in family.title:
                    path = experiment.folder / "experiment.toml"
                    problem = f"families.{family.name}.title: none in {language!r}"
                    raise MalformedDeclaration(f"{path}: {problem}")


def _find_problem(claim: Claim, homes: Mapping[str, str]) -> str:
    """What a claim lacks to stand on a page, which its own file cannot tell."""
    if claim.id in homes:
        return f"the id stands for another claim, of {homes[claim.id]}"
    for language in list_languages():
        if language not in claim.text:
            return f"no sentence in {language!r}"
        if claim.topic not in load_words(language).catalogue["topics"]:
            return f"no word for the topic {claim.topic!r} in {language!r}"
        for form in filter(None, FORM.findall(claim.text[language])):
            if form not in load_words(language).catalogue["plural"]:
                return f"no plural forms {form!r} in {language!r}"
    return ""


def forget() -> None:
    """A new build looks at examples and records again."""
    check_all.cache_clear()
    list_claims.cache_clear()
    open_pipeline.cache_clear()
    gather.cache_clear()
