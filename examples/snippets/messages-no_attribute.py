import pickle


def double(number):
    return 2 * number


task = pickle.dumps(double)  # only the name: __main__.double
del double  # as in a worker whose __main__ lacks it
try:
    pickle.loads(task)  # noqa: S301 - our own
except AttributeError as error:
    print(f"{type(error).__name__}: {error}")
