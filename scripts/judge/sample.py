"""A sample: what the trials of a variant gave, and how far such values usually differ."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Self

ODD = 0.2
"""What spreads as much as fewer of its kind than this share do may not be of the kind."""


@dataclass(frozen=True, slots=True)
class Spread:
    """How the logarithms of values of a kind usually spread.

    Attributes:
        variance: of one such value.
        freedom: what knowing it is worth, in degrees of freedom of a sample measured besides.
    """

    variance: float
    freedom: float

    @property
    def limit(self) -> float:
        """The variance that a share of ``ODD`` of three values exceeds by chance, by the F distribution."""
        return self.variance * self.freedom / 2 * (math.pow(ODD, -2 / self.freedom) - 1)


class Sample(tuple[float, ...]):
    """A value per trial; ``usual`` is the spread of values of their kind, where it is known.

    ``session`` is where the values are from, empty where that is unknown; ``is_disturbed`` tells
    that most of them were taken while others were busy. None is larger than ``most``.
    """

    usual: Spread | None
    session: str
    is_disturbed: bool
    most: float

    def __new__(
        cls,
        values: Iterable[float],
        usual: Spread | None = None,
        *,
        session: str = "",
        is_disturbed: bool = False,
        most: float = math.inf,
    ) -> Self:
        """The values as they come."""
        made = super().__new__(cls, values)
        made.usual = usual
        made.session = session
        made.is_disturbed = is_disturbed
        made.most = most
        return made

    def turn(self, values: Iterable[float]) -> "Sample":
        """Other values that spread as these: multiples of them, or of their inverses."""
        return Sample(values, self.usual, session=self.session, is_disturbed=self.is_disturbed)


def can_decide(*samples: Sequence[float]) -> bool:
    """Whether anything may rest on these together: undisturbed values of one session."""
    known = [one for one in samples if isinstance(one, Sample)]
    sessions = {one.session for one in known if one.session}
    return len(sessions) < 2 and not any(one.is_disturbed for one in known)
