"""Regret: what a way took that a reader has chosen, and whether that is near enough to the best."""

from markupsafe import Markup

from poolwise.metrics import find_unit
from scripts.site.judge.evidence import Evidence
from scripts.site.judge.regret import Regret, find_regret
from scripts.site.judge.samples import estimate_sample
from scripts.site.render.estimates import READINGS_S, format_together, tell_difference
from scripts.site.render.html import strong
from scripts.site.render.names import title_program
from scripts.site.render.words import Words, capitalise

_SHOWN = Markup('<p class="regret" data-accepted="{}">{} {}</p>')


def show_regret(evidence: Evidence, words: Words, family: str, program: str) -> Markup:
    """A sentence: what a program took, how far that is from the best, and whether it is accepted."""
    regret = find_regret(evidence, family, program)
    if isinstance(regret, Regret):
        accepted = "yes" if regret.is_accepted else "no"
        sentence = _tell(regret, evidence, words)
        return _SHOWN.format(accepted, strong(words.text(f"regret_{accepted}")), sentence)
    status = regret.record.status if regret else "unavailable"
    if regret is None or status not in ("failed", "timeout"):
        return _SHOWN.format("open", words.text("not_measured"), "")
    reason = f"{capitalise(words.term('status', status))}: {words.reason(regret.record.reason)}."
    return _SHOWN.format("no", strong(words.text("regret_no")), reason)


def _tell(regret: Regret, evidence: Evidence, words: Words) -> str:
    metric, ratio = regret.metric, regret.ratio
    is_time = metric in READINGS_S or find_unit(metric) == "s"
    estimates = [estimate_sample(row.sample(metric)) for row in (regret.row, regret.best)]
    value, least = format_together([(estimate, metric) for estimate in estimates], words)
    if metric not in ("inside_s", "wall_s"):  # which need no name
        name = words.metric(metric)
        value = f"{capitalise(name.partition(' (')[0] if is_time else name)}, {value}"
    if regret.row.verdict == "disqualified" and regret.row.why:
        verdict = capitalise(words.term("verdict", "disqualified"))
        return f"{verdict}: {words.choose(regret.row.why)} ({value})."
    if regret.row is regret.best:
        return words.text("regret_best", value=value)
    times, _ = tell_difference(ratio, "slower" if is_time else "more", words, is_fold=True)
    key = "regret_same" if times == words.text("fold_same") else "regret_times"
    name = title_program(evidence.experiment, regret.best.program, words)
    sentence = words.text(key, value=value, times=times, name=name, least=least)
    if regret.is_unsure:
        sentence += f" {words.text('regret_close')}"
    return sentence
