import faulthandler
import sys
import time
from threading import Barrier, Lock, Thread

accounts, journal = Lock(), Lock()
both_hold_one = Barrier(3)


def transfer():
    with accounts:
        both_hold_one.wait()  # makes sure that it happens
        with journal:
            pass


def audit():
    with journal:
        both_hold_one.wait()
        with accounts:
            pass


for work in (transfer, audit):
    Thread(target=work, daemon=True).start()  # with other threads, the program would never end
both_hold_one.wait()
time.sleep(0.1)
faulthandler.dump_traceback(sys.stdout)
