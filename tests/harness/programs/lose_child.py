"""Its child is killed by a signal; it says which and ends well."""

import os
import signal

pid = os.fork()
if pid == 0:
    os.kill(os.getpid(), signal.SIGSEGV)
_, status = os.waitpid(pid, 0)
print(os.waitstatus_to_exitcode(status))
