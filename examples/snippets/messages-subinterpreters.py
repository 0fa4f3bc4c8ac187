from concurrent import interpreters
import numpy as np

print(np.arange(4).sum(), "in the main interpreter")
other = interpreters.create()
try:
    other.exec("import numpy")
except interpreters.ExecutionFailed as error:
    lines = error.excinfo.errdisplay.splitlines()
    print(next(line for line in lines if line.startswith("ImportError")))
other.close()
