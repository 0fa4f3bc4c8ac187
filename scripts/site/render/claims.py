"""Claims as a reader meets them: each with what came of it, in lists and badges, and as advice.

The sentence of what came of one has what was measured in its places.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor, inf, log10

from markupsafe import Markup

from poolwise.pythons import rank_interpreter
from scripts.site.declare.claims import PLACEHOLDER, Claim, Comparison, Place, Side, read_place
from scripts.site.declare.declarations import Choice
from scripts.site.judge.claims import (
    STANDINGS,
    STEP,
    UNDECIDED,
    Check,
    CheckedClaim,
    Finding,
    Standing,
    find_better,
    is_borne_out,
)
from scripts.site.judge.decisions import DECIDED, OPEN, SETTLED
from scripts.site.judge.evidence import Evidence
from scripts.site.render.estimates import (
    LEAST_FOLD,
    format_parts,
    format_together,
    make_point,
    read_time,
    tell_difference,
)
from scripts.site.render.facts import link_machine, name_machine
from scripts.site.render.html import block, join, program_anchor, render, slug, small, strong
from scripts.site.render.names import name_status, show_sign, show_status, title_program
from scripts.site.render.sentences import is_time, list_sizes, turn_difference, write_sentence
from scripts.site.render.words import Words, capitalise, choose_seconds
from scripts.site.study.signs import Lasting


@dataclass(frozen=True)
class Summary:
    """A claim as a reader meets it first, wherever that is: alone, in a list or a badge."""

    checked: CheckedClaim
    words: Words

    @property
    def anchor(self) -> str:
        """The permanent id of the claim on every page that shows it."""
        return f"claim-{self.checked.claim.id}"

    @property
    def sentence(self) -> Markup:
        """The sentence of what came of it, or of what came of it elsewhere; its condition without any."""
        main = self.checked.main
        text = fill_sentence(main, self.words) if main else Markup()
        if not text:
            text = self._tell_elsewhere()
        conditions = (
            format_condition(condition, self.words) for condition in self.checked.claim.all
        )
        return text or join(conditions, "; ")

    def _tell_elsewhere(self) -> Markup:
        """Tell what the first other machine found that decides it; nothing where none does."""
        for place in self.checked.elsewhere:
            if place.main.status in SETTLED:
                machine = name_machine(place.machine, self.words)
                sentence = fill_sentence(place.main, self.words)
                return self.words.markup("there", machine=machine, sentence=sentence)
        return Markup()

    @property
    def sign(self) -> Markup:
        """The icon of its status; none where nothing was measured."""
        if self.checked.status in ("not measured", "not applicable"):
            return Markup()
        return show_sign(self.checked.status, self.words)

    @property
    def origin(self) -> str:
        """The source and the place in it."""
        claim, words = self.checked.claim, self.words
        number, _, count = claim.origin.partition("/")
        parts = [words.term("source", claim.source)]
        if count:
            parts.append(words.text("origin_conclusion", number=number, count=count))
        elif number[:1].isdigit():
            parts.append(words.text("origin_row", row=number))
        elif number:
            parts.append(words.term("origin", number))
        return capitalise(", ".join(parts))

    @property
    def mark(self) -> Markup:
        """A short mark where other machines answer otherwise than the sentence; or nothing."""
        count = len(self.checked.otherwise)
        if not count or self.checked.status in UNDECIDED:
            return Markup()
        machines = self.words.count("of_machines", self.checked.machines)
        tooltip = self.words.text("otherwise_mark", count=str(count), machines=machines)
        return Markup('<small class="otherwise">({})</small>').format(tooltip)

    @property
    def undecided(self) -> str:
        """A sentence on why it has no number to show; empty where it has one."""
        key, reasons = self.checked.gap
        causes = ", ".join(dict.fromkeys(map(self.words.reason, reasons)))
        if key == "not_tried" and not causes and self.checked.main:
            causes = _format_reason(self.checked.main, self.words)
        return self.words.text(key, reason=causes) if key else ""

    @property
    def because(self) -> str:
        """Why there is no number behind its sentence, or why one that says that it is open is so."""
        _, reasons = self.checked.gap
        if self.checked.status == OPEN and not reasons:  # the sentence says so itself
            return ""
        return self.undecided

    @property
    def cost(self) -> Markup:
        """What a gain costs or saves in memory, where that is no tie."""
        main = self.checked.main
        memory = main.memory if main and main.status == "confirmed" else None
        if memory is None:
            return Markup()
        more = memory.left.median - memory.right.median
        key = "memory_more" if more > 0 else "memory_less"
        amount, name = self.words.memory(abs(more)), name_side(memory.comparison.left, self.words)
        return self.words.markup(key, amount=amount, name=name)

    @property
    def at(self) -> Markup:
        """What makes its number, to follow the sentence; nothing where there is no number."""
        main = self.checked.main
        text = format_at(main, self.words) if main and write_sentence(main, self.words) else ""
        return Markup('<small class="claim-at">({})</small>').format(text) if text else Markup()

    @property
    def finding(self) -> Markup:
        """The sentence between its sign and its mark, with what it costs and what makes its number."""
        parts = (self.sign, self.sentence, self.because, self.cost, self.at, self.mark)
        return join(filter(None, parts), " ")


def show_claim(
    checked: CheckedClaim, data: str, words: Words, sign: Lasting | None = None
) -> Markup:
    """A claim as a paragraph: the sentence of what came of it, and folded all that it rests on.

    ``sign`` says since when that is so.
    """
    summary, claim = Summary(checked, words), checked.claim
    # Where it does not apply its scope says, once.
    applying = [
        check for check in checked.checks if check.status != "not applicable" or check.reasons
    ]
    checks = [
        (name_status(check.standing, words), _format_measured(check, words), check)
        for check in applying
    ]
    content = render(
        "claim.html",
        words=words,
        summary=summary,
        checks=checks,
        conditions=[format_condition(condition, words) for condition in claim.all],
        scope=_format_scope(claim, words),
        data=data,
        elsewhere=_show_otherwise(checked, words, data),
        since=_tell_since(sign, words) if sign else "",
    )
    return block(content, kind="claim", id_=summary.anchor)


def _tell_since(sign: Lasting, words: Words) -> Markup:
    """Tell since when a claim has its sign on a machine, and what it had before."""
    status, machine, past = show_status(sign.status, words), sign.model, sign.before
    since = words.markup("since", status=status, date=words.date(sign.since), machine=machine)
    if past is None:
        return since
    before = show_status(past.status, words)
    return since + words.markup("since_before", status=before, machine=past.model)


def refer_to_claim(checked: CheckedClaim, words: Words) -> Markup:
    """Show the sentence of a claim that stands whole further up on the page, and the way there."""
    summary = Summary(checked, words)
    shape = Markup('<p class="claim-text">{} {} (<a href="#{}">{}</a>).</p>')
    sentence = summary.sentence.removesuffix(".")
    text = shape.format(summary.sign, sentence, summary.anchor, words.text("claim_above"))
    return block(text, kind="claim-again")


def _show_otherwise(checked: CheckedClaim, words: Words, data: str) -> Markup:
    if not checked.otherwise:
        return Markup()
    # The machines' pages are beside the data in each language.
    folder = f"{data.removesuffix('data')}{words.language}/machines/"
    parts = []
    for status in DECIDED:
        machines = [
            link_machine(answer.machine, words, folder)
            + f" ({words.count('cores_nominative', answer.main.cores)}, {answer.main.interpreter})"
            for answer in checked.otherwise
            if answer.main.status == status
        ]
        if machines:
            parts.append(show_status(status, words) + " — " + join(machines, ", "))
    return Markup('<p class="claim-elsewhere" data-search-exclude>{}: {}.</p>').format(
        words.text("otherwise"), join(parts, "; ")
    )


def fill_sentence(check: Check, words: Words) -> Markup:
    """Fill the places of what a check says; empty if it says nothing.

    ``{cores|key}`` takes the plural forms of ``key``.
    """
    text = write_sentence(check, words)
    places = dict.fromkeys(map(read_place, PLACEHOLDER.finditer(text)))
    values = _write_values(
        [place for place in places if place.name in ("left", "right")], check, words
    )

    def fill(match: re.Match[str]) -> str:
        place = read_place(match)
        return strong(values.get(place) or _fill(place, check, words))

    sentence = PLACEHOLDER.sub(fill, str(Markup.escape(text)))
    of_cpu = words.text("cpu_seconds", time="")
    head, first, rest = sentence.partition(of_cpu)
    # Once is enough: "0.9 s of CPU against 0.2 s".
    return Markup(head + first + rest.replace(of_cpu, ""))  # noqa: S704 - escaped above


def format_at(check: Check, words: Words) -> str:
    """Tell what makes the number of a check: ``1,000 URLs, 50 ms each, 100 at once, 2 cores``."""
    parts = []
    for name, noun in check.claim.at.items():
        # One worker is the plain version, of which the sentence speaks.
        values = [value for value in check.at.get(name, ()) if name != "workers" or value > 1]
        text = words.count_several(noun, values) if noun and values else ""
        for wait in ("wait_s", "longest_wait_s") if text and name == "tasks" else ():
            if waits_s := check.at.get(wait):
                scale, unit = choose_seconds(max(waits_s))
                numbers = [float(f"{wait_s / scale:.3g}") for wait_s in waits_s]
                time = words.measure(words.several(numbers), unit)
                text = words.text(f"at_{wait}", tasks=text, time=time)
        parts.append(text)
    return ", ".join(filter(None, parts))


def _fill(place: Place, check: Check, words: Words) -> str:
    if place.name == "cores":
        return words.count(place.form or "cores_nominative", check.cores)
    if place.name == "workers":
        return words.count(place.form or "workers", check.workers)
    return format_times(check.findings[place.index].whole.median, place.form, words)


def _write_values(places: Sequence[Place], check: Check, words: Words) -> dict[Place, str]:
    """Write what was measured, in one unit and with one precision; and what it is compared with."""
    chosen, measured = {}, {}
    for place in places:
        finding = check.findings[place.index]
        metric, limit = finding.comparison.metric, finding.comparison.limit
        if place.name == "left":
            measured[place] = (finding.left, metric)
        elif limit is None:
            measured[place] = (finding.right, metric)
        else:
            exact, metric = read_time(make_point(limit), metric)
            chosen[place] = words.value(metric, exact.median)
    written = format_together(list(measured.values()), words)
    return chosen | dict(zip(measured, written, strict=True))


def format_times(ratio: float, form: str, words: Words) -> str:
    """A measured ratio as people say it: ``twice``, ``3.4 times``, or by how many per cent it is off 1."""
    if not 0 < ratio < inf:
        return words.text("beyond_measure")
    if form == "percent":
        return words.percent(abs(ratio - 1))
    rounded = round(ratio, 1 - floor(log10(ratio)))
    return words.count("times", rounded) if form == "times" else words.fold(rounded)


def _tell_sessions(check: Check, words: Words) -> Markup:
    """Tell in how many sessions it came out how, with the ratios of each, all in times or all in per cent."""
    ratios: dict[Standing, list[Finding]] = {}
    counts: Counter[Standing] = Counter()
    for session in check.sessions:
        standing = session.standing
        if check.pooled and not session.pooled:  # it has no part in what they say together
            standing = "not measured"
        counts[standing] += 1
        ratios.setdefault(standing, [])
        for pooled, finding in zip(check.findings, session.findings, strict=False):
            is_shown = standing != "not measured" and finding.comparison.limit is None
            if pooled is check.deciding and is_shown:
                ratio = make_point(finding.ratio.median)
                ratios[standing].append(replace(finding, ratio=ratio))
    together = [finding.ratio for findings in ratios.values() for finding in findings]
    is_fold = any(max(ratio.median, ratio.invert().median) >= LEAST_FOLD for ratio in together)
    total = words.count("sessions", len(check.sessions))
    key, parts = "of_sessions", []
    for standing in sorted(ratios, key=STANDINGS.index):
        status, count = name_status(standing, words), str(counts[standing])
        if standing == "not measured":
            status = Markup.escape(words.text("no_session"))
        part = words.markup(key, status=status, count=count, total=total)
        texts = [_format_ratio(finding, words, is_fold=is_fold) for finding in ratios[standing]]
        if texts:
            part += Markup(" ({})").format(join(dict.fromkeys(texts), ", "))
        parts.append(part)
        key = "in_so_many"
    return join(parts, "; ")


def _format_measured(check: Check, words: Words) -> Markup:
    deciding = check.deciding if check.standing != "not measured" else None
    texts = [_format_finding(deciding, words)] if deciding else []
    texts += [_format_reason(check, words)] if check.reasons else []
    sessions = [_tell_sessions(check, words)] if check.sessions else []
    return join([join(texts, ", "), *sessions], "; ")


def _format_finding(finding: Finding, words: Words) -> str:
    """Tell the value beside a number, otherwise the ratio, with the interval."""
    if finding.comparison.limit is not None:
        return _add_ends(*format_parts(*read_time(finding.left, finding.comparison.metric), words))
    ratio = _format_ratio(finding, words)
    is_step = finding.ratio != finding.whole
    return words.markup("of_a_step", ratio=ratio) if is_step else ratio


def _add_ends(text: str, ends: str) -> Markup:
    markup = Markup.escape(text)
    return markup + " " + small(f"({ends})") if ends else markup


def _format_ratio(finding: Finding, words: Words, *, is_fold: bool = False) -> Markup:
    """``1.9 times as fast (1.7–2.1)``: how many times, and which way the left side differs."""
    ratio, way = turn_difference(finding)
    return _add_ends(*tell_difference(ratio, way, words, is_fold=is_fold))


def _format_reason(check: Check, words: Words) -> str:
    if not check.reasons:
        return words.text("applies_elsewhere", where=_format_scope(check.claim, words))
    causes = ((f"{program}: " if program else "", why) for program, why in check.reasons)
    return ", ".join(name + words.reason(why) for name, why in causes)


def format_condition(comparison: Comparison, words: Words) -> Markup:
    """A comparison in words: what is measured, then how the sides of it are to stand."""
    kind, places = _choose_wording(comparison, words)
    relation = slug(comparison.relation) + ("" if comparison.margin > 1 else "-at-all")
    condition = words.markup(f"condition_{kind}_{relation}", **places)
    if comparison.every:
        condition = words.markup("condition_every", condition=condition)
    return Markup("{}: {}").format(words.metric(comparison.metric), condition)


def _choose_wording(comparison: Comparison, words: Words) -> tuple[str, dict[str, str]]:
    margin, left = comparison.margin, comparison.left
    places: dict[str, str] = {"fold": words.fold(margin), "percent": words.percent(margin - 1)}
    if comparison.over:
        swept, step = words.term("swept", comparison.over), words.percent(STEP - 1)
        return "sweep", places | {"over": swept, "step": step, "left": name_side(left, words)}
    if comparison.limit is not None:
        limit = words.value(comparison.metric, comparison.limit)
        if comparison.of_cores:
            limit = words.text("of_cores", share=limit)
        return "limit", places | {"limit": limit, "left": name_side(left, words)}
    assert isinstance(comparison.right, Side)
    places["left"] = name_side(left, words, beside=comparison.right)
    places["right"] = name_side(comparison.right, words, beside=left)
    if comparison.right_python == "ordinary":
        places["right"] += f" {words.text('on_ordinary_python')}"
    elif comparison.right_python != "same":
        places["right"] += f" {words.text('on_python', version=comparison.right_python)}"
    return ("time" if is_time(comparison.metric) else "amount"), places


def _format_scope(claim: Claim, words: Words) -> str:
    scope = claim.where
    wanted = [("cores", scope.cores), ("gil", scope.gil), ("system", scope.system)]
    parts = [words.term("where", f"{key} {value}") for key, value in wanted if value]
    if version := scope.release or scope.python:
        parts.append(words.text("on_python", version=version))
    return ", ".join(parts)


def name_side(side: Side, words: Words, *, beside: Side | None = None) -> Markup:
    """A program, with what its cell differs by from the ordinary and from ``beside``."""
    parts = list_sizes(side, words, beside)
    if beside and side.family != beside.family:
        parts.append(_name(side, "family", side.family, words))
    detail = f" ({', '.join(parts)})" if parts else ""
    return Markup.escape(
        words.text("quoted", phrase=_name(side, "program", side.program, words)) + detail
    )


def _name(side: Side, kind: str, otherwise: str, words: Words) -> str:
    names = side.names.get(kind)
    return words.choose(names) if names else otherwise


# Lists of claims: their rows, sentences, bar, form and badges.

LETTER_PX, EDGES_PX = 7.2, 12
WIDEST_PX = 480
"""Of a badge that says what makes its number; a wider one says that on hovering."""


def list_claims(claims: Sequence[CheckedClaim], words: Words, homes: Mapping[str, str]) -> Markup:
    """Show a row for each claim, which leads to where it stands whole: ``homes``, by their ids."""
    rows = []
    for checked in claims:
        outcomes = dict.fromkeys((check.standing, check.interpreter) for check in checked.checks)
        checks = json.dumps(list(outcomes) or [(checked.status, "")], separators=(",", ":"))
        rows.append((Summary(checked, words), name_status(checked.status, words), checks))
    return render("claims-list.html", words=words, rows=rows, homes=homes)


def show_findings(claims: Sequence[CheckedClaim], words: Words, homes: Mapping[str, str]) -> Markup:
    """Show the sentences of the claims that are decided, each with its sign; nothing if none is."""
    decided = [Summary(checked, words) for checked in claims if checked.status in SETTLED]
    return render("findings.html", words=words, rows=decided, homes=homes) if decided else Markup()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer as a list has it: its page, its advice, the kind of its workers, and its claim."""

    address: str
    title: str
    advice: str
    kind: str
    summary: Summary


def show_answers(first: Sequence[Answer], others: Sequence[Answer], words: Words) -> Markup:
    """List answers, the first with what their claims came to, the others by their titles.

    An undecided one has its advice instead; why, the end of the list says once.
    """
    why = explain_undecided(
        "answers_undecided", [answer.summary.checked for answer in first], words
    )
    return render("answers.html", words=words, first=first, others=others, why=why)


def explain_undecided(key: str, claims: Iterable[CheckedClaim], words: Words) -> Markup:
    """Explain in a line, each cause once, why claims that apply here have no number; or nothing."""
    causes: dict[str, str] = {}
    for checked in claims:
        if checked.status == "not measured":
            causes.setdefault("", words.term("claim_status", checked.status))
        elif checked.main and checked.status == OPEN:
            reason = next((reason for _, reason in checked.main.reasons), None)
            cause = words.reason(reason) or words.text("more_trials")
            causes.setdefault(reason.code if reason else OPEN, cause)
    text = words.text(key, causes="; ".join(causes.values())) if causes else ""
    return (
        Markup('<p class="undecided" data-search-exclude>{}</p>').format(text) if text else Markup()
    )


def _count_statuses(claims: Iterable[CheckedClaim]) -> dict[Standing, int]:
    """Count the claims of each status that any has, in their order."""
    counts = Counter(checked.status for checked in claims)
    return {status: counts[status] for status in STANDINGS if counts[status]}


def show_bar(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """Show how many claims have which status, as one bar; each as a reader meets it first."""
    counts = _count_statuses(claims)
    rows = [(show_status(status, words), slug(status), count) for status, count in counts.items()]
    return render("totals.html", words=words, rows=rows)


def sum_up(title: str, claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """A title, and how many of its claims have which status."""
    counts = _count_statuses(claims)
    signs = [Markup("{} {}").format(show_sign(key, words), count) for key, count in counts.items()]
    return Markup("{} <small>{}</small>").format(title, join(signs, " "))


def show_filters(claims: Sequence[CheckedClaim], words: Words) -> Markup:
    """Show a form that the page's script brings to life; hidden until then: all are shown."""
    pythons = {check.interpreter for checked in claims for check in checked.checks}
    choices: dict[str, dict[str, str]] = {
        "source": {row.claim.source: words.term("source", row.claim.source) for row in claims},
        "topic": {row.claim.topic: words.term("topics", row.claim.topic) for row in claims},
        "status": {standing: words.term("claim_status", standing) for standing in STANDINGS},
        "interpreter": {name: name for name in sorted(pythons, key=rank_interpreter)},
    }
    return render("filter.html", words=words, choices=choices, count=len(claims))


def draw_badge(checked: CheckedClaim, words: Words) -> Markup:
    """Draw the id of a claim, its status and what makes its number, for pages of others."""
    name, status = checked.claim.id, name_status(checked.status, words)
    main = checked.main if checked.status not in UNDECIDED else None
    outcome = f"{status}: {format_at(main, words)}".removesuffix(": ") if main else status
    left = _measure_px(name)
    label = outcome if left + _measure_px(outcome) <= WIDEST_PX else status
    return render(
        "badge.svg",
        name=name,
        status=checked.status,
        outcome=outcome,
        label=label,
        left=left,
        right=_measure_px(label),
    )


def _measure_px(text: str) -> int:
    return round(len(text) * LETTER_PX + EDGES_PX)


# Which program to take for which task, with the claim that says so.

AXES = ("work", "tasks", "library", "cores", "memory", "gil")


def show_choices(
    answers: Sequence[tuple[Choice, CheckedClaim, Evidence]],
    words: Words,
    lead: Callable[[str, str], str],
) -> Markup:
    """Show a form with the questions, which a script brings to life, and a fold for each answer.

    An answer is a choice with its claim, and what was measured of the experiment. Where the claim is
    refuted or open here, the recommended program of the family comes first. ``lead`` gives the way to
    a program of an experiment by its anchor.
    """
    rows = []
    for choice, checked, evidence in answers:
        better = find_better(choice.program, checked, evidence)
        taken = better.program if better else choice.program
        home = lead(choice.experiment, program_anchor(taken))
        program = title_program(evidence.experiment, taken, words)
        reasons = show_evidence(choice, checked, words)
        rows.append((choice, home, program, reasons, better is not None))
    why = explain_undecided("answers_undecided", [checked for _, checked, _ in answers], words)
    return render("choices.html", words=words, axes=AXES, rows=rows) + why


def show_evidence(choice: Choice, checked: CheckedClaim, words: Words) -> Markup:
    """Show the sentence of a claim that holds with its sign, or why nothing is known of it here."""
    summary, sign = Summary(checked, words), show_status(checked.status, words)
    is_said = is_borne_out(checked)
    return render(
        "choice-evidence.html", choice=choice, summary=summary, sign=sign, is_said=is_said
    )
