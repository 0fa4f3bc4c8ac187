"""Ask several services. Fix it: each wait begins when the one before it is over."""

from threading import Thread
from time import perf_counter, sleep


def ask_all(ask, services):
    """Ask all services at once; return the answers in the order of the services."""
    answers = {}

    def keep_answer(service):
        answers[service] = ask(service)

    for service in services:
        thread = Thread(target=keep_answer, args=(service,))
        thread.start()
        thread.join()
    return [answers[service] for service in services]


def ask(service):
    sleep(1)  # the network
    return f"{service} has answered"


if __name__ == "__main__":
    start = perf_counter()
    print(ask_all(ask, ["weather", "news", "mail"]))
    print(f"{perf_counter() - start:.1f} s")
