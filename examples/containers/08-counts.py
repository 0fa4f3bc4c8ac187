"""Print what the usual functions count as cores where affinity allows one."""

import os

import joblib
from tasks import allow_one_core, timed


def main() -> None:
    allow_one_core()
    print(f"os.cpu_count()               {os.cpu_count()}")
    print(f"os.process_cpu_count()       {os.process_cpu_count()}")
    print(f"len(os.sched_getaffinity(0)) {len(os.sched_getaffinity(0))}")
    print(f"joblib.cpu_count()           {joblib.cpu_count()}")


if __name__ == "__main__":
    with timed():
        main()
