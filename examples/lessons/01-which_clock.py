"""Say how much of its time a task computes. Fix it: it says 100% of any task."""

from time import perf_counter, sleep


def measure_share(task):
    """Run the task; return the share of its time for which a core computed, from 0 to 1."""
    wall_start = perf_counter()
    cpu_start = perf_counter()
    task()
    cpu_s = perf_counter() - cpu_start
    wall_s = perf_counter() - wall_start
    return cpu_s / wall_s


def wait():
    sleep(1)  # the network


def compute():
    sum(number * number for number in range(5_000_000))


if __name__ == "__main__":
    print(f"wait() computes for {measure_share(wait):.0%} of its time")
    print(f"compute() computes for {measure_share(compute):.0%} of its time")
