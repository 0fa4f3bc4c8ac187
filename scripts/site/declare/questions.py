"""Questions: the choice that a reader makes among the programs of a family."""

from typing import Annotated, Literal

from msgspec import Meta, field

from poolwise.declaration import Declared


class Disqualification(Declared, frozen=True, kw_only=True):
    """A reason not to recommend a program: a metric or reading that is surely ``above`` a limit.

    ``why`` says in each language what is wrong with such a program: "it stops the event loop".
    """

    metric: str
    above: Annotated[float, Meta(ge=0)]
    why: dict[str, str]


USUAL_TIE = 1.25
"""The factor by which programs may differ that are equally good: nobody would choose by so little."""


class Question(Declared, frozen=True, kw_only=True):
    """The choice that a reader makes among the programs of a family.

    The metric or reading to ``weigh`` decides, and less is better; of programs equal up to the factor
    ``tie``, the ``costs``. Programs that ``contend`` may be recommended, by default all of the family,
    but what is to ``disqualify`` never. The question is about a size that the baseline has.
    """

    weigh: str
    ask: dict[str, str]
    contend: list[str] = []
    tasks: Literal["most", "least"] = "most"
    costs: list[Literal["cpu_s", "peak_pss_bytes"]] = field(default_factory=lambda: ["cpu_s"])
    tie: Annotated[float, Meta(gt=1, le=1000)] = USUAL_TIE
    disqualify: list[Disqualification] = []
