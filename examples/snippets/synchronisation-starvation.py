import time
from threading import Lock, Thread

guard, turns = Lock(), {"greedy": 0, "patient": 0}
end = time.perf_counter() + 0.5


def work(name, rest_s):
    while time.perf_counter() < end:
        with guard:
            sum(range(20_000))
            turns[name] += 1
        if rest_s:
            time.sleep(rest_s)


threads = [Thread(target=work, args=("greedy", 0)), Thread(target=work, args=("patient", 0.001))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(turns)
