"""Whether gc.disable() reaches a child process: a forked one copies it, a new interpreter not."""

import gc
from concurrent.futures import ProcessPoolExecutor

from tasks import PROCESSES, set_collector, timed


def main() -> None:
    set_collector()
    with timed(), ProcessPoolExecutor(1, mp_context=PROCESSES) as pool:
        in_child = pool.submit(gc.isenabled).result()
        parent, child = ("on" if enabled else "off" for enabled in (gc.isenabled(), in_child))
        print(f"garbage collector: parent {parent}, child {child}")


if __name__ == "__main__":
    main()
