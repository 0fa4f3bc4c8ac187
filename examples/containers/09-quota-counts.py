"""Print what the usual functions count as cores under a quota of one."""

import os

import joblib
from quota import enter_quota, read_quota
from tasks import timed


def main() -> None:
    print(f"os.cpu_count()               {os.cpu_count()}")
    print(f"os.process_cpu_count()       {os.process_cpu_count()}")
    print(f"len(os.sched_getaffinity(0)) {len(os.sched_getaffinity(0))}")
    print(f"joblib.cpu_count()           {joblib.cpu_count()}")
    print(f"the control group            {read_quota():g}")


if __name__ == "__main__":
    enter_quota(1)
    with timed():
        main()
