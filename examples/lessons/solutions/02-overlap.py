"""Ask several services: all threads are started before any of them is waited for."""

from threading import Thread
from time import perf_counter, sleep


def ask_all(ask, services):
    """Ask all services at once; return the answers in the order of the services."""
    answers = {}

    def keep_answer(service):
        answers[service] = ask(service)

    threads = [Thread(target=keep_answer, args=(service,)) for service in services]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answers[service] for service in services]


def ask(service):
    sleep(1)  # the network
    return f"{service} has answered"


if __name__ == "__main__":
    start = perf_counter()
    print(ask_all(ask, ["weather", "news", "mail"]))
    print(f"{perf_counter() - start:.1f} s")
