import cProfile
import pstats
import time


def wait():
    time.sleep(0.2)


def compute():
    return sum(n * n for n in range(300_000))


for clock in time.perf_counter, time.process_time:
    with cProfile.Profile(clock) as profile:
        wait()
        compute()
    rows = pstats.Stats(profile).get_stats_profile().func_profiles
    print(clock.__name__, "sees" if rows["wait"].cumtime > 0.1 else "does not see", "the wait")
