"""Twenty-four pictures of eight folders, and a count of how many are being shrunk."""

from queue import Empty, Queue
from threading import Lock, Thread
from time import sleep

from checks.words import say

FOLDERS = list("abcdefgh")
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

    arguments = list_pictures, shrink, FOLDERS
    Thread(target=lambda: results.put(program.shrink_all(*arguments)), daemon=True).start()
    try:
        shrunk = results.get(timeout=5)
    except Empty:
        return say("it hangs: every worker waits for a task that no worker is free to do")
    if list(shrunk or []) != [one.upper() for name in FOLDERS for one in list_pictures(name)]:
        return say("all pictures should come, folder by folder, and these came: {}", shrunk)
    if max(peaks) == 1:
        return say("it shrinks one picture at a time, and there are {} workers", MOST)
    return say("at most {} at a time, not {}", MOST, max(peaks)) if max(peaks) > MOST else ""
