"""Questions: what a reader chooses by among the programs of a family.

``examples/<experiment>/claims.toml`` declares them, ``[questions.<family>]``, beside the claims.
"""

from collections.abc import Iterator, Mapping

from scripts.harness.declaration import Problem, convert, is_there, read_toml, refuse
from scripts.harness.experiment import Experiment, Question, name_unknown
from scripts.harness.metrics import METRICS
from scripts.site.declare.texts import find_bad_texts


def load_questions(experiment: Experiment) -> Mapping[str, Question]:
    """Read the questions of an experiment by the names of their families; none without the file."""
    path = experiment.folder / "claims.toml"
    if not is_there(path):
        return {}
    tables = convert(read_toml(path).get("questions", {}), dict[str, object], path, "questions")
    questions = {}
    for family, table in tables.items():
        question = convert(table, Question, path, f'questions."{family}"')
        questions[family] = question
        refuse(path, _find_problems(question, family, experiment), ["questions", family])
    return questions


def _find_problems(question: Question, family: str, experiment: Experiment) -> Iterator[Problem]:
    """Find names of nothing that is there, and texts that cannot stand on a page."""
    families = {one.name for one in experiment.families}
    if family not in families:
        yield [], name_unknown("family", family, families)
        return
    members = {one.name for one in experiment.programs if family in one.families}
    for name in question.contend:
        if name not in members:
            yield ["contend"], name_unknown("program", name, members)
    metrics = {*METRICS, *experiment.readings}
    if question.weigh not in metrics:
        yield ["weigh"], name_unknown("metric", question.weigh, metrics)
    for keys, message in find_bad_texts(question.ask):
        yield ["ask", *keys], message
    for place, one in enumerate(question.disqualify):
        if one.metric not in metrics:
            yield ["disqualify", place, "metric"], name_unknown("metric", one.metric, metrics)
        for keys, message in find_bad_texts(one.why):
            yield ["disqualify", place, "why", *keys], message
