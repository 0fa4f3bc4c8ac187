"""The same in greenlets."""

import gevent
from tasks import DEADLINE_S, PAUSE_S, SLEEPERS, WAITS, split, timed


def wait_often(count: int) -> int:
    for _ in range(count):
        with gevent.Timeout(DEADLINE_S):
            gevent.sleep(PAUSE_S)
    return count


def main() -> None:
    greenlets = [gevent.spawn(wait_often, count) for count in split(WAITS, SLEEPERS)]
    gevent.joinall(greenlets, raise_error=True)
    print(f"{sum(one.value for one in greenlets)} waits")


if __name__ == "__main__":
    with timed():
        main()
