"""Twenty-four pictures of eight folders, and a count of how many are being shrunk."""

from queue import Empty, Queue
from threading import Lock, Thread
from time import sleep

FOLDERS = ["a", "b", "c", "d", "e", "f", "g", "h"]
MOST = 4


def list_pictures(folder):
    sleep(0.1)
    return [f"{folder}{number}" for number in range(3)]


def find_fault(program):
    guard, inside, peaks, results = Lock(), [], [], Queue()

    def shrink(picture):
        with guard:
            inside.append(picture)
            peaks.append(len(inside))
        sleep(0.02)
        with guard:
            inside.remove(picture)
        return picture.upper()

    def run():
        results.put(program.shrink_all(list_pictures, shrink, FOLDERS))

    Thread(target=run, daemon=True).start()
    try:
        shrunk = results.get(timeout=5)
    except Empty:
        return "it hangs: every worker waits for a task that no worker is free to do"
    if list(shrunk or []) != [one.upper() for name in FOLDERS for one in list_pictures(name)]:
        return f"all pictures should come, folder by folder, and these came: {shrunk}"
    return "" if 1 < max(peaks) <= MOST else f"at most {MOST} at a time, not {max(peaks)}"
