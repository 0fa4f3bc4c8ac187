import sys
import sysconfig

can_be_off = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
is_on = getattr(sys, "_is_gil_enabled", lambda: True)()  # since 3.13
print(f"free-threaded build: {can_be_off}; GIL on now: {is_on}")
