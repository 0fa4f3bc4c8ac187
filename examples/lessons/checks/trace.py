"""A schedule that was tried: who did what in which order, one column each, or as JSON."""

from checks.remarks import say

WIDTH = 88
KINDS = {
    "begins": {"en": "begins", "ru": "начинается"},
    "ends": {"en": "ends", "ru": "заканчивается"},
    "fails": {"en": "fails", "ru": "завершается ошибкой"},
    "reads": {"en": "reads", "ru": "читает"},
    "writes": {"en": "writes", "ru": "пишет"},
    "takes": {"en": "takes", "ru": "захватывает"},
    "waits": {"en": "waits for", "ru": "ждёт"},
    "releases": {"en": "releases", "ru": "освобождает"},
    "returns": {"en": "returns", "ru": "возвращает"},
    "comes back": {"en": "returns", "ru": "возвращается"},
    "stands still": {"en": "stands still", "ru": "стоит"},
    "is cancelled": {"en": "is cancelled", "ru": "отменяется"},
}


class Trace:
    """The events of one run: ``lanes`` are the names of those who act, in order."""

    def __init__(self, lanes):
        self.lanes = list(lanes)
        self.events = []

    def add(self, lane, kind, what="", value=""):
        """Note what a lane does next: ``add("thread 1", "reads", "A.balance", "50")``."""
        self.events.append(
            {"lane": self.lanes.index(lane), "kind": kind, "what": what, "value": str(value)}
        )

    def to_dict(self):
        """Return the form that ``poolwise run --trace`` writes too; here each event takes a step."""
        events = []
        for number, event in enumerate(self.events):
            events.append(event | {"begin": number, "end": number + 1})
        return {"unit": "step", "lanes": self.lanes, "events": events}


def format_trace(trace):
    """Return the events as lines, with a column for each lane."""
    width = (WIDTH - 6) // len(trace["lanes"])
    lines = ["      " + "".join(f"{lane:<{width}}" for lane in trace["lanes"])]
    for number, event in enumerate(trace["events"], 1):
        text = f"{say(**KINDS[event['kind']])} {event['what']}".rstrip()
        text += f": {event['value']}" if event["value"] else ""
        lines.append(f"{number:>4}  {'':<{width * event['lane']}}{text}")
    return "\n".join(line.rstrip() for line in lines)
