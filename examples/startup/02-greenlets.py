"""Greenlets: a small stack each, in the thread that is there anyway."""

import gevent
from gevent.event import Event
from tasks import TASKS, linger, tell_started, timed


def work(release: Event) -> None:
    release.wait()


def main() -> None:
    release = Event()
    with timed():
        greenlets = [gevent.spawn(work, release) for _ in range(TASKS)]
        gevent.sleep(0)  # lets each of them begin
        tell_started()
    linger()
    release.set()
    gevent.joinall(greenlets, raise_error=True)


if __name__ == "__main__":
    main()
