import multiprocessing
from concurrent.futures import ProcessPoolExecutor


def square(n):
    return n * n


def main():
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        print(list(pool.map(square, range(5))))


if __name__ == "__main__":
    main()
