"""Load several files in threads. Fix it: a failure is lost, and so is the order of the files."""

from threading import Thread


def load_all(load, names):
    """Load all at once; return what was loaded in the order of the names, raise what failed."""
    loaded = []
    threads = [Thread(target=lambda name=name: loaded.append(load(name))) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return loaded


if __name__ == "__main__":
    print("all is well:", load_all(int, ["1", "two", "3"]))
