from threading import Thread
from time import perf_counter, sleep

services = ["weather", "news", "mail"]
answers = {}


def ask(service):
    sleep(1)  # the network
    answers[service] = "here"


start = perf_counter()
threads = [Thread(target=ask, args=(service,)) for service in services]
for thread in threads:
    thread.start()
print(f"{len(answers)} answers after {perf_counter() - start:.1f} s")
