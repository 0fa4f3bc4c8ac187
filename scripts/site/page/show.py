"""Blocks for the pages: each function gives the HTML that a fence prints.

The language, and the way to the data, are those of the page that is being rendered. None of them
raises: what went wrong is their HTML.
"""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any

from markupsafe import Markup

from poolwise.declaration import MalformedDeclaration
from poolwise.dependencies import read_source as read_code
from scripts.site.declare.claims import list_sides
from scripts.site.declare.declarations import ANSWERS
from scripts.site.declare.questions import read_asked
from scripts.site.judge.agreement import Drawn, find_denial
from scripts.site.judge.claims import CheckedClaim, choose_told
from scripts.site.judge.decisions import SETTLED
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.releases import count_ratios, tabulate
from scripts.site.judge.rows import list_records
from scripts.site.page.context import (
    check_all,
    find_claim,
    gather,
    gather_machines,
    here,
    list_contributed,
    list_machines,
    list_signs,
    list_watched,
    locate,
    locate_trace,
    open_pipeline,
    split_program,
    tell,
)
from scripts.site.page.failures import find_printed, guard
from scripts.site.page.frame import (
    choose_words,
    describe_source,
    lead_to,
    link_programs,
    locate_data,
    show_measured,
    sign_figures,
)
from scripts.site.page.mine import show_mine
from scripts.site.page.scenes import play_scene
from scripts.site.page.sources import find_page, read_source
from scripts.site.paths import DOCS
from scripts.site.render import claims as claim_blocks
from scripts.site.render import facts, names, programs, tables
from scripts.site.render import originals as article
from scripts.site.render.asked import show_asked
from scripts.site.render.builds import show_builds, show_prices, show_upgrade
from scripts.site.render.charts import draw_family, draw_lines, draw_traces, draw_waits
from scripts.site.render.contributed import show_contributed
from scripts.site.render.figures import Figure
from scripts.site.render.gains import show_places
from scripts.site.render.heat import show_releases
from scripts.site.render.html import block, drop_tags, fold_away, join, program_anchor, render, slug
from scripts.site.render.plot import NO_FINDING, Finding
from scripts.site.render.programs import show_output, show_outputs, tell_unknown_program
from scripts.site.render.published import show_explorer
from scripts.site.render.regret import show_regret
from scripts.site.render.svg import find_colour
from scripts.site.render.tables import show_costs, show_overview, show_readings, show_several
from scripts.site.render.timeline import Watched, show_timelines
from scripts.site.render.words import capitalise
from scripts.site.study.faults import read_campaign
from scripts.site.study.snippets import list_pythons
from scripts.site.study.snippets import locate as locate_snippet
from scripts.site.study.timeline import Timeline

_EXPLORE = Markup('<p class="explore-link"><a href="{}">{}</a></p>')

mine = guard(show_mine)


@guard
def claim(id_: str, *, once: bool = False) -> Markup:
    """A checked sentence, by its id; where the page has opened with it, its number or, ``once``, nothing."""
    checked = find_claim(id_)
    if _is_opening(checked, here().source.removesuffix(".md")):
        return Markup() if once else claim_blocks.refer_to_claim(checked, choose_words())
    sign = list_signs().get(checked.claim.id)
    return claim_blocks.show_claim(checked, locate_data(), choose_words(), sign)


def _is_opening(checked: CheckedClaim, page: str) -> bool:
    """Tell whether a claim stands whole in the opening of a page: one that is decided and its own."""
    if checked.claim.id not in open_pipeline().declared.findings.get(page, ()):
        return False
    return checked.status in SETTLED and not _locate_claim(checked, page)


@guard
def claims() -> Markup:
    """All claims, with filters, those of each experiment folded under its title."""
    words, checked = choose_words(), list(check_all().values())
    homes = {claim.claim.id: _locate_claim(claim, "claims") for claim in checked}
    content = claim_blocks.show_filters(checked, words)
    for experiment in sorted(open_pipeline().experiments.values(), key=attrgetter("place")):
        if claims := [claim for claim in checked if claim.experiment == experiment.name]:
            title = claim_blocks.sum_up(names.name_experiment(experiment, words), claims, words)
            listed = claim_blocks.list_claims(claims, words, homes)
            content += fold_away(title, listed, kind="claims-of")
    data = Markup('<p class="provenance"><a href="{}/claims.json">{}</a></p>')
    content += data.format(locate_data(), words.text("claims_data"))
    return block(content, kind="claims")


@guard
def totals() -> Markup:
    """How many claims hold, as one bar."""
    return block(claim_blocks.show_bar(list(check_all().values()), choose_words()), kind="totals")


@guard
def findings(page: str) -> Markup:
    """The claims with which a page opens: its own whole, of others the sentence and the way there.

    Where none is decided it opens with why.
    """
    checked, words, pipeline = check_all(), choose_words(), open_pipeline()
    chosen = [checked[id_] for id_ in pipeline.declared.findings[page]]
    opening = [finding for finding in chosen if _is_opening(finding, page)]
    signs, data = list_signs(), locate_data()
    content = join(
        claim_blocks.show_claim(finding, data, words, signs.get(finding.claim.id))
        for finding in opening
    )
    others = {
        finding.claim.id: _locate_claim(finding, page)
        for finding in chosen
        if finding not in opening
    }
    content += claim_blocks.show_findings([checked[id_] for id_ in others], words, others)
    if not content:
        content = claim_blocks.explain_undecided("findings_undecided", chosen, words)
    return block(content, kind="findings") if content else Markup()


def _locate_claim(checked: CheckedClaim, page: str) -> str:
    """The way to where a claim stands whole: on the page itself, or on that of its experiment."""
    anchor = f"claim-{checked.claim.id}"
    is_here = find_page(DOCS / here().language, f"{page}.md", anchor)
    home = page if is_here else checked.experiment
    return here().lead(locate(f"{home}.md", anchor))


@guard
def answers(*first: str) -> Markup:
    """The answers: ``first``, each with its first claim that is decided here or its advice; links to others."""
    words, experiment = choose_words(), open_pipeline().experiments[ANSWERS]
    rows: dict[str, claim_blocks.Answer] = {}
    for family in experiment.families:
        if checked := _find_answered(family.name):  # else it is only the points of a chart
            page, docs = f"{ANSWERS}/{family.name}", DOCS / here().language
            is_there = (docs / f"{page}.md").is_file()  # a preview may leave it out
            rows[family.name] = claim_blocks.Answer(
                address=here().lead(f"{page}/"),
                title=words.choose(family.title),
                advice=read_source(docs, f"{page}.md").advice if is_there else "",
                kind=experiment.program(checked.claim.all[0].left.program).ways[-1],
                summary=claim_blocks.Summary(checked, words),
            )
    leading = [rows[name] for name in first]
    others = [answer for name, answer in rows.items() if name not in first]
    return block(claim_blocks.show_answers(leading, others, words), kind="answers")


def _find_answered(answer: str) -> CheckedClaim | None:
    """The first claim about an answer's program that the machine shown decides, else the first."""
    answered = (checked for checked in check_all().values() if checked.experiment == ANSWERS)
    about = (checked for checked in answered if checked.claim.all[0].left.family == answer)
    return max(about, key=lambda checked: checked.status in SETTLED, default=None)


@guard
def choices() -> Markup:
    """What to take for which task, with what it gave here."""
    words, checked = choose_words(), check_all()
    chosen = open_pipeline().declared.choices
    answers = [(choice, checked[choice.claim], gather(choice.experiment)) for choice in chosen]
    content = claim_blocks.show_choices(answers, words, lead_to)
    content += names.explain_signs(content, words, here().lead("method/"))
    return block(content, kind="choices")


@guard
def results(experiment: str, families: Sequence[str] = (), *, folded: bool = False) -> Markup:
    """The table of results for every core count; ``folded`` until a reader opens it."""
    draw = partial(tables.show_results, families=families)
    content = show_measured(gather(experiment), draw, families, kind="results")
    if not folded:
        return content
    way, words = here().lead(f"explore/?experiment={experiment}"), choose_words()
    link = _EXPLORE.format(way, words.text("explore_these"))
    return fold_away(words.text("fold_results"), content) + link


@guard
def overview(experiment: str) -> Markup:
    """A row for each program of each family, with what a reader chooses by."""
    return show_measured(gather(experiment), show_overview, kind="results")


@guard
def workloads(experiment: str) -> Markup:
    """A row for each workload: what each program took for it, and which to choose."""
    return show_measured(gather(experiment), tables.show_workloads, kind="results")


@guard
def chart(
    experiment: str,
    family: str,
    metric: str | Sequence[str] = "inside_s",
    *,
    claim: str = "",
    **options: Any,  # noqa: ANN401 - those of dots
) -> Markup:
    """The times of the work of a family, or another metric, or several of one unit.

    ``claim``, here as of others, is the id of that whose sentence is the title where it is decided;
    what is shown is of the Python and the session that it speaks of.
    """
    finding, evidence = _find(claim, gather(experiment))
    draw = partial(draw_family, family=family, metric=metric, finding=finding, **options)
    return show_measured(evidence, draw, [family])


@guard
def sweep(
    experiment: str,
    family: str,
    *,
    claim: str = "",
    programs: Sequence[str] = (),
    **options: Any,  # noqa: ANN401 - those of lines
) -> Markup:
    """A metric by the number of tasks, a line for each program, with the options of lines."""
    finding, evidence = _find(claim, gather(experiment))
    draw = partial(draw_lines, family=family, programs=programs, finding=finding, **options)
    return show_measured(evidence, draw, [family], programs=programs)


@guard
def waits(experiment: str, *families: str) -> Markup:
    """What programs gain over the baseline, by how long the server of each family waits."""
    draw = partial(draw_waits, families=families)
    return show_measured(gather(experiment), draw, families)


def _find(claim: str, evidence: Evidence) -> tuple[Finding, Evidence]:
    """The finding that a claim is, and evidence as it tells it."""
    if not claim:
        return NO_FINDING, evidence
    return _tell_finding(claim), choose_told(find_claim(claim), evidence)


def _tell_finding(claim: str) -> Finding:
    """The finding that a claim is; none where it is not decided or lies at its margin."""
    checked = find_claim(claim)
    main = checked.main
    if checked.status not in SETTLED or main is None or main.outcome == "at-the-margin":
        return NO_FINDING
    return Finding(claim, drop_tags(claim_blocks.Summary(checked, choose_words()).sentence), main)


@guard
def trace(experiment: str, family: str, *, programs: Sequence[str] = ()) -> Markup:
    """Memory over time, a line for each program."""
    evidence = gather(experiment)
    draw = partial(draw_traces, family=family, programs=programs)
    is_traced = any(
        judgement.record.traced for judgement in evidence.judgements if judgement.family == family
    )
    data = f"{experiment}-{slug(family)}-traces" if is_traced else ""
    return show_measured(evidence, draw, [family], programs=programs, data=data)


@guard
def printed(experiment: str, family: str, *, claim: str = "") -> Markup:
    """What the programs of a family printed."""
    _, evidence = _find(claim, gather(experiment))
    return show_measured(evidence, partial(show_outputs, family=family), [family])


@guard
def output(experiment: str, program: str) -> Markup:
    """What one program printed, and how it ended."""
    content = show_output(gather(experiment), choose_words(), program.removesuffix(".py"))
    return block(content, kind="output")


@guard
def costs(experiment: str, family: str) -> Markup:
    """How many units the programs of a family made, and what each cost."""
    return show_measured(gather(experiment), partial(show_costs, family=family), [family])


@guard
def readings(
    experiment: str, family: str | Sequence[str], reading: str | Sequence[str], *, claim: str = ""
) -> Markup:
    """What the programs of a family counted of themselves, on every Python.

    Of several readings, which may be metrics, it is on one Python; and so of several families.
    """
    finding, evidence = _find(claim, gather(experiment))
    if isinstance(family, str) and isinstance(reading, str):
        draw = partial(show_readings, family=family, reading=reading, sentence=finding.sentence)
        return show_measured(evidence, draw, [family], everywhere=True, kind="results")
    families = [family] if isinstance(family, str) else family
    listed = [reading] if isinstance(reading, str) else reading
    several = partial(show_several, families=families, readings=listed, sentence=finding.sentence)
    return show_measured(evidence, several, families, kind="results")


@guard
def originals(experiment: str) -> Markup:
    """The article's own figures."""
    content = article.show_originals(gather(experiment), choose_words())
    return block(link_programs(content, experiment), kind="originals")


@guard
def agreement(experiment: str) -> Markup:
    """What of the article holds here."""
    evidence = gather(experiment)
    return show_measured(evidence, article.show_agreement, everywhere=True, kind="agreement")


@guard
def explorer() -> Markup:
    """All rows of all machines, for the script that filters and draws them."""
    experiments = open_pipeline().experiments.values()
    machines = [evidences[0].machine for evidences in list_machines().values()]
    content = show_explorer(experiments, machines, choose_words(), here().root)
    return block(content, kind="explorer")


@guard
def packages(experiment: str) -> Markup:
    """How to install what the programs of an experiment import, and its server."""
    experiments = open_pipeline().experiments
    return block(programs.show_packages(experiments[experiment], choose_words()), kind="packages")


@guard
def program(name: str, *, folded: bool = False, sheet: bool = True) -> Markup:
    """A program, ``matrix/01-io-sequential``, and its sheet; or a shared file.

    With or without ``.py``.
    """
    experiments = open_pipeline().experiments
    if unknown := tell_unknown_program(experiments, name):
        raise MalformedDeclaration(unknown)
    folder, stem = split_program(name)
    file, words, offered = f"{stem}.py", choose_words(), f"{here().root}examples"
    content = programs.show_program(experiments[folder], words, file, offered)
    if folded:
        content = fold_away(file, content)
    content = block(content, kind="program")
    if sheet and file not in experiments[folder].shared:
        content += _show_sheet(folder, stem)
    return content


@guard
def sheet(name: str) -> Markup:
    """What is known of a program, apart from it."""
    return _show_sheet(*split_program(name))


def _show_sheet(experiment: str, program: str) -> Markup:
    """What is known of a program, folded: its figures, and the claims that name it but stand elsewhere."""
    words, evidence = choose_words(), gather(experiment)
    draw = partial(tables.show_everywhere, program=program)
    figures = show_measured(evidence, draw, programs=[program], everywhere=True, kind="results")
    parts = {"section_figures": figures, "section_named": _find_named(experiment, program)}
    folds = [fold_away(words.text(title), part) for title, part in parts.items() if part]
    return block(join(folds), kind="sheet")


def _find_named(experiment: str, program: str) -> Markup:
    """The sentences of all claims that compare a program, except those that stand on the page."""
    anchors = read_source(DOCS / here().language, here().source).anchors
    chosen = []
    for checked in check_all().values():
        compared = {side.program for side in list_sides(checked.claim)}
        is_here = f"claim-{checked.claim.id}" in anchors
        if checked.experiment == experiment and program in compared and not is_here:
            chosen.append(checked)
    return link_programs(claim_blocks.show_findings(chosen, choose_words(), {}), experiment)


@guard
def timeline(*which: str, claim: str = "") -> Markup:
    """Show who ran when in programs, ``matrix/01-io-sequential``, on one time axis.

    ``claim`` is the id of that which the picture argues: its sentence is the title. Without one the
    catalogue may say what is seen in every run. Nothing is shown of programs that nobody watched, nor
    where the picture denies its claim, which is told.
    """
    words, watched = choose_words(), list_watched()
    if not watched and not claim and open_pipeline().machine.system != "Linux":
        return block(words.text("timeline_system"), kind="timeline")
    runs = []
    for recorded in (watched[key] for key in map(split_program, which) if key in watched):
        experiment = open_pipeline().experiments[recorded.experiment]
        name = names.title_program(experiment, recorded.program, words)
        colour = find_colour(experiment.program(recorded.program).ways[-1])
        data = f"{locate_data()}/{locate_trace(recorded)}"
        runs.append(Watched(timeline=recorded, name=name, colour=colour, data=data))
    cells, known = [run.timeline for run in runs], open_pipeline().machines
    sizes = [gather(run.experiment).find_profile(run.family) for run in cells if claim]
    compared = cells if sizes == [run.profile for run in cells] else []  # of as much work alone
    if not runs or (claim and (len(runs) < len(which) or not _agrees(claim, compared))):
        return Markup()
    finding = Finding("", words.catalogue["always_seen"].get(" ".join(which), ""))
    if compared:
        finding = _tell_finding(claim)
    content = show_timelines(runs, words, finding)
    source = describe_source(cells, max(cell.measured_at for cell in cells), (), known, words)
    return block(sign_figures(content, source, words), kind="timeline")


def _agrees(claim: str, runs: Sequence[Timeline]) -> bool:
    """Tell whether timelines, if there are any, show what a claim says; where they deny it, say so."""
    main = find_claim(claim).main
    if main is None or main.deciding is None:  # there is nothing to argue
        return False
    if not runs:
        return True
    drawn = []
    for run in runs:
        for metric in {finding.comparison.metric for finding in main.findings}:
            value = run.find_value(metric)
            if value is not None:
                drawn.append(Drawn(run, metric, value))
    if denial := find_denial(main, drawn, is_single=True):
        tell(f"{here().source}: the timelines deny {claim} and are not shown: {denial}")
    return not denial


@guard
def drawing(name: str) -> Markup:
    """A picture drawn by hand, of what cannot be measured."""
    words = choose_words()
    text = words.catalogue["drawing"][name]
    content = render(f"drawings/{name}.html", name=name, text=text)
    return block(sign_figures(content, Figure(), words), kind="chart")


@guard
def scene(name: str) -> Markup:
    """A picture that plays, after a guess: of ``docs/scenes``."""
    words = choose_words()
    content, source = play_scene(name, words)
    if not content:
        return Markup()
    return block(sign_figures(content, source, words), kind="chart")


@guard
def lesson(name: str) -> Markup:
    """A program of ``examples/lessons`` to fix, how to check it, and what helps."""
    download = f"{here().root}examples/lessons.zip"
    return block(programs.show_lesson(choose_words(), name, download), kind="program")


@guard
def progress(number: int = 0) -> Markup:
    """How many lessons are done, as the browser remembers; of a lesson, by its number, the switch."""
    pages = sorted((DOCS / here().language / "lessons").glob("*.md"))
    lessons = [page.stem for page in pages if "show.progress(" in page.read_text(encoding="utf-8")]
    places = {"root": here().root, "lesson": Path(here().source).stem, "number": number}
    content = render("progress.html", words=choose_words(), lessons=lessons, **places)
    return block(content, kind="progress")


@guard
def regret(experiment: str, family: str, program: str) -> Markup:
    """What a program took beside the best of its family, and whether that is accepted."""
    return block(show_regret(gather(experiment), choose_words(), family, program), kind="regret")


@guard
def score() -> Markup:
    """How many choices of the jobs on the page are among the best; the script counts."""
    return block(render("score.html", words=choose_words()), kind="score")


@guard
def source(name: str) -> Markup:
    """A short program of ``examples/snippets`` without what it printed."""
    return block(programs.show_source(read_code(locate_snippet(name))), kind="snippet")


@guard
def recipe(name: str, *, folded: bool = False) -> Markup:
    """A program that stands alone, to paste or to download as one file; ``folded`` under its title."""
    folder, stem = split_program(name)
    experiment, words, file = open_pipeline().experiments[folder], choose_words(), f"{stem}.py"
    downloads = f"{here().root}examples/{folder}/"
    places = (f"{downloads}{file}", f"{downloads}{experiment.server}")
    content = programs.show_recipe(experiment, words, file, *places)
    if folded:
        declared = experiment.program(stem)
        title = words.choose(declared.title)
        is_plain = declared.name in {family.baseline for family in experiment.families}
        heading = words.text("recipe_plain", title=title) if is_plain else capitalise(title)
        content = fold_away(heading, content)
    return block(content, kind="program", id_=program_anchor(stem))


@guard
def snippet(name: str, *, folded: bool = False, code: bool = True) -> Markup:
    """A short program of ``examples/snippets`` and what it printed when it was run for the pages.

    Of a session, whose files and command stand on the page, what was printed in its language.
    What it printed is in sight also where the program is ``folded``, or, without ``code``, left out.
    """
    words, source = choose_words(), ""
    if locate_snippet(f"{name}-{words.language}").is_dir():
        name = f"{name}-{words.language}"
    elif code:
        source = read_code(locate_snippet(name))
    title = ""
    if folded:
        title = words.text("snippet_folded")
    content = programs.show_snippet(source, words, find_printed(name), list_pythons(), title)
    return block(content, kind="snippet")


@guard
def asked() -> Markup:
    """What strangers ask, where it is answered, and how many of it are."""
    return block(show_asked(read_asked().questions, choose_words(), here().lead), kind="asked")


@guard
def measured() -> Markup:
    """When and on what the programs of the answers were measured; nothing before they were."""
    evidence, known = gather(ANSWERS), open_pipeline().machines
    content = facts.tell_measured(evidence, known, choose_words(), here().lead("machines/"))
    return block(Markup("<p>{}</p>").format(content), kind="whose") if content else Markup()


@guard
def machine() -> Markup:
    """The machine and the interpreters that these pages were measured with."""
    pipeline, words = open_pipeline(), choose_words()
    records = list_records(gather(name) for name in pipeline.experiments)
    content = facts.tell_whose(pipeline.machines, pipeline.here, records, words)
    content += facts.show_machine(pipeline.machine, pipeline.interpreters, words)
    return block(content, kind="machine")


@guard
def machines() -> Markup:
    """Every machine that there are records of, and folded all that is known of those not shown."""
    evidences_by_machine, words = list_machines(), choose_words()
    content = facts.show_machines(evidences_by_machine, words, open_pipeline().machines)
    for id_, evidences in evidences_by_machine.items():
        if id_ != open_pipeline().machine.id:
            pythons = {
                python.id: python for evidence in evidences for python in evidence.interpreters
            }
            machine = evidences[0].machine
            known = facts.show_machine(machine, tuple(pythons.values()), words, is_other=True)
            way = here().lead(f"explore/?experiment=*&machine={id_}")
            link = _EXPLORE.format(way, words.text("explore_machine"))
            content += fold_away(id_, known + link)
    return block(content, kind="machines")


@guard
def contributed() -> Markup:
    """What strangers sent, by machine: it stands nowhere else."""
    content = show_contributed(list_contributed(), choose_words(), locate_data())
    return block(content, kind="machines")


@guard
def elsewhere(experiment: str, families: Sequence[str] = (), *, folded: bool = False) -> Markup:
    """What each program gains on every machine and Python, each in its own place."""
    words, evidences = choose_words(), gather_machines(experiment)
    content = show_places(evidences, words, here().lead("machines/"), families)
    if len(evidences) == 1:
        content = Markup("<p>{}</p>").format(words.text("places_one")) + content
    content = link_programs(content, experiment)
    content += names.explain_signs(content, words, here().lead("method/"))
    places = block(content, kind="places")
    return fold_away(words.text("fold_elsewhere"), places) if folded else places


@guard
def releases(experiment: str) -> Markup:
    """How fast each release is next to the one before it, here or where most was compared."""
    evidences = gather_machines(experiment)
    most = max(evidences, key=lambda evidence: count_ratios(tabulate(evidence)))
    return show_measured(most, show_releases, everywhere=True)


@guard
def builds(
    experiment: str, *families: str, programs: Sequence[str] = (), claim: str = ""
) -> Markup:
    """What programs gain over one thread with the GIL and without it, or without them what one thread pays.

    Each program is of the first of ``families`` that has it.
    """
    evidence, *others = gather_machines(experiment)
    finding, _ = _find(claim, evidence)
    if programs:
        draw = partial(show_builds, families=families, programs=programs)
    else:
        draw = partial(show_prices, family=families[0])
    draw = partial(draw, others=others, finding=finding)
    return show_measured(evidence, draw, families, everywhere=True, others=others)


@guard
def upgrade(experiment: str, family: str) -> Markup:
    """What the newest release changes for programs, against the last minor version."""
    evidence, *others = gather_machines(experiment)
    draw = partial(show_upgrade, others=others, family=family)
    return show_measured(evidence, draw, [family], everywhere=True, others=others)


@guard
def margins() -> Markup:
    """The verdicts and the margins of their rule."""
    words = choose_words()
    return block(names.show_verdict_legend(words) + facts.show_margins(words), kind="margins")


@guard
def faults() -> Markup:
    """What the last campaign of faults has cost; nothing before the first."""
    campaign = read_campaign()
    return (
        block(facts.show_faults(campaign, choose_words()), kind="faults") if campaign else Markup()
    )


@guard
def noise() -> Markup:
    """What the noise flags mean."""
    return block(names.show_noise_legend(choose_words()), kind="noise")
