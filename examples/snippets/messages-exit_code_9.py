import os
import signal
from multiprocessing import Process


def work():
    os.kill(os.getpid(), signal.SIGKILL)  # as the system does when memory runs out


if __name__ == "__main__":
    process = Process(target=work)
    process.start()
    process.join()
    print(f"Process finished with exit code {process.exitcode}")
