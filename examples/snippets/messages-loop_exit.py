import gevent
from gevent.event import Event

answered = Event()  # and nobody sets it
try:
    answered.wait()
except gevent.exceptions.LoopExit as error:
    print(f"{type(error).__name__}: {error.args[0]}")
