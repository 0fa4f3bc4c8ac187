from concurrent.futures import InterpreterPoolExecutor
from math import factorial  # of a module that every interpreter imports for itself

if __name__ == "__main__":
    with InterpreterPoolExecutor(4) as pool:
        print(list(pool.map(factorial, range(8))))
