"""Each wait of this check ends when all three have begun."""

from threading import Barrier, BrokenBarrierError

from checks.words import say

SERVICES = ["weather", "news", "mail"]


def find_fault(program):
    together = Barrier(len(SERVICES), timeout=2)

    def ask(service):
        together.wait()
        return service.upper()

    try:
        answers = program.ask_all(ask, SERVICES)
    except BrokenBarrierError:
        return say("each wait begins when the one before it is over")
    if list(answers or []) != [service.upper() for service in SERVICES]:
        return say(
            "the answers should come in the order of the services, and these came: {}", answers
        )
    return ""
