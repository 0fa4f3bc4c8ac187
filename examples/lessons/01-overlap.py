"""Ask several services. Fix it: each wait begins when the one before it is over."""

from time import perf_counter, sleep


def ask(service):
    sleep(0.5)  # the network
    return f"{service} has answered"


def ask_all(ask, services):
    """Ask all services at once; return the answers in the order of the services."""
    return [ask(service) for service in services]


if __name__ == "__main__":
    start = perf_counter()
    print(ask_all(ask, ["weather", "news", "mail"]))
    print(f"{perf_counter() - start:.1f} s")
