"""As many threads as there is room for, all waiting for events: the kernel has limits for them."""

from threading import Event, Thread
from time import sleep

from guard import Guard
from tasks import timed


def main() -> None:
    guard = Guard("threads")
    threads = []
    with timed():
        with guard:
            for batch in guard.batches():
                release = Event()  # one for each batch: all at once would fight for the GIL
                for _ in batch:
                    thread = Thread(target=release.wait)
                    thread.start()  # returns once it runs
                    threads.append((thread, release))
        print(f"made {len(threads)} units\nstopped by: {guard.stopped_by}")
    sleep(guard.linger_s())
    for thread, release in threads:
        release.set()
        thread.join()


if __name__ == "__main__":
    main()
