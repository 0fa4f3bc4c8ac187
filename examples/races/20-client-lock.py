"""Create a service's client under a lock, and check once more under it."""

from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from tasks import WORKERS, connect, count_tasks, made, report, timed

SERVICES = count_tasks(50)


class Service:
    def __init__(self) -> None:
        self._lock = Lock()
        self._client = None

    def client(self) -> object:
        if self._client is None:  # once it is there, nobody needs the lock
            with self._lock:
                if self._client is None:  # nobody was quicker
                    self._client = connect("database")
        return self._client


def main() -> None:
    with timed():
        with ThreadPoolExecutor(WORKERS) as pool:
            for service in (Service() for _ in range(SERVICES)):
                users = [pool.submit(service.client) for _ in range(WORKERS)]
                for user in users:
                    user.result()
        report(SERVICES, "clients", len(made) - SERVICES)


if __name__ == "__main__":
    main()
