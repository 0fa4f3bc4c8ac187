import sys

import gevent

is_on = getattr(sys, "_is_gil_enabled", lambda: True)()  # since 3.13
print(f"gevent {gevent.__version__}; GIL on now: {is_on}")
