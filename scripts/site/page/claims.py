"""Blocks of claims for the pages, as ``show`` offers them."""

from collections.abc import Sequence

from markupsafe import Markup

from scripts.harness.declaration import MalformedDeclaration
from scripts.harness.statistics import DECIDED
from scripts.site.declare.claims import list_sides
from scripts.site.declare.declarations import ANSWERS
from scripts.site.judge.claims import STANDINGS, CheckedClaim, check_evidence
from scripts.site.page.context import (
    check_all,
    find_page,
    gather,
    here,
    locate,
    open_pipeline,
    split_program,
)
from scripts.site.page.frame import choose_words, link_programs, locate_data
from scripts.site.render import claim_list
from scripts.site.render.claims import refer_to_claim, show_claim
from scripts.site.render.html import block, join
from scripts.site.render.names import explain_signs


def claim(id_: str, *, once: bool = False) -> Markup:
    """A checked sentence, by its id; where the page has opened with it, its number or, ``once``, nothing."""
    checked = check_all().get(id_)
    if checked is None:
        raise MalformedDeclaration(f"no such claim {id_!r}")
    if _is_opening(checked, here().source.removesuffix(".md")):
        return Markup() if once else refer_to_claim(checked, choose_words())
    return show_claim(checked, locate_data(), choose_words())


def _is_opening(checked: CheckedClaim, page: str) -> bool:
    """Tell whether a claim stands whole in the opening of a page: one that is decided and its own."""
    if checked.claim.id not in open_pipeline().declared.findings.get(page, ()):
        return False
    return checked.status in DECIDED and not _locate_claim(checked, page)


def claims() -> Markup:
    """All claims, with totals and filters."""
    words = choose_words()
    first = open_pipeline().declared.findings.get("claims", [])
    shown = sorted(check_all().values(), key=lambda one: _rank(one, first))
    homes = {one.claim.id: _locate_claim(one, "claims") for one in shown}
    content = claim_list.show_filters(shown, words) + claim_list.list_claims(shown, words, homes)
    data = Markup('<p class="provenance"><a href="{}/claims.json">{}</a></p>')
    content += data.format(locate_data(), words.text("claims_data"))
    return block(content, kind="claims")


def _rank(checked: CheckedClaim, first: Sequence[str]) -> tuple[int, int]:
    """Those that matter most come first, in their order; then what is decided, what is open, the rest."""
    id_, status = checked.claim.id, checked.status
    if id_ in first and status in DECIDED:
        return 0, first.index(id_)
    return 1, STANDINGS.index(status)


def totals() -> Markup:
    """How many claims hold, as one bar."""
    return block(claim_list.show_bar(list(check_all().values()), choose_words()), kind="totals")


def findings(page: str) -> Markup:
    """The claims with which a page opens: its own whole, of others the sentence and the way there."""
    checked, words, pipeline = check_all(), choose_words(), open_pipeline()
    chosen = [checked[id_] for id_ in pipeline.declared.findings[page]]
    own = [one for one in chosen if _is_opening(one, page)]
    content = join(show_claim(one, locate_data(), words) for one in own)
    others = {one.claim.id: _locate_claim(one, page) for one in chosen if one not in own}
    content += claim_list.show_findings([checked[id_] for id_ in others], words, others)
    return block(content, kind="findings") if content else Markup()


def _locate_claim(checked: CheckedClaim, page: str) -> str:
    """The way to where a claim stands whole: on the page itself, or on that of its experiment."""
    anchor = f"claim-{checked.claim.id}"
    home = page if find_page(f"{page}.md", anchor) else checked.experiment
    return here().lead(locate(f"{home}.md", anchor))


def tell_sizes(experiment: str) -> Markup:
    """Tell how many checks come out the same at the articles' sizes; nothing where these were not run."""
    evidence = open_pipeline().gather_full(experiment)
    if evidence is None:
        return Markup()
    page = here().source.removesuffix(".md")
    checked = [one for one in check_all().values() if one.experiment == experiment]
    homes = {one.claim.id: _locate_claim(one, page) for one in checked}
    full = check_evidence([one.claim for one in checked], evidence)
    return claim_list.show_sizes(checked, full, choose_words(), homes)


def answers() -> Markup:
    """The list of the answers, each with its first claim that is decided here, or else its first."""
    words = choose_words()
    rows = [
        (here().lead(f"{ANSWERS}/{one.name}/"), words.choose(one.title), _find_told(one.name))
        for one in open_pipeline().experiments[ANSWERS].families
    ]
    return block(claim_list.show_answers(rows, words), kind="answers")


def _find_told(answer: str) -> CheckedClaim | None:
    """The first claim about an answer's program that the machine shown decides, else the first."""
    own = (one for one in check_all().values() if one.experiment == ANSWERS)
    about = (one for one in own if one.claim.all[0].left.family == answer)
    return max(about, key=lambda one: one.status in DECIDED, default=None)


def find_named(name: str, but: Sequence[str]) -> Markup:
    """The sentences of all claims that compare a program, ``matrix/01-io-sequential.py``.

    ``but`` are those that stand with it.
    """
    experiment, program = split_program(name)
    chosen = [
        one
        for one in check_all().values()
        if one.experiment == experiment
        and one.claim.id not in but
        and program in {side.program for side in list_sides(one.claim)}
    ]
    return link_programs(claim_list.show_findings(chosen, choose_words(), {}), experiment)


def choices() -> Markup:
    """What to take for which task, with what it gave here."""
    words, checked = choose_words(), check_all()
    chosen = open_pipeline().declared.choices
    answers = [(one, checked[one.claim], gather(one.experiment)) for one in chosen]
    content = claim_list.show_choices(answers, words)
    content += explain_signs(content, words, here().lead("method/"))
    return block(content, kind="choices")
