"""As many greenlets as there is room for, all waiting for one event: a stack each, no thread."""

import gevent
from gevent.event import Event
from guard import Guard
from tasks import timed


def main() -> None:
    guard = Guard("greenlets")
    release = Event()
    greenlets = []
    with timed():
        with guard:
            for batch in guard.batches():
                greenlets += [gevent.spawn(release.wait) for _ in batch]
                gevent.sleep(0)  # lets the new ones run, up to where they wait
        print(f"made {len(greenlets)} units\nstopped by: {guard.stopped_by}")
    gevent.sleep(guard.linger_s())
    release.set()
    for greenlet in greenlets:
        greenlet.get()


if __name__ == "__main__":
    main()
