import pickle
from functools import cache


def double(number):
    return 2 * number


fast_double = cache(double)  # has the name of another function
try:
    pickle.dumps(fast_double)  # as a pool of processes does with a task
except pickle.PicklingError as error:
    print(f"{type(error).__name__}: {error}")
