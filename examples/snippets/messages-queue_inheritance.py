import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def work(results):
    results.put("page")


if __name__ == "__main__":
    with ProcessPoolExecutor(1) as pool, multiprocessing.Manager() as manager:
        error = pool.submit(work, multiprocessing.Queue()).exception()
        print(f"{type(error).__name__}: {error}")
        results = manager.Queue()  # the cure
        pool.submit(work, results).result()
        print(results.get())
