"""As many greenlets as there is room for, all waiting for events: a stack for each, no thread."""

import gevent
from gevent.event import Event
from guard import Guard
from tasks import timed


def main() -> None:
    guard = Guard("greenlets")
    groups = []
    with timed():
        with guard:
            for batch in guard.batches():
                release = Event()  # one for each batch: waking a million at once takes minutes
                greenlets = [gevent.spawn(release.wait) for _ in batch]
                groups.append((release, greenlets))
                gevent.sleep(0)  # lets the new ones run, up to where they wait
        made = sum(len(greenlets) for _, greenlets in groups)
        print(f"made {made} units\nstopped by: {guard.stopped_by}")
    gevent.sleep(guard.linger_s())
    for release, greenlets in groups:
        release.set()
        gevent.joinall(greenlets, raise_error=True)


if __name__ == "__main__":
    main()
