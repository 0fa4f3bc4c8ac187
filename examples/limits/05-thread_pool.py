"""As many waits as there is room for, in a pool of a hundred threads: the rest queue for a thread."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from time import sleep

from guard import Guard
from tasks import timed

POOL_SIZE = 100


def main() -> None:
    guard = Guard("tasks")
    release = Event()
    waits = []
    with ThreadPoolExecutor(max_workers=POOL_SIZE) as pool:
        with timed():
            with guard:
                for batch in guard.batches():
                    waits += [pool.submit(release.wait) for _ in batch]
            print(f"made {len(waits)} units\nstopped by: {guard.stopped_by}")
        sleep(guard.linger_s())
        release.set()


if __name__ == "__main__":
    main()
