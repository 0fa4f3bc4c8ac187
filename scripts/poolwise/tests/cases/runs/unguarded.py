"""Starts a pool without a guard, in a way that imports this file again."""
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

multiprocessing.set_start_method("spawn", force=True)


def square(number):
    return number * number


with ProcessPoolExecutor(2) as pool:
    print(sum(pool.map(square, range(8))))
