"""Advice: a suggestion in sentences, the verdict first, then why, and where it would change."""

from math import ceil

from poolwise.comparison import describe_gain, describe_load, describe_noise
from poolwise.machine import usable_cores
from poolwise.suggestion import MOST_GAIN, NEAR, Elsewhere, Suggestion
from poolwise.target import COMPUTING, WAITING_SHARE
from poolwise.words import Message

# Two threads that wait for each other for more than this share of their time share a GIL. On a busy
# machine two loops that hold it wait for 0.15 to 0.5 of it, two that do not for 0 to 0.03.
BLOCKED = 0.08
SHORT_S = 0.01  # work that is over sooner has no nature worth telling
LEAST_NOTED_SHARE = 0.01
LOOP = Message("suggestion.loop")


def describe_suggestion(suggestion: Suggestion) -> list[Message]:
    """Say what to take, why, and where it would change: a sentence or two for each."""
    notes = describe_noise(suggestion.order)
    if suggestion.outcome == "not-known":
        del notes[1:]  # why it is not known has been said
    return [
        describe_verdict(suggestion),
        *_describe_limit(suggestion),
        *_describe_nature(suggestion),
        *_describe_sizes(suggestion),
        *_describe_numbers(suggestion),
        *_describe_faults(suggestion),
        *map(_describe_elsewhere, suggestion.elsewhere),
        *suggestion.effects,
        *notes,
    ]


def describe_verdict(suggestion: Suggestion) -> Message:
    """Say the outcome in the first sentence, with what it rests on."""
    chosen, given = suggestion.chosen, suggestion.given
    over = "suggestion.over" if chosen.count == given else "suggestion.over-part"
    values: dict[str, object] = {
        "function": chosen.function,
        "way": chosen.name,
        "over": Message(over, {"count": chosen.count, "given": given}),
        "time": suggestion.loop_s,
    }
    if suggestion.gain:
        values["gain"] = describe_gain(suggestion.gain, LOOP)
    if suggestion.outcome == "use":
        if suggestion.unproved:
            return Message("suggestion.use-unseen", values | {"what": suggestion.unproved})
        if suggestion.nature.is_coroutine and suggestion.chosen.way == "threads":
            return Message("suggestion.use-def", values)
        return Message("suggestion.use", values)
    if suggestion.outcome == "not-known":
        return Message("suggestion.not-known", values | {"reason": _describe_doubt(suggestion)})
    right = [task for task in suggestion.tried if task.way not in suggestion.out]
    for task in suggestion.tried:
        if task.fault and task.time_s * MOST_GAIN < suggestion.loop_s:
            return Message("suggestion.faster-is-wrong", values)
    if all(task.way == "loop" for task in right):
        return Message("suggestion.nothing-works", values)
    most = max((gain.high for gain in suggestion.gains.values()), default=0.0)
    if most < 1:
        return Message("suggestion.slower", values)
    return Message(
        "suggestion.no-gain", values | {"share": max(ceil(most * 100) / 100 - 1, LEAST_NOTED_SHARE)}
    )


def _describe_doubt(suggestion: Suggestion) -> Message:
    values: dict[str, object] = {"needed": suggestion.needed_s}
    values["guess"] = ""
    best = max(suggestion.gains.items(), key=lambda item: item[1].median, default=None)
    for task in suggestion.tried:
        if best and best[0] == task.label and best[1].median > NEAR:
            guess = {"way": task.name, "gain": describe_gain(best[1], LOOP)}
            values["guess"] = Message("suggestion.guess", guess)
    if suggestion.unproved:
        return Message("suggestion.not-proved", values | {"what": suggestion.unproved})
    if fault := suggestion.out.get("loop"):
        return Message("suggestion.loop-failed", values | {"fault": fault})
    busy = describe_load(suggestion.order)
    if busy and (suggestion.gains or not suggestion.rest):
        return Message("suggestion.busy", values | {"busy": busy})
    if suggestion.rest or not suggestion.gains:
        return Message("suggestion.no-time", values)
    return Message("suggestion.noisy", values)


def _describe_limit(suggestion: Suggestion) -> list[Message]:
    """Say from which number of workers on something goes wrong, in a way that is right with fewer."""
    lines = []
    for way in {task.way: None for task in suggestion.tried if task.way not in suggestion.out}:
        tasks = [task for task in suggestion.tried if task.way == way]
        wrong = [task for task in tasks if task.fault]
        if wrong:
            least = min(wrong, key=lambda task: task.workers)
            most = max(task.workers for task in tasks if task.workers < least.workers)
            values = {"most": most, "way": least.name, "fault": least.fault}
            lines.append(Message("suggestion.limit", values))
    return lines


def _describe_nature(suggestion: Suggestion) -> list[Message]:
    """Say whether the function waits or computes, and holds the GIL or not."""
    nature, loop_s = suggestion.nature, suggestion.loop_s
    values: dict[str, object] = {"function": suggestion.chosen.function, "time": loop_s}
    values |= {"cpu": nature.cpu_share, "waiting": 1 - nature.cpu_share}
    if nature.blocks_loop:
        return [Message("suggestion.blocks-loop", values)]
    if loop_s < SHORT_S:
        return [Message("suggestion.short", values)]
    if nature.cpu_share < WAITING_SHARE:
        return [Message("suggestion.waits", values)]
    if nature.is_coroutine:
        return [Message("suggestion.coroutine-computes", values)]
    if nature.cpu_share < COMPUTING:
        return [Message("suggestion.waits-and-computes", values)]
    if nature.blocked_share is None:
        return [Message("suggestion.computes", values)]
    values["blocked"] = max(0.0, nature.blocked_share)
    if nature.blocked_share > BLOCKED:
        return [Message("suggestion.holds-gil", values)]
    return [Message("suggestion.releases-gil", values)]


def _describe_sizes(suggestion: Suggestion) -> list[Message]:
    """Say from what size on a pool of processes pays, where the size is what decides."""
    cores = len(usable_cores())
    if suggestion.start_s is None or suggestion.given == 1 or cores == 1:
        return []
    turn_s = suggestion.start_s / (1 - 1 / cores)
    if (suggestion.loop_s > turn_s) != (suggestion.gain is not None):
        return []
    values = {"start": suggestion.start_s, "turn": turn_s, "time": suggestion.loop_s}
    return [Message("suggestion.depends-on-size", values)]


def _describe_numbers(suggestion: Suggestion) -> list[Message]:
    workers, count = suggestion.chosen.workers, suggestion.chosen.count or 0
    if suggestion.outcome == "use" and 1 < workers == count < suggestion.given:
        return [Message("suggestion.more-may-gain", {"count": count})]
    return []


def _describe_faults(suggestion: Suggestion) -> list[Message]:
    lines = []
    for way, fault in suggestion.out.items():
        task = next(task for task in suggestion.tried if task.way == way and task.fault)
        lines.append(Message("suggestion.not-that", {"way": task.name, "fault": fault}))
    if suggestion.rest:
        untried = [Message(f"suggestion.many-{way}") for way in suggestion.rest]
        values = {"ways": untried, "needed": suggestion.needed_s}
        lines.append(Message("suggestion.untried", values))
    return lines


def _describe_elsewhere(elsewhere: Elsewhere) -> Message:
    values: dict[str, object] = {"python": elsewhere.python, "way": elsewhere.best.name}
    if elsewhere.loop.fault:
        return Message("suggestion.fails-there", values | {"fault": elsewhere.loop.fault})
    values |= {"time": elsewhere.best.time_s, "loop_time": elsewhere.loop.time_s}
    values["wrong"] = ""
    for task in elsewhere.out[:1]:
        values["wrong"] = Message("suggestion.not-there", {"way": task.name, "fault": task.fault})
    if elsewhere.best.way == "loop":
        return Message("suggestion.loop-there", values)
    return Message("suggestion.best-there", values)
